//! Counterexamples, and abstractions that are split by them.

use std::collections::VecDeque;

use super::graph::Graph;
use super::hierarchy::Hierarchy;
use super::paths::CheapestPaths;
use super::sets::{self, CartesianSet};
use super::steps::Steps;
use super::targets::Target;
use crate::effort::Effort;
use crate::estimates::abstractions::cost_partitioning::summed::Abstraction;
use crate::estimates::abstractions::cost_partitioning::transition_system::TransitionSystem;
use crate::refusal::Refusal;

/// How large an abstraction may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) states: usize,
    pub(super) transitions: usize,
}

/// The bytes of a transition: an edge in a list at both ends, which may be half empty.
const BYTES_OF_TRANSITION: usize = 4 * size_of::<u64>();

/// The bytes of an abstract state beside its set: two lists, its path, its place in the hierarchy.
const BYTES_OF_STATE: usize = 256;

/// An abstraction that becomes finer: its states are Cartesian sets, which are split where the
/// cheapest abstract path isn't one of the game (Seipp & Helmert 2018, "Counterexample-Guided
/// Cartesian Abstraction Refinement for Classical Planning").
#[derive(Clone, Debug)]
pub(super) struct Refinement<'a> {
    steps: &'a Steps,
    target: &'a Target,
    sets: Vec<CartesianSet>,
    /// By abstract state, whether a state of the target is in it.
    is_target: Vec<bool>,
    hierarchy: Hierarchy,
    graph: Graph,
    paths: CheapestPaths,
    /// Memory for the states that a step or the target asks for.
    wanted: CartesianSet,
}

/// A reason why an abstract path isn't one of the game.
struct Flaw {
    /// The state at which the path breaks.
    state: Vec<u32>,
    var: u32,
    /// Values of the variable that the state doesn't have: only states with these may go on.
    values: Vec<u64>,
}

impl<'a> Refinement<'a> {
    /// The coarsest abstraction.
    pub(super) fn new(steps: &'a Steps, target: &'a Target) -> Self {
        let all = steps.layout.all();
        let is_target = target.is_in(&steps.layout, &all);
        Self {
            steps,
            target,
            wanted: all.clone(),
            sets: vec![all],
            is_target: vec![is_target],
            hierarchy: Hierarchy::new(),
            graph: Graph::new(),
            paths: CheapestPaths::new(is_target),
        }
    }

    /// Refine until the cheapest abstract paths from some states, each in turn, are paths of the
    /// game, it is as large as it may be, or there is no more memory beside the `bytes` of others.
    ///
    /// # Errors
    /// If there is no more time.
    pub(super) fn refine(
        &mut self,
        starts: &[Vec<u32>],
        size: Size,
        effort: &Effort<'_>,
        bytes: usize,
    ) -> Result<(), Refusal> {
        let mut open: VecDeque<&Vec<u32>> = starts.iter().collect();
        while let Some(start) = open.pop_front() {
            let is_large =
                self.sets.len() >= size.states || self.graph.n_edges() >= size.transitions;
            if is_large || !effort.has_room(bytes + self.n_bytes())? {
                break;
            }
            if let Some(flaw) = self.flaw(start) {
                self.split(&flaw);
                open.push_back(start);
            }
        }
        Ok(())
    }

    fn n_bytes(&self) -> usize {
        let of_state = self.steps.layout.n_words() * size_of::<u64>() + BYTES_OF_STATE;
        self.sets.len() * of_state + self.graph.n_edges() * BYTES_OF_TRANSITION
    }

    /// Return the first flaw of the cheapest path from a state; none if there is no path, or it
    /// reaches the target.
    fn flaw(&mut self, start: &[u32]) -> Option<Flaw> {
        let (steps, target) = (self.steps, self.target);
        let mut state = start.to_vec();
        let mut at = self.hierarchy.of(&state);
        if !self.paths.exists_from(at) {
            return None;
        }
        while let Some(step) = self.paths.step_from(at) {
            let operator = steps.operators.get(step.operator);
            let (source, next) = (&self.sets[at as usize], &self.sets[step.state as usize]);
            steps.put_wanted(&mut self.wanted, operator, source, next);
            let unequal = operator.unequal(&state);
            let flaw = self.flaw_at(at, &state, unequal);
            if flaw.is_some() {
                return flaw;
            }
            operator.apply(&mut state);
            at = step.state;
        }
        if target.holds_in(&state) {
            return None;
        }
        let (layout, set) = (&steps.layout, &self.sets[at as usize]);
        let unequal = target.put_wanted(&mut self.wanted, layout, set, &state);
        self.flaw_at(at, &state, unequal)
    }

    /// Return the flaw of a state that isn't one of the wanted ones: a variable whose value isn't
    /// wanted, or one that should be equal to another one. Of several variables, it is the one that
    /// was split most often, in proportion to its values.
    fn flaw_at(&self, at: u32, state: &[u32], unequal: Option<&[u32]>) -> Option<Flaw> {
        let layout = &self.steps.layout;
        let set = &self.sets[at as usize];
        let unwanted = (0..layout.n_variables())
            .filter(|var| !sets::has(self.wanted.of(layout, *var), state[*var as usize]));
        let part_left =
            |var: &u32| f64::from(sets::count(set.of(layout, *var))) / f64::from(layout.size(*var));
        let most_split = unwanted.min_by(|one, other| part_left(one).total_cmp(&part_left(other)));
        let flaw = |var: u32, values: Vec<u64>| Flaw {
            state: state.to_vec(),
            var,
            values,
        };
        if let Some(var) = most_split {
            return Some(flaw(var, self.wanted.of(layout, var).to_vec()));
        }
        // All values are wanted, but not together. Another value than its own is left to one of the
        // variables: if each had only its own, they couldn't be equal.
        let other_values = |var: &u32| {
            let mut others = self.wanted.of(layout, *var).to_vec();
            sets::remove(&mut others, state[*var as usize]);
            (sets::count(&others) > 0).then(|| flaw(*var, others))
        };
        unequal?.iter().find_map(other_values)
    }

    fn split(&mut self, flaw: &Flaw) {
        let layout = &self.steps.layout;
        let at = self.hierarchy.of(&flaw.state);
        let new = self.sets.len() as u32;
        self.hierarchy
            .split(&flaw.state, flaw.var, &flaw.values, new);
        let mut inside = self.sets[at as usize].clone();
        let outside = self.sets[at as usize].of_mut(layout, flaw.var);
        inside
            .of_mut(layout, flaw.var)
            .copy_from_slice(&flaw.values);
        for (word, gone) in outside.iter_mut().zip(&flaw.values) {
            *word &= !gone;
        }
        self.sets.push(inside);
        self.is_target.push(false);
        for part in [at, new] {
            let is_target = self.target.is_in(layout, &self.sets[part as usize]);
            self.is_target[part as usize] = is_target;
        }
        self.graph.split(self.steps, &self.sets, at, flaw.var);
        let costs = &self.steps.operators.costs;
        self.paths.repair(&self.graph, costs, at, &self.is_target);
    }

    /// Return how states are found, and the abstraction as far as its costs matter.
    pub(super) fn finish(self) -> (Hierarchy, TransitionSystem) {
        let states = 0..self.graph.n_states() as u32;
        let into = states.clone().map(|state| {
            let edges = self.graph.incoming(state).iter();
            edges.map(|edge| (edge.operator, edge.state)).collect()
        });
        let into: Vec<Vec<(u32, u32)>> = into.collect();
        let targets = states.filter(|state| self.is_target[*state as usize]);
        (self.hierarchy, TransitionSystem::new(&into, targets))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use budget::Watch;
    use psvn_ir::testing::{GameShape, cases, random_game};
    use psvn_ir::{Game, all_states};

    use super::super::sets::Layout;
    use super::*;
    use crate::cells::cells;
    use crate::estimates::abstractions::operators::Operators;
    use crate::structure::goal_facts::GoalFacts;
    use invariants::Invariants;
    use search::DEAD_END;

    /// Refine an abstraction of a game for some of its states.
    fn refined<'a>(
        steps: &'a Steps,
        target: &'a Target,
        starts: &[Vec<u32>],
        states: usize,
    ) -> Refinement<'a> {
        let mut refinement = Refinement::new(steps, target);
        let size = Size {
            states,
            transitions: usize::MAX,
        };
        let watch = Watch::default();
        let effort = Effort::within(&watch);
        refinement
            .refine(starts, size, &effort, 0)
            .expect("no limit");
        refinement
    }

    fn made(game: &Game, has_instances: bool) -> (Steps, Target) {
        let watch = Watch::default();
        let effort = Effort::within(&watch);
        let operators = Operators::of_rules(game, has_instances, &effort).expect("a small game");
        let facts = GoalFacts::of_goals(game, &Invariants::none(game)).expect("a small game");
        let layout = Layout::of(game);
        let target = Target::goals(game, &layout, &facts);
        (Steps { operators, layout }, target)
    }

    /// Random games with goals, made with instances of their rules and without.
    fn random_games(n: u64) -> impl Iterator<Item = (u64, Game, Vec<Vec<u32>>)> {
        (0..cases(n)).filter_map(|seed| {
            let game = random_game(seed, &GameShape::default());
            let states: Vec<Vec<u32>> = all_states(&game).map(|state| cells(&state)).collect();
            (!game.goals().is_empty()).then_some((seed, game, states))
        })
    }

    /// Operators with the abstract states from and to which they lead.
    type Found = BTreeSet<(u32, u32, u32)>;

    /// The steps between abstract states, from all steps between states.
    fn true_steps(refinement: &Refinement<'_>, states: &[Vec<u32>]) -> Found {
        let operators = &refinement.steps.operators;
        let mut steps = Found::new();
        for state in states {
            let from = refinement.hierarchy.of(state);
            for (number, operator) in (0..).zip(operators.iter()) {
                if operator.applies_to(state) {
                    let mut next = state.clone();
                    operator.apply(&mut next);
                    let to = refinement.hierarchy.of(&next);
                    if from != to {
                        steps.insert((number, from, to));
                    }
                }
            }
        }
        steps
    }

    fn check_steps(refinement: &Refinement<'_>, states: &[Vec<u32>]) -> usize {
        let operators = &refinement.steps.operators;
        let mut has_target = vec![false; refinement.sets.len()];
        for state in states {
            let number = refinement.hierarchy.of(state) as usize;
            assert!(refinement.sets[number].contains(&refinement.steps.layout, state));
            has_target[number] |= refinement.target.holds_in(state);
        }
        assert_eq!(refinement.is_target, has_target);
        let (_, system) = refinement.clone().finish();
        let found = system.transitions();
        let found: Found = found
            .map(|it| (it.operator, it.source, it.target))
            .collect();
        assert_eq!(found, true_steps(refinement, states));
        let distances = system.distances(&operators.costs);
        for (number, distance) in (0..).zip(distances) {
            assert_eq!(refinement.paths.cost(number).unwrap_or(DEAD_END), distance);
        }
        found.len()
    }

    #[test]
    fn abstract_steps_are_those_of_the_states() {
        let mut n_steps = [0, 0];
        for (seed, game, states) in random_games(300) {
            for has_instances in [false, true] {
                let (steps, target) = made(&game, has_instances);
                let start = &states[seed as usize % states.len()..][..1];
                let refinement = refined(&steps, &target, start, 12);
                n_steps[usize::from(has_instances)] += check_steps(&refinement, &states);
            }
        }
        assert!(n_steps.iter().all(|n| *n > 1_000), "{n_steps:?}");
    }

    /// What the target costs from each state.
    fn true_costs(operators: &Operators, target: &Target, states: &[Vec<u32>]) -> Vec<u64> {
        let numbers: HashMap<&[u32], usize> = states.iter().map(Vec::as_slice).zip(0..).collect();
        let of_target = |state: &Vec<u32>| if target.holds_in(state) { 0 } else { DEAD_END };
        let mut costs: Vec<u64> = states.iter().map(of_target).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (number, state) in states.iter().enumerate() {
                for (operator, step) in operators.iter().zip(&operators.costs) {
                    if operator.applies_to(state) {
                        let mut next = state.clone();
                        operator.apply(&mut next);
                        let cost = costs[numbers[&next[..]]].saturating_add(*step);
                        is_changed |= cost < costs[number];
                        costs[number] = cost.min(costs[number]);
                    }
                }
            }
        }
        costs
    }

    #[test]
    fn without_limits_the_cost_of_the_start_is_found() {
        let mut n_found = 0;
        for (seed, game, states) in random_games(300) {
            for has_instances in [false, true] {
                let (steps, target) = made(&game, has_instances);
                let costs = true_costs(&steps.operators, &target, &states);
                let number = seed as usize % states.len();
                let starts = &states[number..=number];
                let refinement = refined(&steps, &target, starts, usize::MAX);
                let found = refinement
                    .paths
                    .cost(refinement.hierarchy.of(&states[number]));
                assert_eq!(found.unwrap_or(DEAD_END), costs[number], "seed {seed}");
                n_found += usize::from(found.is_some_and(|cost| cost > 0));
            }
        }
        assert!(n_found > 60, "{n_found}");
    }
}
