//! The running state shared by all searches with duplicate detection.

use crate::best_first::budget::Budget;
use crate::best_first::by_depth::ByDepth;
use crate::best_first::countdown::Countdown;
use crate::best_first::report::{BestFirstCounts, StoredStates};
use crate::best_first::space::Space;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{Outcome, SolveReport, Totals};

/// Counts of nodes so far. [`BestFirstCounts`] describes the last three.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) duplicates: u64,
    pub(crate) reopened: u64,
    pub(crate) dead_ends: u64,
    pub(crate) beyond: u64,
}

impl Counts {
    /// Return the sums of two counts.
    pub(crate) fn plus(self, other: &Self) -> Self {
        Self {
            generated: self.generated + other.generated,
            expanded: self.expanded + other.expanded,
            duplicates: self.duplicates + other.duplicates,
            reopened: self.reopened + other.reopened,
            dead_ends: self.dead_ends + other.dead_ends,
            beyond: self.beyond + other.beyond,
        }
    }
}

/// A running search.
pub(crate) struct Work<'s, 'p> {
    pub(crate) space: &'s Space,
    pub(crate) countdown: Countdown<'s, 'p>,
    pub(crate) budget: Budget,
    pub(crate) counts: Counts,
    pub(crate) by_depth: ByDepth,
    pub(crate) layers: Vec<u64>,
    pub(crate) heuristic_start: u64,
    /// A cost below which there is no solution, if the search proves one on its way.
    pub(crate) proved: Option<u64>,
}

impl<'s, 'p> Work<'s, 'p> {
    /// Begin a search within the limits of a watch; count nodes by depth if `count_depths` is set.
    pub(crate) fn new(space: &'s Space, watch: Watch<'s, 'p>, count_depths: bool) -> Self {
        let budget = Budget::new(watch.limits().memory);
        Self {
            space,
            countdown: Countdown::new(watch),
            budget,
            counts: Counts::default(),
            by_depth: ByDepth::new(count_depths),
            layers: Vec::new(),
            heuristic_start: 0,
            proved: None,
        }
    }

    /// Return the report of a search with this outcome.
    pub(crate) fn report(
        self,
        outcome: Result<Outcome, StopReason>,
        stored: StoredStates,
        stored_backward: Option<StoredStates>,
    ) -> SolveReport {
        let counts = BestFirstCounts {
            duplicates: self.counts.duplicates,
            reopened: self.counts.reopened,
            dead_ends: self.counts.dead_ends,
            beyond: self.counts.beyond,
            stored,
            stored_backward,
            layers: self.layers,
            packed_bytes: self.space.packing.n_words() * size_of::<u64>(),
            peak_bytes: self.budget.peak(),
            on_disk: None,
        };
        tracing::debug!(
            generated = self.counts.generated,
            states = counts.states(),
            peak_bytes = counts.peak_bytes,
            "search with duplicate detection"
        );
        let (preparation, elapsed) = self.countdown.times();
        SolveReport {
            next_bound: self.proved.filter(|_| outcome.is_err()),
            outcome: outcome.unwrap_or_else(Outcome::Stopped),
            totals: Totals {
                generated: self.counts.generated.into(),
                expanded: self.counts.expanded.into(),
                ..Totals::default()
            },
            levels: self.by_depth.into_levels(),
            heuristic_start: self.heuristic_start,
            best_first: Some(counts),
            preparation,
            elapsed,
            ..SolveReport::new(CycleDetection::None)
        }
    }

    /// Return the report of a search that a limit stopped before it began.
    pub(crate) fn nothing(self, reason: StopReason) -> SolveReport {
        self.report(Err(reason), StoredStates::default(), None)
    }
}
