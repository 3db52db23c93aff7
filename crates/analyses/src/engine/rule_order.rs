//! The order in which rules are compared.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use host::Host;
use move_prune::Admits;
use psvn_ir::{Game, RuleId, State};
use redundancy::Known;
use rule_splits::{OrderLimits, OrderSetting, Score, optimize_rule_order};

use super::machines::DEFAULT_BUDGET;
use super::task::Task;
use crate::choices::RuleOrderChoice;
use crate::request::SplitRequest;

/// The most orders that are tried.
const MOST_EVALUATIONS: usize = 4000;

/// The steps after which no new order is tried: some ten seconds.
const MOST_STEPS: u64 = 10_000_000;

/// An order of rules and its gain.
pub(crate) struct RuleOrder {
    /// The rules, first ones first; `None` for the order of the file.
    pub(crate) rules: Option<Vec<RuleId>>,
    /// The gain, where the order was optimized.
    pub(crate) gain: Option<Gain>,
    /// Whether the result is reproducible: no limit on time and no interruption ended the
    /// optimization.
    pub(crate) is_settled: bool,
}

/// The gain of an order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    /// The value of the order of the file, and that of the order that was found: nodes down to a
    /// depth, or else branching factors.
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// The depth, where nodes are counted.
    pub(crate) depth: Option<usize>,
}

impl RuleOrder {
    /// The order that was chosen. An optimization looks for the smallest tree, or for the least
    /// branching factor, at the length and in the order of words that the task will use, with rules
    /// split as requested.
    pub(crate) fn choose(
        choice: RuleOrderChoice,
        game: &Game,
        task: &Task<'_>,
        split: &SplitRequest,
        host: &dyn Host,
    ) -> Self {
        match choice {
            RuleOrderChoice::File => Self {
                rules: None,
                gain: None,
                is_settled: true,
            },
            RuleOrderChoice::Label => Self {
                rules: Some(by_label(game)),
                gain: None,
                is_settled: true,
            },
            RuleOrderChoice::Optimize => optimized(game, task, split, host.seed()),
        }
    }
}

/// The rules sorted by label, rules of one label as in the file.
fn by_label(game: &Game) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    rules.sort_by_key(|id| game.rule(*id).label.to_ascii_lowercase());
    rules
}

fn optimized(game: &Game, task: &Task<'_>, split: &SplitRequest, seed: u64) -> RuleOrder {
    let start = split.start.clone().or_else(|| game.goal_state());
    let is_known = |start: &State| {
        let known = task.known;
        known.is_none_or(|known| known.check_state(game, start).is_ok())
    };
    let start = start.filter(is_known);
    let known = task.known.map(Known);
    let score = Score::new(OrderSetting {
        game,
        max_length: task.max_length,
        order: task.order,
        known: known.as_ref().map(|known| known as &dyn Admits),
        ignored: task.ignored,
        start: start.as_ref(),
        splits: split.rules(),
        limits: task.limits.clone(),
        most_bytes: DEFAULT_BUDGET,
    });
    // The other half is for the analysis in that order.
    let half = task.limits.time.map(|time| time / 2);
    let never = Arc::<AtomicBool>::default();
    let limits = OrderLimits {
        evaluations: MOST_EVALUATIONS,
        steps: MOST_STEPS,
        deadline: half.and_then(|time| Instant::now().checked_add(time)),
        interrupt: task.limits.interrupt.as_ref().unwrap_or(&never),
    };
    let (found, is_settled) = optimize_rule_order(&score, limits, seed);
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
