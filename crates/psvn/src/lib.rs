//! The whole toolkit in one crate: open a game, find which sequences of rules are redundant,
//! search without them, and check the results.
//!
//! ```
//! use psvn::{Environment, Game, Pruning, Solver, check_moves};
//!
//! let env = Environment::default();
//! let game = Game::built_in("sliding-tiles:3:3", &env)?;
//! let start = game.state("the start", "8 7 6 5 4 3 2 1 0")?;
//! let analysis = Pruning::up_to(6).analyze(&game, &env)?;
//! let solver = Solver::builder(&game)
//!     .machine(&analysis)
//!     .heuristic("manhattan".parse().expect("there is one of this name"))
//!     .starts([start.clone()])
//!     .build(&env)?;
//! let answer = solver.solve(&start)?;
//! let solution = answer.solution().expect("this start can be solved");
//! assert_eq!(check_moves(&game, &start, &solution.moves)?.cost, 28);
//! # Ok::<(), psvn::Error>(())
//! ```
//!
//! # Which type for which step
//! | step | type |
//! |---|---|
//! | set threads, seed, cache, cancellation, events | [`Environment`] |
//! | read a game from a file, a text, or a generator | [`Game`] |
//! | find the redundant sequences, and the machine that forbids them | [`Pruning`], [`Analysis`] |
//! | prepare a search once, and solve many starts in any number of threads | [`Solver`] |
//! | read what a search found | [`Answer`], as data [`SolveRecord`](solve::SolveRecord) |
//! | count all states by their distance | [`Exploration`] |
//! | do the same on several machines | `cluster`, with the feature of that name |
//! | count a tree | [`TreeReport`](solve::TreeReport) |
//! | explain why a sequence is or isn't redundant | [`explain`](analysis::explain) |
//! | prove a machine file again | [`verify`](machine::verify) |
//! | certify the least cost of an instance, and check certificates | [`certificate`] |
//! | build pattern databases | [`PatternTables`](heuristic::PatternTables) |
//! | make start states by random walks | [`RandomWalks`](instance::RandomWalks) |
//! | read and write games in other formats | [`foreign`] |
//! | carry out a plan, by the rules as they were written | [`check_moves`] |
//! | search with a heuristic of one's own | [`search::Heuristic`], [`search::Searcher`] |
//! | the same with one that estimates many states at once | [`batch`] |
//!
//! # What holds everywhere
//! - **Values, not bytes.** An analysis is one value with its figures, its machine and its
//!   certificates; machine files and the cache are ways to store it.
//! - **Data.** The types here are what the command prints as JSON; [`Versioned`] adds the version
//!   of their form.
//! - **One type of error.** The kind of an [`Error`] says who has to act, and its hint says how.
//! - **No side effects.** Nothing here prints, ends the program, reads environment variables, or
//!   uses threads other than those of its [`Environment`]. Progress, notes and warnings are
//!   [`Event`]s.

pub mod analysis;
pub mod certificate;
mod environment;
mod error;
mod game;
pub mod heuristic;
pub mod machine;
pub mod solve;
pub mod store;
pub mod text;

pub use self::analysis::{Analysis, AnalysisRequest, Pruning, analyze};
pub use self::environment::{
    Environment, Event, Lints, Phase, PhaseId, Progress, has_room_for_threads,
};
pub use self::error::{Error, ErrorKind, Explanation, TextError, TextErrors};
#[cfg(feature = "domains")]
pub use self::game::sokoban_level;
pub use self::game::{
    DomainDescription, Examined, Game, GameDescription, GoalDescription, GoalSymmetries,
    InvariantDescription, RuleDescription, RuleNames, Variation,
};
pub use self::game::{foreign, instance};
pub use self::heuristic::HeuristicSpec;
pub use self::solve::batch;
#[cfg(feature = "cluster")]
pub use self::solve::cluster;
pub use self::solve::{
    Algorithm, Answer, Cycles, Exploration, ExplorationReport, ExplorationStorage, ExploredLayer,
    Outcome, PruneSpec, SearchOptions, Solver, SolverBuilder, check_moves,
};
pub use self::store::Cache;
pub use self::text::{Message, RESULTS_VERSION, Source, Versioned};

pub use budget::{Limits, StopReason, Watch};
/// The crate of boards.
#[cfg(feature = "drawing")]
pub use drawing;
/// The crate of machines.
pub use fsm;
pub use psvn_ir::{RuleId, State, Value};
/// The crate of searches: what a heuristic of one's own is, what checks it, and runs it.
pub use search;
pub use search::{Bound, CycleDetection, DEAD_END, NotCounted, Solution, Ties, Weight};
