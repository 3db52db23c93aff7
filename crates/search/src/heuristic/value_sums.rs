//! Heuristics that add up one number for each variable's value.

use std::iter::zip;

use psvn_ir::{Game, Value, VarId};

use crate::game::cell::Cell;
use crate::heuristic::memo::Memo;
use crate::heuristic::{Estimated, Heuristic, PathNode, Properties, Sibling};

/// The sum over all variables of a number that depends on the variable and its value.
///
/// Manhattan distance is one example (how far is the tile at this position from home?), the number
/// of misplaced tiles another. A search knows how each rule changes the sum, so it looks up only
/// the values that the rule moves, before it makes the child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSums {
    /// Where each variable's numbers begin.
    starts: Vec<usize>,
    numbers: Vec<u32>,
}

impl ValueSums {
    /// Make the sum of `number(variable, value)` over the variables of a game.
    pub fn new(game: &Game, mut number: impl FnMut(VarId, Value) -> u32) -> Self {
        let vars = || (0..game.n_variables()).map(VarId::from_index);
        let n_numbers = vars().map(|var| game.domain_of(var).size()).sum();
        let (mut starts, mut numbers) = (Vec::new(), Vec::with_capacity(n_numbers));
        for var in vars() {
            starts.push(numbers.len());
            let size = game.domain_of(var).size() as u32;
            numbers.extend((0..size).map(|value| number(var, Value(value))));
        }
        Self { starts, numbers }
    }

    /// Return the number for a variable and its value.
    ///
    /// # Panics
    /// When the game has no such variable, or `value` is outside the domain of the last variable.
    /// For the other variables, a value outside the domain gives an arbitrary number.
    #[inline]
    pub fn number(&self, var: VarId, value: Value) -> u32 {
        self.numbers[self.starts[var.index()] + value.index()]
    }

    /// Return all numbers: those of the first variable by value, then those of the second, and so
    /// on.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Return the bytes of the numbers.
    pub fn n_bytes(&self) -> usize {
        size_of_val(&self.numbers[..]) + size_of_val(&self.starts[..])
    }

    /// Return the number of variables.
    pub fn n_variables(&self) -> usize {
        self.starts.len()
    }

    /// Return the sum for a state.
    #[inline]
    pub fn of<C: Cell>(&self, state: &[C]) -> u64 {
        let numbers =
            zip(&self.starts, state).map(|(start, cell)| self.numbers[start + cell.index()]);
        numbers.map(u64::from).sum()
    }

    /// Return an upper bound on the sum.
    pub(crate) fn largest(&self) -> u64 {
        self.numbers.iter().map(|number| u64::from(*number)).sum()
    }
}

impl Heuristic for ValueSums {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.of(state)
    }

    fn start(&self, state: &[u8], _memo: &mut Memo) -> u64 {
        self.of(state)
    }

    fn children(
        &self,
        node: PathNode<'_>,
        _siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        for (state, estimated) in states.chunks_exact(node.state.len()).zip(estimated) {
            estimated.estimate = self.of(state);
        }
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            value_sums: Some(self),
            ..Properties::default()
        }
    }
}
