//! The figures of an analysis, as `advisor` sees them.

use advisor::lengths::{AnalysisFigures, AnalyzedLengths, LevelFigures};
use analyses::{Level, Redundant};

/// The steps that the choice of splits may take before a search: about a tenth of a second. An
/// analysis whose machine is kept may take more.
pub(crate) const STEPS_FOR_SPLITS: u64 = 5_000_000;

/// Return the figures of an analysis.
fn figures(found: &Redundant) -> AnalysisFigures {
    let level = |level: &Level| LevelFigures {
        composed: level.composed,
        impossible: level.impossible,
        kept: level.kept,
    };
    AnalysisFigures {
        length: found.max_length,
        levels: found.levels.iter().map(level).collect(),
        growth: found.branching_factor,
        n_states: found.n_states,
        is_complete: found.stopped.is_none(),
        is_split: found.split.is_some(),
        split_comparisons: found.split_steps,
    }
}

/// Return what an analysis shows about longer ones.
pub(crate) fn analyzed_lengths(found: &Redundant) -> AnalyzedLengths {
    figures(found).into()
}

/// Return whether the machine of an analysis is small enough to be used.
pub(crate) fn fits(found: &Redundant) -> bool {
    figures(found).fits()
}
