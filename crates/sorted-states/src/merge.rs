//! The union of ascending sequences of states.

use crate::error::FileError;
use crate::states::copy;

/// States in ascending order, without duplicates.
pub trait Ascending {
    /// Go to the next state. Return whether there is one.
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    fn advance(&mut self) -> Result<bool, FileError>;

    /// Return the state to which the last call of [`advance`](Self::advance) led.
    ///
    /// # Panics
    /// May panic if there was none.
    fn state(&self) -> &[u64];
}

/// The first word of a source's state, and the number of the source.
type Head = (u64, u32);

/// The states of all sources, in ascending order and without duplicates.
///
/// A step takes time O(log n) for n sources.
#[derive(Debug)]
pub struct Merge<S> {
    sources: Vec<S>,
    /// A heap with the source of the least state at the top, without those at their end.
    ///
    /// It compares first words, and looks at sources where those are equal. The heap of the
    /// standard library compares its items without looking elsewhere.
    heads: Vec<Head>,
    /// The state that was taken last.
    least: Vec<u64>,
    n_read: u64,
}

impl<S: Ascending> Merge<S> {
    /// Start before the least state of the sources. None of them has been advanced.
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    pub fn new(mut sources: Vec<S>) -> Result<Self, FileError> {
        let mut heads = Vec::with_capacity(sources.len());
        let mut width = 0;
        for (number, source) in sources.iter_mut().enumerate() {
            if source.advance()? {
                heads.push((source.state()[0], number as u32));
                width = source.state().len();
            }
        }
        let mut merge = Self {
            sources,
            heads,
            least: vec![0; width],
            n_read: 0,
        };
        for place in (0..merge.heads.len() / 2).rev() {
            merge.sink(place);
        }
        Ok(merge)
    }

    /// Return the number of states that were passed in the sources, duplicates too.
    pub fn n_read(&self) -> u64 {
        self.n_read
    }

    /// Return whether a source has the state, and pass all states before it. States must be asked
    /// for in ascending order. Don't mix this with [`advance`](Ascending::advance).
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    #[inline]
    pub fn skip_to(&mut self, state: &[u64]) -> Result<bool, FileError> {
        while let Some(head) = self.heads.first() {
            if head.0 > state[0] {
                return Ok(false);
            }
            if head.0 == state[0] {
                match self.rest(*head).cmp(&state[1..]) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => return Ok(true),
                    std::cmp::Ordering::Greater => return Ok(false),
                }
            }
            self.pass_one()?;
        }
        Ok(false)
    }

    /// Return the words of a source's state after the first one.
    #[inline]
    fn rest(&self, head: Head) -> &[u64] {
        &self.sources[head.1 as usize].state()[1..]
    }

    /// Advance the source with the least state.
    #[inline]
    fn pass_one(&mut self) -> Result<(), FileError> {
        self.n_read += 1;
        let source = &mut self.sources[self.heads[0].1 as usize];
        if source.advance()? {
            self.heads[0].0 = source.state()[0];
        } else {
            self.heads.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    #[inline]
    fn comes_before(&self, a: Head, b: Head) -> bool {
        a.0 < b.0 || a.0 == b.0 && self.least.len() > 1 && self.rest(a) < self.rest(b)
    }

    /// Move the head at a place down to where it belongs.
    #[inline]
    fn sink(&mut self, mut place: usize) {
        loop {
            let mut below = 2 * place + 1;
            let Some(&left) = self.heads.get(below) else {
                return;
            };
            let mut least = left;
            if let Some(&right) = self.heads.get(below + 1)
                && self.comes_before(right, left)
            {
                (below, least) = (below + 1, right);
            }
            if !self.comes_before(least, self.heads[place]) {
                return;
            }
            self.heads.swap(place, below);
            place = below;
        }
    }
}

impl<S: Ascending> Ascending for Merge<S> {
    #[inline]
    fn advance(&mut self) -> Result<bool, FileError> {
        let Some((_, number)) = self.heads.first() else {
            return Ok(false);
        };
        copy(self.sources[*number as usize].state(), &mut self.least);
        while let Some(head) = self.heads.first() {
            let is_same = head.0 == self.least[0]
                && (self.least.len() == 1 || *self.rest(*head) == self.least[1..]);
            if !is_same {
                break;
            }
            self.pass_one()?;
        }
        Ok(true)
    }

    #[inline]
    fn state(&self) -> &[u64] {
        &self.least
    }
}
