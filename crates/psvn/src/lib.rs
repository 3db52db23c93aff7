//! The whole toolkit behind one door: open a game, find which sequences of rules are redundant,
//! search without them, and check what comes out.

pub mod analysis;
mod environment;
mod error;
pub mod experiment;
mod game;
pub mod heuristic;
pub mod instance;
pub mod machine;
pub mod solve;
pub mod store;
pub mod text;

pub use self::analysis::{Analysis, AnalysisRequest, Pruning, analyze};
pub use self::environment::{Environment, Event, Phase, PhaseId, Progress};
pub use self::error::{Error, ErrorKind, Explanation, TextErrors};
pub use self::game::{Examined, Game, ReadLimits, RuleNames, Source};
pub use self::heuristic::HeuristicSpec;
pub use self::solve::{
    Algorithm, Answer, Outcome, PruneSpec, Run, SearchOptions, Searcher, SearcherBuilder,
    check_moves,
};
pub use self::store::Cache;
