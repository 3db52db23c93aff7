//! The machine that a search begins with.

use std::sync::Arc;
use std::time::Duration;

use advisor::Steps;
use advisor::lengths::FIRST_LENGTH;
use analyses::{Analysis, AnalyzeError as Error, Redundant, SplitChoice, SplitRequest};
use budget::StopReason;
use fsm::RuleMachine;
use host::{Host, HostExt};
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::{Game, NamedGame, State};
use redundancy::file::{self, SafeMachine};
use redundancy::{SearchFor, split_game};
use rule_splits::SplitGame;

use crate::deepening::{CachedAnalyses, CachedAnalysis, Deepening, only_cached};
use crate::figures::{STEPS_FOR_SPLITS, analyzed_lengths, fits};
use crate::pruned::PrunedSequences;
use crate::spec::PruneSpec;

/// The pruning of a search, ready for use.
pub struct PreparedPruning {
    /// Forbids words; `None` where nothing is forbidden. All searches that prune by it share it.
    pub machine: Option<Arc<RuleMachine>>,
    /// The game that is searched, where the machine's letters are parts of rules.
    pub split: Option<Arc<SplitGame>>,
    /// Whether nodes that equal their grandparent are left out.
    pub parent: bool,
    /// The time of the analysis, also where an earlier run made it.
    pub analysis: Duration,
    /// The steps of the analysis before a search, or of reading its result, where it was made for
    /// it: about a nanosecond each.
    first_steps: Steps,
    /// Whether an earlier run did the analysis.
    pub is_from_cache: bool,
    /// The sequences that searches leave out from their beginning; `None` if they leave out none.
    pub sequences: Option<PrunedSequences>,
    /// The name of the machine; empty if there is none.
    pub machine_name: String,
    /// The invariants of all states that can be reached from the starts.
    pub known: Invariants,
    /// Finds longer sequences during a search, if requested.
    pub deepening: Option<Deepening>,
}

/// The searches that a pruning is for.
#[derive(Clone, Copy, Debug)]
pub struct Purpose<'s> {
    /// The states from which they start. If there are none, the invariants of the goals are
    /// assumed.
    pub starts: &'s [State],
    /// Whether they are bounded by the number of moves; else by cost.
    pub bounded_by_moves: bool,
    /// Whether sequences are compared in states with the invariants of the starts; else in all
    /// states.
    pub within_invariants: bool,
    /// Whether they distinguish all states, or only find a goal.
    pub search_for: SearchFor,
    /// Whether rules are split.
    pub split: SplitChoice,
}

impl Purpose<'_> {
    /// Return the invariants of all states that can be reached from the starts or, where there are
    /// none, of those from which a goal can be.
    fn invariants(&self, game: &Game, host: &dyn Host) -> Invariants {
        let stop = || host.is_over();
        match self.starts {
            [] => {
                let known = Invariants::of_usable_goals(game, &stop);
                known.unwrap_or_else(|| Invariants::none(game))
            }
            starts => Invariants::from_states_unless(game, starts, &stop),
        }
    }
}

impl PreparedPruning {
    /// Make the machine, except one from a file ([`by_machine`](Self::by_machine)). An analysis
    /// obeys the limits, and its result within them is used.
    ///
    /// # Errors
    /// When a machine doesn't fit in memory.
    pub fn make(
        pruned: &PruneSpec,
        game: &Game,
        purpose: Purpose<'_>,
        limits: Limits,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let known = purpose.invariants(game, host);
        match pruned {
            PruneSpec::None | PruneSpec::File(_) => Ok(Self::nothing(known)),
            PruneSpec::Parent => Ok(Self {
                parent: true,
                ..Self::nothing(known)
            }),
            PruneSpec::Auto => Self::auto(game, &known, purpose, limits, host),
            PruneSpec::Length(length) => {
                let first = FirstAnalysis::new(game, &known, purpose, host);
                let redundant = first.find(*length, &first.split, limits)?;
                let steps = first.steps_of(&redundant);
                first.pruning(redundant, steps)
            }
        }
    }

    /// Prune the words that the machine of a file forbids, which is safe for the searches.
    pub fn by_machine(
        name: &str,
        machine: SafeMachine,
        game: &Game,
        purpose: Purpose<'_>,
        host: &dyn Host,
    ) -> Self {
        let sequences = PrunedSequences {
            file: Some(name.to_owned()),
            split: machine.split.is_some(),
            ..PrunedSequences::default()
        };
        Self {
            machine: Some(Arc::new(machine.machine)),
            split: machine.split,
            sequences: Some(sequences),
            machine_name: format!("the machine `{name}`"),
            ..Self::nothing(purpose.invariants(game, host))
        }
    }

    /// Begin with short sequences, or with those that the cache has, and compare longer ones while
    /// searches run.
    pub(crate) fn auto(
        game: &Game,
        known: &Invariants,
        purpose: Purpose<'_>,
        limits: Limits,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        FirstAnalysis::new(game, known, purpose, host).auto(limits)
    }

    /// Prune nothing, in searches where these invariants hold.
    pub fn nothing(known: Invariants) -> Self {
        Self {
            machine: None,
            split: None,
            parent: false,
            analysis: Duration::ZERO,
            first_steps: 0.0,
            is_from_cache: false,
            sequences: None,
            machine_name: String::new(),
            known,
            deepening: None,
        }
    }
}

/// The analysis that searches begin with.
struct FirstAnalysis<'a> {
    game: &'a Game,
    known: &'a Invariants,
    purpose: Purpose<'a>,
    /// What is assumed of the states in which sequences are compared.
    assumed: Invariants,
    split: SplitRequest,
    host: &'a dyn Host,
}

impl<'a> FirstAnalysis<'a> {
    fn new(
        game: &'a Game,
        known: &'a Invariants,
        purpose: Purpose<'a>,
        host: &'a dyn Host,
    ) -> Self {
        // Searches end near the goal. A choice for it serves all starts equally.
        let goal = game.goal_state();
        let is_near = |goal: &State| known.check_state(game, goal).is_ok();
        let start = match goal.filter(is_near) {
            Some(_) => None,
            None => purpose.starts.first().cloned(),
        };
        Self {
            game,
            known,
            purpose,
            assumed: if purpose.within_invariants {
                known.clone()
            } else {
                Invariants::none(game)
            },
            split: SplitRequest {
                choice: purpose.split,
                start,
                most_steps: Some(STEPS_FOR_SPLITS),
            },
            host,
        }
    }

    fn find(
        &self,
        length: usize,
        split: &SplitRequest,
        limits: Limits,
    ) -> Result<Redundant, Error> {
        let (assumed, search_for) = (self.assumed.clone(), self.purpose.search_for);
        Redundant::find(
            self.game, length, assumed, search_for, split, limits, self.host,
        )
    }

    /// The steps of an analysis. One that a fixed length reads isn't counted.
    fn steps_of(&self, redundant: &Redundant) -> Steps {
        if redundant.from_cache {
            0.0
        } else {
            analyzed_lengths(redundant).steps()
        }
    }

    /// Begin with what the cache has, or with short sequences, and compare longer ones during
    /// searches.
    fn auto(&self, limits: Limits) -> Result<PreparedPruning, Error> {
        let within = (&self.assumed, self.purpose.search_for);
        let cached = CachedAnalyses::find(self.game, within, &self.split, self.host);
        let first = match cached.at_once().cloned() {
            Some(first) => self.read(first, &limits)?,
            None => None,
        };
        let (redundant, first) = match first {
            Some((redundant, first)) => (redundant, Some(first)),
            // Rules are split only when longer sequences are compared: a search must begin with an
            // analysis that takes hardly any time.
            None => (
                self.find(FIRST_LENGTH, &SplitRequest::none(), limits)?,
                None,
            ),
        };
        let steps = match &first {
            Some(cached) => cached.steps,
            None => self.steps_of(&redundant),
        };
        let is_empty = redundant.max_length == 0;
        let deepening = (!is_empty).then(|| {
            let within = (self.assumed.clone(), self.purpose.search_for);
            let split = self.split.clone();
            let starts = self.purpose.starts;
            Deepening::new((&redundant, first.as_ref()), within, split, cached, starts)
        });
        let mut pruning = self.pruning(redundant, steps)?;
        pruning.deepening = deepening;
        if let Some(sequences) = &mut pruning.sequences {
            sequences.from_earlier_run = first.is_some();
        }
        Ok(pruning)
    }

    /// Read an analysis from the cache; `None` if it can't be used.
    fn read(
        &self,
        cached: CachedAnalysis,
        limits: &Limits,
    ) -> Result<Option<(Redundant, CachedAnalysis)>, Error> {
        let only_cached = only_cached(limits);
        let found = self.find(cached.length, &cached.split, only_cached)?;
        // A damaged result counts as missing.
        let is_usable = found.from_cache && fits(&found);
        Ok(is_usable.then_some((found, cached)))
    }

    /// The pruning of what an analysis found.
    fn pruning(&self, redundant: Redundant, steps: Steps) -> Result<PreparedPruning, Error> {
        self.warn_of_end(&redundant);
        let max_length = redundant.max_length;
        let pruning = PreparedPruning {
            analysis: redundant.time_up_to(max_length),
            first_steps: steps,
            is_from_cache: redundant.from_cache,
            ..PreparedPruning::nothing(self.known.clone())
        };
        if max_length == 0 {
            return Ok(pruning);
        }
        let split = redundant.split.clone();
        let machine = redundant.into_machine(max_length)?;
        let machine = RuleMachine::new(machine.into(), &[]);
        Ok(PreparedPruning {
            machine: Some(Arc::new(machine)),
            sequences: Some(PrunedSequences {
                split: split.is_some(),
                ..PrunedSequences::up_to(max_length)
            }),
            split,
            machine_name: format!("the machine for length {max_length}"),
            ..pruning
        })
    }

    /// Warn where a limit stopped an analysis.
    fn warn_of_end(&self, redundant: &Redundant) {
        match redundant.stopped {
            // The search reads the same flag and stops at once, with a regular answer.
            None | Some(StopReason::Interrupted) => {}
            Some(reason) if redundant.max_length == 0 => self.host.warn(format!(
                "the analysis found nothing, because {}: nothing is pruned",
                reason.clause()
            )),
            Some(reason) => self.host.warn(format!(
                "the analysis stopped early, because {}: redundant sequences up to length {} are \
                 pruned",
                reason.clause(),
                redundant.max_length
            )),
        }
    }
}

impl PreparedPruning {
    /// Return the steps of all analyses that this pruning has made so far, those during searches
    /// included: about a nanosecond each, and the same on every computer. Results that auto reads
    /// from the cache count by their size; one that a fixed length reads isn't counted.
    pub fn analysis_steps(&self) -> Steps {
        let during = self.deepening.as_ref().map_or(0.0, Deepening::steps);
        self.first_steps + during
    }

    /// Return the steps of deciding which analyses are worth it, as [`analysis_steps`] counts them.
    ///
    /// [`analysis_steps`]: Self::analysis_steps
    pub fn deciding_steps(&self) -> Steps {
        let deepening = self.deepening.as_ref();
        deepening.map_or(0.0, Deepening::deciding_steps)
    }

    /// Prune the words of an analysis, in searches from some states, or from all states that have
    /// the invariants of the goals.
    ///
    /// # Errors
    /// When the analysis is of another game or has no machine, or when a start breaks an
    /// assumption.
    pub fn by_analysis(
        analysis: &Analysis,
        of: NamedGame<'_>,
        starts: &[State],
        bounded_by_moves: bool,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let machine = analysis.machine.as_ref().ok_or(Error::Unbuilt)?;
        file::check_machine(machine, of.game, of.name, starts, bounded_by_moves)?;
        let game = of.game;
        let known = match starts {
            // The machine serves only states that satisfy the assumptions of its analysis.
            [] => file::assumed(&machine.assumptions, game)?,
            starts => Invariants::from_states_unless(game, starts, &|| host.is_over()),
        };
        Ok(Self {
            machine: Some(Arc::new(RuleMachine::new(
                machine.machine.clone(),
                &machine.operator_of,
            ))),
            sequences: Some(PrunedSequences {
                split: !machine.parts.is_empty(),
                ..PrunedSequences::up_to(analysis.summary.max_length)
            }),
            split: split_game(game, &machine.parts)?.map(Arc::new),
            parent: false,
            first_steps: 0.0,
            analysis: Duration::from_secs_f64(analysis.summary.seconds.max(0.0)),
            is_from_cache: analysis.from_cache,
            machine_name: format!("the machine for length {}", analysis.summary.max_length),
            known,
            deepening: None,
        })
    }
}
