//! The union of ascending sets of states.

use crate::best_first::searches::on_disk::error::OnDiskError;
use crate::best_first::searches::on_disk::sets::{Disk, Feed, Set};

/// The first word of the state that a feed has read, and the feed's number.
type Head = (u64, u32);

/// Reads several sets together in ascending order.
#[derive(Debug)]
pub(super) struct Merge<'d> {
    feeds: Vec<Feed<'d>>,
    /// A heap with the feed of the least state at the top, without those at their end.
    heads: Vec<Head>,
    /// The states that were read.
    read: u64,
}

impl<'d> Merge<'d> {
    pub(super) fn new<'s>(
        sets: impl IntoIterator<Item = &'s Set<'d>>,
        disk: &'d Disk,
    ) -> Result<Self, OnDiskError>
    where
        'd: 's,
    {
        let mut merge = Self {
            feeds: Vec::new(),
            heads: Vec::new(),
            read: 0,
        };
        for set in sets {
            let mut feed = set.feed(disk)?;
            if feed.advance()? {
                merge
                    .heads
                    .push((feed.state()[0], merge.feeds.len() as u32));
                merge.feeds.push(feed);
            }
        }
        for place in (0..merge.heads.len() / 2).rev() {
            merge.sink(place);
        }
        Ok(merge)
    }

    /// Return the number of states that were read, equal ones too.
    pub(super) fn n_read(&self) -> u64 {
        self.read
    }

    /// Take the least state from all sets that have it. Return whether there is one.
    pub(super) fn next(&mut self, state: &mut [u64]) -> Result<bool, OnDiskError> {
        let Some((_, least)) = self.heads.first() else {
            return Ok(false);
        };
        state.copy_from_slice(self.feeds[*least as usize].state());
        self.pass(state)?;
        Ok(true)
    }

    /// Return whether a set has the state. States must be asked for in ascending order.
    #[inline]
    pub(super) fn skip_to(&mut self, state: &[u64]) -> Result<bool, OnDiskError> {
        while let Some((word, least)) = self.heads.first() {
            if *word > state[0] {
                return Ok(false);
            }
            match self.feeds[*least as usize].state().cmp(state) {
                std::cmp::Ordering::Less => self.advance()?,
                std::cmp::Ordering::Equal => return Ok(true),
                std::cmp::Ordering::Greater => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Pass the states that equal the least one.
    fn pass(&mut self, state: &[u64]) -> Result<(), OnDiskError> {
        while let Some((word, least)) = self.heads.first() {
            if *word != state[0] || self.feeds[*least as usize].state() != state {
                break;
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Read on where the least state is.
    fn advance(&mut self) -> Result<(), OnDiskError> {
        let (_, least) = self.heads[0];
        self.read += 1;
        let feed = &mut self.feeds[least as usize];
        if feed.advance()? {
            self.heads[0].0 = feed.state()[0];
        } else {
            self.heads.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    fn comes_before(&self, a: Head, b: Head) -> bool {
        let state = |head: Head| self.feeds[head.1 as usize].state();
        a.0 < b.0 || a.0 == b.0 && state(a) < state(b)
    }

    /// Move the head at a place down to where it belongs.
    fn sink(&mut self, mut place: usize) {
        loop {
            let mut least = place;
            for below in [2 * place + 1, 2 * place + 2] {
                if below < self.heads.len()
                    && self.comes_before(self.heads[below], self.heads[least])
                {
                    least = below;
                }
            }
            if least == place {
                return;
            }
            self.heads.swap(place, least);
            place = least;
        }
    }
}
