//! The open list: nodes by f, then by g, last in first out.

mod buckets;
mod chunks;
mod heap;
mod levels;
pub(crate) mod rank;
pub(crate) mod ranking;

use crate::best_first::budget::Budget;
use crate::best_first::open::buckets::{Buckets, MANY_BUCKETS};
use crate::best_first::open::heap::Heap;
use crate::best_first::open::levels::Levels;
pub(crate) use crate::best_first::open::rank::Rank;
use crate::run::limits::StopReason;

/// Open nodes. The same node may be in the list at several ranks; the caller who takes it out
/// checks whether its cost is still the one with which it was put in.
///
/// In most games costs are small integers, so there are few ranks with many nodes each: the list
/// keeps a stack of nodes for each rank, 4 bytes a node, found by f and g. If there are many
/// different costs, the stacks are found by a hash. If most stacks hold only one node, the list
/// becomes a heap and stays one. Nodes of one rank come out last in, first out (from a heap: the
/// state stored last comes first).
#[derive(Debug)]
pub(crate) enum OpenList {
    Levels(Levels),
    Buckets(Buckets),
    Heap(Heap),
}

impl OpenList {
    pub(crate) fn new() -> Self {
        OpenList::Levels(Levels::new())
    }

    /// Put a node in.
    #[inline]
    pub(crate) fn push(
        &mut self,
        rank: Rank,
        id: u32,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        let is_in = match self {
            OpenList::Levels(levels) => levels.push(rank, id, budget)?,
            OpenList::Buckets(buckets) => buckets.push(rank, id, budget)?,
            OpenList::Heap(heap) => return heap.push(rank, id, budget),
        };
        if is_in {
            return Ok(());
        }
        self.turn(budget)?;
        self.push(rank, id, budget)
    }

    /// Turn into the next kind of list, which holds more different costs.
    #[cold]
    fn turn(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        *self = match std::mem::replace(self, Self::new()) {
            OpenList::Levels(levels) if levels.n_stacks() < MANY_BUCKETS / 2 => {
                OpenList::Buckets(Buckets::of_levels(levels, budget)?)
            }
            mut list => {
                let mut heap = Heap::new();
                while let Some((rank, id)) = list.pop() {
                    heap.push(rank, id, budget)?;
                }
                budget.release(list.bytes());
                OpenList::Heap(heap)
            }
        };
        Ok(())
    }

    /// Return a node that is likely to come out soon, a few places after the next one.
    #[inline]
    pub(crate) fn ahead(&self, places: u32) -> Option<u32> {
        match self {
            OpenList::Levels(levels) => levels.ahead(places),
            _ => None,
        }
    }

    /// Return the node that comes next.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<(Rank, u32)> {
        match self {
            OpenList::Levels(levels) => levels.peek(),
            OpenList::Buckets(buckets) => buckets.peek(),
            OpenList::Heap(heap) => heap.peek(),
        }
    }

    /// Take out the node that comes next.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(Rank, u32)> {
        match self {
            OpenList::Levels(levels) => levels.pop(),
            OpenList::Buckets(buckets) => buckets.pop(),
            OpenList::Heap(heap) => heap.pop(),
        }
    }

    /// Return the size of the list in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            OpenList::Levels(levels) => levels.bytes(),
            OpenList::Buckets(buckets) => buckets.bytes(),
            OpenList::Heap(heap) => heap.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BTreeMap;

    use psvn_ir::testing::SplitMix64;

    use super::*;

    /// Compare random pushes and pops with a map of stacks.
    fn beside_a_map(spread: usize, n: usize, scale: u64) -> OpenList {
        let mut random = SplitMix64::new(spread as u64);
        let mut budget = Budget::new(None);
        let mut open = OpenList::new();
        let mut map: BTreeMap<(u128, Reverse<u64>), Vec<u32>> = BTreeMap::new();
        let mut low = 0;
        for id in 0..n as u32 {
            let rank = Rank {
                f: low + random.below(spread) as u128,
                g: random.below(spread) as u64 * scale,
            };
            open.push(rank, id, &mut budget).unwrap();
            map.entry((rank.f, Reverse(rank.g))).or_default().push(id);
            if random.chance(40) {
                let mut first = map.first_entry().unwrap();
                let (f, Reverse(g)) = *first.key();
                let id = first.get_mut().pop().unwrap();
                if first.get().is_empty() {
                    first.remove();
                }
                assert_eq!(open.peek(), Some((Rank { f, g }, id)));
                assert_eq!(open.pop(), Some((Rank { f, g }, id)));
                low = f;
            }
        }
        let mut left = Vec::new();
        while let Some(entry) = open.pop() {
            left.push(entry);
        }
        assert!(left.is_sorted_by_key(|(rank, _)| *rank));
        let expected = map.iter().flat_map(|((f, Reverse(g)), ids)| {
            ids.iter().rev().map(|id| (Rank { f: *f, g: *g }, *id))
        });
        assert_eq!(left, expected.collect::<Vec<_>>());
        budget.release(open.bytes());
        assert!(budget.affords(usize::MAX));
        open
    }

    #[test]
    fn nodes_come_out_in_order() {
        for (spread, n) in [(1, 1_000), (5, 100_000), (50, 100_000), (60, 300_000)] {
            assert!(
                matches!(beside_a_map(spread, n, 1), OpenList::Levels(_)),
                "{spread}"
            );
            for scale in [25, 1_000_000] {
                let open = beside_a_map(spread, n, scale);
                let is_large = (spread as u64 - 1) * scale >= 1_024;
                assert_eq!(matches!(open, OpenList::Buckets(_)), is_large, "{spread}");
            }
        }
        assert!(matches!(
            beside_a_map(100_000_000, 300_000, 1),
            OpenList::Heap(_)
        ));
        assert!(matches!(beside_a_map(3_000, 300_000, 1), OpenList::Heap(_)));
    }

    #[test]
    fn buckets_take_little_more_than_four_bytes_a_node() {
        let mut budget = Budget::new(None);
        let mut open = OpenList::new();
        for id in 0..1_000_000 {
            let rank = Rank {
                f: u128::from(id % 50),
                g: 0,
            };
            open.push(rank, id, &mut budget).unwrap();
        }
        assert!(open.bytes() < 4_800_000, "{}", open.bytes());
    }
}
