//! Heuristics that are found from the rules of a game.
//!
//! Each examines the rules and the goals, and either fits the game or is refused with the reason
//! ([`Refusal`]):
//!
//! | name | heuristic | fits | admissible |
//! |---|---|---|---|
//! | `manhattan` | [`manhattan`] | each rule moves one piece, beside a common one such as a blank | yes |
//! | `linear-conflict` | [`LinearConflict`] | sliding tiles on a rectangle | yes |
//! | `gap` | [`Gap`] | goals that determine all variables | yes |
//! | `misplaced` | [`misplaced`] | any game with a goal | yes |
//! | `goal-count` | [`goal_count`] | any game with a goal | yes |
//! | `plain-goal-count` | [`plain_goal_count`] | any game with a goal | no |
//! | `good` | [`GoodEvaluator`] | the 8-puzzle, blank in the center; larger boards | no |
//! | `weak` | [`weak`] | sliding tiles | yes |
//! | `bad` | [`BadEvaluator`] | sliding tiles | no |
//! | `zero` | [`search::ZeroHeuristic`] | any game | yes |
//!
//! Those that are admissible are consistent, too. [`Named`] makes one of them, or the greatest of
//! several, by name ([`Name`]), and [`automatic`] chooses one. [`Combined`] is the greatest of
//! these and of sums of pattern databases, and [`tables`] lists the pattern databases that are
//! worth trying for a game.
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
//! A heuristic is any type with the trait [`search::Heuristic`]; `examples/own_heuristic.rs` shows
//! one that computes a child's estimate from its parent's. [`check`] tries out whether a heuristic
//! is admissible, consistent, and the same with and without the parent.
//!
//! # Admissible
//! Most heuristics here are sums of a number for each variable and its value. Such a sum is
//! admissible, and consistent, if goal states have the sum 0 and no rule lowers it by more than the
//! rule costs; for one rule that is seen from its terms alone ([`largest_drop`]), whatever the
//! states are. Where a rule lowers a count by k and costs c, the count times c / k does it.
//!
//! # Invariants
//! What is known of all states that can be reached from the starts says more about goals that
//! leave variables open, so heuristics may be made with it. They hold for such starts only; with
//! [`Invariants::none`](invariants::Invariants::none) they hold for all.
//!
//! # What this crate doesn't know
//! Sequences of rules, and how searches work.

mod combined;
mod estimates;
mod name;
mod perimeter;
mod refusal;
mod structure;
pub mod tables;

pub use search::check;

pub use combined::{Combined, CombinedMemo};
pub use estimates::counts::{goal_count, misplaced, plain_goal_count, weak};
pub use estimates::evaluators::{BadEvaluator, GoodEvaluator};
pub use estimates::gap::{Gap, Shape};
pub use estimates::linear_conflict::LinearConflict;
pub use estimates::manhattan::manhattan;
pub use estimates::sums::{GoalSums, Ratio, largest_drop};
pub use name::{Automatic, MAX_PARTS, Misfit, Name, Named, UnknownName, automatic};
pub use perimeter::{Perimeter, PerimeterStop, WithPerimeter};
pub use refusal::Refusal;
