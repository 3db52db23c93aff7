//! A check on all states of a small game, against the true distances.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use psvn_ir::all_states;
use psvn_ir::{Game, RuleId, State, Value};

use super::{CheckError, Findings, cells};
use crate::heuristic::Heuristic;
use crate::heuristic::path::FollowedPath;

/// A step into a state: its source and cost.
type Into = (u32, u64);

/// The states, and the steps between them.
struct Graph {
    states: Vec<Box<[Value]>>,
    into: Vec<Vec<Into>>,
    /// From, rule, to.
    steps: Vec<(u32, RuleId, u32)>,
}

/// Compare a heuristic with the true distances, for all states reachable from the starts, or for
/// all states of the game if there are no starts. The distances are found by searching backward
/// from all goal states.
///
/// Every step between states is checked, too. Time and memory are linear in the number of steps, up
/// to a logarithmic factor.
///
/// # Errors
/// When there are more than `limit` states.
///
/// # Panics
/// When a start belongs to another game.
pub fn exhaustive(
    game: &Game,
    heuristic: &dyn Heuristic,
    starts: &[State],
    limit: usize,
) -> Result<Findings, CheckError> {
    let graph = Graph::new(game, starts, limit)?;
    let distances = graph.distances(game);
    let mut findings = Findings::default();
    let estimates: Vec<u64> = graph
        .states
        .iter()
        .map(|state| heuristic.estimate(&cells(state)))
        .collect();
    for ((state, estimate), distance) in graph.states.iter().zip(&estimates).zip(distances) {
        findings.count(game, state, *estimate);
        if let Some(distance) = distance {
            findings.state(game, state, *estimate, distance);
        }
    }
    for (from, rule, to) in &graph.steps {
        let parent = &graph.states[*from as usize];
        let path = FollowedPath::start(heuristic, parent);
        let before = path
            .as_ref()
            .map_or(estimates[*from as usize], FollowedPath::estimate);
        let child = &graph.states[*to as usize];
        findings.step(
            game,
            heuristic,
            (parent, path.as_ref(), before),
            *rule,
            child,
        );
    }
    Ok(findings)
}

impl Graph {
    fn new(game: &Game, starts: &[State], limit: usize) -> Result<Self, CheckError> {
        let limit = limit.min(u32::MAX as usize);
        let mut this = Self {
            states: Vec::new(),
            into: Vec::new(),
            steps: Vec::new(),
        };
        let mut numbers: HashMap<Box<[Value]>, u32, ahash::RandomState> = HashMap::default();
        let mut add = |this: &mut Self, state: Box<[Value]>| -> Result<u32, CheckError> {
            if let Some(number) = numbers.get(&state) {
                return Ok(*number);
            }
            if this.states.len() >= limit {
                return Err(CheckError::TooManyStates { limit });
            }
            let number = this.states.len() as u32;
            numbers.insert(state.clone(), number);
            this.states.push(state);
            this.into.push(Vec::new());
            Ok(number)
        };
        if starts.is_empty() {
            for state in all_states(game) {
                add(&mut this, state)?;
            }
        }
        for start in starts {
            add(&mut this, start.values().into())?;
        }
        let mut next = 0;
        while next < this.states.len() {
            let state = this.states[next].clone();
            for (id, rule) in game.rules_with_ids() {
                if rule.canonical.applies_to(&state) {
                    let child = add(&mut this, rule.canonical.apply(&state))?;
                    this.into[child as usize].push((next as u32, rule.canonical.cost()));
                    this.steps.push((next as u32, id, child));
                }
            }
            next += 1;
        }
        Ok(this)
    }

    /// Return the least cost to a goal for each state that can reach one.
    fn distances(&self, game: &Game) -> Vec<Option<u64>> {
        let mut found: Vec<Option<u64>> = vec![None; self.states.len()];
        let mut queue = BinaryHeap::new();
        for (i, state) in self.states.iter().enumerate() {
            if game.is_goal(state) {
                found[i] = Some(0);
                queue.push(Reverse((0, i as u32)));
            }
        }
        while let Some(Reverse((distance, state))) = queue.pop() {
            if found[state as usize] != Some(distance) {
                continue;
            }
            for (from, cost) in &self.into[state as usize] {
                let farther = distance.saturating_add(*cost);
                let known = &mut found[*from as usize];
                if known.is_none_or(|known| farther < known) {
                    *known = Some(farther);
                    queue.push(Reverse((farther, *from)));
                }
            }
        }
        found
    }
}
