//! One list for each direction, and the direction with fewer open nodes next.

use crate::best_first::budget::Budget;
use crate::best_first::closed::nodes::Nodes;
use crate::best_first::open::{OpenList, Rank};
use crate::best_first::searches::bidirectional::choice::{Choice, Reached};
use crate::best_first::searches::bidirectional::{BACKWARD, FORWARD};
use crate::best_first::space::Space;
use crate::run::limits::StopReason;

/// By what the lists are sorted.
#[derive(Clone, Copy, Debug)]
enum Key {
    /// g, where every rule costs at least this much.
    Cost { least: u64 },
    /// b = 2g + h - h', where every solution costs a multiple of this unit.
    Error { unit: u64 },
}

/// Uniform cost, or BAE\*: see [`from_both_ends`](super::from_both_ends).
#[derive(Debug)]
pub(super) struct Alternating {
    open: [OpenList; 2],
    key: Key,
}

impl Alternating {
    pub(super) fn by_cost(space: &Space) -> Self {
        Self::by(Key::Cost {
            least: space.least_cost(),
        })
    }

    pub(super) fn by_error(space: &Space) -> Self {
        Self::by(Key::Error {
            unit: space.cost_unit,
        })
    }

    fn by(key: Key) -> Self {
        Self {
            open: [FORWARD, BACKWARD].map(|_| OpenList::new()),
            key,
        }
    }

    /// Return the least key of an open node.
    fn least(&mut self, side: usize, nodes: &Nodes) -> Option<u128> {
        let open = &mut self.open[side];
        while let Some((rank, id)) = open.peek() {
            if nodes.costs.get(id) == rank.g {
                return Some(rank.f);
            }
            open.pop();
        }
        None
    }
}

impl Choice for Alternating {
    #[inline]
    fn push(&mut self, side: usize, node: Reached, budget: &mut Budget) -> Result<(), StopReason> {
        let cost = u128::from(node.cost);
        let key = match self.key {
            Key::Cost { .. } => cost,
            Key::Error { .. } => {
                (2 * cost + u128::from(node.ahead)).saturating_sub(node.behind.into())
            }
        };
        let rank = Rank {
            f: key,
            g: node.cost,
        };
        self.open[side].push(rank, node.id, budget)
    }

    fn bound(
        &mut self,
        nodes: [&Nodes; 2],
        _budget: &mut Budget,
    ) -> Result<Option<u128>, StopReason> {
        let [Some(a), Some(b)] = [FORWARD, BACKWARD].map(|side| self.least(side, nodes[side]))
        else {
            return Ok(None);
        };
        Ok(Some(match self.key {
            Key::Cost { least } => a + b + u128::from(least),
            Key::Error { unit } => (a + b).div_ceil(2).next_multiple_of(unit.into()),
        }))
    }

    fn pop(&mut self, nodes: [&Nodes; 2]) -> Option<(usize, u32)> {
        let side = usize::from(nodes[BACKWARD].n_open() < nodes[FORWARD].n_open());
        let (_, id) = self.open[side].pop()?;
        Some((side, id))
    }

    fn bytes(&self, side: usize) -> usize {
        self.open[side].bytes()
    }
}
