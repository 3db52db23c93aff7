//! The order in which rules are compared.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use move_prune::{Limits, OptimizedOrder, optimize_order};
use psvn_ir::RuleId;

use crate::analysis::choices::RuleOrderChoice;
use crate::analysis::engine::machines::{self, DEFAULT_BUDGET};
use crate::analysis::engine::{self, Task};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// The most orders that are tried.
const MOST_EVALUATIONS: usize = 4000;

/// An optimization begins nothing new after this number of steps: words that are composed, and
/// transitions of machines. Some ten seconds, but a count, so that the same order is found on every
/// machine and with any number of threads.
const MOST_STEPS: u64 = 10_000_000;

/// An order of rules, and what it gains.
pub(in crate::analysis) struct RuleOrder {
    /// The rules, first ones first; `None` for the order of the file.
    pub(in crate::analysis) rules: Option<Vec<RuleId>>,
    /// The branching factors before and after, where the order was optimized.
    pub(in crate::analysis) gain: Option<(f64, f64)>,
    /// Whether the same would be found on any other day: no limit on time and no interruption ended
    /// the search for it.
    pub(in crate::analysis) is_settled: bool,
}

impl RuleOrder {
    /// The order that was chosen. An optimization looks for the least branching factor at the
    /// length and in the order of words that the task will use.
    pub(in crate::analysis) fn choose(
        choice: RuleOrderChoice,
        named: &Game,
        task: &Task<'_>,
        env: &Environment,
    ) -> Result<Self, Error> {
        let game = &named.game;
        match choice {
            RuleOrderChoice::File => Ok(Self {
                rules: None,
                gain: None,
                is_settled: true,
            }),
            RuleOrderChoice::Label => Ok(Self {
                rules: Some(by_label(game)),
                gain: None,
                is_settled: true,
            }),
            RuleOrderChoice::Optimize => Ok(optimized(named, task, env)),
        }
    }
}

/// The rules sorted by label, rules of one label as in the file.
fn by_label(game: &psvn_ir::Game) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    rules.sort_by_key(|id| game.rule(*id).label.to_ascii_lowercase());
    rules
}

fn optimized(named: &Game, task: &Task<'_>, env: &Environment) -> RuleOrder {
    let (found, is_settled) =
        optimized_within(MOST_STEPS, named, task, env.cancellation(), env.seed());
    RuleOrder {
        rules: Some(found.order),
        gain: Some((found.initial, found.value)),
        is_settled,
    }
}

/// The best order that is found in a number of steps and in half of the time that the task may
/// take, and whether the time was enough.
fn optimized_within(
    most_steps: u64,
    named: &Game,
    task: &Task<'_>,
    interrupt: &Arc<AtomicBool>,
    seed: u64,
) -> (OptimizedOrder, bool) {
    let half = task.limits.time.map(|time| time / 2);
    let deadline = half.and_then(|time| Instant::now().checked_add(time));
    let steps = Cell::new(0_u64);
    let value = |order: &[RuleId]| {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let task = Task {
            rule_order: Some(order),
            limits: Limits {
                interrupt: Some(Arc::clone(interrupt)),
                time: left,
                memory: task.limits.memory,
                nodes: None,
            },
            ..*task
        };
        let analysis = engine::analyze_quietly(named, &task);
        let composed: u64 = analysis.levels.iter().map(|level| level.composed).sum();
        steps.set(steps.get().saturating_add(composed));
        let machine =
            machines::forbidding(machines::n_letters(&analysis), analysis.redundant_letters());
        let growth = machine.and_then(|machine| {
            let transitions = machine.n_states() as u64 * u64::from(machine.n_letters());
            steps.set(steps.get().saturating_add(transitions));
            machines::growth_of_possible(&machine, &analysis, None, DEFAULT_BUDGET)
        });
        // An order whose machine can't be built is no good one.
        growth
            .ok()
            .flatten()
            .map_or(f64::INFINITY, |growth| growth.value())
    };
    let is_over =
        || interrupt.load(Ordering::Relaxed) || deadline.is_some_and(|it| Instant::now() >= it);
    let n_rules = named.game.rules().len();
    let found = optimize_order(n_rules, seed, MOST_EVALUATIONS, value, || {
        steps.get() >= most_steps || is_over()
    });
    (found, !is_over())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_one_of_steps() {
        let text = domains::generate("topspin", &["9", "3"]).expect("a built-in game");
        let env = Environment::default();
        let named = Game::parse("topspin", &text, &env).expect("a game without errors");
        let task = Task::up_to(2, None, Limits::default());
        let interrupt = Arc::new(AtomicBool::new(false));
        let within = |steps, seed| optimized_within(steps, &named, &task, &interrupt, seed);
        let (first, is_settled) = within(20_000, 1);
        assert!(is_settled && first.value < first.initial);
        assert!((10..MOST_EVALUATIONS).contains(&first.evaluated));
        let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
        for n in [1, 2] {
            let again = threads(n).expect("threads").install(|| within(20_000, 1));
            assert_eq!(again, (first.clone(), true), "{n} threads");
        }
        let (longer, _) = within(40_000, 1);
        assert!(longer.evaluated > first.evaluated && longer.value <= first.value);
        // The first order is always evaluated.
        assert_eq!(within(1, 1).0.evaluated, 1);
        interrupt.store(true, Ordering::Relaxed);
        assert!(!within(20_000, 1).1);
    }
}
