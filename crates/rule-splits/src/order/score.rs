//! The score of an order of rules.

use std::time::Duration;

use budget::{Limits, Watch};
use fsm::Dense;
use ideal_tree::{Letters, Neighborhood};
use move_prune::{Admits, Analysis, Options, analyze_game};
use psvn_ir::{RuleId, State, Term, Value};

use super::{OrderSetting, SplitRules};
use crate::analysis::analyze;
use crate::choice::{ChoiceLimits, Setting, choose};
use crate::machines::{forbidding, growth_of_possible};
use crate::split_game::{Split, SplitGame};

/// The depths down to which nodes may be counted: the greatest one to which there are few states.
const DEPTHS: [usize; 5] = [6, 8, 10, 12, 16];

/// The most states that are examined for each order.
const MOST_STATES: u64 = 2_000;

/// The number of moves by which a tree must be deeper than the sequences' length to show their
/// savings.
const MOVES_BEYOND_LENGTH: usize = 3;

/// The steps that counting a tree may take.
const STEPS_OF_TREE: u64 = 10_000_000;

/// The steps that the choice of splits may take before orders are tried.
const STEPS_OF_SPLITS: u64 = 20_000_000;

/// A composition takes about as long as this number of steps of an analysis of parts or of a tree.
const STEPS_FOR_COMPOSITION: u64 = 40;

/// Scores orders: by the nodes of the game's tree that their machines leave, where the tree is
/// small, and else by the growth of the number of sequences in which each rule can follow the one
/// before it. Rules are split as it pays in the order of the file.
pub struct Score<'a> {
    setting: OrderSetting<'a>,
    near: Option<Neighborhood>,
    split: Option<SplitGame>,
    /// Which parts can follow each other, where rules are split and no tree is counted.
    pairs: Option<Analysis>,
}

/// Nothing is known about states.
fn anything(_: &[Term]) -> bool {
    true
}

impl<'a> Score<'a> {
    /// Count the states around the start, and choose the rules that are split.
    pub fn new(setting: OrderSetting<'a>) -> Self {
        let mut score = Self {
            setting,
            near: None,
            split: None,
            pairs: None,
        };
        if let Some(start) = score.setting.start {
            score.near = score.neighborhood(start);
            // Parts are compared in all variables.
            if score.setting.ignored.is_empty() {
                score.split = score.splits(start);
            }
        }
        if let (Some(split), None) = (&score.split, &score.near) {
            let options = Options {
                max_length: 2,
                limits: score.setting.limits.clone(),
                admits: score.setting.known,
                ..Options::default()
            };
            score.pairs = Some(analyze_game(split.game(), &[], &options, |_| ()));
        }
        score
    }

    /// Return what orders are compared for.
    pub fn setting(&self) -> &OrderSetting<'a> {
        &self.setting
    }

    fn neighborhood(&self, start: &State) -> Option<Neighborhood> {
        let limits = Limits {
            nodes: Some(MOST_STATES),
            ..self.setting.limits.clone()
        };
        let around = |depth: usize| {
            let steps = &mut { STEPS_OF_TREE };
            Neighborhood::around(self.setting.game, start, depth, &limits, steps).ok()
        };
        let found = DEPTHS.into_iter().map_while(around).last()?;
        (found.depth() >= self.setting.max_length + MOVES_BEYOND_LENGTH).then_some(found)
    }

    /// The game whose rules are the letters, if splits pay.
    fn splits(&self, start: &State) -> Option<SplitGame> {
        let OrderSetting { game, splits, .. } = self.setting;
        if splits == SplitRules::None {
            return None;
        }
        let n_rules = game.rules().len();
        let known = self.known();
        let chosen = match splits {
            SplitRules::None => return None,
            SplitRules::All => Split::all(game),
            SplitRules::Paying { most_steps } => {
                let of_rules = self.analysis(None, &self.setting.limits);
                let most_steps = most_steps.unwrap_or(u64::MAX).min(STEPS_OF_SPLITS);
                let bounds = ChoiceLimits::for_rules(n_rules)
                    .after(&of_rules)
                    .within(Some(most_steps), &self.setting.limits);
                let setting = Setting {
                    game,
                    of_rules: &of_rules,
                    rule_order: None,
                    known,
                    start,
                };
                choose(setting, &bounds).ok()??.splits
            }
        };
        let most_letters = ChoiceLimits::for_rules(n_rules).letters.max(n_rules);
        let split = SplitGame::new(game, &chosen, &|it| known.admits(it), most_letters).ok()?;
        (!chosen.is_empty()).then_some(split)
    }

    fn known(&self) -> &'a dyn Admits {
        self.setting.known.unwrap_or(&anything)
    }

    /// The redundant sequences of rules in some order.
    fn analysis(&self, rule_order: Option<&[RuleId]>, limits: &Limits) -> Analysis {
        let options = Options {
            max_length: self.setting.max_length,
            limits: limits.clone(),
            admits: self.setting.known,
            rule_order,
            order: self.setting.order,
        };
        analyze_game(self.setting.game, self.setting.ignored, &options, |_| ())
    }

    /// Return the depth down to which nodes are counted, where they are.
    pub fn depth(&self) -> Option<usize> {
        self.near.as_ref().map(Neighborhood::depth)
    }

    /// Return the game whose rules are the letters, where rules are split.
    pub fn split(&self) -> Option<&SplitGame> {
        self.split.as_ref()
    }

    /// Return the score of an order, less is better, and the steps that scoring took: composed
    /// words, and transitions of machines. An order whose machine can't be built gets the worst
    /// score. `time` is that of each analysis.
    pub fn value(&self, order: &[RuleId], time: Option<Duration>) -> (f64, u64) {
        let limits = Limits {
            nodes: None,
            time,
            ..self.setting.limits.clone()
        };
        let watch = Watch::new(limits);
        let analysis = self.analysis(Some(order), watch.limits());
        let mut steps: u64 = analysis.levels.iter().map(|level| level.composed).sum();
        let value = self.value_of(&analysis, order, &watch, &mut steps);
        (value.unwrap_or(f64::INFINITY), steps)
    }

    fn value_of(
        &self,
        analysis: &Analysis,
        order: &[RuleId],
        watch: &Watch,
        steps: &mut u64,
    ) -> Option<f64> {
        let (game, limits) = (self.setting.game, watch.limits());
        let machine = match &self.split {
            None => {
                let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
                forbidding(game.rules().len(), &words)?
            }
            Some(split) => {
                let found = analyze(game, split, analysis, Some(order), self.known(), limits);
                let found = found.ok()?;
                *steps += found.steps / STEPS_FOR_COMPOSITION;
                let words: Vec<&[u32]> = found.redundant.iter().map(|it| &*it.word).collect();
                forbidding(split.letters().len(), &words)?
            }
        };
        if let Some(near) = &self.near {
            let mut left = STEPS_OF_TREE;
            let nodes = self.nodes(near, &machine, limits, &mut left);
            *steps += (STEPS_OF_TREE - left) / STEPS_FOR_COMPOSITION;
            return nodes;
        }
        *steps += machine.n_states() as u64 * u64::from(machine.n_letters());
        let pairs = self.pairs.as_ref().unwrap_or(analysis);
        let most_bytes = self.setting.most_bytes;
        let growth = growth_of_possible(&machine, pairs, most_bytes, &|| watch.is_over());
        growth.map(|growth| growth.value())
    }

    /// All nodes of a machine's tree down to the depth.
    fn nodes(
        &self,
        near: &Neighborhood,
        machine: &Dense,
        limits: &Limits,
        steps: &mut u64,
    ) -> Option<f64> {
        let nodes = match &self.split {
            None => near.nodes(&Letters::rules(self.setting.game), machine, limits, steps),
            Some(split) => {
                let letter_at = |rule: RuleId, state: &[Value]| split.letter_at(rule, state);
                let letters = Letters::parts(split.game(), &letter_at);
                near.nodes(&letters, machine, limits, steps)
            }
        };
        Some(nodes.ok()?.iter().sum::<u128>() as f64)
    }
}
