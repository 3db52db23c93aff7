//! The open list: nodes by f, then by g, last in first out.

mod buckets;
mod heap;
pub(crate) mod ranking;

use crate::best_first::budget::Budget;
use crate::best_first::open::buckets::Buckets;
use crate::best_first::open::heap::Heap;
use crate::run::limits::StopReason;

/// The rank of an open node: less f comes first, of equal f more g.
///
/// Of two nodes with equal f, the one with more g is nearer to a goal by its estimate, so the last
/// layer of a search is not expanded in its full width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rank {
    pub(crate) f: u128,
    pub(crate) g: u64,
}

impl Ord for Rank {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.f.cmp(&other.f).then(other.g.cmp(&self.g))
    }
}

impl PartialOrd for Rank {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Open nodes. The same node may be in the list at several ranks; the caller who takes it out
/// checks whether its cost is still the one with which it was put in.
///
/// In most games costs are small integers, so there are few ranks with many nodes each: the list
/// keeps a bucket of nodes for each rank, 4 bytes a node. If costs spread so far that buckets
/// hardly ever hold two nodes, the list turns into a heap and stays one. Nodes of one rank come out
/// last in, first out (from a heap: the state that was stored last).
#[derive(Debug)]
pub(crate) enum OpenList {
    Buckets(Buckets),
    Heap(Heap),
}

impl OpenList {
    pub(crate) fn new() -> Self {
        OpenList::Buckets(Buckets::new())
    }

    /// Put a node in.
    #[inline]
    pub(crate) fn push(
        &mut self,
        rank: Rank,
        id: u32,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        match self {
            OpenList::Buckets(buckets) => {
                if buckets.push(rank, id, budget)? {
                    return Ok(());
                }
                self.turn_into_heap(budget)?;
                self.push(rank, id, budget)
            }
            OpenList::Heap(heap) => heap.push(rank, id, budget),
        }
    }

    #[cold]
    fn turn_into_heap(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        if let OpenList::Buckets(buckets) = self {
            let mut heap = Heap::new();
            while let Some((rank, id)) = buckets.pop() {
                heap.push(rank, id, budget)?;
            }
            budget.release(buckets.bytes());
            *self = OpenList::Heap(heap);
        }
        Ok(())
    }

    /// Return the node that comes next.
    #[inline]
    pub(crate) fn peek(&self) -> Option<(Rank, u32)> {
        match self {
            OpenList::Buckets(buckets) => buckets.peek(),
            OpenList::Heap(heap) => heap.peek(),
        }
    }

    /// Take out the node that comes next.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(Rank, u32)> {
        match self {
            OpenList::Buckets(buckets) => buckets.pop(),
            OpenList::Heap(heap) => heap.pop(),
        }
    }

    /// Return the size of the list in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
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
    fn beside_a_map(spread: usize, n: usize) -> OpenList {
        let mut random = SplitMix64::new(spread as u64);
        let mut budget = Budget::new(None);
        let mut open = OpenList::new();
        let mut map: BTreeMap<(u128, Reverse<u64>), Vec<u32>> = BTreeMap::new();
        let mut low = 0;
        for id in 0..n as u32 {
            let rank = Rank {
                f: low + random.below(spread) as u128,
                g: random.below(spread) as u64,
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
                matches!(beside_a_map(spread, n), OpenList::Buckets(_)),
                "{spread}"
            );
        }
        assert!(matches!(
            beside_a_map(100_000_000, 300_000),
            OpenList::Heap(_)
        ));
        assert!(matches!(beside_a_map(3_000, 300_000), OpenList::Heap(_)));
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
