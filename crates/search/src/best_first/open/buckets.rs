//! Open nodes in buckets: a stack for each rank.

use crate::best_first::budget::Budget;
use crate::best_first::open::chunks::{Chunks, Stack};
use crate::best_first::open::levels::Levels;
use crate::best_first::open::rank::Rank;
use crate::run::limits::StopReason;

/// The number of buckets from which the list checks whether buckets pay.
pub(super) const MANY_BUCKETS: usize = 1 << 14;

/// Buckets pay where they hold this many nodes on average.
const WORTHWHILE: usize = 12;

/// A stack of nodes of one rank.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    rank: Rank,
    stack: Stack,
}

/// A hash table of buckets, a heap of those that hold nodes, and the chunks of all stacks.
///
/// To put in a node takes a look-up in a small table. The heap changes only when a bucket becomes
/// empty or gets its first node.
#[derive(Debug)]
pub(crate) struct Buckets {
    buckets: Vec<Bucket>,
    /// Numbers of buckets plus 1, by the hash of their rank; a power of two, at most half full.
    slots: Vec<u32>,
    /// A binary heap of the numbers of the buckets that aren't empty.
    queue: Vec<u32>,
    chunks: Chunks,
    /// The number of buckets at which to check whether they pay.
    capacity: usize,
}

fn hash(rank: Rank) -> usize {
    let mixed = (rank.f as u64 ^ ((rank.f >> 64) as u64).rotate_left(17))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(rank.g)
        .wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 32)) as usize
}

impl Buckets {
    /// Take over the nodes of `levels`, which must have fewer than half of `MANY_BUCKETS` stacks.
    pub(crate) fn of_levels(levels: Levels, budget: &mut Budget) -> Result<Self, StopReason> {
        let (stacks, chunks) = levels.into_parts(budget);
        let mut buckets = Self {
            buckets: Vec::new(),
            slots: Vec::new(),
            queue: Vec::new(),
            chunks,
            capacity: MANY_BUCKETS,
        };
        for (rank, stack) in stacks {
            let number = buckets.bucket(rank, budget)?;
            let number = number.expect("buckets pay as long as there are few");
            buckets.buckets[number as usize].stack = stack;
            buckets.enqueue(number, budget)?;
        }
        Ok(buckets)
    }

    /// Put a node in. Return `false`, and put nothing in, if buckets don't pay here.
    #[inline]
    pub(crate) fn push(
        &mut self,
        rank: Rank,
        id: u32,
        budget: &mut Budget,
    ) -> Result<bool, StopReason> {
        let Some(number) = self.bucket(rank, budget)? else {
            return Ok(false);
        };
        let stack = &mut self.buckets[number as usize].stack;
        let was_empty = stack.is_empty();
        self.chunks.push(stack, id, budget)?;
        if was_empty {
            self.enqueue(number, budget)?;
        }
        Ok(true)
    }

    pub(crate) fn peek(&self) -> Option<(Rank, u32)> {
        let bucket = &self.buckets[*self.queue.first()? as usize];
        Some((bucket.rank, self.chunks.peek(bucket.stack)))
    }

    pub(crate) fn pop(&mut self) -> Option<(Rank, u32)> {
        let bucket = &mut self.buckets[*self.queue.first()? as usize];
        let rank = bucket.rank;
        let id = self.chunks.pop(&mut bucket.stack);
        if bucket.stack.is_empty() {
            self.dequeue();
        }
        Some((rank, id))
    }

    /// Return the slot of a rank, or the free one where it belongs.
    #[inline]
    fn slot(&self, rank: Rank) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(rank) & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.buckets[number as usize - 1].rank == rank => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Return the number of the bucket for a rank; make the bucket if there is none. Return `None`
    /// when buckets don't pay.
    #[inline]
    fn bucket(&mut self, rank: Rank, budget: &mut Budget) -> Result<Option<u32>, StopReason> {
        if !self.slots.is_empty() {
            let number = self.slots[self.slot(rank)];
            if number != 0 {
                return Ok(Some(number - 1));
            }
        }
        self.new_bucket(rank, budget)
    }

    fn new_bucket(&mut self, rank: Rank, budget: &mut Budget) -> Result<Option<u32>, StopReason> {
        if self.buckets.len() == self.capacity {
            self.drop_empty();
            while self.buckets.len() > self.capacity / 2 {
                if self.chunks.n_nodes() < WORTHWHILE * self.buckets.len() {
                    return Ok(None);
                }
                self.capacity *= 2;
            }
            self.fill_slots();
        }
        budget.push(
            &mut self.buckets,
            Bucket {
                rank,
                stack: Stack::EMPTY,
            },
        )?;
        if 2 * self.buckets.len() > self.slots.len() {
            let n_slots = (2 * self.slots.len()).max(64);
            budget.grow(&mut self.slots, n_slots)?;
            self.slots.resize(n_slots, 0);
            self.fill_slots();
        } else {
            let slot = self.slot(rank);
            self.slots[slot] = self.buckets.len() as u32;
        }
        Ok(Some(self.buckets.len() as u32 - 1))
    }

    /// Drop the buckets without nodes.
    fn drop_empty(&mut self) {
        self.buckets.retain(|bucket| !bucket.stack.is_empty());
        // All of them are in the queue; sorted, they are a heap.
        self.queue.clear();
        self.queue.extend(0..self.buckets.len() as u32);
        let buckets = &self.buckets;
        self.queue
            .sort_unstable_by_key(|number| buckets[*number as usize].rank);
    }

    fn fill_slots(&mut self) {
        self.slots.fill(0);
        for number in 0..self.buckets.len() {
            let slot = self.slot(self.buckets[number].rank);
            self.slots[slot] = number as u32 + 1;
        }
    }

    fn rank_at(&self, place: usize) -> Rank {
        self.buckets[self.queue[place] as usize].rank
    }

    fn enqueue(&mut self, number: u32, budget: &mut Budget) -> Result<(), StopReason> {
        budget.push(&mut self.queue, number)?;
        let mut at = self.queue.len() - 1;
        while at > 0 && self.rank_at(at) < self.rank_at((at - 1) / 2) {
            self.queue.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        Ok(())
    }

    /// Remove the first bucket from the queue.
    fn dequeue(&mut self) {
        self.queue.swap_remove(0);
        let mut at = 0;
        loop {
            let mut below = 2 * at + 1;
            if below >= self.queue.len() {
                return;
            }
            if below + 1 < self.queue.len() && self.rank_at(below + 1) < self.rank_at(below) {
                below += 1;
            }
            if self.rank_at(at) < self.rank_at(below) {
                return;
            }
            self.queue.swap(at, below);
            at = below;
        }
    }

    /// Return the size of the buckets in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.bytes()
            + self.buckets.capacity() * size_of::<Bucket>()
            + (self.slots.capacity() + self.queue.capacity()) * size_of::<u32>()
    }
}
