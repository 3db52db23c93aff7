//! Merges ascending sequences of states into one without duplicates.

use psvn_ir::inlined::pairs;

use crate::disk::sorted_file::Reader;
use crate::report::ExploreError;

/// States in ascending order.
#[derive(Debug)]
pub enum Source<const W: usize> {
    /// In a file.
    File(Reader<W>),
    /// In memory.
    Memory(std::vec::IntoIter<[u64; W]>),
}

impl<const W: usize> Source<W> {
    fn next(&mut self) -> Result<Option<[u64; W]>, ExploreError> {
        match self {
            Self::File(file) => file.next(),
            Self::Memory(states) => Ok(states.next()),
        }
    }
}

/// The union of its sources, in ascending order.
#[derive(Debug)]
pub struct Merge<const W: usize> {
    sources: Vec<Source<W>>,
    /// The next state of each source that has one, with the number of the source: a heap, the least
    /// one first. The standard library's heap calls a function for each of its steps.
    heads: Vec<([u64; W], usize)>,
}

impl<const W: usize> Merge<W> {
    /// Start with the least state of each source.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn new(mut sources: Vec<Source<W>>) -> Result<Self, ExploreError> {
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
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    #[allow(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<Option<[u64; W]>, ExploreError> {
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
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    pub fn skip_to(&mut self, state: &[u64; W]) -> Result<bool, ExploreError> {
        while let Some((least, _)) = self.heads.first() {
            if !is_less(least, state) {
                return Ok(least == state);
            }
            self.next()?;
        }
        Ok(false)
    }
}

#[inline]
fn is_less<const W: usize>(one: &[u64; W], other: &[u64; W]) -> bool {
    for (one, other) in pairs(one, other) {
        if one != other {
            return one < other;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sources(lists: &[Vec<u64>]) -> Vec<Source<1>> {
        let sorted = lists.iter().map(|list| {
            let set: BTreeSet<[u64; 1]> = list.iter().map(|word| [*word]).collect();
            set.into_iter().collect::<Vec<_>>()
        });
        sorted
            .map(|list| Source::Memory(list.into_iter()))
            .collect()
    }

    proptest! {
        #[test]
        fn a_merge_is_the_union(lists in prop::collection::vec(prop::collection::vec(0_u64..40, 0..20), 0..6)) {
            let expected: BTreeSet<u64> = lists.iter().flatten().copied().collect();
            let mut merge = Merge::new(sources(&lists)).expect("no files");
            let mut found = Vec::new();
            while let Some([word]) = merge.next().expect("no files") {
                found.push(word);
            }
            prop_assert_eq!(&found, &expected.iter().copied().collect::<Vec<_>>());
            let mut asked = Merge::new(sources(&lists)).expect("no files");
            for word in 0..40 {
                let is_there = asked.skip_to(&[word]).expect("no files");
                prop_assert_eq!(is_there, expected.contains(&word));
            }
        }
    }
}
