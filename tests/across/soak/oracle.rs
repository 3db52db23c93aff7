//! The oracle: a state space as a list of states and edges, made from a successor function.

use std::collections::HashMap;

/// A state as the numbers of its values.
pub(super) type Values = Vec<usize>;

/// All states that can be reached from some states, with their edges.
pub(super) struct Oracle {
    pub(super) states: Vec<Values>,
    numbers: HashMap<Values, usize>,
    /// For each state, the cost of each move and the state that it leads to.
    edges: Vec<Vec<(u64, usize)>>,
    is_goal: Vec<bool>,
}

impl Oracle {
    /// List the states that can be reached. A move is its cost and the state that it leads to.
    pub(super) fn new(
        starts: impl IntoIterator<Item = Values>,
        successors: impl Fn(&[usize]) -> Vec<(u64, Values)>,
        is_goal: impl Fn(&[usize]) -> bool,
    ) -> Self {
        let mut oracle = Self {
            states: Vec::new(),
            numbers: HashMap::new(),
            edges: Vec::new(),
            is_goal: Vec::new(),
        };
        for start in starts {
            oracle.insert(start);
        }
        while oracle.edges.len() < oracle.states.len() {
            let next = successors(&oracle.states[oracle.edges.len()]);
            let edges = next
                .into_iter()
                .map(|(cost, state)| (cost, oracle.insert(state)))
                .collect();
            oracle.edges.push(edges);
        }
        oracle.is_goal = oracle.states.iter().map(|state| is_goal(state)).collect();
        oracle
    }

    fn insert(&mut self, state: Values) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    /// Return the number of a state, if it can be reached.
    pub(super) fn number(&self, state: &[usize]) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    pub(super) fn is_goal(&self, state: usize) -> bool {
        self.is_goal[state]
    }

    /// Whether a move of this cost leads from one state to another.
    pub(super) fn has_move(&self, from: usize, cost: u64, to: usize) -> bool {
        self.edges[from].contains(&(cost, to))
    }

    /// Return the least sum of weights on a path from each state to a goal, if there is a path.
    /// The weight of a move is a function of its cost.
    pub(super) fn distances(&self, weight: impl Fn(u64) -> u128) -> Vec<Option<u128>> {
        let goal = |is_goal: &bool| is_goal.then_some(0);
        let mut distances: Vec<Option<u128>> = self.is_goal.iter().map(goal).collect();
        // Every round settles at least the states whose least path is one move longer.
        loop {
            let mut has_changed = false;
            for (state, edges) in self.edges.iter().enumerate() {
                let through = edges
                    .iter()
                    .filter_map(|(cost, next)| Some(distances[*next]? + weight(*cost)));
                let least = through.chain(distances[state]).min();
                has_changed |= least != distances[state];
                distances[state] = least;
            }
            if !has_changed {
                return distances;
            }
        }
    }

    /// Return the number of states at each number of moves from the first states.
    pub(super) fn layers(&self, starts: &[usize]) -> Vec<u64> {
        count_layers(&self.edges, starts)
    }

    /// Return the number of states at each number of moves from which the nearest goal is that far.
    pub(super) fn layers_to_goals(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for distance in self.distances(|_| 1).into_iter().flatten() {
            let distance = distance as usize;
            counts.resize(counts.len().max(distance + 1), 0);
            counts[distance] += 1;
        }
        counts
    }
}

fn count_layers(edges: &[Vec<(u64, usize)>], starts: &[usize]) -> Vec<u64> {
    let mut is_known = vec![false; edges.len()];
    let mut layer: Vec<usize> = starts.to_vec();
    layer.sort_unstable();
    layer.dedup();
    let mut counts = Vec::new();
    while !layer.is_empty() {
        layer.iter().for_each(|state| is_known[*state] = true);
        counts.push(layer.len() as u64);
        let next = layer.iter().flat_map(|state| &edges[*state]);
        let mut next: Vec<usize> = next
            .map(|(_, target)| *target)
            .filter(|target| !is_known[*target])
            .collect();
        next.sort_unstable();
        next.dedup();
        layer = next;
    }
    counts
}
