//! Tries of splits, and the trees that they leave.

use budget::{Limits, Watch};
use fsm::Dense;
use ideal_tree::{Comparison, Glance, Letters, Question, Surroundings};
use move_prune::Order;
use psvn_ir::{RuleId, Term, Value};

use super::{ChoiceLimits, Setting};
use crate::analysis::Base;
use crate::machines::forbidding;
use crate::split_game::{Split, SplitGame};

/// The maximum number of sequences that one round takes into account.
const MOST_DIFFERENCES: usize = 500;

/// The depth at which a glance ends.
const DEPTH_OF_GLANCE: usize = 6;

/// The depths to try, until one has too many states.
const DEPTHS: [usize; 6] = [3, 4, 6, 8, 10, 12];

/// The divisor of the steps that gives those of one try at a depth.
const PART_OF_TRY: u64 = 16;

/// A try: splits, and the tree that they leave.
pub(super) struct Try {
    pub(super) split: SplitGame,
    pub(super) compared: Comparison,
}

impl Try {
    /// Return the nodes of the tree, those at the last depth and all before.
    pub(super) fn nodes(&self) -> u128 {
        self.compared.machine.nodes.iter().sum()
    }

    /// Return the number of pairs of a kept sequence and a state where it isn't least.
    pub(super) fn n_missed(&self) -> usize {
        let differences = self.compared.differences.iter();
        differences.map(|it| it.n_states).sum()
    }

    pub(super) fn ideal_nodes(&self) -> u128 {
        self.compared.ideal.nodes.iter().sum()
    }
}

/// Tries splits, within limits.
pub(super) struct Tries<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) limits: &'a ChoiceLimits,
    pub(super) watch: Watch,
    pub(super) steps_left: u64,
    /// The states around the start, once the depth of the tries is known.
    around: Option<Surroundings>,
    /// The analysis of rules, once parts are analyzed.
    base: Option<Base<'a>>,
}

impl<'a> Tries<'a> {
    pub(super) fn new(setting: Setting<'a>, limits: &'a ChoiceLimits) -> Self {
        Self {
            setting,
            limits,
            watch: Watch::new(limits.limits.clone()),
            steps_left: 0,
            around: None,
            base: None,
        }
    }

    /// Examine the machine without splits within the steps of a glance.
    pub(super) fn glance(&mut self) -> Option<Glance> {
        let machine = self.machine_of_rules()?;
        let Setting { game, start, .. } = self.setting;
        let question = self.question(DEPTH_OF_GLANCE, 0);
        let limits = self.limits_of_states();
        Glance::at(
            game,
            start,
            &machine,
            &question,
            &limits,
            &mut self.steps_left,
        )
    }

    /// Return the tree without splits down to the greatest depth that the limits allow.
    pub(super) fn whole(&mut self) -> Option<Try> {
        let most_steps = self.limits.steps / PART_OF_TRY;
        let mut last = None;
        for depth in DEPTHS {
            let Some(found) = self.whole_to(depth, most_steps) else {
                break;
            };
            last = Some(found);
        }
        last
    }

    /// Count the tree without splits down to a depth. From then on, trees are counted to that
    /// depth.
    pub(super) fn whole_to(&mut self, depth: usize, most_steps: u64) -> Option<Try> {
        let machine = self.machine_of_rules()?;
        let Setting {
            game, known, start, ..
        } = self.setting;
        let question = self.question(depth, MOST_DIFFERENCES);
        let limits = self.limits_of_states();
        let found = self.within(most_steps, |steps| {
            let around = Surroundings::of(game, start, &question, &limits, steps).ok()?;
            let letters = Letters::rules(game);
            let compared = around.compare(&letters, &machine, &question, &limits, steps);
            Some((around, compared.ok()?))
        });
        let (around, compared) = found?;
        let n_rules = game.rules().len();
        let split = SplitGame::new(game, &[], &|it| known.admits(it), n_rules).ok()?;
        self.around = Some(around);
        Some(Try { split, compared })
    }

    /// Make some splits, if they don't make too many letters.
    pub(super) fn split(&self, splits: &[Split], most_letters: usize) -> Option<SplitGame> {
        let Setting { game, known, .. } = self.setting;
        let most_letters = most_letters.min(self.limits.letters);
        let most_letters = most_letters.max(game.rules().len());
        let admits = |terms: &[Term]| known.admits(terms);
        SplitGame::within(game, splits, &admits, most_letters, &self.watch).ok()
    }

    /// Count the tree that splits leave, if the limits allow it.
    ///
    /// # Panics
    /// When no tree was counted before.
    pub(super) fn count(&mut self, split: SplitGame, most_steps: u64) -> Option<Try> {
        let Setting {
            game,
            of_rules,
            rule_order,
            known,
            ..
        } = self.setting;
        if self.base.is_none() {
            self.base = Base::of(game, of_rules, rule_order, known, &self.watch).ok();
            let steps = self.base.as_ref()?.steps();
            self.steps_left = self.steps_left.saturating_sub(steps);
        }
        let limits = Limits {
            nodes: Some(most_steps.min(self.steps_left)),
            time: self.watch.time_left(),
            ..self.limits.limits.clone()
        };
        let found = self.base.as_ref()?.analyze(&split, &Watch::new(limits));
        let taken = found.as_ref().map_or(most_steps, |found| found.steps);
        self.steps_left = self.steps_left.saturating_sub(taken);
        let found = found.ok()?;
        let words: Vec<&[u32]> = found.redundant.iter().map(|it| &*it.word).collect();
        let machine = forbidding(split.letters().len(), &words)?;
        let around = self.around.take().expect("a tree was counted");
        let question = self.question(around.depth(), MOST_DIFFERENCES);
        let limits = self.limits_of_states();
        let compared = self.within(most_steps.saturating_sub(taken), |steps| {
            let letter_at = |rule: RuleId, state: &[Value]| split.letter_at(rule, state);
            let letters = Letters::parts(split.game(), &letter_at);
            let compared = around.compare(&letters, &machine, &question, &limits, steps);
            compared.ok()
        });
        self.around = Some(around);
        Some(Try {
            compared: compared?,
            split,
        })
    }

    /// Do work within some steps, which are subtracted from the remaining ones.
    fn within<T>(&mut self, most_steps: u64, work: impl FnOnce(&mut u64) -> T) -> T {
        let allowed = most_steps.min(self.steps_left);
        let mut left = allowed;
        let done = work(&mut left);
        self.steps_left -= allowed - left;
        done
    }

    fn question(&self, depth: usize, most_differences: usize) -> Question<'a> {
        Question {
            max_length: self.setting.of_rules.max_length,
            depth,
            order: match self.setting.of_rules.order {
                Order::LengthLexicographic => ideal_tree::Order::LengthLexicographic,
                // The tree only says where splits may pay.
                Order::CostLengthLexicographic | Order::Cost => {
                    ideal_tree::Order::CostLengthLexicographic
                }
            },
            rule_order: self.setting.rule_order,
            most_differences,
            growth: false,
        }
    }

    fn limits_of_states(&self) -> Limits {
        Limits {
            nodes: Some(self.limits.states as u64),
            time: self.watch.time_left(),
            ..self.limits.limits.clone()
        }
    }

    fn machine_of_rules(&self) -> Option<Dense> {
        let words: Vec<Vec<u32>> = self.setting.of_rules.redundant_letters().collect();
        forbidding(self.setting.game.rules().len(), &words)
    }
}
