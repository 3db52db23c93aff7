//! What any of the searches has found out, in one form.

use std::time::Duration;

use search::{
    BestFirstOutcome, BestFirstReport, CycleDetection, Iteration, LevelCount, Outcome, Solution,
    SolveReport, TranspositionReport,
};

/// States that a search keeps.
pub(crate) struct Kept {
    pub(crate) states: u64,
    pub(crate) bytes_per_state: f64,
    pub(crate) peak_bytes: usize,
    pub(crate) duplicates: u64,
    pub(crate) reopened: u64,
}

/// How often a transposition table was of use.
pub(crate) struct Table {
    pub(crate) lookups: u64,
    pub(crate) cutoffs: u64,
}

/// The answer for one instance.
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) generated: u128,
    pub(crate) expanded: u128,
    /// Children that a machine or cycle detection left out, or that were known already.
    pub(crate) pruned: u128,
    /// Those of them that a machine left out; `None` where there can be none.
    pub(crate) pruned_by_machine: Option<u128>,
    pub(crate) iterations: Vec<Iteration>,
    /// Counts by depth; empty if there are none.
    pub(crate) levels: Vec<LevelCount>,
    /// The best solution that a search had found when it was stopped.
    pub(crate) best_so_far: Option<Solution>,
    pub(crate) heuristic_start: u64,
    pub(crate) cycle_detection: CycleDetection,
    pub(crate) elapsed: Duration,
    pub(crate) kept: Option<Kept>,
    pub(crate) table: Option<Table>,
}

impl Answer {
    /// The solution, if there is one.
    pub(crate) fn solution(&self) -> Option<&Solution> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }
}

impl Answer {
    /// Whether generated nodes may include nodes that were counted without being made one by one, as
    /// depth-first searches count leaves and plies at which all rules apply.
    pub(crate) fn counts_in_bulk(&self) -> bool {
        self.kept.is_none() && self.table.is_none()
    }
}

impl From<SolveReport> for Answer {
    fn from(report: SolveReport) -> Self {
        Self {
            generated: report.totals.generated,
            expanded: report.totals.expanded,
            pruned: report.totals.pruned(),
            pruned_by_machine: Some(report.totals.pruned_by_machine),
            levels: report.levels,
            best_so_far: report.best_so_far,
            outcome: report.outcome,
            iterations: report.iterations,
            heuristic_start: report.heuristic_start,
            cycle_detection: report.cycle_detection,
            elapsed: report.elapsed,
            kept: None,
            table: None,
        }
    }
}

impl From<BestFirstReport> for Answer {
    fn from(report: BestFirstReport) -> Self {
        let states = report.states();
        let stored = [Some(report.stored), report.stored_backward];
        let bytes: usize = stored
            .iter()
            .flatten()
            .map(|stored| stored.table_bytes + stored.open_bytes)
            .sum();
        Self {
            generated: report.counts.generated.into(),
            expanded: report.counts.expanded.into(),
            pruned: report.counts.duplicates.into(),
            pruned_by_machine: None,
            levels: Vec::new(),
            best_so_far: None,
            kept: Some(Kept {
                states,
                bytes_per_state: bytes as f64 / states.max(1) as f64,
                peak_bytes: report.peak_bytes,
                duplicates: report.counts.duplicates,
                reopened: report.counts.reopened,
            }),
            outcome: match report.outcome {
                BestFirstOutcome::Solved(solution) => Outcome::Solved(solution),
                BestFirstOutcome::NoSolution => Outcome::NoSolution,
                BestFirstOutcome::NotFound => Outcome::NotWithinDepth,
                BestFirstOutcome::Stopped(reason) => Outcome::Stopped(reason),
            },
            iterations: Vec::new(),
            heuristic_start: report.heuristic_start,
            cycle_detection: CycleDetection::None,
            elapsed: report.elapsed,
            table: None,
        }
    }
}

impl From<TranspositionReport> for Answer {
    fn from(report: TranspositionReport) -> Self {
        Self {
            outcome: report.outcome,
            generated: report.generated.into(),
            expanded: report.expanded.into(),
            pruned: report.pruned_by_machine.into(),
            pruned_by_machine: Some(report.pruned_by_machine.into()),
            levels: Vec::new(),
            best_so_far: None,
            iterations: report.iterations,
            heuristic_start: report.heuristic_start,
            cycle_detection: CycleDetection::None,
            elapsed: report.elapsed,
            kept: None,
            table: Some(Table {
                lookups: report.table.lookups,
                cutoffs: report.table.cutoffs,
            }),
        }
    }
}
