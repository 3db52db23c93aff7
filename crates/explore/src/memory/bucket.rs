//! The states whose hashes begin alike: a list, and an index of it.

/// The bits of an entry that hold a place in the list; the others repeat part of the hash.
const PLACE_BITS: u32 = 24;
const PLACE: u32 = (1 << PLACE_BITS) - 1;
/// The smallest index.
const LEAST_SLOTS: usize = 32;

/// What came of a state that was to be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    New,
    Known,
    /// There is no room in this bucket.
    Full,
}

/// States in the order in which they were found: older ones, the layer that is expanded, and the
/// next layer.
///
/// The index has one entry of four bytes for each state, at most nine tenths full: a place in the
/// list and eight bits of the hash, so that few states are compared in vain.
#[derive(Debug, Default)]
pub(crate) struct Bucket<const W: usize> {
    states: Vec<[u64; W]>,
    /// Entries: 0, or a place plus one beside a tag.
    index: Vec<u32>,
    layer: usize,
    next: usize,
}

fn entry(place: usize, hash: u64) -> u32 {
    (hash as u32) << PLACE_BITS | (place as u32 + 1)
}

/// Where to look first. The hash's highest bits chose the bucket, its lowest ones are the tag.
fn first_slot(hash: u64, slots: usize) -> usize {
    ((u64::from((hash >> 20) as u32) * slots as u64) >> 32) as usize
}

impl<const W: usize> Bucket<W> {
    /// The states of the next layer so far.
    pub(crate) fn n_new(&self) -> usize {
        self.states.len() - self.next
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * 8 * W + self.index.capacity() * 4
    }

    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64; W], hash: u64) -> Insertion {
        if self.index.is_empty() {
            self.index = vec![0; LEAST_SLOTS];
        }
        let tag = (hash as u32) << PLACE_BITS;
        let mut slot = first_slot(hash, self.index.len());
        loop {
            let found = self.index[slot];
            if found == 0 {
                break;
            }
            if found & !PLACE == tag && self.states[(found & PLACE) as usize - 1] == *state {
                return Insertion::Known;
            }
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
        if self.states.len() >= PLACE as usize {
            return Insertion::Full;
        }
        self.index[slot] = entry(self.states.len(), hash);
        if self.states.len() == self.states.capacity() {
            // Less than the doubling of a vector: memory is what limits explorations.
            self.states.reserve_exact((self.states.len() / 16).max(8));
        }
        self.states.push(*state);
        Insertion::New
    }

    /// Whether the index has to grow before another batch of this size is inserted.
    pub(crate) fn reserve(&mut self, more: usize, hash: impl Fn(&[u64; W]) -> u64) {
        let needed = (self.states.len() + more) * 10 / 9 + 1;
        if needed > self.index.len() {
            self.reindex(needed.max(self.index.len() + self.index.len() / 8), hash);
        }
    }

    fn reindex(&mut self, slots: usize, hash: impl Fn(&[u64; W]) -> u64) {
        let slots = slots.max(LEAST_SLOTS);
        if slots == self.index.len() {
            self.index.fill(0);
        } else {
            self.index = Vec::new();
            self.index = vec![0; slots];
        }
        for (place, state) in self.states.iter().enumerate() {
            let hash = hash(state);
            let mut slot = first_slot(hash, slots);
            while self.index[slot] != 0 {
                slot += 1;
                if slot == slots {
                    slot = 0;
                }
            }
            self.index[slot] = entry(place, hash);
        }
    }

    /// What is new becomes the layer; what is older than the layer before may be forgotten.
    pub(crate) fn next_layer(&mut self, forgets: bool, hash: impl Fn(&[u64; W]) -> u64) {
        if forgets && self.layer > 0 {
            self.states.drain(..self.layer);
            self.next -= self.layer;
            self.layer = 0;
            let room = self.states.len() + self.states.len() / 4;
            if self.states.capacity() > room {
                self.states
                    .shrink_to(self.states.len() + self.states.len() / 16);
            }
            let slots = self.states.len() * 10 / 8 + 1;
            self.reindex(slots, hash);
        }
        self.layer = self.next;
        self.next = self.states.len();
    }

    /// Copy states of the layer, from the `done`th on. Whether there are any.
    pub(crate) fn copy_layer(&self, done: usize, most: usize, into: &mut Vec<[u64; W]>) -> bool {
        into.clear();
        let layer = &self.states[self.layer..self.next];
        let rest = layer.get(done..).unwrap_or_default();
        into.extend_from_slice(&rest[..rest.len().min(most)]);
        !into.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A hash whose values often collide.
    fn poor_hash(state: &[u64; 2]) -> u64 {
        (state[0] % 7) << 40 | (state[1] % 3)
    }

    fn insert(bucket: &mut Bucket<2>, state: [u64; 2]) -> Insertion {
        bucket.reserve(1, poor_hash);
        bucket.insert(&state, poor_hash(&state))
    }

    #[test]
    fn a_state_is_new_once() {
        let mut bucket = Bucket::default();
        let mut reference = BTreeSet::new();
        for number in 0..2_000_u64 {
            let state = [number * number % 331, number % 5];
            let expected = match reference.insert(state) {
                true => Insertion::New,
                false => Insertion::Known,
            };
            assert_eq!(insert(&mut bucket, state), expected, "{state:?}");
        }
        assert_eq!(bucket.n_new(), reference.len());
        assert!(bucket.index.len() <= reference.len() * 5 / 4 + LEAST_SLOTS);
    }

    #[test]
    fn layers_are_kept_for_as_long_as_states_can_come_back() {
        let mut bucket = Bucket::default();
        insert(&mut bucket, [0, 0]);
        bucket.next_layer(true, poor_hash);
        insert(&mut bucket, [1, 0]);
        bucket.next_layer(true, poor_hash);
        // The layer before is still known.
        assert_eq!(insert(&mut bucket, [0, 0]), Insertion::Known);
        insert(&mut bucket, [2, 0]);
        bucket.next_layer(true, poor_hash);
        assert_eq!(insert(&mut bucket, [1, 0]), Insertion::Known);
        assert_eq!(insert(&mut bucket, [0, 0]), Insertion::New);
        let mut layer = Vec::new();
        assert!(bucket.copy_layer(0, 10, &mut layer));
        assert_eq!(layer, [[2, 0]]);
        assert!(!bucket.copy_layer(1, 10, &mut layer));
    }
}
