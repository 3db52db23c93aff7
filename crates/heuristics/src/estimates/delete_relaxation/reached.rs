//! The facts that are reached from a state, in the order of their costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use search::DEAD_END;

/// The cost of what isn't reached.
pub(super) const UNREACHED: u64 = DEAD_END;

/// By fact the least cost found, and the facts from which others are to be reached.
#[derive(Debug)]
pub(super) struct Reached {
    costs: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Reached {
    pub(super) fn new(n_facts: usize) -> Self {
        Self {
            costs: vec![UNREACHED; n_facts],
            queue: BinaryHeap::new(),
        }
    }

    /// Begin again with no fact.
    pub(super) fn clear(&mut self) {
        self.costs.fill(UNREACHED);
        self.queue.clear();
    }

    #[inline]
    pub(super) fn cost(&self, fact: u32) -> u64 {
        self.costs[fact as usize]
    }

    /// Note a cost of a fact, and return whether it is less than the one before.
    #[inline]
    pub(super) fn reach(&mut self, fact: u32, cost: u64) -> bool {
        let known = &mut self.costs[fact as usize];
        let is_less = cost < *known;
        if is_less {
            *known = cost;
            self.queue.push(Reverse((cost, fact)));
        }
        is_less
    }

    /// Take the cheapest fact out of the queue, with what it costs.
    pub(super) fn cheapest(&mut self) -> Option<(u64, u32)> {
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            // Facts that became cheaper since are in the queue again.
            if cost <= self.cost(fact) {
                return Some((cost, fact));
            }
        }
        None
    }
}
