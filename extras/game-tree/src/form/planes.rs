//! Boards as a few words, each a sum of contributions of the variables' values.
//!
//! A [`Plane`] defines the contribution of each value to a word; the sum is exclusive or. So a move
//! changes a word by exclusive or with a constant, and the same operation takes it back. The rules
//! that may apply, the squares of lines that are taken, and the state itself as the key of a table
//! are all such words.

use std::collections::{BTreeMap, HashMap};

use psvn_ir::Value;
use psvn_ir::random::first_of;

use crate::game::ground::Fact;

/// The contributions of values to one word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Plane {
    /// The word without contributions.
    base: u64,
    contributions: BTreeMap<Fact, u64>,
}

impl Plane {
    /// Make a plane that is always this word.
    pub(crate) fn constant(base: u64) -> Self {
        Self {
            base,
            contributions: BTreeMap::new(),
        }
    }

    /// Add these bits to the contribution of a fact.
    pub(crate) fn add(&mut self, fact: Fact, bits: u64) {
        *self.contributions.entry(fact).or_default() ^= bits;
    }

    fn contribution(&self, fact: Fact) -> u64 {
        self.contributions.get(&fact).copied().unwrap_or_default()
    }

    /// Return the word of a state.
    pub(crate) fn word(&self, state: &[Value]) -> u64 {
        let of = |(var, value): (usize, &Value)| self.contribution((var as u32, value.0));
        state
            .iter()
            .enumerate()
            .map(of)
            .fold(self.base, |a, b| a ^ b)
    }

    /// Return the change of the word by changes of values.
    pub(crate) fn delta(&self, changes: &[(u32, u32, u32)]) -> u64 {
        let of = |(var, old, new): &(u32, u32, u32)| {
            self.contribution((*var, *old)) ^ self.contribution((*var, *new))
        };
        changes.iter().map(of).fold(0, |a, b| a ^ b)
    }
}

/// The planes of a game, without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    planes: Vec<Plane>,
    places: HashMap<Plane, usize, ahash::RandomState>,
}

impl Planes {
    /// Return the place of a plane; add it if it is missing.
    pub(crate) fn place(&mut self, plane: Plane) -> usize {
        let places = &mut self.places;
        let planes = &mut self.planes;
        *places.entry(plane).or_insert_with_key(|plane| {
            planes.push(plane.clone());
            planes.len() - 1
        })
    }

    /// Add a plane after all others, and return its place.
    pub(crate) fn append(&mut self, plane: Plane) -> usize {
        self.planes.push(plane);
        self.planes.len() - 1
    }

    pub(crate) fn all(&self) -> &[Plane] {
        &self.planes
    }
}

/// The layout of a state's values in words, a few bits each.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// For each variable: the word (among those of the packing), the lowest bit, the number of
    /// bits.
    fields: Vec<(usize, u32, u32)>,
    pub(crate) n_words: usize,
}

impl Packing {
    /// Lay out values of these domain sizes in words; no value is split between two of them.
    pub(crate) fn new(sizes: &[usize]) -> Self {
        let (mut n_words, mut used) = (1, 0);
        let fields = sizes
            .iter()
            .map(|size| {
                let width = usize::BITS - (size - 1).leading_zeros();
                if used + width > u64::BITS {
                    n_words += 1;
                    used = 0;
                }
                used += width;
                (n_words - 1, used - width, width)
            })
            .collect();
        Self { fields, n_words }
    }

    /// Return the planes of the packed state.
    pub(crate) fn planes(&self, sizes: &[usize]) -> Vec<Plane> {
        let mut planes = vec![Plane::default(); self.n_words];
        for (var, ((word, low, _), size)) in self.fields.iter().zip(sizes).enumerate() {
            for value in 1..*size as u64 {
                planes[*word].add((var as u32, value as u32), value << low);
            }
        }
        planes
    }

    /// Return the value of a variable, from the packed words.
    pub(crate) fn value(&self, variable: usize, words: impl Fn(usize) -> u64) -> Value {
        let (word, low, width) = self.fields[variable];
        let mask = (1u64 << width) - 1;
        Value(((words(word) >> low) & mask) as u32)
    }
}

/// Return two planes that together distinguish states, except in one case of 2^128: a random number
/// for each fact (Zobrist 1970).
pub(crate) fn zobrist_planes(sizes: &[usize]) -> [Plane; 2] {
    [0u64, 1].map(|seed| {
        let mut plane = Plane::default();
        for (var, size) in sizes.iter().enumerate() {
            for value in 0..*size {
                let place = (seed << 63) ^ ((var as u64) << 24) ^ value as u64;
                plane.add((var as u32, value as u32), first_of(place));
            }
        }
        plane
    })
}
