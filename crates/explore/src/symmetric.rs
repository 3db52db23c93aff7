//! States that are images of each other under symmetries: one of them represents all.
//!
//! A symmetry maps moves to moves, and the exploration's origin to itself. So all images of a state
//! (its *orbit*) have the same distance, and it is enough to visit one of them, the least as
//! packed: the neighbors of the others are images of its neighbors. The size of an orbit is the
//! number of symmetries, divided by the number of those that leave the state unchanged.

use std::iter::zip;

use abstraction::Symmetry;
use psvn_ir::{Game, State, Value, VarId};
use search::PackedStates;

use crate::report::ExploreError;

/// The maximum number of symmetries. Each state is mapped by all of them.
const MOST_SYMMETRIES: usize = 1024;

/// The packed images of states.
pub(crate) struct Images {
    n_words: usize,
    n_symmetries: usize,
    /// The place of each variable's value 0 in the bits of a symmetry, in words; and their end.
    begins: Vec<usize>,
    /// By symmetry, variable, value and word: what the value contributes to the packed image.
    bits: Vec<u64>,
}

impl Images {
    /// Find the symmetries of a game that preserve its goals; with `starts`, those that preserve
    /// these states instead.
    pub(crate) fn new(
        game: &Game,
        starts: Option<&[State]>,
        states: &PackedStates,
    ) -> Result<Self, ExploreError> {
        let with_starts;
        let game = match starts {
            None => game,
            Some(starts) => {
                with_starts = game.with_goal_states(starts);
                &with_starts
            }
        };
        let group = Symmetry::group(game, MOST_SYMMETRIES);
        let group = group.ok_or(ExploreError::TooManySymmetries(MOST_SYMMETRIES))?;
        let n_words = states.n_words();
        let sizes = (0..game.n_variables()).map(|i| game.domain_of(VarId::from_index(i)).size());
        let mut begins = vec![0];
        begins.extend(sizes.scan(0, |end, size| {
            *end += size * n_words;
            Some(*end)
        }));
        let mut bits = Vec::with_capacity(group.len() * begins.last().copied().unwrap_or(0));
        let nothing = vec![Value(0); game.n_variables()];
        for symmetry in &group {
            for (i, domain) in game.variables().iter().enumerate() {
                let to = symmetry.variable(VarId::from_index(i));
                for value in 0..game.domain(*domain).size() {
                    let image = symmetry.value(domain.index(), Value::from_index(value));
                    let mut state = nothing.clone();
                    state[to.index()] = image;
                    // A value of 0 has no bits.
                    bits.extend(states.pack(&State::new(state))?);
                }
            }
        }
        Ok(Self {
            n_words,
            n_symmetries: group.len(),
            begins,
            bits,
        })
    }

    pub(crate) fn n_symmetries(&self) -> usize {
        self.n_symmetries
    }

    /// Write the image of a state under a symmetry.
    #[inline]
    fn write(&self, symmetry: usize, values: &[u32], image: &mut [u64]) {
        let all = self.begins[values.len()];
        let bits = &self.bits[symmetry * all..][..all];
        // The words of a state of usual size stay in registers.
        match self.n_words {
            1 => self.write_words::<1>(bits, values, image),
            2 => self.write_words::<2>(bits, values, image),
            3 => self.write_words::<3>(bits, values, image),
            4 => self.write_words::<4>(bits, values, image),
            n_words => {
                image.fill(0);
                for (value, begin) in zip(values, &self.begins) {
                    let at = begin + *value as usize * n_words;
                    for (word, bits) in zip(&mut *image, &bits[at..][..n_words]) {
                        *word |= bits;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn write_words<const N: usize>(&self, bits: &[u64], values: &[u32], image: &mut [u64]) {
        let mut words = [0; N];
        for (value, begin) in zip(values, &self.begins) {
            let at = begin + *value as usize * N;
            for (word, bits) in zip(&mut words, &bits[at..][..N]) {
                *word |= bits;
            }
        }
        for (to, word) in zip(image, &words) {
            *to = *word;
        }
    }
}

/// Finds the representatives of states, with its own scratch memory: one for each thread.
pub(crate) struct Representative<'e> {
    states: &'e PackedStates,
    images: Option<&'e Images>,
    values: Vec<u32>,
    image: Vec<u64>,
    least: Vec<u64>,
}

impl<'e> Representative<'e> {
    pub(crate) fn new(states: &'e PackedStates, images: Option<&'e Images>) -> Self {
        let n_words = states.n_words();
        Self {
            states,
            images,
            values: vec![0; states.n_variables()],
            image: vec![0; n_words],
            least: vec![0; n_words],
        }
    }

    /// Return the representative of a state; the state itself without symmetries.
    #[inline]
    pub(crate) fn of<'s>(&'s mut self, packed: &'s [u64]) -> &'s [u64] {
        let Some(images) = self.images else {
            return packed;
        };
        self.states.values(packed, &mut self.values);
        // The first symmetry is the identity.
        self.least.copy_from_slice(packed);
        for symmetry in 1..images.n_symmetries {
            images.write(symmetry, &self.values, &mut self.image);
            if self.image < self.least {
                std::mem::swap(&mut self.image, &mut self.least);
            }
        }
        &self.least
    }

    /// Return the number of states that a state represents.
    pub(crate) fn n_images(&mut self, packed: &[u64]) -> u64 {
        let Some(images) = self.images else {
            return 1;
        };
        self.states.values(packed, &mut self.values);
        let mut n_same = 0;
        for symmetry in 0..images.n_symmetries {
            images.write(symmetry, &self.values, &mut self.image);
            n_same += u64::from(self.image == packed);
        }
        images.n_symmetries as u64 / n_same
    }
}
