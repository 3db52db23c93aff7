//! The results of all searches, in one form.

use std::time::Duration;

use length_choice::Pruned;
use psvn_ir::RuleId;
use schemars::JsonSchema;
use search::{
    BestFirstCounts, CycleDetection, Iteration, LevelCount, NotCounted, OnDiskCounts, Solution,
    SolveReport, StopReason,
};
use serde::{Deserialize, Serialize};

use super::guarantee::{Guarantee, Proved, no_solution};
use crate::heuristic::TriedStart;

/// The outcome of an instance.
#[derive(Debug)]
pub enum Outcome {
    /// A solution.
    Solved(Solution),
    /// There is none, and that is proved: by a search that left nothing out, or before any search.
    NoSolution {
        /// The proof that made a search superfluous.
        proof: Option<String>,
    },
    /// There is none within the depth, and that is proved.
    NotWithinDepth,
    /// There is none within the cost, and that is proved.
    NotWithinCost,
    /// None was found within the depth or the cost, and nothing is proved.
    NotFound,
    /// Stopped before it had an answer.
    Stopped(StopReason),
}

impl Outcome {
    /// Return its name: `solved`, `no-solution`, `not-within-depth`, `not-within-cost`,
    /// `not-found`, or the limit that stopped the search.
    pub fn code(&self) -> &'static str {
        match self {
            Outcome::Solved(_) => "solved",
            Outcome::NoSolution { .. } => "no-solution",
            Outcome::NotFound => "not-found",
            Outcome::NotWithinDepth => "not-within-depth",
            Outcome::NotWithinCost => "not-within-cost",
            Outcome::Stopped(reason) => reason.code(),
        }
    }
}

/// The states that a search keeps.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Kept {
    /// The number of states that the search kept.
    #[serde(rename = "states_kept")]
    pub states: u64,
    /// The bytes that a state takes on average.
    pub bytes_per_state: f64,
    /// The maximum number of bytes that were held at once.
    pub peak_bytes: usize,
    /// The number of times that a state was found again.
    pub duplicates: u64,
    /// The number of times that a state was expanded again.
    pub reopened: u64,
    /// The files of a search on a disk.
    #[serde(skip)]
    pub on_disk: Option<OnDiskCounts>,
}

/// The use of a transposition table.
pub struct Table {
    /// The look-ups.
    pub lookups: u64,
    /// The nodes that were cut off because of an entry.
    pub cutoffs: u64,
}

/// All solutions of least cost of a start. A solution ends at the first goal that it reaches, and
/// reaches no state twice.
#[derive(Clone, Debug)]
pub struct AllSolutions {
    /// The number of solutions; if a limit stopped the search, of those found before.
    pub count: u64,
    /// The number of solutions of which none is the image of another one under symmetries of the
    /// game that map the start to itself; `None` if that wasn't asked for.
    pub count_up_to_symmetries: Option<u64>,
    /// The first ones in the order of their rules, as many as were asked for; of those that are
    /// images of each other only the first.
    pub listed: Vec<Vec<RuleId>>,
    /// The limit that stopped the search, if one did.
    pub stopped: Option<StopReason>,
    /// The nodes that the search for all of them generated, after the one for the first.
    pub generated: u128,
    /// Its time, without the [preparation](Self::preparation).
    pub elapsed: Duration,
    /// The time of the analysis and of other preparations.
    pub preparation: Duration,
}

/// The answer for one instance.
pub struct Answer {
    /// The outcome of the instance.
    pub outcome: Outcome,
    /// All solutions of least cost, if they were asked for and there is one.
    pub all: Option<AllSolutions>,
    /// The nodes that were generated, without the root.
    pub generated: u128,
    /// The nodes that were expanded.
    pub expanded: u128,
    /// Children that a machine or cycle detection left out, or that were known already.
    pub pruned: u128,
    /// Those that a machine left out; `None` where there can be none.
    pub pruned_by_machine: Option<u128>,
    /// The counts of each bound, for searches that raise one.
    pub iterations: Vec<Iteration>,
    /// Counts by depth; empty if there are none.
    pub levels: Vec<LevelCount>,
    /// The best solution that a search had found when it was stopped.
    pub best_so_far: Option<Solution>,
    /// A bound on every solution, where a search that was stopped has proved one.
    pub proved: Option<Proved>,
    /// What the outcome means, in words. For a solution it is the end of a sentence, such as
    /// ", the least cost".
    pub meaning: String,
    /// The nodes that were generated in the tries by which a heuristic was chosen, which aren't
    /// counted otherwise.
    pub generated_in_tries: u128,
    /// The estimate of the start; `None` where nothing was searched.
    pub heuristic_start: Option<u64>,
    /// The cycle detection that was used.
    pub cycle_detection: CycleDetection,
    /// What was left out; `None` where nothing was searched.
    pub pruning: Option<Pruned>,
    /// The time of preparations that later searches share, such as the plan; 0 where an earlier
    /// search made them.
    pub preparation: Duration,
    /// The time of the search itself. With [`preparation`](Self::preparation) it adds up to the
    /// elapsed time.
    pub elapsed: Duration,
    /// The states that were kept, where the algorithm keeps them.
    pub kept: Option<Kept>,
    /// The use of a transposition table, if there is one.
    pub table: Option<Table>,
    /// The entries of pattern databases that this process read, if they were counted.
    pub lookups: Option<u64>,
    /// The misses of the last level of the processor's caches in this process, from the beginning
    /// of the search, with its [`preparation`](Self::preparation), to its end; or why they weren't
    /// counted. `None` where they weren't requested.
    pub cache_misses: Option<Result<u64, NotCounted>>,
}

impl Answer {
    /// Return the answer for a start that is proved to have no solution before it is searched.
    pub fn refuted(proof: String) -> Self {
        Self {
            meaning: no_solution(Some(&proof)),
            outcome: Outcome::NoSolution { proof: Some(proof) },
            all: None,
            generated: 0,
            expanded: 0,
            pruned: 0,
            pruned_by_machine: None,
            iterations: Vec::new(),
            levels: Vec::new(),
            best_so_far: None,
            proved: None,
            generated_in_tries: 0,
            heuristic_start: None,
            cycle_detection: CycleDetection::None,
            pruning: None,
            preparation: Duration::ZERO,
            elapsed: Duration::ZERO,
            kept: None,
            table: None,
            lookups: None,
            cache_misses: None,
        }
    }

    /// Return whether there was a search for it.
    pub fn was_searched(&self) -> bool {
        !matches!(self.outcome, Outcome::NoSolution { proof: Some(_) })
    }

    /// Return the solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }
}

/// The bytes of a line of the processor's caches, which is what a look-up fetches.
const CACHE_LINE: f64 = 64.0;

impl Answer {
    /// Return the look-ups for each generated node, if they were counted.
    pub fn lookups_per_node(&self) -> Option<f64> {
        Some(self.lookups? as f64 / self.generated.max(1) as f64)
    }

    /// Return the misses of the processor's caches for each generated node, if they were counted.
    pub fn cache_misses_per_node(&self) -> Option<f64> {
        let misses = self.cache_misses?.ok()?;
        Some(misses as f64 / self.generated.max(1) as f64)
    }

    /// Return the bytes of memory for each generated node, if look-ups were counted: a line of the
    /// processor's caches for each look-up, and the bytes of the states that are kept. The path of
    /// a depth-first search isn't counted, since it stays in these caches.
    pub fn bytes_per_node(&self) -> Option<f64> {
        let kept = self.kept.as_ref();
        let kept = kept.map_or(0.0, |kept| kept.states as f64 * kept.bytes_per_state);
        Some(self.lookups_per_node()? * CACHE_LINE + kept / self.generated.max(1) as f64)
    }

    /// Return whether generated nodes may include nodes that were counted without being made one by
    /// one, as depth-first searches count leaves and plies at which all rules apply.
    pub fn counts_in_bulk(&self) -> bool {
        self.kept.is_none() && self.table.is_none()
    }
}

impl Answer {
    /// Return what the report of a search means, given what the search guarantees, and what tries
    /// of heuristics have shown about its start.
    pub(crate) fn new(
        report: SolveReport,
        guarantee: &Guarantee,
        tried: Option<&TriedStart>,
    ) -> Self {
        let (pruned, pruned_by_machine) = match &report.best_first {
            Some(counts) => (counts.duplicates.into(), None),
            None => {
                let totals = report.totals;
                (totals.pruned(), Some(totals.pruned_by_machine))
            }
        };
        let mut answer = Self {
            all: None,
            generated: report.totals.generated,
            expanded: report.totals.expanded,
            pruned,
            pruned_by_machine,
            levels: report.levels,
            best_so_far: report.best_so_far,
            outcome: guarantee.outcome(report.outcome),
            proved: None,
            meaning: String::new(),
            generated_in_tries: tried.map_or(0, |it| it.generated),
            iterations: report.iterations,
            heuristic_start: Some(report.heuristic_start),
            cycle_detection: report.cycle_detection,
            pruning: None,
            preparation: report.preparation,
            elapsed: report.elapsed,
            kept: report.best_first.as_ref().map(Kept::of),
            table: report.table.map(|table| Table {
                lookups: table.lookups,
                cutoffs: table.cutoffs,
            }),
            lookups: None,
            cache_misses: None,
        };
        let at_least = tried.map(|it| it.cost_at_least).max(report.next_bound);
        answer.proved = guarantee.proved(&answer, at_least);
        answer.meaning = guarantee.meaning(&answer);
        answer
    }
}

impl Kept {
    /// Return the kept states of a report, both directions together.
    pub(crate) fn of(counts: &BestFirstCounts) -> Self {
        let stored = [Some(counts.stored), counts.stored_backward];
        let bytes: usize = stored
            .iter()
            .flatten()
            .map(|stored| stored.table_bytes + stored.open_bytes)
            .sum();
        Self {
            states: counts.states(),
            bytes_per_state: bytes as f64 / counts.states().max(1) as f64,
            peak_bytes: counts.peak_bytes,
            duplicates: counts.duplicates,
            reopened: counts.reopened,
            on_disk: counts.on_disk,
        }
    }
}
