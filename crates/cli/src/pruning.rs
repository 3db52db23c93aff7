//! From `--prune` to what a search leaves out.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use invariants::{Invariants, Scratch};
use move_prune::{Admits, Analysis, Limits, Options, Order, StopReason};
use psvn_ir::{CanonicalRule, Game, RuleId, State, Term};

use crate::context::Context;
use crate::estimate::Estimate;
use crate::failure::Failure;
use crate::input::NamedGame;
use crate::machine_file;
use crate::machines::machine_up_to;
use crate::progress::Progress;
use crate::rule_machine::RuleMachine;

/// What the user wants to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PruneSpec {
    /// Nothing.
    None,
    /// Nodes that equal their grandparent.
    Parent,
    /// Redundant words up to a length.
    Length(usize),
    /// What a machine file forbids.
    File(PathBuf),
}

impl FromStr for PruneSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "none" | "0" => Ok(PruneSpec::None),
            "parent" => Ok(PruneSpec::Parent),
            "" => Err("expected none, parent, a length or a machine file".to_owned()),
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => text
                .parse()
                .map(PruneSpec::Length)
                .map_err(|_| "this length is too large".to_owned()),
            _ => Ok(PruneSpec::File(PathBuf::from(text))),
        }
    }
}

/// What a search leaves out, ready for use.
pub(crate) struct Pruning {
    /// Forbids words; `None` where nothing is forbidden.
    pub(crate) machine: Option<RuleMachine>,
    /// Whether nodes that equal their grandparent are left out.
    pub(crate) parent: bool,
    /// In words.
    pub(crate) description: String,
}

impl Pruning {
    /// Reads or makes what is needed for searches from some states, bounded by the number of moves or
    /// else by cost. An analysis takes at most `time`;
    /// what it finds until then is used.
    pub(crate) fn prepare(
        spec: &PruneSpec,
        game: &NamedGame,
        starts: &[State],
        bounded_by_moves: bool,
        time: Option<Duration>,
        interrupt: &Arc<AtomicBool>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let pruning = |machine, parent, description: String| Self {
            machine,
            parent,
            description,
        };
        match spec {
            PruneSpec::None => Ok(pruning(None, false, "nothing pruned".to_owned())),
            PruneSpec::Parent => Ok(pruning(None, true, "parents pruned".to_owned())),
            PruneSpec::File(path) => {
                let machine = open_machine(path, game, starts, bounded_by_moves)?;
                let description = format!("pruned by `{}`", path.display());
                Ok(pruning(Some(machine), false, description))
            }
            PruneSpec::Length(length) => {
                let limits = Limits {
                    time,
                    memory: None,
                    interrupt: Some(Arc::clone(interrupt)),
                };
                let known = Invariants::from_states(&game.game, starts);
                let analysis = analyze(game, &Task::up_to(*length, Some(&known), limits), cx);
                match analysis.stopped {
                    // The search sees the same flag and stops at once, with a proper answer.
                    None | Some(StopReason::Interrupted) => {}
                    Some(_) => cx.log.warning(&format!(
                        "the analysis stopped early: redundant sequences up to length {} are pruned",
                        analysis.max_length
                    )),
                }
                let machine = machine_up_to(&analysis, *length)?;
                let description = format!(
                    "redundant sequences up to length {} pruned",
                    analysis.max_length
                );
                let machine = RuleMachine::new(machine.into(), &[]);
                Ok(pruning(Some(machine), false, description))
            }
        }
    }
}

/// The machine of a file, of any kind, ready for searches from some states, bounded by the number of
/// moves or else by cost. Refuses files for which such searches are not safe: of other games, with
/// assumptions that a start breaks, or with replacements that are longer.
pub(crate) fn open_machine(
    path: &Path,
    game: &NamedGame,
    starts: &[State],
    bounded_by_moves: bool,
) -> Result<RuleMachine, Failure> {
    let file = machine_file::open_for(path, &game.game, &game.name)?;
    machine_file::check_starts(&file, path, &game.game, starts)?;
    if bounded_by_moves {
        machine_file::check_lengths(&file, path)?;
    }
    Ok(RuleMachine::new(file.machine().clone(), file.operator_of()))
}

thread_local! {
    /// Room for looking at preconditions.
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

/// An analysis to be made.
#[derive(Clone)]
pub(crate) struct Task<'a> {
    /// The length of the longest sequences that are compared.
    pub(crate) max_length: usize,
    /// In which order words are compared.
    pub(crate) order: Order,
    /// In which order rules are; that of the file unless given.
    pub(crate) rule_order: Option<&'a [RuleId]>,
    /// Sequences that no state with these invariants allows are left out. For searches from states
    /// that have them, what is found is worth the same.
    pub(crate) known: Option<&'a Invariants>,
    /// What it may use.
    pub(crate) limits: Limits,
}

impl<'a> Task<'a> {
    /// Sequences up to a length, compared by length and then by the rules as they stand.
    pub(crate) fn up_to(max_length: usize, known: Option<&'a Invariants>, limits: Limits) -> Self {
        Self {
            max_length,
            order: Order::default(),
            rule_order: None,
            known,
            limits,
        }
    }
}

/// Analyzes a game, showing progress.
pub(crate) fn analyze(game: &NamedGame, task: &Task<'_>, cx: &Context) -> Analysis {
    let mut shown = Progress::new(cx.progress);
    let started = Instant::now();
    let mut estimate = Estimate::default();
    let analysis = run(game, task, |progress| {
        let forecast = estimate.at(progress);
        let parts = (forecast.done, forecast.total);
        shown.show(|| forecast.to_string(), Some(parts));
    });
    tracing::debug!(elapsed = ?started.elapsed(), redundant = analysis.redundant.len(), "analyzed");
    analysis
}

/// Analyzes a game without a word.
pub(crate) fn analyze_quietly(game: &NamedGame, task: &Task<'_>) -> Analysis {
    run(game, task, |_| ())
}

fn run(game: &NamedGame, task: &Task<'_>, progress: impl FnMut(&move_prune::Progress)) -> Analysis {
    let admits = task.known.map(admits);
    let options = Options {
        max_length: task.max_length,
        limits: task.limits.clone(),
        admits: admits.as_ref().map(|admits| admits as &Admits<'_>),
        rule_order: task.rule_order,
        order: task.order,
    };
    let rules = canonical_rules(&game.game);
    move_prune::analyze(game.game.n_variables(), &rules, &options, progress)
}

/// Whether some state with these invariants satisfies a precondition vector.
pub(crate) fn admits(known: &Invariants) -> impl Fn(&[Term]) -> bool + Sync {
    |preconditions| SCRATCH.with_borrow_mut(|scratch| known.admits_with(scratch, preconditions))
}

/// The rules of a game as an analysis takes them.
pub(crate) fn canonical_rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect()
}
