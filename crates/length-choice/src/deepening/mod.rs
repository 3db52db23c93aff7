//! `--prune auto`: longer sequences are compared during a search, once that is cheap compared with
//! the remaining search.
//!
//! IDA\* searches one bound after the other, and may search each with another machine. So it begins
//! with a machine that takes hardly any time to make. Between two bounds `advisor::lengths`
//! compares the savings of an analysis with its cost: the last two bounds show the work of the next
//! ones; the states around the start show how many sequences could be pruned
//! ([`sampling`]); and the lengths analyzed so far show the cost of the analysis.
//! Finished bounds needn't be searched again.
//!
//! Work is counted in steps, so that the choice is the same on every computer. A search from a
//! start decides by its own counts and by what earlier runs left in the cache, not by other
//! searches of its run. But an analysis that one of these has already made is used again.
//!
//! Where an earlier run kept longer sequences in the cache ([`cached`]), a search
//! begins with them. The cache also records how much was searched since the last analysis
//! ([`EarlierSearches`]). Auto expects as much again, so short searches pay for an analysis
//! together. The nodes that a search generates may therefore depend on the contents of the cache.
//! Its answer doesn't.

mod cached;
mod sampling;
pub(crate) mod surroundings;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use advisor::Steps;
use advisor::lengths::{AnalyzedLengths, EarlierSearches, LEAST_NODES, Potential, SearchForecast};
use analyses::{AnalyzeError, Redundant, Sharing, SplitChoice, SplitRequest};
use budget::amounts::format_seconds;
use fsm::RuleMachine;
use host::Host;
use invariants::Invariants;
use move_prune::{Limits, SharedWords};
use psvn_ir::{Game, State};
use redundancy::{ErrorKind, SearchFor};
use rule_splits::SplitGame;

use self::cached::UsedAnalysis;
pub(crate) use self::cached::{CachedAnalyses, CachedAnalysis, only_cached};
use self::surroundings::{AnalysisKey, Pruned, SharedSurroundings, Surroundings};
use crate::figures::{analyzed_lengths, fits};
use crate::pruned::PrunedSequences;

/// A machine for longer sequences.
#[derive(Debug)]
pub(crate) struct LongerAnalysis {
    pub(crate) known: AnalyzedLengths,
    /// The steps that it takes a search that makes it alone.
    pub(crate) steps: Steps,
    /// Those that it took, where another analysis did a part of the work.
    own_steps: Steps,
    /// The time that it took to find, also where an earlier run found it.
    analysis: Duration,
    /// The game whose rules are the machine's letters, where rules are split.
    pub(crate) split: Option<Arc<SplitGame>>,
    /// The key of the analysis, and that under which the cache may have it.
    made_by: AnalysisKey,
    stored_as: AnalysisKey,
    /// The steps with which, or with more, a choice of splits has the same result.
    unsplit_from: Option<u64>,
    /// `None` if it is too large.
    pub(crate) machine: Option<Arc<RuleMachine>>,
    /// Whether an earlier run kept it.
    is_cached: bool,
    /// Whether the searches of earlier runs were taken off the record for it.
    is_paid: AtomicBool,
    /// Whether the cache says that it was taken.
    is_noted: AtomicBool,
}

/// The data of `--prune auto` about a game, shared by all searches in it.
#[derive(Debug)]
pub struct Deepening {
    first: AnalyzedLengths,
    assumed: Invariants,
    search_for: SearchFor,
    /// The user's choice of rules to split.
    split: SplitRequest,
    cached: CachedAnalyses,
    n_starts: usize,
    /// The searches of earlier runs.
    earlier: EarlierSearches,
    record: Mutex<Record>,
    longer: Mutex<BTreeMap<AnalysisKey, Arc<LongerAnalysis>>>,
    /// Starts that are worth different choices of splits compare the same sequences.
    words: SharedWords,
    surroundings: SharedSurroundings,
}

/// The divisor of the least time of a stored result that gives that of an analysis made for a
/// search: a search loses more by finding an analysis late than by making it.
const PART_OF_LEAST_TIME: u32 = 100;

/// The steps of searches that are recorded for later runs: shorter ones need no longer sequences.
const STEPS_TO_RECORD: Steps = 1e7;

/// The searches of earlier runs and of this one since the last analysis.
#[derive(Debug)]
struct Record {
    all: EarlierSearches,
    /// The steps that the cache doesn't know yet.
    unsaved: Steps,
}

impl Deepening {
    /// Searches begin with the analysis that was found, perhaps in the cache.
    pub(crate) fn new(
        (found, from_cache): (&Redundant, Option<&CachedAnalysis>),
        (assumed, search_for): (Invariants, SearchFor),
        split: SplitRequest,
        cached: CachedAnalyses,
        starts: &[State],
    ) -> Self {
        let mut first = analyzed_lengths(found);
        match from_cache {
            Some(it) => first = first.with_tried(None, it.length, it.steps_for_splits()),
            // The analysis that was tried first wasn't suitable.
            None => {
                if let Some(it) = cached.at_once() {
                    cached.forget_from(it.length);
                }
            }
        }
        let earlier = cached.earlier_searches();
        Self {
            first,
            assumed,
            search_for,
            split,
            cached,
            n_starts: starts.len(),
            earlier,
            record: Mutex::new(Record {
                all: earlier,
                unsaved: 0.0,
            }),
            longer: Mutex::default(),
            words: SharedWords::default(),
            surroundings: SharedSurroundings::of(starts),
        }
    }

    /// Return the analysis that a search begins with.
    pub(crate) fn first(&self) -> &AnalyzedLengths {
        &self.first
    }

    /// Return the steps of the analyses that searches made.
    pub(crate) fn steps(&self) -> Steps {
        let made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        made.values().map(|it| it.own_steps).sum()
    }

    /// Return the steps of deciding about analyses.
    pub(crate) fn deciding_steps(&self) -> Steps {
        self.surroundings.steps()
    }

    /// Find states near a start, or near the first one of several. Return also whether no other
    /// search had found them.
    pub(crate) fn surroundings(
        &self,
        game: &Game,
        start: &State,
        pruned: Pruned<'_>,
        extent: (u64, usize),
        limits: &budget::Limits,
    ) -> (Arc<Surroundings>, bool) {
        self.surroundings.find(game, start, pruned, extent, limits)
    }

    /// Return the number of searches.
    pub(crate) fn n_starts(&self) -> usize {
        self.n_starts
    }

    /// Return the searches of earlier runs since the last analysis.
    pub(crate) fn earlier_searches(&self) -> EarlierSearches {
        self.earlier
    }

    /// Record a search for later runs, or the part of it since it made an analysis.
    pub(crate) fn record(
        &self,
        search: EarlierSearches,
        since_analysis: bool,
        game: &Game,
        host: &dyn Host,
    ) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if since_analysis {
            record.all = EarlierSearches::default();
            record.unsaved = f64::INFINITY;
        }
        record.all.add(&search);
        record.unsaved += search.weight();
        if record.unsaved >= STEPS_TO_RECORD {
            self.cached.record(&record.all, game, host);
            record.unsaved = 0.0;
        }
    }

    /// Return the nodes after which a search should check again.
    pub(crate) fn pause_above(
        &self,
        known: &AnalyzedLengths,
        steps_of_node: f64,
        earlier: &EarlierSearches,
    ) -> u64 {
        if self.cached.longer(known, |_| f64::INFINITY).is_some() {
            return LEAST_NODES;
        }
        known.nodes_before_worth(steps_of_node, self.n_starts, earlier)
    }

    /// Return the machine for longer sequences that is worth its analysis between two bounds. It is
    /// made unless another search made it. The steps to read results that can't be used are added
    /// to those spent.
    ///
    /// # Errors
    /// When a machine can't be made for another reason than its size.
    pub(crate) fn longer(
        &self,
        known: &AnalyzedLengths,
        forecast: &mut SearchForecast,
        game: &Game,
        limits: &Limits,
        host: &dyn Host,
    ) -> Result<Option<Arc<LongerAnalysis>>, AnalyzeError> {
        // A result that can't be used must not delay an analysis.
        loop {
            let most_steps = |length| {
                let saving = known.saving_of_longer(length, forecast);
                forecast.affordable_unseen().max(saving - forecast.invested)
            };
            let Some(cached) = self.cached.longer(known, most_steps) else {
                break;
            };
            let wanted = (cached.length, &cached.split);
            let longer = self.find(known, wanted, Some(cached), game, limits, host)?;
            if longer.is_usable() {
                return Ok(Some(longer));
            }
            self.cached.forget_from(cached.length);
            forecast.invested += longer.steps;
        }
        let may_split = self.split.choice != SplitChoice::None;
        let Some(choice) = known.worth(forecast, may_split) else {
            return Ok(None);
        };
        let most_steps = choice.steps_for_splits;
        let split = match (self.split.choice, most_steps) {
            (SplitChoice::Auto, None) => SplitRequest::none(),
            _ => SplitRequest {
                most_steps,
                ..self.split.clone()
            },
        };
        let wanted = (choice.length, &split);
        self.find(known, wanted, None, game, limits, host).map(Some)
    }

    /// Return the machine for sequences up to some length, which may be in the cache.
    fn find(
        &self,
        before: &AnalyzedLengths,
        (length, split): (usize, &SplitRequest),
        cached: Option<&CachedAnalysis>,
        game: &Game,
        limits: &Limits,
        host: &dyn Host,
    ) -> Result<Arc<LongerAnalysis>, AnalyzeError> {
        let most_steps = match cached {
            Some(cached) => cached.steps_for_splits(),
            None => split.most_steps,
        };
        let key = (length, most_steps);
        let mut made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(longer) = made.get(&key) {
            return Ok(Arc::clone(longer));
        }
        if cached.is_none()
            && let Some(shared) = Self::shared(&made, key)
        {
            made.insert(key, Arc::clone(&shared));
            return Ok(shared);
        }
        // What is only read has no time for more.
        let may_end_early = cached.is_some() || limits.time.is_some() || host.is_interrupted();
        let longer = match self.analyze(key, split, cached, game, limits, host) {
            Ok(longer) => longer,
            // The search continues with its present machine.
            Err(error) if error.kind() == ErrorKind::Limit => {
                LongerAnalysis::too_large(before, key, cached.is_some())
            }
            Err(error) => return Err(error),
        };
        let longer = Arc::new(longer);
        let is_unusable = cached.is_some() && !longer.is_usable();
        // An analysis that was too large is too large for all starts.
        let is_final = longer.known.length == length || !may_end_early;
        if is_final && !is_unusable {
            made.insert(key, Arc::clone(&longer));
        }
        Ok(longer)
    }

    /// Make the machine for sequences up to some length, or read it from the cache.
    fn analyze(
        &self,
        key: AnalysisKey,
        split: &SplitRequest,
        cached: Option<&CachedAnalysis>,
        game: &Game,
        limits: &Limits,
        host: &dyn Host,
    ) -> Result<LongerAnalysis, AnalyzeError> {
        let (length, _) = key;
        let has_words = self.words.contains(length);
        host.step(&|| format!("looking for redundant sequences up to length {length}"));
        let limits = match cached {
            Some(_) => only_cached(limits),
            None => limits.clone(),
        };
        let found = Redundant::find_sharing(
            Some(Sharing {
                words: &self.words,
                divisor: PART_OF_LEAST_TIME,
            }),
            game,
            (self.assumed.clone(), self.search_for),
            (length, split),
            limits,
            host,
        )?;
        let known = analyzed_lengths(&found);
        let steps = match (cached, found.from_cache) {
            (Some(cached), true) => cached.steps,
            (Some(_), false) => 0.0,
            (None, true) => self.cached.steps_of_reading(length, split, game, host),
            (None, false) => known.steps(),
        };
        let own_steps = if has_words && cached.is_none() {
            known.steps_of_choice()
        } else {
            steps
        };
        let analysis = found.time_up_to(found.max_length);
        let split = found.split.clone();
        let unsplit_from = found.unsplit_from.filter(|_| found.stopped.is_none());
        // A damaged result counts as missing.
        let is_there = found.from_cache || cached.is_none();
        let machine = if is_there && fits(&found) {
            let machine = found.into_machine(length)?;
            Some(Arc::new(RuleMachine::new(machine.into(), &[])))
        } else {
            None
        };
        Ok(LongerAnalysis {
            known,
            steps,
            own_steps,
            analysis,
            split,
            made_by: key,
            stored_as: key,
            unsplit_from,
            machine,
            is_cached: cached.is_some(),
            is_paid: AtomicBool::new(false),
            is_noted: AtomicBool::new(cached.is_some()),
        })
    }

    /// Return the analysis that another search made with other steps for splits, where these make
    /// no difference.
    fn shared(
        made: &BTreeMap<AnalysisKey, Arc<LongerAnalysis>>,
        made_by: AnalysisKey,
    ) -> Option<Arc<LongerAnalysis>> {
        let (length, steps) = made_by;
        let of_length = made.range((length, None)..=(length, Some(u64::MAX)));
        let is_same = |it: &LongerAnalysis| {
            let is_enough = |from: u64| steps.is_none_or(|steps| steps >= from);
            !it.is_cached && it.unsplit_from.is_some_and(is_enough)
        };
        let (_, same) = of_length.into_iter().find(|(_, it)| is_same(it))?;
        let known = match steps {
            Some(_) => same.known.clone(),
            None => same.known.without_choice(),
        };
        Some(Arc::new(LongerAnalysis {
            steps: known.steps(),
            known,
            analysis: same.analysis,
            split: None,
            made_by,
            stored_as: same.stored_as,
            unsplit_from: same.unsplit_from,
            own_steps: 0.0,
            machine: same.machine.clone(),
            is_cached: false,
            is_paid: AtomicBool::new(true),
            is_noted: AtomicBool::new(same.is_noted.load(Ordering::Relaxed)),
        }))
    }

    /// Record in the cache that a search continues with a machine, for later runs.
    pub(crate) fn note(&self, longer: &LongerAnalysis, game: &Game, host: &dyn Host) {
        if !longer.is_noted.swap(true, Ordering::Relaxed) {
            let (length, steps_for_splits) = longer.stored_as;
            let used = UsedAnalysis {
                length,
                is_split: longer.split.is_some(),
                steps_for_splits,
            };
            self.cached.note(used, game, host);
        }
    }
}

impl LongerAnalysis {
    /// An analysis that is too large to be used.
    fn too_large(before: &AnalyzedLengths, key: AnalysisKey, is_cached: bool) -> Self {
        let steps = before.steps_up_to(key.0, &Potential::default());
        Self {
            known: before.closed(),
            steps,
            own_steps: steps,
            analysis: Duration::ZERO,
            split: None,
            made_by: key,
            stored_as: key,
            unsplit_from: None,
            machine: None,
            is_cached,
            is_paid: AtomicBool::new(false),
            is_noted: AtomicBool::new(true),
        }
    }

    /// Return whether this run made it.
    pub(crate) fn is_new(&self) -> bool {
        !self.is_cached
    }

    /// Return whether this run made it and no other search has taken it before.
    pub(crate) fn is_first_use(&self) -> bool {
        self.is_new() && !self.is_paid.swap(true, Ordering::Relaxed)
    }

    /// Return whether there is a machine.
    fn is_usable(&self) -> bool {
        self.machine.is_some()
    }

    /// Return its machine, unless it is too large.
    pub(crate) fn pruned(&self) -> Option<Pruned<'_>> {
        Some(Pruned {
            analysis: Some(self.key()),
            machine: self.machine.as_deref()?,
            split: self.split.as_deref(),
        })
    }

    /// Return the key of its machine.
    pub(crate) fn key(&self) -> AnalysisKey {
        self.stored_as
    }

    /// Return the sequences that a search leaves out from a bound on.
    pub(crate) fn sequences(&self, bound: u64) -> PrunedSequences {
        PrunedSequences {
            from_bound: Some(bound),
            split: self.split.is_some(),
            from_earlier_run: self.is_cached,
            ..PrunedSequences::up_to(self.known.length)
        }
    }

    /// Return the data of a search that knew others before.
    pub(crate) fn known_after(&self, before: &AnalyzedLengths) -> AnalyzedLengths {
        let (length, steps_for_splits) = self.made_by;
        self.known
            .with_tried(Some(before), length, steps_for_splits)
            .with_fall_since(before)
    }

    /// Return the cost and the worth of the analysis, in words, for a search that continues with a
    /// bound. `left` is the part of the sequences near the start that it leaves.
    pub(crate) fn words(&self, before: &AnalyzedLengths, left: Option<f64>, bound: u64) -> String {
        let took = if self.is_cached {
            "found by an earlier run".to_owned()
        } else {
            format!("found in {}", format_seconds(self.analysis))
        };
        let length = self.known.length;
        let worth = match (before.growth, self.known.growth, left) {
            (Some(before), Some(now), _) => {
                format!("; the tree grows {now:.3} times with each move instead of {before:.3}")
            }
            (_, _, Some(left)) => format!(
                "; {:.0} % of the sequences near the start are left",
                100.0 * left
            ),
            _ => String::new(),
        };
        let split = match self.split {
            Some(_) => " of rules, some of them split by values,",
            None => "",
        };
        format!(
            "from bound {bound} on, redundant sequences{split} up to length {length} are pruned: \
             {took}{worth}"
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use host::NoHost;

    use super::*;
    use crate::prepared::{PreparedPruning, Purpose};
    use crate::testing::built_in;

    #[test]
    fn starts_share_what_the_steps_for_splits_do_not_change() {
        let host = NoHost::default();
        let game = built_in("sliding-tiles", &["3", "3"]);
        let known = Invariants::from_goals(&game);
        let purpose = Purpose {
            starts: &[],
            bounded_by_moves: false,
            within_invariants: true,
            search_for: SearchFor::Goals,
            split: SplitChoice::default(),
        };
        let pruning = PreparedPruning::auto(&game, &known, purpose, Limits::default(), &host);
        let pruning = pruning.unwrap();
        let deepening = pruning.deepening.as_ref().unwrap();
        let find = |most_steps: Option<u64>| {
            let split = match most_steps {
                None => SplitRequest::none(),
                Some(_) => SplitRequest {
                    choice: SplitChoice::Auto,
                    start: None,
                    most_steps,
                },
            };
            let (known, limits) = (deepening.first(), Limits::default());
            let found = deepening.find(known, (6, &split), None, &game, &limits, &host);
            found.unwrap()
        };
        let machine = |longer: &LongerAnalysis| Arc::clone(longer.machine.as_ref().unwrap());
        // Too few steps to see that nothing is gained.
        let few = find(Some(1));
        let of_words = deepening.steps();
        let enough = find(Some(1 << 20));
        assert!(!Arc::ptr_eq(&machine(&few), &machine(&enough)));
        let made = deepening.steps();
        assert!(made > of_words);
        assert_eq!(
            (made, made - of_words),
            (enough.steps, enough.known.steps_of_choice())
        );
        for (steps, is_same) in [(None, true), (Some(1 << 21), true), (Some(2), false)] {
            let longer = find(steps);
            let same = Arc::ptr_eq(&machine(&longer), &machine(&enough));
            assert_eq!(same, is_same, "{steps:?}");
            // A search counts them as if it had made them alone.
            assert!(longer.steps >= of_words);
            assert_eq!(longer.made_by, (6, steps));
        }
        assert_eq!(deepening.steps(), made);
        assert_eq!(find(None).steps, of_words);
    }
}
