//! Heuristics that are derived from the rules of a game.
//!
//! Each one examines the rules and the goals, and either fits the game or is refused with a reason
//! ([`Refusal`]):
//!
//! | name | heuristic | fits | admissible |
//! |---|---|---|---|
//! | `manhattan` | [`manhattan`] | each rule moves one piece, and perhaps a common blank | yes |
//! | `linear-conflict` | [`LinearConflict`] | sliding tiles on a rectangle | yes |
//! | `gap` | [`Gap`] | goals that determine all variables | yes |
//! | `misplaced` | [`misplaced`] | any game with a goal | yes |
//! | `goal-count` | [`goal_count`] | any game with a goal | yes |
//! | `lm-cut` | [`LandmarkCut`] | any game with a goal, unless it is very large | yes |
//! | `h-max` | [`RelaxedCosts`] | as `lm-cut` | yes |
//! | `h2` | [`PairCosts`] | as `lm-cut`, with at most some 2,000 values of all variables | yes |
//! | `h3` | [`TripleCosts`] | as `lm-cut`, with at most some 160 values of all variables | yes |
//! | `cartesian` | [`CartesianAbstractions`] | as `lm-cut` | yes |
//! | `projections` | [`Projections`] | as `lm-cut`, unless rules have very many instances | yes |
//! | `merge-and-shrink` | [`MergeAndShrink`] | as `potentials` | yes |
//! | `potentials` | [`Potentials`] | any game with a goal whose rules have few instances | yes |
//! | `operator-counting` | [`OperatorCounting`] | as `lm-cut` | yes |
//! | `h-add`, `ff` | [`RelaxedCosts`] | as `lm-cut` | no |
//! | `plain-goal-count` | [`plain_goal_count`] | any game with a goal | no |
//! | `good` | [`GoodEvaluator`] | the 8-puzzle, blank in the center; larger boards | no |
//! | `weak` | [`weak`] | sliding tiles | yes |
//! | `bad` | [`BadEvaluator`] | sliding tiles | no |
//! | `zero` | [`search::ZeroHeuristic`] | any game | yes |
//!
//! The admissible ones are also consistent, apart from `lm-cut` and `operator-counting`. [`Named`]
//! makes one of them, or the maximum of several, by name ([`Name`]), and [`automatic`] chooses one.
//! [`Combined`] is the maximum of these and of sums of pattern databases, and [`tables`] lists the
//! pattern databases that are worth trying for a game.
//!
//! ```
//! use heuristics::{Name, Named};
//! use invariants::Invariants;
//! use search::{CompiledGame, Searcher};
//!
//! let text = domains::generate_reference("sliding-tiles:3:3").expect("a built-in game");
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! let manhattan = Named::new(&game, &Invariants::none(&game), &[Name::Manhattan])?;
//! let start = game.parse_state("8 7 6 0 4 1 2 5 3")?;
//! assert_eq!(manhattan.of_state(&start), 21);
//!
//! let compiled = CompiledGame::new(&game);
//! let report = Searcher::builder(&compiled).build().run().ida_star(&start, &manhattan)?;
//! assert_eq!(report.solution().map(|it| it.cost), Some(31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Your own
//! A heuristic is any type with the trait [`search::Heuristic`];
//! `crates/psvn/examples/own_heuristic.rs` computes a child's estimate from its parent's. [`check`]
//! tests whether a heuristic is admissible, consistent, and the same with and without the parent.
//!
//! # Admissible
//! Most heuristics here are sums of a number for each variable and its value. Such a sum is
//! admissible and consistent if goal states have the sum 0 and no rule lowers it by more than the
//! rule costs. For a single rule this follows from its terms alone ([`largest_drop`]), whatever the
//! states are. If each rule lowers a count by at most k and costs c, the weight c / k achieves
//! this.
//!
//! # Invariants
//! Invariants of all states that are reachable from the starts add knowledge about goals that leave
//! variables open, so heuristics may be made with them. Such heuristics are valid for these starts
//! only; with [`Invariants::none`](invariants::Invariants::none) they are valid for all starts.
//!
//! # What this crate doesn't know
//! Sequences of rules, and how searches work.

mod cells;
mod combined;
mod effort;
mod estimates;
mod name;
mod packed_keys;
mod perimeter;
mod refusal;
mod structure;
pub mod tables;

pub use search::check;

pub use combined::Combined;
pub use estimates::abstractions::cartesian::CartesianAbstractions;
pub use estimates::abstractions::merge_and_shrink::MergeAndShrink;
pub use estimates::abstractions::projections::Projections;
pub use estimates::counts::{goal_count, misplaced, plain_goal_count, weak};
pub use estimates::delete_relaxation::landmark_cut::LandmarkCut;
pub use estimates::delete_relaxation::pairs::PairCosts;
pub use estimates::delete_relaxation::relaxed_costs::{RelaxedCost, RelaxedCosts};
pub use estimates::delete_relaxation::triples::TripleCosts;
pub use estimates::evaluators::{BadEvaluator, GoodEvaluator};
pub use estimates::gap::{Gap, Shape};
pub use estimates::linear_conflict::LinearConflict;
pub use estimates::manhattan::manhattan;
pub use estimates::potentials::Potentials;
pub use estimates::potentials::operator_counting::OperatorCounting;
pub use estimates::sums::{GoalSums, Ratio, largest_drop};
pub use name::{Automatic, MAX_PARTS, Misfit, Name, Named, UnknownName, automatic};
pub use perimeter::{Perimeter, WithPerimeter};
pub use refusal::Refusal;
