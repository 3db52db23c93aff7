//! The order in which rules are compared.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use move_prune::{Limits, OptimizedOrder, optimize_order};
use psvn_ir::RuleId;

use super::score::Score;
use crate::analysis::choices::RuleOrderChoice;
use crate::analysis::engine::Task;
use crate::analysis::splits::SplitRequest;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// The most orders that are tried.
const MOST_EVALUATIONS: usize = 4000;

/// An optimization starts no new trial after this number of steps: composed words, and work on
/// parts, trees and machines that takes as long. That is some ten seconds; it is a count so that
/// every machine finds the same order with any number of threads.
const MOST_STEPS: u64 = 10_000_000;

/// An order of rules and its gain.
pub(in crate::analysis) struct RuleOrder {
    /// The rules, first ones first; `None` for the order of the file.
    pub(in crate::analysis) rules: Option<Vec<RuleId>>,
    /// The gain, where the order was optimized.
    pub(in crate::analysis) gain: Option<Gain>,
    /// Whether the result is reproducible: no limit on time and no interruption ended the
    /// optimization.
    pub(in crate::analysis) is_settled: bool,
}

/// The gain of an order.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Gain {
    /// The value of the order of the file, and that of the order that was found: nodes down to a
    /// depth, or else branching factors.
    pub(in crate::analysis) before: f64,
    pub(in crate::analysis) after: f64,
    /// The depth, where nodes are counted.
    pub(in crate::analysis) depth: Option<usize>,
}

impl RuleOrder {
    /// The order that was chosen. An optimization looks for the smallest tree, or for the least
    /// branching factor, at the length and in the order of words that the task will use, with rules
    /// split as requested.
    pub(in crate::analysis) fn choose(
        choice: RuleOrderChoice,
        named: &Game,
        task: &Task<'_>,
        split: &SplitRequest,
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
            RuleOrderChoice::Optimize => Ok(optimized(named, task, split, env)),
        }
    }
}

/// The rules sorted by label, rules of one label as in the file.
fn by_label(game: &psvn_ir::Game) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    rules.sort_by_key(|id| game.rule(*id).label.to_ascii_lowercase());
    rules
}

fn optimized(named: &Game, task: &Task<'_>, split: &SplitRequest, env: &Environment) -> RuleOrder {
    let task = Task {
        limits: Limits {
            interrupt: Some(Arc::clone(env.cancellation())),
            ..task.limits.clone()
        },
        ..task.clone()
    };
    let score = Score::of(named, &task, split);
    let (found, is_settled) = optimized_within(
        MOST_STEPS,
        &score,
        named.game.rules().len(),
        &task.limits,
        env.cancellation(),
        env.seed(),
    );
    RuleOrder {
        rules: Some(found.order),
        gain: Some(Gain {
            before: found.initial,
            after: found.value,
            depth: score.depth(),
        }),
        is_settled,
    }
}

/// The best order that is found in a number of steps and in half of the time that the task may
/// take, and whether the time was enough.
fn optimized_within(
    most_steps: u64,
    score: &Score<'_>,
    n_rules: usize,
    limits: &Limits,
    interrupt: &Arc<AtomicBool>,
    seed: u64,
) -> (OptimizedOrder, bool) {
    let half = limits.time.map(|time| time / 2);
    let deadline = half.and_then(|time| Instant::now().checked_add(time));
    let steps = Cell::new(0_u64);
    let value = |order: &[RuleId]| {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let limits = Limits {
            interrupt: Some(Arc::clone(interrupt)),
            time: left,
            memory: limits.memory,
            nodes: None,
        };
        let (value, taken) = score.value(order, limits);
        steps.set(steps.get().saturating_add(taken));
        value
    };
    let is_over =
        || interrupt.load(Ordering::Relaxed) || deadline.is_some_and(|it| Instant::now() >= it);
    let found = optimize_order(n_rules, seed, MOST_EVALUATIONS, value, || {
        steps.get() >= most_steps || is_over()
    });
    (found, !is_over())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fsm::Machine;
    use invariants::Invariants;
    use psvn_ir::State;

    use super::*;
    use crate::analysis::engine::{self, machines};

    #[test]
    fn the_budget_is_one_of_steps() {
        let text = domains::generate("topspin", &["9", "3"]).expect("a built-in game");
        let env = Environment::default();
        let named = Game::parse("topspin", &text, &env).expect("a game without errors");
        let task = Task::up_to(2, None, Limits::default());
        let interrupt = Arc::new(AtomicBool::new(false));
        let score = Score::of(&named, &task, &SplitRequest::none());
        assert_eq!(score.depth(), None, "too many states");
        let within =
            |steps, seed| optimized_within(steps, &score, 9, &task.limits, &interrupt, seed);
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

    /// The value of an order is the number of nodes that its machine leaves, rules being split, and
    /// a better order is found.
    #[test]
    fn orders_are_judged_by_the_game_and_its_splits() {
        let env = Environment::default();
        let mut n_better = 0;
        for (name, max_length) in [
            ("slide-jump:2", 3),
            ("gripper:2", 3),
            ("topspin:6:3", 2),
            ("pancake:5", 3),
        ] {
            let text = domains::generate_reference(name).expect("a built-in game");
            let named = Game::parse(name, &text, &env).expect("a game without errors");
            let known = Invariants::from_goals(named.ir());
            let task = Task::up_to(max_length, Some(&known), Limits::default());
            let request = SplitRequest::default();
            let score = Score::of(&named, &task, &request);
            let depth = score.depth().expect("a small game");
            let n_rules = named.ir().rules().len();
            let interrupt = Arc::new(AtomicBool::new(false));
            let (found, _) =
                optimized_within(100_000, &score, n_rules, &task.limits, &interrupt, 1);
            assert!(found.value <= found.initial, "{name}");
            n_better += usize::from(found.value < found.initial);
            // The nodes left by an analysis in this order that splits the same rules, counted
            // again.
            let task = Task {
                rule_order: Some(&found.order),
                ..task.clone()
            };
            let analysis = engine::analyze_quietly(&named, &task);
            let start = named.ir().goal_state().expect("one goal state");
            let split = score.split();
            assert!(split.is_some() || name != "slide-jump:2");
            let words: Vec<Vec<u32>> = match split {
                None => analysis.redundant_letters().collect(),
                Some(split) => {
                    let found = rule_splits::analyze(
                        named.ir(),
                        split,
                        &analysis,
                        Some(&found.order),
                        &engine::Known(&known),
                        &Limits::default(),
                    );
                    let found = found.expect("no limits").redundant;
                    found.into_iter().map(|it| it.word.to_vec()).collect()
                }
            };
            let game = split.map_or(named.ir(), |split| split.game());
            let n_letters = u32::try_from(game.rules().len()).expect("few");
            let machine = machines::forbidding(n_letters, words).expect("a small machine");
            let mut total = 1;
            let mut nodes = BTreeMap::from([((start, machine.start()), 1_u64)]);
            for _ in 0..depth {
                let mut next: BTreeMap<_, u64> = BTreeMap::new();
                for ((state, memory), number) in &nodes {
                    for (id, rule) in game.rules_with_ids() {
                        if let Some(memory) = machine.next(*memory, id.0)
                            && rule.canonical.applies_to(state.values())
                        {
                            let reached = State::new(rule.canonical.apply(state.values()));
                            *next.entry((reached, memory)).or_default() += number;
                        }
                    }
                }
                total += next.values().sum::<u64>();
                nodes = next;
            }
            assert_eq!(found.value, total as f64, "{name}");
        }
        assert!(n_better > 0);
    }
}
