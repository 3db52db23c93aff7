//! Merges ascending sequences of states into one without duplicates.

use std::fmt;

use crate::disk::sorted_file::Reader;
use crate::disk::states::is_less;
use crate::report::{ExploreError, MOST_WORDS};

/// The number of states that are taken at once.
const AT_ONCE: usize = 1 << 10;

/// The states that some sources have and others don't, in ascending order.
pub struct Difference(Box<dyn Ascending + Send>);

impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Difference").finish_non_exhaustive()
    }
}

impl Difference {
    /// Start with the least states of sources that are ascending themselves.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn new(
        width: usize,
        sources: Vec<Reader>,
        known: Vec<Reader>,
    ) -> Result<Self, ExploreError> {
        Ok(Self(match width {
            1 => two_merges::<1>(sources, known)?,
            2 => two_merges::<2>(sources, known)?,
            3 => two_merges::<3>(sources, known)?,
            4 => two_merges::<4>(sources, known)?,
            8 => two_merges::<8>(sources, known)?,
            _ => two_merges::<MOST_WORDS>(sources, known)?,
        }))
    }

    /// Replace `states` by the next ones, about a thousand at most; there may be none of them
    /// before the end. Return whether the end isn't reached.
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    pub fn next(&mut self, states: &mut Vec<u64>) -> Result<bool, ExploreError> {
        states.clear();
        self.0.next(states)
    }
}

/// States in ascending order, whatever their width.
trait Ascending {
    fn next(&mut self, states: &mut Vec<u64>) -> Result<bool, ExploreError>;
}

struct TwoMerges<const W: usize> {
    candidates: Merge<W>,
    known: Merge<W>,
}

fn two_merges<const W: usize>(
    sources: Vec<Reader>,
    known: Vec<Reader>,
) -> Result<Box<dyn Ascending + Send>, ExploreError> {
    Ok(Box::new(TwoMerges::<W> {
        candidates: Merge::new(sources)?,
        known: Merge::new(known)?,
    }))
}

impl<const W: usize> Ascending for TwoMerges<W> {
    fn next(&mut self, states: &mut Vec<u64>) -> Result<bool, ExploreError> {
        for _ in 0..AT_ONCE {
            let Some(state) = self.candidates.next()? else {
                return Ok(!states.is_empty());
            };
            if !self.known.skip_to(&state)? {
                states.extend_from_slice(&state);
            }
        }
        Ok(true)
    }
}

/// The union of its sources, in ascending order.
struct Merge<const W: usize> {
    sources: Vec<Reader>,
    /// The next state of each source that has one, with the number of the source: a heap, the least
    /// one first. The standard library's heap calls a function for each of its steps.
    heads: Vec<([u64; W], usize)>,
}

impl<const W: usize> Merge<W> {
    /// Start with the least state of each source.
    fn new(mut sources: Vec<Reader>) -> Result<Self, ExploreError> {
        let mut heads = Vec::with_capacity(sources.len());
        for (number, source) in sources.iter_mut().enumerate() {
            if let Some(state) = source.next()? {
                heads.push((state, number));
            }
        }
        // What is sorted is a heap.
        heads.sort_unstable();
        Ok(Self { sources, heads })
    }

    /// Remove the least remaining state from all sources, and return it.
    fn next(&mut self) -> Result<Option<[u64; W]>, ExploreError> {
        let Some((least, _)) = self.heads.first() else {
            return Ok(None);
        };
        let least = *least;
        while let Some((state, number)) = self.heads.first_mut() {
            if *state != least {
                break;
            }
            match self.sources[*number].next()? {
                // Replace the head in place: one pass down the heap instead of a removal and an
                // insertion.
                Some(next) => *state = next,
                None => {
                    self.heads.swap_remove(0);
                }
            }
            self.sink_first();
        }
        Ok(Some(least))
    }

    /// Move the first head down to its place in the heap.
    #[inline]
    fn sink_first(&mut self) {
        let heads = &mut self.heads[..];
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= heads.len() {
                return;
            }
            if child + 1 < heads.len() && is_less(&heads[child + 1].0, &heads[child].0) {
                child += 1;
            }
            if !is_less(&heads[child].0, &heads[at].0) {
                return;
            }
            heads.swap(at, child);
            at = child;
        }
    }

    /// Return whether the sources have a state. States must be queried in ascending order.
    fn skip_to(&mut self, state: &[u64; W]) -> Result<bool, ExploreError> {
        while let Some((least, _)) = self.heads.first() {
            if !is_less(least, state) {
                return Ok(least == state);
            }
            self.next()?;
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use psvn_ir::testing::cases;

    use super::*;

    /// Return the states of each list, whose words all are the same.
    fn sources(lists: &[Vec<u64>], width: usize) -> Vec<Reader> {
        let sorted = lists.iter().map(|list| {
            let set: BTreeSet<u64> = list.iter().copied().collect();
            set.into_iter().flat_map(|word| vec![word; width]).collect()
        });
        sorted.map(|list| Reader::of_states(list, width)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn a_difference_is_what_only_the_first_ones_have(
            lists in prop::collection::vec(prop::collection::vec(0_u64..3_000, 0..2_000), 0..6),
            others in prop::collection::vec(prop::collection::vec(0_u64..3_000, 0..2_000), 0..3),
        ) {
            let known: BTreeSet<u64> = others.iter().flatten().copied().collect();
            let new = lists.iter().flatten().filter(|word| !known.contains(word));
            let expected: BTreeSet<u64> = new.copied().collect();
            for width in [1, 3, MOST_WORDS] {
                let (lists, others) = (sources(&lists, width), sources(&others, width));
                let mut difference = Difference::new(width, lists, others).expect("no files");
                let (mut found, mut states) = (Vec::new(), Vec::new());
                while difference.next(&mut states).expect("no files") {
                    for state in states.chunks_exact(width) {
                        prop_assert!(state.iter().all(|word| *word == state[0]));
                        found.push(state[0]);
                    }
                }
                prop_assert!(states.is_empty());
                prop_assert_eq!(&found, &Vec::from_iter(expected.iter().copied()));
            }
        }
    }
}
