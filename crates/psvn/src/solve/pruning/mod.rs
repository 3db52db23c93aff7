//! The machine of a search, made as `--prune` requests.

mod cached;
pub(super) mod deepening;
mod sampling;
pub(super) mod surroundings;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use advisor::Steps;
use advisor::lengths::{AnalysisFigures, AnalyzedLengths, FIRST_LENGTH, LevelFigures};
use budget::StopReason;
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::State;
use redundancy::split_game;
use rule_splits::SplitGame;

use self::cached::{CachedAnalyses, CachedAnalysis};
use self::deepening::Deepening;
use crate::analysis::{Analysis, Level, Redundant, SplitChoice, SplitRequest, from_states};
use crate::environment::Environment;
use crate::environment::invariants::of_goals;
use crate::error::Error;
use crate::game::ignored::{self, SearchFor};
use crate::game::{Game, machine_file};
use crate::machine::RuleMachine;
use crate::solve::answers::PrunedSequences;

/// The pruning that the user requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PruneSpec {
    /// Nothing.
    None,
    /// Nodes that equal their grandparent.
    Parent,
    /// Redundant words up to the length that pays, found while IDA\* searches; up to length 2 in
    /// other searches.
    Auto,
    /// Redundant words up to a length.
    Length(usize),
    /// Words that a machine file forbids.
    File(PathBuf),
}

impl FromStr for PruneSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "none" | "0" => Ok(PruneSpec::None),
            "parent" => Ok(PruneSpec::Parent),
            "auto" => Ok(PruneSpec::Auto),
            "" => Err("expected auto, none, parent, a length or a machine file".to_owned()),
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => text
                .parse()
                .map(PruneSpec::Length)
                .map_err(|_| "this length is too large".to_owned()),
            _ => match PathBuf::from(text) {
                // A word that doesn't look like a file name and isn't a file is a mistake.
                path if path.extension().is_none() && !path.exists() => Err(
                    "expected `auto`, a length such as 2, `none`, `parent`, or a machine file such as \
                     deep.fsm"
                        .to_owned(),
                ),
                path => Ok(PruneSpec::File(path)),
            },
        }
    }
}

impl fmt::Display for PruneSpec {
    /// Write the text that is read as this request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PruneSpec::None => f.write_str("none"),
            PruneSpec::Parent => f.write_str("parent"),
            PruneSpec::Auto => f.write_str("auto"),
            PruneSpec::Length(length) => length.fmt(f),
            PruneSpec::File(path) => path.display().fmt(f),
        }
    }
}

/// The steps that the choice of splits may take before a search: about a tenth of a second. An
/// analysis whose machine is kept may take more.
const STEPS_FOR_SPLITS: u64 = 5_000_000;

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

impl PreparedPruning {
    /// Read or make the machine. An analysis obeys the limits, and its result within them is used.
    ///
    /// # Errors
    /// When a machine file can't be used, or a machine doesn't fit in memory.
    pub fn prepare(
        spec: &PruneSpec,
        game: &Game,
        purpose: Purpose<'_>,
        limits: Limits,
        env: &Environment,
    ) -> Result<Self, Error> {
        let known = match purpose.starts {
            [] => of_goals(&game.game, env).unwrap_or_else(|| Invariants::none(&game.game)),
            starts => from_states(&game.game, starts, env),
        };
        match spec {
            PruneSpec::None => Ok(Self::nothing(known)),
            PruneSpec::Parent => Ok(Self {
                parent: true,
                ..Self::nothing(known)
            }),
            PruneSpec::File(path) => {
                let Purpose {
                    starts,
                    bounded_by_moves,
                    search_for,
                    ..
                } = purpose;
                let (machine, split) =
                    open_machine(path, game, starts, bounded_by_moves, search_for)?;
                let sequences = PrunedSequences {
                    file: Some(path.display().to_string()),
                    split: split.is_some(),
                    ..PrunedSequences::default()
                };
                Ok(Self {
                    machine: Some(Arc::new(machine)),
                    split,
                    sequences: Some(sequences),
                    machine_name: format!("the machine `{}`", path.display()),
                    ..Self::nothing(known)
                })
            }
            PruneSpec::Auto => FirstAnalysis::new(game, &known, purpose, env).auto(limits),
            PruneSpec::Length(length) => {
                let first = FirstAnalysis::new(game, &known, purpose, env);
                let redundant = first.find(*length, &first.split, limits)?;
                let steps = first.steps_of(&redundant);
                first.pruning(redundant, steps)
            }
        }
    }

    /// Prune nothing.
    fn nothing(known: Invariants) -> Self {
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
    env: &'a Environment,
}

impl<'a> FirstAnalysis<'a> {
    fn new(
        game: &'a Game,
        known: &'a Invariants,
        purpose: Purpose<'a>,
        env: &'a Environment,
    ) -> Self {
        // Searches end near the goal. A choice for it serves all starts equally.
        let goal = game.ir().goal_state();
        let is_near = |goal: &State| known.check_state(game.ir(), goal).is_ok();
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
                Invariants::none(game.ir())
            },
            split: SplitRequest {
                choice: purpose.split,
                start,
                most_steps: Some(STEPS_FOR_SPLITS),
            },
            env,
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
            self.game, length, assumed, search_for, split, limits, self.env,
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
        let cached = CachedAnalyses::find(self.game, within, &self.split, self.env);
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
        let only_cached = cached::only_cached(limits);
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
            Some(reason) if redundant.max_length == 0 => self.env.warning(format!(
                "the analysis found nothing, because {}: nothing is pruned",
                reason.clause()
            )),
            Some(reason) => self.env.warning(format!(
                "the analysis stopped early, because {}: redundant sequences up to length {} are \
                 pruned",
                reason.clause(),
                redundant.max_length
            )),
        }
    }
}

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
fn analyzed_lengths(found: &Redundant) -> AnalyzedLengths {
    figures(found).into()
}

/// Return whether the machine of an analysis is small enough to be used.
fn fits(found: &Redundant) -> bool {
    figures(found).fits()
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
    pub(super) fn by_analysis(
        analysis: &Analysis,
        game: &Game,
        starts: &[State],
        bounded_by_moves: bool,
        env: &Environment,
    ) -> Result<Self, Error> {
        let file = analysis.machine.as_ref().ok_or_else(|| {
            Error::limit("the analysis has no machine, since it would be too large")
        })?;
        machine_file::check_machine(file, game, starts, bounded_by_moves)?;
        let known = match starts {
            // The machine serves only states that satisfy the assumptions of its analysis.
            [] => machine_file::assumed(&file.assumptions, game.ir())?,
            starts => from_states(game.ir(), starts, env),
        };
        Ok(Self {
            machine: Some(Arc::new(RuleMachine::new(
                file.machine.clone(),
                &file.operator_of,
            ))),
            sequences: Some(PrunedSequences {
                split: !file.parts.is_empty(),
                ..PrunedSequences::up_to(analysis.summary.max_length)
            }),
            split: split_game(game.ir(), &file.parts)?.map(Arc::new),
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

/// The number of nodes from which on a machine that prunes nothing counts as useless.
pub const NODES_TO_TELL: u128 = 10_000;

/// Return the machine of a file, of any kind, ready for searches from some states, bounded by the
/// number of moves or else by cost; and the game that is searched where its letters are parts of
/// rules. Refuses files for which such searches are not safe: files of other games, with
/// assumptions that a start breaks, with longer replacements, or that ignore variables on which a
/// goal depends, or any variable where all states must be distinguished.
///
/// # Errors
/// When the file can't be used for such searches.
pub fn open_machine(
    path: &Path,
    game: &Game,
    starts: &[State],
    bounded_by_moves: bool,
    search_for: SearchFor,
) -> Result<(RuleMachine, Option<Arc<SplitGame>>), Error> {
    let file = machine_file::open_for(path, &game.game, &game.name)?;
    ignored::check(
        file.assumptions(),
        &path.display().to_string(),
        search_for,
        game,
    )?;
    machine_file::check_starts(&file, path, &game.game, starts)?;
    if bounded_by_moves {
        machine_file::check_lengths(&file, path)?;
    }
    let split = machine_file::split_game_of(&file, path, &game.game)?;
    let machine = RuleMachine::new(file.machine().clone(), file.operator_of());
    Ok((machine, split))
}
