//! `--prune auto`: longer sequences are compared during a search, once that is cheap compared with
//! the remaining search.
//!
//! IDA\* searches one bound after the other, and may search each with another machine. So it begins
//! with a machine that takes hardly any time to make. Between two bounds it compares the savings of
//! an analysis with its cost. The last two bounds show the work of the next ones; the states around
//! the start show how many sequences could be pruned ([`prospect`](super::prospect)); and the
//! lengths analyzed so far show the cost of the analysis. Finished bounds needn't be searched
//! again.
//!
//! Work is counted in steps, so that the choice is the same on every computer. A search from a
//! start decides by its own counts and by what earlier runs left in the cache, not by other
//! searches of its run. But an analysis that one of these has already made is used again.
//!
//! Where an earlier run kept longer sequences in the cache ([`kept`](super::kept)), a search begins
//! with them. The cache also records how much was searched since the last analysis ([`Past`]). Auto
//! expects as much again, so short searches pay for an analysis together. The nodes that a search
//! generates may therefore depend on the contents of the cache. Its answer doesn't.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::State;
use rule_splits::SplitGame;

use super::between::{Between, Past};
use super::kept::{Kept, KeptAnalyses, Taken, keeping, only_kept};
use super::near::{MadeBy, Near, NearStarts, Pruned};
use super::prospect::Prospect;
use super::worth::{Known, LEAST_NODES, most_states};
use crate::analysis::{Redundant, SharedWords, SplitChoice, SplitRequest};
use crate::environment::Environment;
use crate::error::{Error, ErrorKind};
use crate::game::{Game, SearchFor};
use crate::machine::RuleMachine;
use crate::solve::answers::PrunedSequences;
use crate::text::units::format_seconds;

/// A machine for longer sequences.
#[derive(Debug)]
pub(in crate::solve) struct Longer {
    pub(in crate::solve) known: Known,
    /// The steps that it takes a search that makes it alone.
    pub(in crate::solve) steps: f64,
    /// Those that it took, where another analysis did a part of the work.
    own_steps: f64,
    /// The time that it took to find, also where an earlier run found it.
    analysis: Duration,
    /// The game whose rules are the machine's letters, where rules are split.
    pub(in crate::solve) split: Option<Arc<SplitGame>>,
    /// The key of the analysis, and that under which the cache may have it.
    made_by: MadeBy,
    stored_as: MadeBy,
    /// The steps with which, or with more, a choice of splits has the same result.
    unsplit_from: Option<u64>,
    /// `None` if it is too large.
    pub(in crate::solve) machine: Option<Arc<RuleMachine>>,
    /// Whether an earlier run kept it.
    is_kept: bool,
    /// Whether the searches of earlier runs were taken off the record for it.
    is_paid: AtomicBool,
    /// Whether the cache says that it was taken.
    is_noted: AtomicBool,
}

/// The data of `--prune auto` about a game, shared by all searches in it.
#[derive(Debug)]
pub struct Deepening {
    first: Known,
    assumed: Invariants,
    search_for: SearchFor,
    /// The user's choice of rules to split.
    split: SplitRequest,
    kept: KeptAnalyses,
    n_starts: usize,
    /// The searches of earlier runs.
    past: Past,
    record: Mutex<Record>,
    longer: Mutex<BTreeMap<MadeBy, Arc<Longer>>>,
    /// Starts that are worth different choices of splits compare the same sequences.
    words: SharedWords,
    near: NearStarts,
}

/// The steps of searches that are recorded for later runs: shorter ones need no longer sequences.
const STEPS_TO_RECORD: f64 = 1e7;

/// The searches of earlier runs and of this one since the last analysis.
#[derive(Debug)]
struct Record {
    all: Past,
    /// The steps that the cache doesn't know yet.
    unsaved: f64,
}

impl Deepening {
    /// Searches begin with the analysis that was found, perhaps in the cache.
    pub(super) fn new(
        (found, from_cache): (&Redundant, Option<&Kept>),
        (assumed, search_for): (Invariants, SearchFor),
        split: SplitRequest,
        kept: KeptAnalyses,
        starts: &[State],
    ) -> Self {
        let (n_starts, near) = (starts.len(), NearStarts::of(starts));
        let mut first = Known::of(found);
        match from_cache {
            Some(kept) => first = first.with_tried(None, kept.length, kept.steps_for_splits()),
            // The analysis that was tried first wasn't suitable.
            None => {
                if let Some(it) = kept.at_once() {
                    kept.forget_from(it.length);
                }
            }
        }
        let past = kept.past();
        Self {
            first,
            assumed,
            search_for,
            split,
            kept,
            n_starts,
            past,
            record: Mutex::new(Record {
                all: past,
                unsaved: 0.0,
            }),
            longer: Mutex::default(),
            words: SharedWords::default(),
            near,
        }
    }

    /// Return the analysis that a search begins with.
    pub(in crate::solve) fn first(&self) -> &Known {
        &self.first
    }

    /// Return the steps of the analyses that searches made.
    pub(super) fn steps(&self) -> f64 {
        let made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        made.values().map(|it| it.own_steps).sum()
    }

    /// Return the steps of deciding about analyses.
    pub(super) fn deciding_steps(&self) -> f64 {
        self.near.steps()
    }

    /// Find states near a start, or near the first one of several. Return also whether no other
    /// search had found them.
    pub(in crate::solve) fn near(
        &self,
        game: &psvn_ir::Game,
        start: &State,
        pruned: Pruned<'_>,
        extent: (u64, usize),
        limits: &budget::Limits,
    ) -> (Arc<Near>, bool) {
        self.near.find(game, start, pruned, extent, limits)
    }

    /// Return the number of searches.
    pub(in crate::solve) fn n_starts(&self) -> usize {
        self.n_starts
    }

    /// Return the searches of earlier runs since the last analysis.
    pub(in crate::solve) fn past(&self) -> Past {
        self.past
    }

    /// Record a search for later runs, or the part of it since it made an analysis.
    pub(in crate::solve) fn record(
        &self,
        search: Past,
        since_analysis: bool,
        game: &Game,
        env: &Environment,
    ) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if since_analysis {
            record.all = Past::default();
            record.unsaved = f64::INFINITY;
        }
        record.all.add(&search);
        record.unsaved += search.weight();
        if record.unsaved >= STEPS_TO_RECORD {
            self.kept.record(&record.all, game, env);
            record.unsaved = 0.0;
        }
    }

    /// Return the nodes after which a search should check again.
    pub(in crate::solve) fn pause_above(
        &self,
        known: &Known,
        steps_of_node: f64,
        past: &Past,
    ) -> u64 {
        if self.kept.longer(known, |_| f64::INFINITY).is_some() {
            return LEAST_NODES;
        }
        known.nodes_before_worth(steps_of_node, self.n_starts, past)
    }

    /// Return the machine for longer sequences that is worth its analysis between two bounds. It is
    /// made unless another search made it. The steps to read results that can't be used are added
    /// to those spent.
    ///
    /// # Errors
    /// When a machine can't be made for another reason than its size.
    pub(in crate::solve) fn longer(
        &self,
        known: &Known,
        between: &mut Between,
        game: &Game,
        limits: &Limits,
        env: &Environment,
    ) -> Result<Option<Arc<Longer>>, Error> {
        // A result that can't be used must not delay an analysis.
        loop {
            let most_steps = |length| {
                let saving = known.saving_of_longer(length, between);
                between.affordable().max(saving - between.spent)
            };
            let Some(kept) = self.kept.longer(known, most_steps) else {
                break;
            };
            let wanted = (kept.length, &kept.split);
            let longer = self.find(known, wanted, Some(kept), game, limits, env)?;
            if longer.is_usable() {
                return Ok(Some(longer));
            }
            self.kept.forget_from(kept.length);
            between.spent += longer.steps;
        }
        let may_split = self.split.choice != SplitChoice::None;
        let Some(analyze) = known.worth(between, may_split) else {
            return Ok(None);
        };
        let most_steps = analyze.steps_for_splits;
        let split = match (self.split.choice, most_steps) {
            (SplitChoice::Auto, None) => SplitRequest::none(),
            _ => SplitRequest {
                most_steps,
                ..self.split.clone()
            },
        };
        let wanted = (analyze.length, &split);
        self.find(known, wanted, None, game, limits, env).map(Some)
    }

    /// Return the machine for sequences up to some length, which may be a kept one.
    fn find(
        &self,
        before: &Known,
        (length, split): (usize, &SplitRequest),
        kept: Option<&Kept>,
        game: &Game,
        limits: &Limits,
        env: &Environment,
    ) -> Result<Arc<Longer>, Error> {
        let most_steps = match kept {
            Some(kept) => kept.steps_for_splits(),
            None => split.most_steps,
        };
        let made_by = (length, most_steps);
        let mut made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(longer) = made.get(&made_by) {
            return Ok(Arc::clone(longer));
        }
        if kept.is_none()
            && let Some(shared) = Self::shared(&made, made_by)
        {
            made.insert(made_by, Arc::clone(&shared));
            return Ok(shared);
        }
        let has_words = self.words.contains(length);
        env.step(|| format!("looking for redundant sequences up to length {length}"));
        let within = (self.assumed.clone(), self.search_for);
        let keeping = keeping(env);
        let limits = match kept {
            Some(_) => only_kept(limits),
            None => limits.clone(),
        };
        let may_end_early = limits.time.is_some() || env.is_cancelled();
        let longer = match Redundant::find_sharing(
            Some(&self.words),
            game,
            within,
            (length, split),
            limits,
            &keeping,
        ) {
            Ok(found) => {
                let known = Known::of(&found);
                let steps = match (kept, found.from_cache) {
                    (Some(kept), true) => kept.steps,
                    (Some(_), false) => 0.0,
                    (None, true) => self.kept.steps_of(length, split, game, env),
                    (None, false) => known.steps(),
                };
                let own_steps = if has_words && kept.is_none() {
                    known.steps_of_choice()
                } else {
                    steps
                };
                let analysis = found.time_up_to(found.max_length);
                let split = found.split.clone();
                let unsplit_from = found.unsplit_from.filter(|_| found.stopped.is_none());
                // A damaged result counts as missing.
                let is_there = found.from_cache || kept.is_none();
                let fits = is_there && found.n_states <= most_states(&found);
                let machine = if fits {
                    Some(Arc::new(RuleMachine::new(
                        found.into_machine(length)?.into(),
                        &[],
                    )))
                } else {
                    None
                };
                Longer {
                    known,
                    steps,
                    own_steps,
                    analysis,
                    split,
                    made_by,
                    stored_as: made_by,
                    unsplit_from,
                    machine,
                    is_kept: kept.is_some(),
                    is_paid: AtomicBool::new(false),
                    is_noted: AtomicBool::new(kept.is_some()),
                }
            }
            // The search continues with its present machine.
            Err(error) if error.kind() == ErrorKind::Limit => Longer {
                known: before.closed(),
                steps: before.steps_up_to(length, &Prospect::default()),
                own_steps: before.steps_up_to(length, &Prospect::default()),
                analysis: Duration::ZERO,
                split: None,
                made_by,
                stored_as: made_by,
                unsplit_from: None,
                machine: None,
                is_kept: kept.is_some(),
                is_paid: AtomicBool::new(false),
                is_noted: AtomicBool::new(true),
            },
            Err(error) => return Err(error),
        };
        let longer = Arc::new(longer);
        let is_unusable = kept.is_some() && !longer.is_usable();
        // An analysis that was too large is too large for all starts.
        let is_final = longer.known.length == length || !may_end_early;
        if is_final && !is_unusable {
            made.insert(made_by, Arc::clone(&longer));
        }
        Ok(longer)
    }

    /// Return the analysis that another search made with other steps for splits, where these make
    /// no difference.
    fn shared(made: &BTreeMap<MadeBy, Arc<Longer>>, made_by: MadeBy) -> Option<Arc<Longer>> {
        let (length, steps) = made_by;
        let of_length = made.range((length, None)..=(length, Some(u64::MAX)));
        let is_same = |it: &Longer| {
            let is_enough = |from: u64| steps.is_none_or(|steps| steps >= from);
            !it.is_kept && it.unsplit_from.is_some_and(is_enough)
        };
        let (_, same) = of_length.into_iter().find(|(_, it)| is_same(it))?;
        let known = match steps {
            Some(_) => same.known.clone(),
            None => same.known.without_choice(),
        };
        Some(Arc::new(Longer {
            steps: known.steps(),
            known,
            analysis: same.analysis,
            split: None,
            made_by,
            stored_as: same.stored_as,
            unsplit_from: same.unsplit_from,
            own_steps: 0.0,
            machine: same.machine.clone(),
            is_kept: false,
            is_paid: AtomicBool::new(true),
            is_noted: AtomicBool::new(same.is_noted.load(Ordering::Relaxed)),
        }))
    }

    /// Record in the cache that a search continues with a machine, for later runs.
    pub(in crate::solve) fn note(&self, longer: &Longer, game: &Game, env: &Environment) {
        if !longer.is_noted.swap(true, Ordering::Relaxed) {
            let (length, steps_for_splits) = longer.stored_as;
            let taken = Taken {
                length,
                is_split: longer.split.is_some(),
                steps_for_splits,
            };
            self.kept.note(taken, game, env);
        }
    }
}

impl Longer {
    /// Return whether this run made it.
    pub(in crate::solve) fn is_new(&self) -> bool {
        !self.is_kept
    }

    /// Return whether this run made it and no other search has taken it before.
    pub(in crate::solve) fn is_first_use(&self) -> bool {
        self.is_new() && !self.is_paid.swap(true, Ordering::Relaxed)
    }

    /// Return whether there is a machine.
    fn is_usable(&self) -> bool {
        self.machine.is_some()
    }

    /// Return its machine, unless it is too large.
    pub(in crate::solve) fn pruned(&self) -> Option<Pruned<'_>> {
        Some(Pruned {
            made_by: Some(self.key()),
            machine: self.machine.as_deref()?,
            split: self.split.as_deref(),
        })
    }

    /// Return the key of its machine.
    pub(in crate::solve) fn key(&self) -> MadeBy {
        self.stored_as
    }

    /// Return the sequences that a search leaves out from a bound on.
    pub(in crate::solve) fn sequences(&self, bound: u64) -> PrunedSequences {
        PrunedSequences {
            from_bound: Some(bound),
            split: self.split.is_some(),
            from_earlier_run: self.is_kept,
            ..PrunedSequences::up_to(self.known.length)
        }
    }

    /// Return the data of a search that knew others before.
    pub(in crate::solve) fn known_after(&self, before: &Known) -> Known {
        let (length, steps_for_splits) = self.made_by;
        self.known
            .with_tried(Some(before), length, steps_for_splits)
            .with_fall_since(before)
    }

    /// Return the cost and the worth of the analysis, in words, for a search that continues with a
    /// bound. `left` is the part of the sequences near the start that it leaves.
    pub(in crate::solve) fn words(&self, before: &Known, left: Option<f64>, bound: u64) -> String {
        let took = if self.is_kept {
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

    use super::*;

    #[test]
    fn starts_share_what_the_steps_for_splits_do_not_change() {
        let env = Environment::default();
        let game = Game::built_in("sliding-tiles:3:3", &env).unwrap();
        let searcher = crate::Searcher::builder(&game).build(&env).unwrap();
        let deepening = searcher.pruning().deepening.as_ref().unwrap();
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
            let found = deepening.find(known, (6, &split), None, &game, &limits, &env);
            found.unwrap()
        };
        let machine = |longer: &Longer| Arc::clone(longer.machine.as_ref().unwrap());
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
