//! The states around a start, and the moves between them.

use std::collections::HashMap;
use std::ops::Range;

use crate::work::Work;
use ahash::RandomState;
use budget::StopReason;
use psvn_ir::{Game, RuleId, State, Value};

/// The number of states between two checks of the limits.
const STATES_BETWEEN_CHECKS: usize = 256;

/// A rule that applies to a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) rule: u32,
    pub(crate) target: u32,
}

/// The states that can be reached from a start by a number of moves, numbered in breadth-first
/// order. The start is number 0.
pub(crate) struct Space {
    states: Vec<Box<[Value]>>,
    /// The number of each state, until the search for states ends.
    numbers: HashMap<Box<[Value]>, u32, RandomState>,
    /// For each distance from the start, the number of states at most that far away.
    within: Vec<usize>,
    /// The first edge of each state, and the end of the last ones. The states at the greatest
    /// distance have none here.
    first_edge: Vec<usize>,
    edges: Vec<Edge>,
    /// The rules in their order.
    order: Vec<RuleId>,
    costs: Vec<u64>,
    /// The place of each rule in the order of rules.
    ranks: Vec<u32>,
    /// Whether no further states can be reached.
    is_closed: bool,
}

impl Space {
    /// Make a space of a start alone. Edges of a state will be in the order of the rules.
    pub(crate) fn at(game: &Game, start: &State, rule_order: Option<&[RuleId]>) -> Self {
        let in_file = || game.rules_with_ids().map(|(id, _)| id).collect();
        let order = rule_order.map_or_else(in_file, <[RuleId]>::to_vec);
        let mut ranks = vec![0; game.rules().len()];
        for (rank, rule) in order.iter().enumerate() {
            ranks[rule.index()] = u32::try_from(rank).expect("rules have ids of 32 bits");
        }
        Self {
            states: vec![start.values().into()],
            numbers: std::iter::once((start.values().into(), 0)).collect(),
            within: vec![1],
            first_edge: vec![0],
            edges: Vec::new(),
            order,
            costs: game.rules().iter().map(|it| it.canonical.cost()).collect(),
            ranks,
            is_closed: false,
        }
    }

    /// Return the states within `moves` moves of a start. Edges of a state are in the order of the
    /// rules.
    pub(crate) fn around(
        game: &Game,
        start: &State,
        rule_order: Option<&[RuleId]>,
        moves: usize,
        work: &Work,
    ) -> Result<Self, StopReason> {
        let mut space = Self::at(game, start, rule_order);
        for _ in 0..moves {
            space.grow(game, work)?;
            if space.is_closed {
                break;
            }
        }
        space.numbers = HashMap::default();
        Ok(space)
    }

    /// Find the states that are one move further away. A space made by [`around`](Self::around)
    /// doesn't grow.
    pub(crate) fn grow(&mut self, game: &Game, work: &Work) -> Result<(), StopReason> {
        let end = self.states.len();
        for state in self.first_edge.len() - 1..end {
            if state % STATES_BETWEEN_CHECKS == 0 {
                work.check(self.states.len() as u64, self.bytes())?;
            }
            work.step(self.order.len())?;
            let values = self.states[state].clone();
            for rule in &self.order {
                let canonical = &game.rule(*rule).canonical;
                if !canonical.applies_to(&values) {
                    continue;
                }
                let reached = canonical.apply(&values);
                let target = match self.numbers.get(&reached) {
                    Some(number) => *number,
                    None => {
                        let number =
                            u32::try_from(self.states.len()).map_err(|_| StopReason::TooLarge)?;
                        self.states.push(reached.clone());
                        self.numbers.insert(reached, number);
                        number
                    }
                };
                self.edges.push(Edge {
                    rule: rule.0,
                    target,
                });
            }
            self.first_edge.push(self.edges.len());
        }
        work.check(self.states.len() as u64, self.bytes())?;
        if self.states.len() == end {
            self.is_closed = true;
        } else {
            self.within.push(self.states.len());
        }
        Ok(())
    }

    /// Return the bytes held during the search for states: each state twice, with two pointers and
    /// a number.
    fn bytes(&self) -> usize {
        let n_variables = self.states[0].len();
        let of_state = 2 * size_of::<Value>() * n_variables + 64;
        self.states.len() * of_state + self.edges.capacity() * size_of::<Edge>()
    }

    /// Return the number of states within a number of moves of the start.
    pub(crate) fn n_within(&self, moves: usize) -> usize {
        self.within[moves.min(self.within.len() - 1)]
    }

    /// Return whether all states that can be reached lie within a number of moves.
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
        &self.edges[self.places(state)]
    }

    /// Return the places of a state's edges among all edges.
    pub(crate) fn places(&self, state: u32) -> Range<usize> {
        let state = state as usize;
        self.first_edge[state]..self.first_edge[state + 1]
    }

    /// Return all edges, with the states where they begin.
    pub(crate) fn all_edges(&self) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let states = (0..).take(self.first_edge.len() - 1);
        states.flat_map(|state| self.edges(state).iter().map(move |edge| (state, *edge)))
    }

    /// Return the number of moves up to which all states are known, or the greatest distance of any
    /// state.
    pub(crate) fn radius(&self) -> usize {
        self.within.len() - 1
    }

    /// Return the number of states at the greatest distance, whose moves aren't known.
    pub(crate) fn n_in_last_layer(&self) -> usize {
        self.states.len() + 1 - self.first_edge.len()
    }

    /// Return the number of known moves.
    pub(crate) fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// Return whether no other states can be reached.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    pub(crate) fn rank(&self, rule: u32) -> u32 {
        self.ranks[rule as usize]
    }
}
