//! Counterexamples, and abstractions that are split by them.

use std::collections::VecDeque;

use super::graph::Graph;
use super::hierarchy::Hierarchy;
use super::operators::Operators;
use super::paths::CheapestPaths;
use super::sets::{self, CartesianSet};
use super::targets::Target;
use crate::effort::Effort;
use crate::estimates::cost_partitioning::transition_system::TransitionSystem;
use crate::refusal::Refusal;
use budget::StopReason;

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
    operators: &'a Operators,
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
    pub(super) fn new(operators: &'a Operators, target: &'a Target) -> Self {
        let all = operators.layout.all();
        let is_target = target.is_in(&operators.layout, &all);
        Self {
            operators,
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
    /// game, or a limit is reached. A limit on memory leaves the abstraction as it is then.
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
            if self.sets.len() >= size.states || self.graph.n_edges() >= size.transitions {
                break;
            }
            match effort.check(bytes + self.n_bytes()) {
                Err(Refusal::Stopped {
                    reason: StopReason::Memory,
                }) => break,
                checked => checked?,
            }
            if let Some(flaw) = self.flaw(start) {
                self.split(&flaw);
                open.push_back(start);
            }
        }
        Ok(())
    }

    fn n_bytes(&self) -> usize {
        let of_state = self.operators.layout.n_words() * size_of::<u64>() + BYTES_OF_STATE;
        self.sets.len() * of_state + self.graph.n_edges() * BYTES_OF_TRANSITION
    }

    /// Return the first flaw of the cheapest path from a state; none if there is no path, or it
    /// reaches the target.
    fn flaw(&mut self, start: &[u32]) -> Option<Flaw> {
        let (operators, target) = (self.operators, self.target);
        let mut state = start.to_vec();
        let mut at = self.hierarchy.of(&state);
        if !self.paths.exists_from(at) {
            return None;
        }
        while let Some(step) = self.paths.step_from(at) {
            let operator = operators.get(step.operator);
            let (source, next) = (&self.sets[at as usize], &self.sets[step.state as usize]);
            operators.put_wanted(&mut self.wanted, operator, source, next);
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
        let (layout, set) = (&operators.layout, &self.sets[at as usize]);
        let unequal = target.put_wanted(&mut self.wanted, layout, set, &state);
        self.flaw_at(at, &state, unequal)
    }

    /// Return the flaw of a state that isn't one of the wanted ones: a variable whose value isn't
    /// wanted, or one that should be equal to another one. Of several variables, it is the one that
    /// was split most often, in proportion to its values.
    fn flaw_at(&self, at: u32, state: &[u32], unequal: Option<&[u32]>) -> Option<Flaw> {
        let layout = &self.operators.layout;
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
        let layout = &self.operators.layout;
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
        self.graph.split(self.operators, &self.sets, at, flaw.var);
        let costs = &self.operators.costs;
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
