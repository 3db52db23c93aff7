//! States in memory.

use crate::best_first::searches::on_disk::room::Room;
use crate::run::limits::StopReason;

/// States in memory, as words one after another. Their bytes are counted.
///
/// Lists come and go in all sizes, and pieces of memory of all sizes would leave gaps that no list
/// fits. So long lists consist of blocks of one size, which are used again.
#[derive(Debug)]
pub(crate) struct Words<'d> {
    /// All are full but the last one. A list of one block may have a smaller one.
    blocks: Vec<Vec<u64>>,
    n_words: usize,
    bytes: usize,
    room: &'d Room,
}

/// A place in a list: a block, and the words before it there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    block: usize,
    at: usize,
}

impl<'d> Words<'d> {
    pub(crate) fn new(room: &'d Room) -> Self {
        Self {
            blocks: Vec::new(),
            n_words: 0,
            bytes: 0,
            room,
        }
    }

    /// Return the words, and leave none.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.room))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// Return the number of words.
    pub(crate) fn len(&self) -> usize {
        self.n_words
    }

    pub(crate) fn n_bytes(&self) -> usize {
        self.bytes
    }

    /// Return the state that begins with a word.
    pub(crate) fn state(&self, word: usize, n_words: usize) -> &[u64] {
        let size = self.room.block_words;
        &self.blocks[word / size][word % size..][..n_words]
    }

    /// Return the state at a place.
    #[inline]
    pub(crate) fn at(&self, place: Place, n_words: usize) -> &[u64] {
        &self.blocks[place.block][place.at..place.at + n_words]
    }

    /// Move a place behind its state. Return whether there is one.
    #[inline]
    pub(crate) fn pass(&self, place: &mut Place, n_words: usize) -> bool {
        let Some(block) = self.blocks.get(place.block) else {
            return false;
        };
        place.at += n_words;
        if place.at == block.len() {
            *place = Place {
                block: place.block + 1,
                at: 0,
            };
        }
        true
    }

    /// Iterate over the blocks of states.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &[u64]> {
        self.blocks.iter().map(Vec::as_slice)
    }

    /// Append states.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub(crate) fn extend(&mut self, mut words: &[u64]) -> Result<(), StopReason> {
        while !words.is_empty() {
            let size = self.room.block_words;
            let fits = match self.blocks.last_mut() {
                Some(last) if last.len() < size => {
                    let fits = words.len().min(last.capacity().min(size) - last.len());
                    last.extend_from_slice(&words[..fits]);
                    fits
                }
                _ => 0,
            };
            self.n_words += fits;
            words = &words[fits..];
            if !words.is_empty() {
                self.grow(words.len())?;
            }
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), StopReason> {
        let size = self.room.block_words;
        let n_blocks = self.blocks.len();
        let before = self.blocks.last().map_or(0, Vec::capacity);
        if n_blocks == 1 && before < size {
            let last = &mut self.blocks[0];
            let wanted = (last.len() + more).max(2 * before).min(size);
            let reserved = last.try_reserve_exact(wanted - last.len());
            reserved.map_err(|_| StopReason::Memory)?;
            let bytes = (last.capacity() - before) * size_of::<u64>();
            self.count(bytes);
        } else {
            let wanted = if n_blocks == 0 {
                more.max(16).min(size)
            } else {
                size
            };
            let block = self.room.block(wanted)?;
            let bytes = block.capacity() * size_of::<u64>() + size_of::<Vec<u64>>();
            self.blocks.push(block);
            self.count(bytes);
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.room.claim_for_states(bytes);
    }

    fn uncount(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.room.release_of_states(bytes);
    }

    /// Give back the memory of words that don't exist.
    pub(crate) fn shrink(&mut self) {
        if let Some(last) = self.blocks.last_mut() {
            let before = last.capacity();
            last.shrink_to_fit();
            let bytes = (before - last.capacity()) * size_of::<u64>();
            self.uncount(bytes);
        }
    }

    /// Change all words at once, and keep the first ones: the change returns how many.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut [u64]) -> usize,
    ) -> Result<(), StopReason> {
        if let [only] = self.blocks.as_mut_slice() {
            let left = change(only);
            only.truncate(left);
            self.n_words = left;
            return Ok(());
        }
        let mut together = self.room.scratch(self.n_words)?;
        self.blocks
            .iter()
            .for_each(|it| together.extend_from_slice(it));
        let left = change(&mut together);
        let size = self.room.block_words;
        for (block, words) in self.blocks.iter_mut().zip(together[..left].chunks(size)) {
            block.clear();
            block.extend_from_slice(words);
        }
        for block in self.blocks.split_off(left.div_ceil(size)) {
            self.bytes -= block.capacity() * size_of::<u64>() + size_of::<Vec<u64>>();
            self.room.take_back(block);
        }
        self.n_words = left;
        self.room.put_back(together);
        Ok(())
    }
}

impl Drop for Words<'_> {
    fn drop(&mut self) {
        for block in self.blocks.drain(..) {
            self.room.take_back(block);
        }
    }
}
