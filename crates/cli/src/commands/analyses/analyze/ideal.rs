//! The nodes that a machine leaves beside those of the ideal tree.

use std::time::Instant;

use psvn::analysis::{AnalysisRequest, Ideal, IdealRequest, compare_with_ideal, root_of_ideal};
use psvn::{Analysis, Game, Limits};

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::session::Context;

/// The memory that the trees may take unless a limit is given.
const DEFAULT_MEMORY: usize = 2 << 30;

/// Compare the tree that an analysis leaves with the ideal one, in the remaining time.
pub(super) fn compare(
    args: &AnalyzeArgs,
    game: &Game,
    setting: &AnalysisRequest,
    analysis: &Analysis,
    started: Instant,
    cx: &Context,
) -> Result<Ideal, Failure> {
    let wanted = IdealRequest {
        depth: args.depth,
        most_differences: args.differences,
        start: root_of_ideal(game, args.start.as_deref())?,
    };
    let limits = Limits {
        time: args
            .limits
            .time
            .map(|time| time.saturating_sub(started.elapsed())),
        memory: args.limits.memory.or(Some(DEFAULT_MEMORY)),
        ..Limits::default()
    };
    let compared = compare_with_ideal(game.ir(), setting, analysis, &wanted, &limits, &cx.env)?;
    Ok(compared)
}
