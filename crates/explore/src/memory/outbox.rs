//! States that wait for their buckets, so that a bucket gets several at a time.

/// A collector with a few states for each bucket.
pub(crate) struct Outbox<const W: usize> {
    states: Vec<[u64; W]>,
    counts: Vec<u32>,
    most: usize,
}

impl<const W: usize> Outbox<W> {
    pub(crate) fn new(buckets: usize, most: usize) -> Self {
        Self {
            states: vec![[0; W]; buckets * most],
            counts: vec![0; buckets],
            most,
        }
    }

    /// Add a state. Return whether the bucket's place is now full.
    #[inline]
    pub(crate) fn push(&mut self, bucket: usize, state: [u64; W]) -> bool {
        let count = &mut self.counts[bucket];
        self.states[bucket * self.most + *count as usize] = state;
        *count += 1;
        *count as usize == self.most
    }

    pub(crate) fn waiting(&self, bucket: usize) -> &[[u64; W]] {
        &self.states[bucket * self.most..][..self.counts[bucket] as usize]
    }

    pub(crate) fn clear(&mut self, bucket: usize) {
        self.counts[bucket] = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.len() * 8 * W + self.counts.len() * 4
    }
}
