//! Analyses by rule, with their progress.

use std::time::Instant;

use host::{Host, HostExt};
use invariants::Invariants;
use move_prune::{Admits, Analysis, Forecaster, Limits, Options, Order};
use psvn_ir::{Game, RuleId, VarId};
use redundancy::Known;

use super::progress::in_words;

/// The setting of an analysis.
#[derive(Clone)]
pub struct Task<'a> {
    /// The length of the longest sequences that are compared.
    pub max_length: usize,
    /// The order of words.
    pub order: Order,
    /// The order of the rules; that of the file unless given.
    pub rule_order: Option<&'a [RuleId]>,
    /// Sequences that no state with these invariants allows are left out. For searches from states
    /// that have them, the result is equally good.
    pub known: Option<&'a Invariants>,
    /// Variables in which the states that two sequences lead to may differ.
    pub ignored: &'a [VarId],
    /// Its limits.
    pub limits: Limits,
}

impl<'a> Task<'a> {
    /// Sequences up to a length, compared by length and then by rules in the order of the file.
    pub fn up_to(max_length: usize, known: Option<&'a Invariants>, limits: Limits) -> Self {
        Self {
            max_length,
            order: Order::default(),
            rule_order: None,
            known,
            ignored: &[],
            limits,
        }
    }
}

/// Analyze a game, showing progress.
pub fn analyze_rules(game: &Game, task: &Task<'_>, host: &dyn Host) -> Analysis {
    let shown = host.begin();
    let started = Instant::now();
    let mut forecaster = Forecaster::default();
    let analysis = host.compute(|| {
        run(game, task, |progress| {
            let at = forecaster.at(progress);
            shown.show(&|| in_words(&at), Some((at.done, at.total)));
        })
    });
    tracing::debug!(elapsed = ?started.elapsed(), redundant = analysis.redundant.len(), "analyzed");
    analysis
}

/// Analyze a game without progress.
pub(crate) fn analyze_quietly(game: &Game, task: &Task<'_>) -> Analysis {
    run(game, task, |_| ())
}

fn run(game: &Game, task: &Task<'_>, progress: impl FnMut(&move_prune::Progress)) -> Analysis {
    let known = task.known.map(Known);
    let options = Options {
        max_length: task.max_length,
        limits: task.limits.clone(),
        admits: known.as_ref().map(|known| known as &dyn Admits),
        rule_order: task.rule_order,
        order: task.order,
    };
    move_prune::analyze_game(game, task.ignored, &options, progress)
}
