//! Analyses: which sequences of rules are redundant, and the machine that forbids them.
//!
//! An analysis can be kept in the [cache](crate::Cache) and is the same when it comes from there.

mod assumptions;
mod error;
mod explain;
mod pruning;

use std::sync::Arc;

use move_prune::Limits;
use psvn_ir::State;

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

pub use self::assumptions::{Assume, Starts};
pub use self::explain::{ExplainOptions, explain, explain_operators};
pub use self::pruning::Pruning;
pub use analyses::{
    Analysis, AnalysisReport, AnalysisRequest, AnalyzeError, Assumptions, AssumptionsSource, Ideal,
    IdealDepth, IdealDifference, IdealGrowth, IdealRequest, Letters, Level, MachineKind,
    MachineSizes, MaxLength, Method, RejectedFor, RejectedReport, RuleOrderChoice, Size,
    SplitChoice, Summary, Task, analyze_rules, compare_with_ideal,
};
pub(crate) use analyses::{Redundant, SplitRequest};
pub use move_prune::{OperatorOrder, Order};
pub use redundancy::{
    Appended, Certificate, CertifiedSide, Composition, CompositionStep, Nearest, OperatorInstance,
    OperatorsExplained, Reading, ReadingOfParts, ReadingStep, RulesExplained, SearchFor,
    WordVerdict, admits,
};
pub use rule_splits::{SplitPart, SplitRule, SplitWhy, Splits};

/// Analyze a game, or read the result of an earlier analysis from the cache.
///
/// The work grows with the number of kept sequences, which grows by about the branching factor with
/// each length; set limits for lengths that weren't tried before.
///
/// # Errors
/// When the request contradicts the game, or a machine doesn't fit in memory. If a limit stops the
/// analysis, the result covers the lengths that were completed, and its summary names the limit.
pub fn analyze(
    game: &Game,
    request: &AnalysisRequest,
    limits: Limits,
    env: &Environment,
) -> Result<Arc<Analysis>, Error> {
    let analyzed = analyses::analyze(game.ir(), request, limits, env);
    analyzed.map_err(|error| error::about(error, game))
}

/// Return the root of the trees that [`compare_with_ideal`] counts: a state given as text, or else
/// the goal state.
///
/// # Errors
/// When the text isn't a state, or there is no single goal state.
pub fn root_of_ideal(game: &Game, start: Option<&str>) -> Result<State, Error> {
    match start {
        Some(text) => game.state("the start", text),
        None => game.ir().goal_state().ok_or_else(|| {
            Error::usage(format!(
                "a tree needs a start, and {} has no single goal state",
                game.name()
            ))
            .with_hint(message![
                "give one with `",
                Parameter::Start.is("\"STATE\""),
                "`"
            ])
        }),
    }
}
