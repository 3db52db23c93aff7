//! A custom heuristic, whose estimate is computed from the parent's.
//!
//! Tokens are in a row, and a move swaps two neighbors. The least number of moves that sorts them
//! is the number of inversions: pairs in the wrong order. Counting them takes quadratic time; but a
//! swap of neighbors changes the order of one pair only, so a child's number is computed from its
//! parent's in constant time.

use psvn::search::check::exhaustive;
use psvn::search::{CompiledGame, IncrementalHeuristic, Searcher};
use psvn::{Environment, Game, Pruning, RuleId};

/// The number of pairs of tokens in the wrong order.
struct Inversions {
    /// The left one of the two places that each rule swaps.
    places: Vec<usize>,
}

impl Inversions {
    fn new(game: &Game) -> Self {
        let rules = game.ir().rules().iter();
        let first_changes = rules.filter_map(|rule| rule.canonical.changes().next());
        Self {
            places: first_changes.map(|(var, _)| var.index()).collect(),
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
fn row_of_tokens(n: usize, env: &Environment) -> Result<Game, psvn::Error> {
    let names: Vec<String> = ('a'..).take(n).map(String::from).collect();
    let goal = names.join(" ");
    let mut text = format!("DOMAIN token {n} {goal}\n{n} {}\n", "token ".repeat(n));
    for left in 0..n - 1 {
        let mut row = vec!["-"; n];
        let mut swapped = row.clone();
        (row[left], row[left + 1]) = ("X", "Y");
        (swapped[left], swapped[left + 1]) = ("Y", "X");
        text += &format!("{} => {}\n", row.join(" "), swapped.join(" "));
    }
    text += &format!("GOAL {goal}\n");
    Game::parse("tokens", &text, env)
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = Environment::default();
    // Check it on all 6! orders of six tokens, against the true distances.
    let small = row_of_tokens(6, &env)?;
    let goal = small.state("the goal", "a b c d e f")?;
    let findings = exhaustive(small.ir(), &Inversions::new(&small), &[goal], 1_000)?;
    println!("{findings}");
    assert!(findings.is_admissible() && findings.is_consistent() && findings.is_incremental());
    assert_eq!(findings.n_states, 720);

    // Twelve tokens, from the farthest order, without redundant sequences of up to 2 moves.
    let game = row_of_tokens(12, &env)?;
    let start = game.state("the start", "l k j i h g f e d c b a")?;
    let analysis = Pruning::up_to(2).analyze(&game, &env)?;
    let file = analysis.machine.as_ref().ok_or("there is no machine")?;
    let searcher = Searcher::builder(&CompiledGame::new(game.ir()))
        .machine(file.machine.clone())
        .build();
    let report = searcher.run().ida_star(&start, &Inversions::new(&game))?;
    let cost = report.solution().map(|solution| solution.cost);
    println!("cost {cost:?}, {} nodes generated", report.totals.generated);
    assert_eq!(cost, Some(66));
    // The first bound is the least cost.
    assert_eq!(report.iterations.len(), 1);
    Ok(())
}
