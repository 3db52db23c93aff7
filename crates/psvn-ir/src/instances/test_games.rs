//! Games for the tests here. No text is loaded: the loader would be compiled for them once more.

use crate::{Cell, Domain, Game, GameBuilder, SymbolId, Value};

/// Return a game whose goal is a row of the first `n` of these values, and whose only rule
/// exchanges the first two.
pub(super) fn row(values: &[&str], n: usize) -> Game {
    let mut builder = GameBuilder::new();
    let domain = builder.domain(Domain::new("value", values.to_vec()).unwrap());
    for _ in 0..n {
        builder.variable(domain);
    }
    let lhs: Vec<Cell> = (0..n as u32).map(|i| Cell::symbol(SymbolId(i))).collect();
    let mut rhs = lhs.clone();
    rhs.swap(0, 1);
    builder.rule(None, lhs, rhs, 1);
    builder.goal((0..n as u32).map(|i| Cell::constant(Value(i))).collect());
    builder.build().unwrap()
}

/// Return a game of `n` numbers below `size`.
pub(super) fn numbers(size: usize, n: usize) -> Game {
    let names: Vec<String> = (0..size).map(|value| value.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    row(&names, n)
}
