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
    /// The first words, by which states are compared first.
    words: [u64; HELD],
    /// The number of the source, or [`NONE`] if it is at its end.
    source: u32,
}

/// No source.
const NONE: u32 = u32::MAX;

impl Head {
    /// A source at its end comes after all others.
    const END: Self = Self {
        words: [u64::MAX; HELD],
        source: NONE,
    };

    #[inline]
    fn new(source: usize, state: &[u64]) -> Self {
        Self {
            words: first_words(state),
            source: source as u32,
        }
    }

    /// Return a number by which heads are compared, unless it is equal.
    #[inline]
    fn prefix(self) -> u128 {
        u128::from(self.words[0]) << 64 | u128::from(self.words[1])
    }
}

#[inline]
fn first_words(state: &[u64]) -> [u64; HELD] {
    [state[0], state.get(1).copied().unwrap_or(0)]
}

/// The states of all sources, in ascending order and without duplicates.
///
/// A step takes time O(log n) for n sources.
#[derive(Debug)]
pub struct Merge<S> {
    sources: Vec<S>,
    /// A tournament of as many sources as a power of two. First the one with the least state, then
    /// the losers of each match: those of the matches 2n and 2n + 1 met in the match n. So each
    /// step takes one comparison for each round, and all of them meet the same opponents.
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
        let size = sources.len().next_power_of_two();
        let mut heads = vec![Head::END; size];
        let mut width = 0;
        for (number, (source, head)) in sources.iter_mut().zip(&mut heads).enumerate() {
            if source.advance()? {
                *head = Head::new(number, source.state());
                width = source.state().len();
            }
        }
        let mut merge = Self {
            sources,
            heads: Vec::new(),
            least: vec![0; width],
            is_wide: width > HELD,
            n_read: 0,
        };
        // The first round, and the winners of each round among themselves.
        let mut losers = Vec::new();
        while heads.len() > 1 {
            let pairs = heads.as_chunks::<2>().0.iter();
            let matches = pairs.map(|[a, b]| {
                if merge.is_before(*b, *a) {
                    [*b, *a]
                } else {
                    [*a, *b]
                }
            });
            let (winners, mut lost): (Vec<Head>, Vec<Head>) = matches.map(|[a, b]| (a, b)).unzip();
            lost.append(&mut losers);
            (heads, losers) = (winners, lost);
        }
        heads.append(&mut losers);
        merge.heads = heads;
        Ok(merge)
    }

    /// Return the number of states that were passed in the sources, duplicates too.
    pub fn n_read(&self) -> u64 {
        self.n_read
    }

    /// Return the source with the least state.
    #[inline]
    fn first(&self) -> Option<Head> {
        let first = self.heads.first().copied();
        first.filter(|head| head.source != NONE)
    }

    /// Return whether a source has the state, and pass all states before it. States must be asked
    /// for in ascending order. Don't mix this with [`advance`](Ascending::advance).
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    #[inline]
    pub fn skip_to(&mut self, state: &[u64]) -> Result<bool, FileError> {
        let wanted = first_words(state);
        while let Some(head) = self.first() {
            let order = match head.words.cmp(&wanted) {
                Ordering::Equal if self.is_wide => self.rest(head).cmp(&state[HELD..]),
                order => order,
            };
            match order {
                Ordering::Less => self.pass_one(head)?,
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
        match (a.source, b.source) {
            (NONE, _) | (_, NONE) => a.source.cmp(&b.source),
            _ => self.rest(a).cmp(self.rest(b)),
        }
    }

    /// Advance the source with the least state.
    #[inline]
    fn pass_one(&mut self, first: Head) -> Result<(), FileError> {
        self.n_read += 1;
        let number = first.source as usize;
        let source = &mut self.sources[number];
        let mut head = if source.advance()? {
            Head::new(number, source.state())
        } else {
            Head::END
        };
        let mut place = (self.heads.len() + number) / 2;
        while place > 0 {
            let other = self.heads[place];
            // Which of both is greater can't be foreseen, so there had better be no branch.
            let [winner, loser] = if self.is_before(other, head) {
                [other, head]
            } else {
                [head, other]
            };
            self.heads[place] = loser;
            head = winner;
            place /= 2;
        }
        self.heads[0] = head;
        Ok(())
    }

    /// Return whether a state comes before another one. Of equal heads, either one may come first,
    /// but a source at its end is the last.
    #[inline]
    fn is_before(&self, a: Head, b: Head) -> bool {
        let (one, other) = (a.prefix(), b.prefix());
        if one == other && (self.is_wide || a.source == NONE || b.source == NONE) {
            return self.compare_rest(a, b).is_lt();
        }
        one < other
    }
}

impl<S: Ascending> Ascending for Merge<S> {
    #[inline]
    fn advance(&mut self) -> Result<bool, FileError> {
        let Some(first) = self.first() else {
            return Ok(false);
        };
        match self.least.as_mut_slice() {
            [word] => *word = first.words[0],
            least => least.copy_from_slice(self.sources[first.source as usize].state()),
        }
        while let Some(head) = self.first() {
            let is_same = head.words == first.words
                && (!self.is_wide || *self.rest(head) == self.least[HELD..]);
            if !is_same {
                break;
            }
            self.pass_one(head)?;
        }
        Ok(true)
    }

    #[inline]
    fn state(&self) -> &[u64] {
        &self.least
    }
}
