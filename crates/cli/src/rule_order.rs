//! `--rule-order`: the order in which rules are compared.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use invariants::Invariants;
use move_prune::{Limits, optimize_order};
use psvn_ir::{Game, RuleId};

use crate::choices::RuleOrderChoice;
use crate::context::Context;
use crate::failure::Failure;
use crate::input::NamedGame;
use crate::machines::{self, DEFAULT_BUDGET};
use crate::rule_analysis::{self, Task};

/// So many orders are tried at most.
const MOST_EVALUATIONS: usize = 4000;

/// So long an optimization takes at most.
const MOST_TIME: Duration = Duration::from_secs(20);

/// An order of rules, and what it gains.
pub(crate) struct RuleOrder {
    /// The rules, first ones first; `None` for the order of the file.
    pub(crate) rules: Option<Vec<RuleId>>,
    /// The branching factors before and after, where the order was optimized.
    pub(crate) gain: Option<(f64, f64)>,
    /// Whether the same would be found on any other day: no clock ended the search for it.
    pub(crate) is_settled: bool,
}

impl RuleOrder {
    /// The order that was chosen. An optimization looks for the least branching factor at the length
    /// and in the order of words that the task will use.
    pub(crate) fn choose(
        choice: RuleOrderChoice,
        named: &NamedGame,
        task: &Task<'_>,
        interrupt: &Arc<AtomicBool>,
        cx: &Context,
    ) -> Result<Self, Failure> {
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
            RuleOrderChoice::Optimize => optimized(named, task, interrupt, cx),
        }
    }
}

/// The rules sorted by label, rules of one label as in the file.
fn by_label(game: &Game) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    rules.sort_by_key(|id| game.rule(*id).label.to_ascii_lowercase());
    rules
}

fn optimized(
    named: &NamedGame,
    task: &Task<'_>,
    interrupt: &Arc<AtomicBool>,
    cx: &Context,
) -> Result<RuleOrder, Failure> {
    let started = Instant::now();
    let known: Option<&Invariants> = task.known;
    let value = |order: &[RuleId]| {
        let task = Task {
            known,
            rule_order: Some(order),
            limits: Limits {
                interrupt: Some(Arc::clone(interrupt)),
                ..Limits::default()
            },
            ..*task
        };
        let analysis = rule_analysis::analyze_quietly(named, &task);
        let machine =
            machines::forbidding(machines::n_letters(&analysis), analysis.redundant_letters());
        let growth = machine.and_then(|machine| {
            machines::growth_of_possible(&machine, &analysis, None, DEFAULT_BUDGET)
        });
        // An order whose machine can't be built is no good one.
        growth
            .ok()
            .flatten()
            .map_or(f64::INFINITY, |growth| growth.value())
    };
    let stopped = Cell::new(false);
    let stop = || {
        stopped.set(
            stopped.get() || started.elapsed() > MOST_TIME || interrupt.load(Ordering::Relaxed),
        );
        stopped.get()
    };
    let seed = cx.seed;
    let found = optimize_order(
        named.game.rules().len(),
        seed,
        MOST_EVALUATIONS,
        value,
        stop,
    );
    Ok(RuleOrder {
        rules: Some(found.order),
        gain: Some((found.initial, found.value)),
        is_settled: !stopped.get(),
    })
}
