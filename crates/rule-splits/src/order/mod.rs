//! The search for an order of rules that prunes much, where rules may be split.

mod score;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use budget::Limits;
use move_prune::{Admits, OptimizedOrder, Order};
use psvn_ir::{Game, RuleId, State, VarId};

pub use self::score::Score;

/// The game whose rules are to be ordered, and the analysis that will compare them in that order.
#[derive(Clone)]
pub struct OrderSetting<'a> {
    /// The game.
    pub game: &'a Game,
    /// The length of the longest sequences that are compared.
    pub max_length: usize,
    /// The order of sequences.
    pub order: Order,
    /// The knowledge about the states in which sequences are compared.
    pub known: Option<&'a dyn Admits>,
    /// Variables in which the states that two sequences lead to may differ. If there are any, no
    /// rule is split.
    pub ignored: &'a [VarId],
    /// The root of the tree whose nodes are counted; if there is none, all is judged by growth.
    pub start: Option<&'a State>,
    /// The rules that are split.
    pub splits: SplitRules,
    /// The limits of one analysis.
    pub limits: Limits,
    /// The greatest number of bytes that computing a growth may take.
    pub most_bytes: usize,
}

/// The rules that are split while orders are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitRules {
    /// None is.
    None,
    /// Those for which it pays in the order of the file, chosen within some steps.
    Paying {
        /// The most steps; a number that fits the game unless given.
        most_steps: Option<u64>,
    },
    /// All are, by all values that they don't fix.
    All,
}

/// The work that a search for an order may take.
#[derive(Clone, Copy, Debug)]
pub struct OrderLimits<'a> {
    /// The most orders that are tried.
    pub evaluations: usize,
    /// No order is tried after this number of steps: composed words, and work on parts, trees and
    /// machines that takes as long. Every machine finds the same order with any number of threads.
    pub steps: u64,
    /// No order is tried after this time.
    pub deadline: Option<Instant>,
    /// Set to end the search.
    pub interrupt: &'a AtomicBool,
}

/// Search for the order of rules with the least [score](Score::value). The same seed gives the same
/// order, unless the time or an interrupt ends the search: whether neither did is returned, too.
pub fn optimize_rule_order(
    score: &Score<'_>,
    limits: OrderLimits<'_>,
    seed: u64,
) -> (OptimizedOrder, bool) {
    let OrderLimits {
        deadline,
        interrupt,
        ..
    } = limits;
    let steps = Cell::new(0_u64);
    let value = |order: &[RuleId]| {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let (value, taken) = score.value(order, left);
        steps.set(steps.get().saturating_add(taken));
        value
    };
    let is_over =
        || interrupt.load(Ordering::Relaxed) || deadline.is_some_and(|it| Instant::now() >= it);
    let n_rules = score.setting().game.rules().len();
    let found = move_prune::optimize_order(n_rules, seed, limits.evaluations, value, || {
        steps.get() >= limits.steps || is_over()
    });
    (found, !is_over())
}
