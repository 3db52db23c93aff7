//! The score of an order of rules.

use budget::{Limits, Watch};
use fsm::Dense;
use ideal_tree::{Letters, Neighborhood};
use invariants::Invariants;
use move_prune::{Admits, Analysis};
use psvn_ir::{RuleId, State, Value};
use rule_splits::{Setting, SplitGame};

use crate::analysis::engine::machines::{self, DEFAULT_BUDGET};
use crate::analysis::engine::{self, Known, Task};
use crate::analysis::splits::{self, SplitChoice, SplitRequest};
use crate::game::Game;

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
/// before it. Known invariants are used, and rules are split as it pays in the order of the file.
pub(super) struct Score<'a> {
    named: &'a Game,
    task: &'a Task<'a>,
    known: Invariants,
    near: Option<Neighborhood>,
    split: Option<SplitGame>,
    /// Which parts can follow each other, where rules are split and no tree is counted.
    pairs: Option<Analysis>,
}

impl<'a> Score<'a> {
    pub(super) fn of(named: &'a Game, task: &'a Task<'a>, request: &SplitRequest) -> Self {
        let game = named.ir();
        let known = task.known.cloned();
        let known = known.unwrap_or_else(|| Invariants::none(game));
        let start = request.start.clone().or_else(|| game.goal_state());
        let start = start.filter(|start| known.check_state(game, start).is_ok());
        let mut score = Self {
            named,
            task,
            known,
            near: None,
            split: None,
            pairs: None,
        };
        if let Some(start) = start {
            score.near = score.neighborhood(&start);
            // Parts are compared in all variables.
            if task.ignored.is_empty() {
                score.split = score.splits(&start, request);
            }
        }
        if let (Some(split), None) = (&score.split, &score.near) {
            let parts = named.with_rules_of(split.game().clone());
            let pairs = Task::up_to(2, task.known, task.limits.clone());
            score.pairs = Some(engine::analyze_quietly(&parts, &pairs));
        }
        score
    }

    fn neighborhood(&self, start: &State) -> Option<Neighborhood> {
        let limits = Limits {
            nodes: Some(MOST_STATES),
            ..self.task.limits.clone()
        };
        let around = |depth: usize| {
            let steps = &mut { STEPS_OF_TREE };
            Neighborhood::around(self.named.ir(), start, depth, &limits, steps).ok()
        };
        let found = DEPTHS.into_iter().map_while(around).last()?;
        (found.depth() >= self.task.max_length + MOVES_BEYOND_LENGTH).then_some(found)
    }

    /// The game whose rules are the letters, if splits pay.
    fn splits(&self, start: &State, request: &SplitRequest) -> Option<SplitGame> {
        let game = self.named.ir();
        let known = Known(&self.known);
        let of_rules = match request.choice {
            SplitChoice::None => return None,
            _ => engine::analyze_quietly(self.named, self.task),
        };
        let most_steps = request.most_steps.unwrap_or(u64::MAX).min(STEPS_OF_SPLITS);
        let request = SplitRequest {
            most_steps: Some(most_steps),
            ..request.clone()
        };
        let bounds = splits::bounds_for(&of_rules, game.rules().len(), &request, &self.task.limits);
        let setting = Setting {
            game,
            of_rules: &of_rules,
            rule_order: self.task.rule_order,
            known: &known,
            start,
        };
        let chosen = match request.choice {
            SplitChoice::All => splits::all(game),
            _ => rule_splits::choose(setting, &bounds).ok()??.splits,
        };
        let most_letters = bounds.letters.max(game.rules().len());
        let split = SplitGame::new(game, &chosen, &|it| known.admits(it), most_letters).ok()?;
        (!chosen.is_empty()).then_some(split)
    }

    /// The depth down to which nodes are counted, where they are.
    pub(super) fn depth(&self) -> Option<usize> {
        self.near.as_ref().map(Neighborhood::depth)
    }

    /// The game whose rules are the letters, where rules are split.
    #[cfg(test)]
    pub(super) fn split(&self) -> Option<&SplitGame> {
        self.split.as_ref()
    }

    /// The score of an order, less is better, and the steps that scoring took: composed words, and
    /// transitions of machines. An order whose machine can't be built gets the worst score.
    pub(super) fn value(&self, order: &[RuleId], limits: Limits) -> (f64, u64) {
        let watch = Watch::new(limits.clone());
        let task = Task {
            rule_order: Some(order),
            limits,
            ..self.task.clone()
        };
        let analysis = engine::analyze_quietly(self.named, &task);
        let mut steps: u64 = analysis.levels.iter().map(|level| level.composed).sum();
        let value = self.value_of(&analysis, &task, &watch, &mut steps);
        (value.unwrap_or(f64::INFINITY), steps)
    }

    fn value_of(
        &self,
        analysis: &Analysis,
        task: &Task<'_>,
        watch: &Watch,
        steps: &mut u64,
    ) -> Option<f64> {
        let game = self.named.ir();
        let machine = match &self.split {
            None => {
                let n_letters = machines::n_letters(analysis);
                machines::forbidding(n_letters, analysis.redundant_letters()).ok()?
            }
            Some(split) => {
                let (order, known) = (task.rule_order, Known(&self.known));
                let found =
                    rule_splits::analyze(game, split, analysis, order, &known, &task.limits);
                let found = found.ok()?;
                *steps += found.steps / STEPS_FOR_COMPOSITION;
                let n_letters = u32::try_from(split.letters().len()).ok()?;
                let words = found.redundant.iter().map(|it| &it.word);
                machines::forbidding(n_letters, words).ok()?
            }
        };
        if let Some(near) = &self.near {
            let mut left = STEPS_OF_TREE;
            let nodes = self.nodes(near, &machine, &task.limits, &mut left);
            *steps += (STEPS_OF_TREE - left) / STEPS_FOR_COMPOSITION;
            return nodes;
        }
        *steps += machine.n_states() as u64 * u64::from(machine.n_letters());
        let pairs = self.pairs.as_ref().unwrap_or(analysis);
        let stop = || watch.is_over();
        let growth = machines::growth_of_possible(&machine, pairs, None, DEFAULT_BUDGET, &stop);
        growth.ok()?.map(|growth| growth.value())
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
            None => {
                let letters = Letters::rules(self.named.ir());
                near.nodes(&letters, machine, limits, steps)
            }
            Some(split) => {
                let letter_at = |rule: RuleId, state: &[Value]| split.letter_at(rule, state);
                let letters = Letters::parts(split.game(), &letter_at);
                near.nodes(&letters, machine, limits, steps)
            }
        };
        Some(nodes.ok()?.iter().sum::<u128>() as f64)
    }
}
