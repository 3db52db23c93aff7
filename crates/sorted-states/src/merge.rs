//! The union of ascending sequences of states.

use std::cmp::Ordering;

use crate::error::FileError;

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

/// The words of a state that a head holds.
const HELD: usize = 2;

/// The next state of a source.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The first words as one number, by which states are compared first.
    prefix: u128,
    source: u32,
}

impl Head {
    #[inline]
    fn new(source: usize, state: &[u64]) -> Self {
        Self {
            prefix: prefix(state),
            source: source as u32,
        }
    }
}

#[inline]
fn prefix(state: &[u64]) -> u128 {
    let second = state.get(1).copied().unwrap_or(0);
    u128::from(state[0]) << 64 | u128::from(second)
}

/// The states of all sources, in ascending order and without duplicates.
///
/// A step takes time O(log n) for n sources.
#[derive(Debug)]
pub struct Merge<S> {
    sources: Vec<S>,
    /// A heap with the least state at the top, without the sources at their end. It looks at the
    /// sources where heads are equal, which the heap of the standard library can't.
    heads: Vec<Head>,
    /// The state that was taken last.
    least: Vec<u64>,
    /// Whether heads don't hold all words of a state.
    is_wide: bool,
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
                heads.push(Head::new(number, source.state()));
                width = source.state().len();
            }
        }
        let mut merge = Self {
            sources,
            heads,
            least: vec![0; width],
            is_wide: width > HELD,
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
        let wanted = prefix(state);
        while let Some(head) = self.heads.first() {
            let order = match head.prefix.cmp(&wanted) {
                Ordering::Equal if self.is_wide => self.rest(*head).cmp(&state[HELD..]),
                order => order,
            };
            match order {
                Ordering::Less => self.pass_one()?,
                Ordering::Equal => return Ok(true),
                Ordering::Greater => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Return the words of a wide state that its head doesn't hold.
    fn rest(&self, head: Head) -> &[u64] {
        &self.sources[head.source as usize].state()[HELD..]
    }

    /// Compare what heads don't hold: seldom needed, and apart from what always is.
    #[cold]
    fn compare_rest(&self, a: Head, b: Head) -> Ordering {
        self.rest(a).cmp(self.rest(b))
    }

    /// Advance the source with the least state.
    #[inline]
    fn pass_one(&mut self) -> Result<(), FileError> {
        self.n_read += 1;
        let number = self.heads[0].source as usize;
        let source = &mut self.sources[number];
        if source.advance()? {
            self.heads[0] = Head::new(number, source.state());
        } else {
            self.heads.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    /// Return whether a state comes before another one.
    #[inline]
    fn is_before(&self, a: Head, b: Head) -> bool {
        match a.prefix.cmp(&b.prefix) {
            Ordering::Equal => self.is_wide && self.compare_rest(a, b).is_lt(),
            order => order.is_lt(),
        }
    }

    /// Move the head at a place down to where it belongs.
    #[inline]
    fn sink(&mut self, mut place: usize) {
        let n_heads = self.heads.len();
        if place >= n_heads {
            return;
        }
        let head = self.heads[place];
        loop {
            let mut below = 2 * place + 1;
            if below >= n_heads {
                break;
            }
            let mut least = self.heads[below];
            if below + 1 < n_heads && self.is_before(self.heads[below + 1], least) {
                below += 1;
                least = self.heads[below];
            }
            if !self.is_before(least, head) {
                break;
            }
            self.heads[place] = least;
            place = below;
        }
        self.heads[place] = head;
    }
}

impl<S: Ascending> Ascending for Merge<S> {
    #[inline]
    fn advance(&mut self) -> Result<bool, FileError> {
        let Some(&first) = self.heads.first() else {
            return Ok(false);
        };
        match self.least.as_mut_slice() {
            [word] => *word = (first.prefix >> 64) as u64,
            least => least.copy_from_slice(self.sources[first.source as usize].state()),
        }
        while let Some(&head) = self.heads.first() {
            let is_same = head.prefix == first.prefix
                && (!self.is_wide || *self.rest(head) == self.least[HELD..]);
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
