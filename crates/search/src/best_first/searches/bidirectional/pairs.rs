//! Nodes in pairs, by the least bound of a pair: NBS.

use crate::best_first::budget::Budget;
use crate::best_first::closed::nodes::Nodes;
use crate::best_first::open::{OpenList, Rank};
use crate::best_first::searches::bidirectional::choice::{Choice, Reached};
use crate::best_first::searches::bidirectional::{BACKWARD, FORWARD};
use crate::best_first::space::Space;
use crate::run::limits::StopReason;

/// The open nodes of one direction.
#[derive(Debug)]
struct Queues {
    /// By f: those whose f isn't below the bound.
    waiting: OpenList,
    /// By g: all whose f is below the bound, and some whose f is the bound.
    ready: OpenList,
}

impl Queues {
    fn new() -> Self {
        Self {
            waiting: OpenList::new(),
            ready: OpenList::new(),
        }
    }

    /// Return the least f of a waiting node.
    fn least_f(&mut self, nodes: &Nodes) -> Option<u128> {
        while let Some((rank, id)) = self.waiting.peek() {
            if nodes.costs.get(id) == rank.g {
                return Some(rank.f);
            }
            self.waiting.pop();
        }
        None
    }

    /// Return the least g of a node that is ready.
    fn least_g(&mut self, nodes: &Nodes) -> Option<u128> {
        while let Some((rank, id)) = self.ready.peek() {
            if u128::from(nodes.costs.get(id)) == rank.f {
                return Some(rank.f);
            }
            self.ready.pop();
        }
        None
    }

    /// Make the first waiting node ready if its f is below `end`. Return whether it was.
    fn admit(&mut self, end: u128, nodes: &Nodes, budget: &mut Budget) -> Result<bool, StopReason> {
        if self.least_f(nodes).is_none_or(|f| f >= end) {
            return Ok(false);
        }
        let Some((rank, id)) = self.waiting.pop() else {
            return Ok(false);
        };
        let by_cost = Rank {
            f: rank.g.into(),
            g: 0,
        };
        self.ready.push(by_cost, id, budget)?;
        Ok(true)
    }
}

/// NBS (Chen, Holte, Zilles & Sturtevant 2017): see [`from_both_ends`](super::from_both_ends).
#[derive(Debug)]
pub(super) struct Pairs {
    queues: [Queues; 2],
    /// The least bound of a pair so far. It never falls.
    bound: u128,
    /// The least cost of a rule.
    least_cost: u128,
    cost_unit: u64,
    /// The direction of the pair's node that comes next.
    turn: usize,
}

impl Pairs {
    pub(super) fn new(space: &Space) -> Self {
        Self {
            queues: [Queues::new(), Queues::new()],
            bound: 0,
            least_cost: space.least_cost().into(),
            cost_unit: space.cost_unit,
            turn: FORWARD,
        }
    }
}

impl Choice for Pairs {
    #[inline]
    fn push(&mut self, side: usize, node: Reached, budget: &mut Budget) -> Result<(), StopReason> {
        let mut f = u128::from(node.cost) + u128::from(node.ahead);
        if self.cost_unit > 1 {
            f = f.next_multiple_of(self.cost_unit.into());
        }
        let rank = Rank { f, g: node.cost };
        self.queues[side].waiting.push(rank, node.id, budget)
    }

    fn bound(
        &mut self,
        nodes: [&Nodes; 2],
        budget: &mut Budget,
    ) -> Result<Option<u128>, StopReason> {
        // The second node of a pair is expanded after the first, whatever this one led to.
        if self.turn == BACKWARD {
            return Ok(Some(self.bound));
        }
        for side in [FORWARD, BACKWARD] {
            while self.queues[side].admit(self.bound, nodes[side], budget)? {}
        }
        loop {
            let mut sum = Some(self.least_cost);
            let mut rest = None;
            for side in [FORWARD, BACKWARD] {
                let queues = &mut self.queues[side];
                let (f, g) = (queues.least_f(nodes[side]), queues.least_g(nodes[side]));
                if f.is_none() && g.is_none() {
                    return Ok(None);
                }
                sum = sum.zip(g).map(|(sum, g)| sum + g);
                rest = rest.into_iter().chain(f).min();
            }
            if sum.is_some_and(|sum| sum <= self.bound) {
                return Ok(Some(self.bound));
            }
            // Nodes whose f is the bound become ready one by one, as pairs of others don't suffice.
            let mut is_changed = false;
            for side in [FORWARD, BACKWARD] {
                is_changed |= self.queues[side].admit(self.bound + 1, nodes[side], budget)?;
            }
            if !is_changed {
                let Some(least) = rest.into_iter().chain(sum).min() else {
                    return Ok(None);
                };
                self.bound = least;
            }
        }
    }

    fn pop(&mut self, _nodes: [&Nodes; 2]) -> Option<(usize, u32)> {
        let side = self.turn;
        self.turn = 1 - side;
        let (_, id) = self.queues[side].ready.pop()?;
        Some((side, id))
    }

    fn bytes(&self, side: usize) -> usize {
        let Queues { waiting, ready } = &self.queues[side];
        waiting.bytes() + ready.bytes()
    }
}
