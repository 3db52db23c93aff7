//! A custom heuristic, whose estimate is computed from the parent's.
//!
//! Tokens are in a row, and a move swaps two neighbors. The least number of moves that sorts them
//! is the number of inversions: pairs in the wrong order. Counting them takes quadratic time; but a
//! swap of neighbors changes the order of one pair only, so a child's number is computed from its
//! parent's in constant time.

use heuristics::check::exhaustive;
use psvn_ir::{Cell, Domain, Game, GameBuilder, RuleId, SymbolId, Value};
use search::{CompiledGame, IncrementalHeuristic, Searcher};

/// The number of pairs of tokens in the wrong order.
struct Inversions {
    /// The left one of the two places that each rule swaps.
    places: Vec<usize>,
}

impl Inversions {
    fn new(game: &Game) -> Self {
        let left =
            |rule: &psvn_ir::Rule| rule.canonical.changes().next().map(|(var, _)| var.index());
        Self {
            places: game.rules().iter().filter_map(left).collect(),
        }
    }
}

impl IncrementalHeuristic for Inversions {
    /// The data that searches keep for each node of a path, and pass back to estimate its children.
    type Memo = u64;

    /// Estimate from the state alone. Values are numbered in the order of their domain.
    fn first(&self, state: &[u32]) -> (u64, u64) {
        let smaller_after = |i: usize| state[i + 1..].iter().filter(move |it| **it < state[i]);
        let inversions = (0..state.len()).map(|i| smaller_after(i).count() as u64);
        let inversions = inversions.sum();
        (inversions, inversions)
    }

    /// Estimate from the parent's number.
    fn next(&self, rule: RuleId, parent: &[u8], memo: &u64, _child: &[u8]) -> (u64, u64) {
        let left = self.places[rule.index()];
        let is_inverted = parent[left] > parent[left + 1];
        let inversions = if is_inverted { memo - 1 } else { memo + 1 };
        (inversions, inversions)
    }
}

/// Tokens a, b, c, .. in a row.
fn row_of_tokens(n: usize) -> Result<Game, Box<dyn std::error::Error>> {
    let names = ('a'..).take(n).map(String::from);
    let mut builder = GameBuilder::new();
    let token = builder.domain(Domain::new("token", names)?);
    for _ in 0..n {
        builder.variable(token);
    }
    let tokens: Vec<Cell> = (0..n as u32).map(|i| Cell::symbol(SymbolId(i))).collect();
    for i in 1..n {
        let mut swapped = tokens.clone();
        swapped.swap(i - 1, i);
        builder.rule(None, tokens.clone(), swapped, 1);
    }
    builder.goal((0..n as u32).map(|i| Cell::constant(Value(i))).collect());
    Ok(builder.build()?)
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Check it on all 6! orders of six tokens, against the true distances.
    let small = row_of_tokens(6)?;
    let goal = small.parse_state("a b c d e f")?;
    let findings = exhaustive(&small, &Inversions::new(&small), &[goal], 1_000)?;
    println!("{findings}");
    assert!(findings.is_admissible() && findings.is_consistent() && findings.is_incremental());
    assert_eq!(findings.n_states, 720);

    // Twelve tokens, from the farthest order.
    let game = row_of_tokens(12)?;
    let start = game.parse_state("l k j i h g f e d c b a")?;
    let compiled = CompiledGame::new(&game);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&start, &Inversions::new(&game))?;
    let cost = report.solution().map(|solution| solution.cost);
    println!("cost {cost:?}, {} nodes generated", report.totals.generated);
    assert_eq!(cost, Some(66));
    assert_eq!(
        report.iterations.len(),
        1,
        "the first bound is the least cost"
    );
    Ok(())
}

#[test]
fn it_runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
