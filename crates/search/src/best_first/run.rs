//! What all searches with duplicate detection share while they run.

use crate::best_first::budget::Budget;
use crate::best_first::pulse::Pulse;
use crate::best_first::report::{BestFirstCounts, BestFirstOutcome, BestFirstReport, StoredStates};
use crate::best_first::space::Space;
use crate::run::limits::StopReason;

/// One run of a search.
pub(crate) struct Run<'s, 'p> {
    pub(crate) space: &'s Space,
    pub(crate) pulse: Pulse<'s, 'p>,
    pub(crate) budget: Budget,
    pub(crate) counts: BestFirstCounts,
    pub(crate) layers: Vec<u64>,
    pub(crate) heuristic_start: u64,
}

impl Run<'_, '_> {
    /// The report of a search that ended so.
    pub(crate) fn report(
        self,
        outcome: Result<BestFirstOutcome, StopReason>,
        stored: StoredStates,
        stored_backward: Option<StoredStates>,
    ) -> BestFirstReport {
        let report = BestFirstReport {
            outcome: outcome.unwrap_or_else(BestFirstOutcome::Stopped),
            counts: self.counts,
            stored,
            stored_backward,
            layers: self.layers,
            packed_bytes: self.space.packing.n_words() * size_of::<u64>(),
            peak_bytes: self.budget.peak(),
            heuristic_start: self.heuristic_start,
            elapsed: self.pulse.elapsed(),
        };
        tracing::debug!(
            generated = report.counts.generated,
            states = report.states(),
            peak_bytes = report.peak_bytes,
            "search with duplicate detection"
        );
        report
    }

    /// The report of a search that couldn't even begin.
    pub(crate) fn nothing(self, reason: StopReason) -> BestFirstReport {
        self.report(Err(reason), StoredStates::default(), None)
    }
}
