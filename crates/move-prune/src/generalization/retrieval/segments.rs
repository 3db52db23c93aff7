//! Lists that grow without moving.
//!
//! A store consists of hundreds of lists that all grow until the end. If such lists double their
//! capacity and move, half of it stays empty, and the memory that they leave is too fragmented to
//! be reused.

use crate::generalization::demands::{Key, KeySpace};
use crate::generalization::pool::Pool;

/// The bits of the place within a segment.
const BITS: u32 = 10;
const LENGTH: usize = 1 << BITS;

/// A list in segments, of which only the first one ever moves.
#[derive(Clone, Debug)]
pub(super) struct Segments<T> {
    segments: Vec<Vec<T>>,
    len: usize,
}

impl<T> Segments<T> {
    pub(super) fn new() -> Self {
        Self {
            segments: Vec::new(),
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        let room: usize = self.segments.iter().map(Vec::capacity).sum();
        room * size_of::<T>() + self.segments.capacity() * size_of::<Vec<T>>()
    }

    #[inline]
    pub(super) fn get(&self, place: u32) -> &T {
        &self.segments[(place >> BITS) as usize][place as usize % LENGTH]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, place: u32) -> &mut T {
        &mut self.segments[(place >> BITS) as usize][place as usize % LENGTH]
    }

    /// Add an item and return its place.
    pub(super) fn push(&mut self, item: T) -> u32 {
        let place = u32::try_from(self.len).expect("there are fewer words");
        if self.len.is_multiple_of(LENGTH) {
            // The first segment grows freely: most games are small.
            let room = if self.len == 0 { 0 } else { LENGTH };
            self.segments.push(Vec::with_capacity(room));
        }
        self.segments[(place >> BITS) as usize].push(item);
        self.len += 1;
        place
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.segments.iter().flatten()
    }
}

/// Demands in segments. Each run of demands lies in one segment.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    space: KeySpace,
    bits: u32,
    segments: Vec<Pool>,
}

impl Runs {
    pub(super) fn new(space: KeySpace) -> Self {
        // Runs are short compared with segments, so that little memory at the ends of segments is
        // wasted.
        let longest = space.most_demands().max(1);
        Self {
            space,
            bits: (longest.ilog2() + 4).max(13),
            segments: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Pool::bytes).sum();
        segments + self.segments.capacity() * size_of::<Pool>()
    }

    fn place(&self, place: u32) -> (&Pool, usize) {
        let within = place & ((1 << self.bits) - 1);
        (
            &self.segments[(place >> self.bits) as usize],
            within as usize,
        )
    }

    /// Add a run and return its place.
    pub(super) fn push(&mut self, keys: &[Key]) -> u32 {
        let length = 1_usize << self.bits;
        let fits = |last: &Pool| last.len() + keys.len() <= length;
        if !self.segments.last().is_some_and(fits) {
            let mut segment = Pool::new(self.space);
            if !self.segments.is_empty() {
                segment.reserve(length);
            }
            self.segments.push(segment);
        }
        let number = self.segments.len() - 1;
        let last = &mut self.segments[number];
        let place = (number << self.bits) + last.len();
        last.push(keys);
        u32::try_from(place).expect("a shard holds fewer than 2^32 demands")
    }

    #[inline]
    pub(super) fn get(&self, place: u32) -> Key {
        let (pool, place) = self.place(place);
        pool.get(place)
    }

    /// Return the demands from a place on.
    #[inline]
    pub(super) fn iter(&self, place: u32, length: u16) -> impl ExactSizeIterator<Item = Key> + '_ {
        let (pool, start) = match length {
            // An empty run may begin where the last segment ends.
            0 => (None, 0),
            _ => {
                let (pool, start) = self.place(place);
                (Some(pool), start)
            }
        };
        (start..start + usize::from(length))
            .map(move |place| pool.map_or(0, |pool| pool.get(place)))
    }

    /// Return whether these demands are stored from a place on.
    #[inline]
    pub(super) fn holds(&self, place: u32, keys: &[Key]) -> bool {
        if keys.is_empty() {
            return true;
        }
        let (pool, start) = self.place(place);
        pool.holds(start, keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_runs_come_back() {
        let mut items = Segments::new();
        for i in 0..3000_u32 {
            assert_eq!(items.push(i), i);
        }
        *items.get_mut(2047) = 7;
        assert_eq!((*items.get(2047), *items.get(2048)), (7, 2048));
        assert_eq!((items.iter().count(), items.len()), (3000, 3000));

        let mut runs = Runs::new(KeySpace::new(4, 100).unwrap());
        let run = |i: u32| (0..i % 9).map(|k| i % 800 + k).collect::<Vec<Key>>();
        let places: Vec<u32> = (0..9000).map(|i| runs.push(&run(i))).collect();
        for (i, place) in (0..).zip(places) {
            let expected = run(i);
            assert!(runs.holds(place, &expected));
            let found = runs.iter(place, expected.len() as u16);
            assert!(found.eq(expected.iter().copied()));
            if let Some(first) = expected.first() {
                assert_eq!(runs.get(place), *first);
                assert!(!runs.holds(place, &[first + 1]));
            }
        }
        assert!(runs.segments.len() > 3);
    }
}
