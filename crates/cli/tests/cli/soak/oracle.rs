//! True distances, by Dijkstra's algorithm over all states, and whether an answer fits them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use serde_json::Value;

use super::game::{Edge, RandomGame, State};

/// What is known of one state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Truth {
    /// The least cost to a goal.
    pub(crate) cost: Option<u64>,
    /// The fewest moves to a goal.
    pub(crate) moves: Option<u64>,
}

/// A game whose states were all tried.
pub(crate) struct Oracle {
    pub(crate) game: RandomGame,
    pub(crate) states: Vec<State>,
    numbers: HashMap<String, usize>,
    edges: Vec<Vec<Edge>>,
    truths: Vec<Truth>,
}

impl Oracle {
    pub(crate) fn new(game: RandomGame) -> Self {
        let states = game.states();
        let texts = states.iter().map(|state| game.state_text(state));
        let numbers: HashMap<String, usize> = texts.zip(0..).collect();
        let edges: Vec<Vec<Edge>> = states.iter().map(|state| game.edges(state)).collect();
        let mut oracle = Self {
            truths: vec![Truth::default(); states.len()],
            game,
            states,
            numbers,
            edges,
        };
        let costs = oracle.distances(|edge| edge.cost);
        let moves = oracle.distances(|_| 1);
        for (truth, (cost, moves)) in oracle.truths.iter_mut().zip(costs.into_iter().zip(moves)) {
            *truth = Truth { cost, moves };
        }
        oracle
    }

    /// The least sum from each state to a goal.
    fn distances(&self, length: impl Fn(&Edge) -> u64) -> Vec<Option<u64>> {
        let mut backward = vec![Vec::new(); self.states.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let to = self.numbers[&self.game.state_text(&edge.target)];
                backward[to].push((from, length(edge)));
            }
        }
        let mut distances = vec![None; self.states.len()];
        let goals = (0..self.states.len()).filter(|state| self.game.is_goal(&self.states[*state]));
        let mut open: BinaryHeap<Reverse<(u64, usize)>> =
            goals.map(|state| Reverse((0, state))).collect();
        while let Some(Reverse((distance, state))) = open.pop() {
            if distances[state].is_some() {
                continue;
            }
            distances[state] = Some(distance);
            for (from, length) in &backward[state] {
                open.push(Reverse((distance + length, *from)));
            }
        }
        distances
    }

    /// The states to which the goals lead, themselves included; all states where no state is a
    /// goal.
    pub(crate) fn reached_from_goals(&self) -> Vec<usize> {
        let mut is_reached: Vec<bool> = self.states.iter().map(|s| self.game.is_goal(s)).collect();
        let mut open: Vec<usize> = (0..is_reached.len()).filter(|i| is_reached[*i]).collect();
        if open.is_empty() {
            return (0..is_reached.len()).collect();
        }
        while let Some(state) = open.pop() {
            for edge in &self.edges[state] {
                let target = self.numbers[&self.game.state_text(&edge.target)];
                if !std::mem::replace(&mut is_reached[target], true) {
                    open.push(target);
                }
            }
        }
        (0..is_reached.len()).filter(|i| is_reached[*i]).collect()
    }

    pub(crate) fn truth(&self, state: usize) -> Truth {
        self.truths[state]
    }

    /// The number of paths from a state, by their length.
    pub(crate) fn paths(&self, from: usize, depth: usize) -> Vec<u64> {
        let mut ends = vec![0_u64; self.states.len()];
        ends[from] = 1;
        let mut counts = vec![1];
        for _ in 0..depth {
            let mut next = vec![0; self.states.len()];
            for (state, paths) in ends.iter().enumerate().filter(|(_, paths)| **paths > 0) {
                for edge in &self.edges[state] {
                    next[self.numbers[&self.game.state_text(&edge.target)]] += paths;
                }
            }
            ends = next;
            counts.push(ends.iter().sum());
        }
        counts
    }

    /// Why a solution is none, if so. Its moves are labels, which several rules may share.
    pub(crate) fn fault_of_plan(&self, start: usize, answer: &Value) -> Option<String> {
        let texts = |key: &str| -> Vec<&str> {
            let list = answer[key].as_array().unwrap();
            list.iter().map(|text| text.as_str().unwrap()).collect()
        };
        let (moves, states) = (texts("moves"), texts("states"));
        if states.len() != moves.len() + 1 || Some(moves.len() as u64) != answer["length"].as_u64()
        {
            return Some("the numbers of moves and states differ".to_owned());
        }
        let mut at = start;
        if self.numbers.get(states[0]) != Some(&start) {
            return Some("it begins in another state".to_owned());
        }
        // Several rules may lead there, at costs of their own.
        let mut costs = BTreeSet::from([0]);
        for (label, target) in moves.iter().zip(&states[1..]) {
            let fits = |edge: &&Edge| {
                edge.label.eq_ignore_ascii_case(label)
                    && self.game.state_text(&edge.target) == **target
            };
            let steps: BTreeSet<u64> = self.edges[at]
                .iter()
                .filter(fits)
                .map(|edge| edge.cost)
                .collect();
            if steps.is_empty() {
                return Some(format!("`{label}` doesn't lead to {target}"));
            }
            let sums = costs
                .iter()
                .flat_map(|cost| steps.iter().map(move |step| cost + step));
            costs = sums.collect();
            at = self.numbers[*target];
        }
        if !self.game.is_goal(&self.states[at]) {
            return Some("it doesn't end in a goal".to_owned());
        }
        let printed = answer["cost"].as_u64().unwrap();
        (!costs.contains(&printed)).then(|| format!("it costs {costs:?}, not {printed}"))
    }
}
