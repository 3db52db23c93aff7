//! Memory for tables that grow.

use memmap2::{MmapMut, MmapOptions};

/// The bytes of a page. Smaller blocks come from the heap.
pub(super) const PAGE: usize = 4 << 10;

/// Words that begin as zero. Many of them have pages of their own, which go back to the system as
/// soon as they are dropped: thousands of tables that grow in turn would leave holes in the heap, a
/// quarter of the whole memory.
#[derive(Debug)]
pub(super) enum Words {
    Heap(Vec<u64>),
    Pages(MmapMut),
}

impl Default for Words {
    fn default() -> Self {
        Self::Heap(Vec::new())
    }
}

impl Words {
    /// Return at least this number of words, and as many more as fill the last page.
    pub(super) fn zeroed(words: usize) -> Self {
        let bytes = words * 8;
        if bytes >= PAGE {
            let mut options = MmapOptions::new();
            options.len(bytes.next_multiple_of(PAGE)).populate();
            // If no pages are available, use the heap, which ends the program when it is full, as
            // for any table.
            if let Ok(pages) = options.map_anon() {
                return Self::Pages(pages);
            }
        }
        Self::Heap(vec![0; words])
    }

    pub(super) fn len(&self) -> usize {
        self.as_slice().len()
    }

    pub(super) fn as_slice(&self) -> &[u64] {
        match self {
            Self::Heap(words) => words,
            Self::Pages(pages) => bytemuck::cast_slice(pages),
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        match self {
            Self::Heap(words) => words,
            Self::Pages(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_zero_and_keep_what_is_written() {
        for n in [0, 1, 511, 512, 513, 100_000] {
            let mut words = Words::zeroed(n);
            assert!(words.len() >= n && words.len() < n + PAGE / 8);
            assert!(words.as_slice().iter().all(|word| *word == 0));
            assert_eq!(matches!(words, Words::Pages(_)), n >= 512);
            for (i, word) in words.as_mut_slice().iter_mut().enumerate() {
                *word = i as u64;
            }
            assert!(words.as_slice().iter().copied().eq(0..words.len() as u64));
        }
    }
}
