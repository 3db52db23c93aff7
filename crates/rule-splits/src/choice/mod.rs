//! The choice of the splits that pay.

mod limits;
mod tries;
mod wishes;

use std::collections::BTreeMap;

use budget::StopReason;
use move_prune::{Admits, Analysis};
use psvn_ir::{Game, RuleId, State};

pub use self::limits::ChoiceLimits;
use self::tries::{Tries, Try};
use self::wishes::Wishes;
use crate::split_game::Split;

/// A round that doubles the number of letters has to save more by this factor.
const GAIN_OF_DOUBLING: f64 = 4.0;

/// The maximum factor by which a round multiplies the number of letters, unless the result is at
/// most the number below.
const GROWTH_OF_ROUND: usize = 6;
const LETTERS_OF_ROUND: usize = 64;

/// The ratio to the ideal tree's nodes at which a tree is good enough.
const GOOD_RATIO: f64 = 1.005;

/// The game to split, with its analysis and start.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The game.
    pub game: &'a Game,
    /// An analysis of its rules.
    pub of_rules: &'a Analysis,
    /// The order of rules of that analysis.
    pub rule_order: Option<&'a [RuleId]>,
    /// The knowledge about states that the analysis used.
    pub known: &'a dyn Admits,
    /// The root of the tree that must become small.
    pub start: &'a State,
}

/// The splits that pay, and what they save.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The splits, sorted; empty if none pays.
    pub splits: Vec<Split>,
    /// For each split, the first sequence of rules near the start that needed it.
    pub reasons: Vec<Reason>,
    /// The depth down to which nodes were counted.
    pub depth: usize,
    /// The nodes at that depth without splits.
    pub nodes_before: u128,
    /// The nodes at that depth with the splits.
    pub nodes_after: u128,
    /// The nodes of the ideal tree at that depth.
    pub nodes_ideal: u128,
    /// The steps that were taken.
    pub steps: u64,
}

/// The reason why a rule is split: a sequence that could be replaced if some value were known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule, and the variable by which it is split.
    pub split: Split,
    /// The sequence of rules.
    pub word: Vec<RuleId>,
    /// The rules that replace it in some states.
    pub replacement: Vec<RuleId>,
}

/// Find the splits that make the tree from a start smaller.
///
/// Sequences that are kept although they aren't least in some states give conditions that would
/// have to be known. Each round makes the splits that most of these sequences need, as long as a
/// round pays; then splits that aren't needed are removed. If a glance shows no such sequence,
/// nothing more is tried. `None` if even the nearest states exceed the limits.
///
/// # Errors
/// When the time is up, or the choice is interrupted.
pub fn choose(setting: Setting<'_>, limits: &ChoiceLimits) -> Result<Option<Choice>, StopReason> {
    Ok(choose_or_settle(setting, limits)?.0)
}

/// The same, with the steps of a glance that settled the choice: with these or more steps it finds
/// no splits. `None` where the steps made a difference.
///
/// # Errors
/// When the time is up, or the choice is interrupted.
pub fn choose_or_settle(
    setting: Setting<'_>,
    limits: &ChoiceLimits,
) -> Result<(Option<Choice>, Option<u64>), StopReason> {
    let mut chooser = Chooser {
        tries: Tries::new(setting, limits),
        settled_in: None,
        reasons: BTreeMap::new(),
    };
    let chosen = chooser.choose();
    chooser.tries.watch.check_resources(0)?;
    Ok((chosen, chooser.settled_in))
}

struct Chooser<'a> {
    tries: Tries<'a>,
    settled_in: Option<u64>,
    /// The first sequence that needs each split.
    reasons: BTreeMap<Split, Reason>,
}

impl Chooser<'_> {
    fn choose(&mut self) -> Option<Choice> {
        let limits = self.tries.limits;
        self.tries.steps_left = limits.glance;
        let glance = self.tries.glance();
        let may_go_on = glance.as_ref().is_some_and(|it| it.has_gap);
        if !may_go_on && self.tries.steps_left > 0 {
            self.settled_in = Some(limits.glance - self.tries.steps_left);
        }
        let glance = glance?;
        if !glance.has_gap {
            let nodes = last(&glance.nodes);
            return Some(Choice {
                splits: Vec::new(),
                reasons: Vec::new(),
                depth: glance.depth,
                nodes_before: nodes,
                nodes_after: nodes,
                nodes_ideal: nodes,
                steps: limits.glance - self.tries.steps_left,
            });
        }
        let all_steps = limits.glance.saturating_add(limits.steps);
        self.tries.steps_left = self.tries.steps_left.saturating_add(limits.steps);
        let (before, best) = match self.tries.whole() {
            Some(mut best) => {
                let before = last(&best.compared.machine.nodes);
                self.refine(&mut best);
                self.take_back(&mut best);
                (before, best)
            }
            None => {
                let best = self.tries.whole_to(glance.depth, limits.glance)?;
                (last(&best.compared.machine.nodes), best)
            }
        };
        let splits = best.split.splits();
        let reasons = splits.iter().filter_map(|it| self.reasons.remove(it));
        let compared = &best.compared;
        Some(Choice {
            splits: splits.to_vec(),
            reasons: reasons.collect(),
            depth: compared.machine.nodes.len() - 1,
            nodes_before: before,
            nodes_after: last(&compared.machine.nodes),
            nodes_ideal: last(&compared.ideal.nodes),
            steps: all_steps - self.tries.steps_left,
        })
    }

    /// Split more rules as long as that pays.
    fn refine(&mut self, best: &mut Try) {
        while best.nodes() as f64 > best.ideal_nodes() as f64 * GOOD_RATIO {
            let Some(next) = self.round(best) else {
                return;
            };
            if next.nodes() as f64 > self.most_nodes(best, next.split.letters().len()) {
                return;
            }
            *best = next;
        }
    }

    /// Return the most nodes that a round may leave in order to pay, if it makes some letters.
    fn most_nodes(&self, best: &Try, n_letters: usize) -> f64 {
        let doublings = (n_letters as f64 / best.split.letters().len() as f64).log2();
        let least_gain = self.tries.limits.least_gain;
        let gain = least_gain * (1.0 + GAIN_OF_DOUBLING * doublings.max(0.0));
        best.nodes() as f64 * (1.0 - gain)
    }

    /// Return the splits of a try and those that its differences need. `None` if they can't pay,
    /// since even the ideal tree has too many nodes: to analyze them is most of the work.
    fn round(&mut self, best: &Try) -> Option<Try> {
        let splits = best.split.splits();
        let wishes = Wishes::of(self.tries.setting, &best.split, &best.compared.differences);
        let letters = best.split.letters().len();
        let most_letters = (letters * GROWTH_OF_ROUND).max(LETTERS_OF_ROUND);
        let mut n_wishes = wishes.len();
        while n_wishes > 0 && self.tries.steps_left > 0 {
            let more = wishes.grant(n_wishes, splits, &mut self.reasons);
            if more.len() == splits.len() {
                return None;
            }
            // If all wishes are too much work, fewer may not be.
            let most_steps = self.tries.steps_left / 4 * 3;
            if let Some(split) = self.tries.split(&more, most_letters) {
                let most_nodes = self.most_nodes(best, split.letters().len());
                if best.ideal_nodes() as f64 > most_nodes {
                    return None;
                }
                if let Some(next) = self.tries.count(split, most_steps) {
                    return Some(next);
                }
            }
            n_wishes /= 2;
        }
        None
    }

    /// Remove splits that aren't needed anywhere near the start, the last one first.
    fn take_back(&mut self, best: &mut Try) {
        for split in best.split.splits().to_vec().into_iter().rev() {
            let all = best.split.splits().iter().copied();
            let fewer: Vec<Split> = all.filter(|it| *it != split).collect();
            let most_letters = best.split.letters().len();
            let most_steps = self.tries.steps_left;
            let split = self.tries.split(&fewer, most_letters);
            match split.and_then(|split| self.tries.count(split, most_steps)) {
                Some(next)
                    if next.nodes() <= best.nodes() && next.n_missed() <= best.n_missed() =>
                {
                    *best = next;
                }
                Some(_) => {}
                None => return,
            }
        }
    }
}

fn last(nodes: &[u128]) -> u128 {
    nodes.last().copied().unwrap_or(0)
}
