//! From `--prune` to what a search leaves out.

use std::cell::RefCell;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fsm::AnyMachine;
use invariants::{Invariants, Scratch};
use move_prune::{Admits, Analysis, Limits, Options, Order, StopReason};
use psvn_ir::{CanonicalRule, RuleId, State, Term};

use crate::context::Context;
use crate::failure::Failure;
use crate::input::NamedGame;
use crate::machine_file;
use crate::machines::machine_up_to;
use crate::progress::Progress;
use crate::units::format_bytes;

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
    pub(crate) machine: Option<AnyMachine>,
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
                let file = machine_file::read_for(path, &game.game, &game.name)?;
                machine_file::check_starts(&file, path, &game.game, starts)?;
                if bounded_by_moves {
                    machine_file::check_lengths(&file, path)?;
                }
                let description = format!("pruned by `{}`", path.display());
                Ok(pruning(Some(file.machine), false, description))
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
                Ok(pruning(Some(machine.into()), false, description))
            }
        }
    }
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
    let analysis = run(game, task, |progress| {
        shown.show(
            || {
                format!(
                    "sequences of length {}, {}",
                    progress.length,
                    format_bytes(progress.bytes as u128)
                )
            },
            Some((progress.done, progress.total)),
        );
    });
    tracing::debug!(elapsed = ?started.elapsed(), redundant = analysis.redundant.len(), "analyzed");
    analysis
}

/// Analyzes a game without a word.
pub(crate) fn analyze_quietly(game: &NamedGame, task: &Task<'_>) -> Analysis {
    run(game, task, |_| ())
}

fn run(game: &NamedGame, task: &Task<'_>, progress: impl FnMut(&move_prune::Progress)) -> Analysis {
    let game = &game.game;
    let rules: Vec<CanonicalRule> = game
        .rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect();
    let admits = |preconditions: &[Term]| {
        task.known.is_none_or(|known| {
            SCRATCH.with_borrow_mut(|scratch| known.admits_with(scratch, preconditions))
        })
    };
    let options = Options {
        max_length: task.max_length,
        limits: task.limits.clone(),
        admits: task.known.map(|_| &admits as &Admits<'_>),
        rule_order: task.rule_order,
        order: task.order,
    };
    move_prune::analyze(game.n_variables(), &rules, &options, progress)
}
