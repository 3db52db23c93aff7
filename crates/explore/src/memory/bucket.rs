//! The states whose hashes begin alike: a table of states by hash.

use crate::memory::words::Words;

/// The slots of a group: each has a byte in the group's word of tags.
const SLOTS: usize = 8;
/// The maximum percentage of filled slots. Groups of eight are rarely full then.
pub(crate) const FULL: usize = 92;
/// The number of states that are looked up together.
const BATCH: usize = 32;

/// A tag is six bits of the hash and one of three labels; an empty slot has neither.
const EACH: u64 = 0x0101_0101_0101_0101;
const HASH: u64 = 0x3F;
const HIGH: u64 = 0x80 * EACH;
/// The labels of states of the next layer, of the current one, and of older ones.
const NEXT: u64 = 0xC0;
const LAYER: u64 = 0x80;
const OLDER: u64 = 0x40;

/// A set of states: older ones, the layer that is expanded, and the next layer.
///
/// Open addressing by groups of eight slots. A group's tags are one word, so that one step compares
/// all of them with a hash; states are rarely compared without need. The first group for a state
/// ascends with its hash, so that a table grows in one pass from its first group to its last one.
/// With states of W words, a slot takes 8 W + 1 bytes.
#[derive(Debug, Default)]
pub(crate) struct Bucket<const W: usize> {
    /// The tags of all groups, then the states of all slots.
    words: Words,
    groups: usize,
    /// The number of filled slots, and how many of them are of the next layer.
    n_states: usize,
    n_new: usize,
    /// Whether slots were emptied: then look-ups fail until the table is rebuilt.
    has_gaps: bool,
}

/// The parts of a table.
struct Table<'t, const W: usize> {
    tags: &'t mut [u64],
    states: &'t mut [[u64; W]],
}

/// Return the highest bit of each tag of a filled slot.
#[inline(always)]
fn filled(tags: u64) -> u64 {
    (tags | tags << 1) & HIGH
}

/// Return the highest bit of each tag with the bits of this hash.
#[inline(always)]
fn alike(tags: u64, hash: u64) -> u64 {
    let differs = (tags & (HASH * EACH)) ^ ((hash & HASH) * EACH);
    // No carry leaves a byte: the difference has six bits.
    !(differs + 0x7F * EACH) & filled(tags)
}

/// Return the highest bit of each tag of the layer that is expanded.
#[inline(always)]
fn of_layer(tags: u64) -> u64 {
    tags & !(tags << 1) & HIGH
}

/// Return the first slot whose tag has its highest bit in `bits`.
#[inline(always)]
fn first(bits: u64) -> usize {
    (bits.trailing_zeros() / 8) as usize
}

/// Return the first group for a hash. The hash's highest bits chose the bucket, its lowest ones are
/// in the tag.
#[inline(always)]
fn home(hash: u64, groups: usize) -> usize {
    ((u64::from((hash >> 20) as u32) * groups as u64) >> 32) as usize
}

/// Return the bytes of a slot for a state of this number of words.
pub(crate) fn bytes_of_slot(width: usize) -> usize {
    8 * width + 1
}

/// Return the number of groups for this number of states.
fn groups_for(states: usize) -> usize {
    states * 100 / (FULL * SLOTS) + 1
}

impl<const W: usize> Bucket<W> {
    /// A full table grows by one fourth, eighth or sixteenth. With states of one, two and three
    /// words, empty slots and tags take at most five bytes a state, besides the rest of a page.
    const GROWTH: usize = match W {
        1 => 4,
        2 => 8,
        _ => 16,
    };

    /// Return the minimum bytes for a number of states.
    pub(crate) fn least_bytes(states: usize) -> usize {
        groups_for(states) * SLOTS * bytes_of_slot(W)
    }

    /// Return the number of states of the next layer so far.
    pub(crate) fn n_new(&self) -> usize {
        self.n_new
    }

    /// Return the bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    fn table(&mut self) -> Table<'_, W> {
        let (tags, states) = self.words.as_mut_slice().split_at_mut(self.groups);
        Table {
            tags,
            states: states.as_chunks_mut().0,
        }
    }

    /// Return the tags and the states of each group.
    fn by_group(&self) -> impl Iterator<Item = (u64, &[[u64; W]])> {
        let (tags, states) = self.words.as_slice().split_at(self.groups);
        let states: &[[u64; W]] = states.as_chunks().0;
        tags.iter().copied().zip(states.chunks_exact(SLOTS))
    }

    /// Add those of some states that are new to the next layer.
    pub(crate) fn insert(&mut self, states: &[[u64; W]], hash: impl Fn(&[u64; W]) -> u64) {
        for batch in states.chunks(BATCH) {
            self.reserve(batch.len(), &hash);
            let n_new = self.table().insert_batch(batch, &hash);
            self.n_states += n_new;
            self.n_new += n_new;
        }
    }

    /// Make room for the expected number of further states: the table grows later if it must.
    pub(crate) fn reserve(&mut self, more: usize, hash: impl Fn(&[u64; W]) -> u64) {
        let needed = groups_for(self.n_states + more);
        if self.has_gaps {
            self.rebuild(needed, hash);
        } else if needed > self.groups {
            self.rebuild(needed.max(self.groups + self.groups / Self::GROWTH), hash);
        }
    }

    /// Move all states to a table with this number of groups, or a few more.
    fn rebuild(&mut self, groups: usize, hash: impl Fn(&[u64; W]) -> u64) {
        let of_group = 1 + SLOTS * W;
        let words = Words::zeroed(groups * of_group);
        let groups = words.len() / of_group;
        let mut bucket = Self {
            words,
            groups,
            has_gaps: false,
            ..*self
        };
        let mut table = bucket.table();
        for (tags, states) in self.by_group() {
            let mut rest = filled(tags);
            while rest != 0 {
                let slot = first(rest);
                rest &= rest - 1;
                let state = &states[slot];
                table.fill(home(hash(state), groups), state, tags >> (8 * slot) & 0xFF);
            }
        }
        *self = bucket;
    }

    /// Turn the new states into the layer, and merge the layer into the older ones. States older
    /// than the layer may be forgotten.
    pub(crate) fn next_layer(&mut self, forgets: bool) {
        let mut forgotten = 0;
        for tags in self.table().tags {
            let (high, low) = (*tags & HIGH, *tags << 1 & HIGH);
            let layer = high & low;
            let mut older = (high | low) & !layer;
            if forgets {
                forgotten += (older & !high).count_ones() as usize;
                older &= high;
            }
            let kept = layer | older;
            // All bits of the kept tags.
            let hashes = (kept >> 7) * HASH;
            *tags = *tags & hashes | layer | older >> 1;
        }
        // A state may be after a slot that is empty now but was full when the state was added.
        self.has_gaps |= forgotten > 0;
        self.n_states -= forgotten;
        self.n_new = 0;
    }

    /// Return the number of states that it holds.
    pub(crate) fn n_states(&self) -> usize {
        self.n_states
    }

    /// Return each state that isn't of the next layer, and whether it is of the layer.
    pub(crate) fn older(&self) -> impl Iterator<Item = (&[u64; W], bool)> {
        self.by_group().flat_map(|(tags, states)| {
            states.iter().enumerate().filter_map(move |(slot, state)| {
                match tags >> (8 * slot) & NEXT {
                    OLDER => Some((state, false)),
                    LAYER => Some((state, true)),
                    _ => None,
                }
            })
        })
    }

    /// Copy the states of the layer.
    pub(crate) fn copy_layer(&self, into: &mut Vec<[u64; W]>) {
        into.clear();
        for (tags, states) in self.by_group() {
            let mut found = of_layer(tags);
            while found != 0 {
                into.push(states[first(found)]);
                found &= found - 1;
            }
        }
    }
}

impl<const W: usize> Table<'_, W> {
    /// Add states to the next layer. Return how many are new.
    ///
    /// All memory is read for all states before any result depends on it, so the processor waits
    /// for all of it at once.
    #[inline(always)]
    fn insert_batch(&mut self, batch: &[[u64; W]], hash: impl Fn(&[u64; W]) -> u64) -> usize {
        let (mut hashes, mut homes, mut tags) = ([0; BATCH], [0; BATCH], [0; BATCH]);
        for (i, state) in batch.iter().enumerate() {
            hashes[i] = hash(state);
            homes[i] = home(hashes[i], self.tags.len());
            tags[i] = self.tags[homes[i]];
        }
        let mut is_known = [false; BATCH];
        for (i, state) in batch.iter().enumerate() {
            let found = alike(tags[i], hashes[i]);
            let slot = homes[i] * SLOTS + first(found) % SLOTS;
            // There is no branch between the two conditions.
            is_known[i] = (found != 0) & (self.states[slot] == *state);
        }
        let mut n_new = 0;
        for (i, state) in batch.iter().enumerate() {
            if !is_known[i] {
                n_new += usize::from(self.insert(state, hashes[i], homes[i]));
            }
        }
        n_new
    }

    /// Add a state to the next layer. Return whether it is new.
    #[inline(always)]
    fn insert(&mut self, state: &[u64; W], hash: u64, home: usize) -> bool {
        let mut group = home;
        loop {
            let tags = self.tags[group];
            let mut found = alike(tags, hash);
            while found != 0 {
                if self.states[group * SLOTS + first(found)] == *state {
                    return false;
                }
                found &= found - 1;
            }
            if filled(tags) != HIGH {
                break;
            }
            group += 1;
            if group == self.tags.len() {
                group = 0;
            }
        }
        self.fill(group, state, hash & HASH | NEXT);
        true
    }

    /// Fill the first empty slot of this group, or of one after it.
    #[inline(always)]
    fn fill(&mut self, mut group: usize, state: &[u64; W], tag: u64) {
        loop {
            let empty = !filled(self.tags[group]) & HIGH;
            if empty != 0 {
                let slot = first(empty);
                self.tags[group] |= tag << (8 * slot);
                self.states[group * SLOTS + slot] = *state;
                return;
            }
            group += 1;
            if group == self.tags.len() {
                group = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::memory::words::PAGE;

    /// Return a hash whose values often collide, in the group and in the tag.
    fn poor_hash(state: &[u64; 2]) -> u64 {
        (state[0] % 7) << 49 | (state[1] % 3)
    }

    fn insert(bucket: &mut Bucket<2>, states: &[[u64; 2]]) -> usize {
        let before = bucket.n_new();
        bucket.insert(states, poor_hash);
        bucket.n_new() - before
    }

    fn layer<const W: usize>(bucket: &Bucket<W>) -> Vec<[u64; W]> {
        let mut layer = Vec::new();
        bucket.copy_layer(&mut layer);
        layer.sort_unstable();
        layer
    }

    #[test]
    fn tags_are_compared_as_one_by_one() {
        let mut random = psvn_ir::random::SplitMix64::new(5);
        for _ in 0..10_000 {
            let tags: [u8; 8] = std::array::from_fn(|_| match random.below(3) {
                0 => 0,
                // A few hashes, so that some are alike.
                label => (label as u8 + 1) << 6 | (random.below(3) as u8 * 31),
            });
            let word = u64::from_le_bytes(tags);
            for hash in [0, 31, 62, 63, 1] {
                let bits = |is: &dyn Fn(u8) -> bool| {
                    u64::from_le_bytes(tags.map(|tag| if is(tag) { 0x80 } else { 0 }))
                };
                assert_eq!(filled(word), bits(&|tag| tag >> 6 != 0));
                let is_alike = |tag: u8| tag >> 6 != 0 && u64::from(tag & 63) == hash;
                assert_eq!(alike(word, hash | 0x40), bits(&is_alike), "{tags:?} {hash}");
                assert_eq!(of_layer(word), bits(&|tag| tag >> 6 == 2));
            }
        }
    }

    /// Compare with a map from states to layers: random batches, with a good hash and with a poor
    /// one.
    fn beside_a_map<const W: usize>(hash: impl Fn(&[u64; W]) -> u64 + Copy, forgets: bool) {
        let mut random = psvn_ir::random::SplitMix64::new(W as u64);
        let mut bucket = Bucket::<W>::default();
        let mut reference: BTreeMap<[u64; W], i32> = BTreeMap::new();
        for number in 0..12 {
            let mut new = 0;
            for _ in 0..random.below(20) {
                let n = random.below(100);
                let state = |_| std::array::from_fn(|_| random.below(40 - 2 * W) as u64);
                let states: Vec<[u64; W]> = (0..n).map(state).collect();
                for state in &states {
                    reference.entry(*state).or_insert_with(|| {
                        new += 1;
                        number
                    });
                }
                bucket.insert(&states, hash);
                assert_eq!(bucket.n_new(), new);
                assert_eq!(bucket.n_states(), reference.len());
                let slots = bucket.groups * SLOTS;
                assert!(bucket.n_states() <= slots * FULL / 100);
            }
            bucket.next_layer(forgets);
            if forgets {
                reference.retain(|_, layer| *layer >= number - 1);
            }
            let of_layer = reference.iter().filter(|it| *it.1 == number);
            let expected: Vec<[u64; W]> = of_layer.map(|it| *it.0).collect();
            assert_eq!(layer(&bucket), expected);
            assert_eq!(bucket.n_states(), reference.len());
            if number % 3 == 0 {
                bucket.reserve(random.below(500), hash);
                assert_eq!(layer(&bucket), expected);
            }
        }
    }

    #[test]
    fn states_are_found_as_in_a_map() {
        use psvn_ir::random::mixed;
        for forgets in [false, true] {
            beside_a_map::<1>(|state| mixed(state[0]), forgets);
            beside_a_map::<1>(|state| (state[0] % 5) << 50, forgets);
            beside_a_map::<2>(|state| mixed(state[0] ^ mixed(state[1])), forgets);
            beside_a_map::<2>(poor_hash, forgets);
            beside_a_map::<5>(|state| state[3] << 48, forgets);
        }
    }

    #[test]
    fn a_state_takes_at_most_five_bytes_more_but_for_a_part_of_a_page() {
        fn most<const W: usize>() -> f64 {
            let mut bucket = Bucket::<W>::default();
            let mut most: f64 = 0.0;
            for n in 0..40_000_u64 {
                let mut state = [0; W];
                state[0] = n;
                bucket.insert(&[state], |state| psvn_ir::random::mixed(state[0]));
                if n > 2_000 {
                    let bytes = bucket.bytes() - PAGE;
                    most = most.max(bytes as f64 / (n + 1) as f64 - (8 * W) as f64);
                }
            }
            most
        }
        assert!(most::<1>() < 5.0, "{}", most::<1>());
        assert!(most::<2>() < 5.0, "{}", most::<2>());
        assert!(most::<3>() < 5.0, "{}", most::<3>());
    }

    #[test]
    fn layers_are_kept_for_as_long_as_states_can_come_back() {
        let mut bucket = Bucket::default();
        insert(&mut bucket, &[[0, 0]]);
        bucket.next_layer(true);
        insert(&mut bucket, &[[1, 0]]);
        bucket.next_layer(true);
        // The layer before is still stored.
        assert_eq!(insert(&mut bucket, &[[0, 0], [2, 0], [2, 0]]), 1);
        bucket.next_layer(true);
        assert_eq!(layer(&bucket), [[2, 0]]);
        assert_eq!(insert(&mut bucket, &[[1, 0], [0, 0]]), 1);
        bucket.next_layer(true);
        assert_eq!(layer(&bucket), [[0, 0]]);
    }
}
