//! The states around a start, and what rules do to them.

use std::collections::HashMap;

use crate::work::Work;
use ahash::RandomState;
use budget::StopReason;
use psvn_ir::{Game, RuleId, State, Value};

/// How often limits are compared: once for this many states.
const STATES_BETWEEN_CHECKS: usize = 256;

/// A rule that applies to a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) rule: u32,
    pub(crate) target: u32,
}

/// The states that can be reached from a start by a number of moves, numbered as breadth-first
/// search finds them. The start is number 0.
pub(crate) struct Space {
    states: Vec<Box<[Value]>>,
    /// For each distance from the start, the number of states that are at most as far.
    within: Vec<usize>,
    /// Where the edges of each state begin, and the end of the last ones. The states at the
    /// greatest distance have none here.
    first_edge: Vec<usize>,
    edges: Vec<Edge>,
    costs: Vec<u64>,
    /// The place of each rule in the order of rules.
    ranks: Vec<u32>,
    /// Whether nothing lies beyond.
    is_closed: bool,
}

impl Space {
    /// The states within `moves` moves of a start. Edges of a state are in the order of the rules.
    pub(crate) fn around(
        game: &Game,
        start: &State,
        rule_order: Option<&[RuleId]>,
        moves: usize,
        work: &Work,
    ) -> Result<Self, StopReason> {
        let n_rules = game.rules().len();
        let in_file: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        let order = rule_order.unwrap_or(&in_file);
        let mut ranks = vec![0; n_rules];
        for (rank, rule) in order.iter().enumerate() {
            ranks[rule.index()] = u32::try_from(rank).expect("rules have ids of 32 bits");
        }
        let mut space = Self {
            states: vec![start.values().into()],
            within: vec![1],
            first_edge: vec![0],
            edges: Vec::new(),
            costs: game.rules().iter().map(|it| it.canonical.cost()).collect(),
            ranks,
            is_closed: false,
        };
        let mut numbers: HashMap<Box<[Value]>, u32, RandomState> = HashMap::default();
        numbers.insert(start.values().into(), 0);
        for _ in 0..moves {
            let end = space.states.len();
            for state in space.first_edge.len() - 1..end {
                if state % STATES_BETWEEN_CHECKS == 0 {
                    work.check(space.states.len() as u64, space.bytes())?;
                }
                work.step(order.len())?;
                let values = space.states[state].clone();
                for rule in order {
                    let canonical = &game.rule(*rule).canonical;
                    if !canonical.applies_to(&values) {
                        continue;
                    }
                    let reached = canonical.apply(&values);
                    let target = match numbers.get(&reached) {
                        Some(number) => *number,
                        None => {
                            let number = u32::try_from(space.states.len())
                                .map_err(|_| StopReason::TooLarge)?;
                            space.states.push(reached.clone());
                            numbers.insert(reached, number);
                            number
                        }
                    };
                    space.edges.push(Edge {
                        rule: rule.0,
                        target,
                    });
                }
                space.first_edge.push(space.edges.len());
            }
            work.check(space.states.len() as u64, space.bytes())?;
            if space.states.len() == end {
                space.is_closed = true;
                break;
            }
            space.within.push(space.states.len());
        }
        Ok(space)
    }

    /// The bytes held while states are looked for: each state twice, with two pointers and a
    /// number.
    fn bytes(&self) -> usize {
        let n_variables = self.states[0].len();
        let of_state = 2 * size_of::<Value>() * n_variables + 64;
        self.states.len() * of_state + self.edges.capacity() * size_of::<Edge>()
    }

    /// The number of states within a number of moves of the start.
    pub(crate) fn n_within(&self, moves: usize) -> usize {
        self.within[moves.min(self.within.len() - 1)]
    }

    /// Whether all states that can be reached lie within a number of moves.
    pub(crate) fn is_all_within(&self, moves: usize) -> bool {
        self.is_closed && self.within.len() <= moves + 1
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn values(&self, state: u32) -> &[Value] {
        &self.states[state as usize]
    }

    pub(crate) fn edges(&self, state: u32) -> &[Edge] {
        let state = state as usize;
        &self.edges[self.first_edge[state]..self.first_edge[state + 1]]
    }

    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    pub(crate) fn rank(&self, rule: u32) -> u32 {
        self.ranks[rule as usize]
    }

    /// The state that a sequence leads to, if it can be carried out.
    pub(crate) fn follow(&self, state: u32, word: &[RuleId]) -> Option<u32> {
        word.iter().try_fold(state, |state, rule| {
            let mut edges = self.edges(state).iter();
            edges.find(|it| it.rule == rule.0).map(|it| it.target)
        })
    }
}
