//! The engine's side of analyses by rule.

pub(crate) mod machines;
pub(super) mod operators;
pub(super) mod rules;
mod shared;

use std::cell::RefCell;
use std::time::Instant;

use invariants::{Fact, Invariants, Scratch};
use move_prune::{Admits, Analysis, Forecaster, Limits, Options, Order};
use psvn_ir::{CanonicalRule, RuleId, Term, Value, VarId};

pub(crate) use self::shared::SharedWords;
use crate::analysis::forecast;
use crate::environment::Environment;
use crate::game::Game;

thread_local! {
    /// Scratch space for testing preconditions.
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
    /// Scratch space for implied facts.
    static IMPLIED: RefCell<Vec<Fact>> = const { RefCell::new(Vec::new()) };
}

/// The facts that invariants imply, for an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a>(pub &'a Invariants);

impl Admits for Known<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        SCRATCH.with_borrow_mut(|scratch| self.0.admits_with(scratch, preconditions))
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        SCRATCH.with_borrow_mut(|scratch| {
            IMPLIED.with_borrow_mut(|facts| {
                let is_possible = self.0.implied(scratch, preconditions, facts);
                implied.clear();
                for fact in facts {
                    implied.push((fact.var, fact.value));
                }
                is_possible
            })
        })
    }
}

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
pub fn analyze(game: &Game, task: &Task<'_>, env: &Environment) -> Analysis {
    let shown = env.begin();
    let started = Instant::now();
    let mut forecaster = Forecaster::default();
    let analysis = env.install(|| {
        run(game, task, |progress| {
            let at = forecaster.at(progress);
            shown.show(|| forecast::in_words(&at), Some((at.done, at.total)));
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
    move_prune::analyze_game(game.ir(), task.ignored, &options, progress)
}

/// Return whether some state with these invariants satisfies a precondition vector.
pub fn admits(known: &Invariants) -> impl Fn(&[Term]) -> bool + Send + Sync + Clone + 'static {
    let known = known.clone();
    move |preconditions| {
        SCRATCH.with_borrow_mut(|scratch| known.admits_with(scratch, preconditions))
    }
}

/// Return the rules of a game as an analysis takes them.
pub fn canonical_rules(game: &psvn_ir::Game) -> Vec<CanonicalRule> {
    game.rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect()
}
