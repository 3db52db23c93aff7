//! A binary heap of open nodes, for costs with many different values.

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::open::rank::Rank;
use crate::run::limits::StopReason;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    rank: Rank,
    id: u32,
}

impl Entry {
    /// Return whether this node comes out first. Of equal ranks, the state stored last does.
    #[inline]
    fn before(&self, other: &Self) -> bool {
        self.rank
            .cmp(&other.rank)
            .then(other.id.cmp(&self.id))
            .is_lt()
    }
}

/// A binary heap in a column, so that it grows without being moved.
#[derive(Debug)]
pub(crate) struct Heap {
    entries: Column<Entry>,
}

impl Heap {
    pub(crate) fn new() -> Self {
        Self {
            entries: Column::new(1),
        }
    }

    pub(crate) fn push(
        &mut self,
        rank: Rank,
        id: u32,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        let entry = Entry { rank, id };
        self.entries.push(&[entry], budget)?;
        let mut at = self.entries.len() - 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.entries.get(parent)[0];
            if !entry.before(&above) {
                break;
            }
            self.entries.get_mut(at)[0] = above;
            at = parent;
        }
        self.entries.get_mut(at)[0] = entry;
        Ok(())
    }

    pub(crate) fn peek(&self) -> Option<(Rank, u32)> {
        (self.entries.len() > 0).then(|| {
            let first = self.entries.get(0)[0];
            (first.rank, first.id)
        })
    }

    pub(crate) fn pop(&mut self) -> Option<(Rank, u32)> {
        let first = self.peek()?;
        let n = self.entries.len() - 1;
        let last = self.entries.get(n)[0];
        self.entries.pop();
        if n == 0 {
            return Some(first);
        }
        let mut at = 0;
        loop {
            let mut below = 2 * at + 1;
            if below >= n {
                break;
            }
            let mut least = self.entries.get(below)[0];
            if below + 1 < n && self.entries.get(below + 1)[0].before(&least) {
                below += 1;
                least = self.entries.get(below)[0];
            }
            if !least.before(&last) {
                break;
            }
            self.entries.get_mut(at)[0] = least;
            at = below;
        }
        self.entries.get_mut(at)[0] = last;
        Some(first)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.bytes()
    }
}
