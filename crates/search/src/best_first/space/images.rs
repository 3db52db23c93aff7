//! Images of packed states under symmetries: one state stands for all of them.

use psvn_ir::{State, Value, VarId};

use crate::best_first::space::Space;
use crate::best_first::space::packed::Field;

/// The maximum number of bits of variables that are read together.
const MOST_BITS: u32 = 8;

/// A map from states of a game to states of the same game: the value of each variable is mapped and
/// becomes the value of a variable, perhaps another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateMap {
    /// For each variable, the variable that gets its value.
    pub variables: Vec<VarId>,
    /// For each variable and value, the value that the other variable gets.
    pub values: Vec<Vec<Value>>,
}

impl StateMap {
    /// Return the image of a state.
    ///
    /// # Panics
    /// If the state belongs to another game than the map.
    pub fn image(&self, state: &State) -> State {
        let mut image = state.values().to_vec();
        for (variable, value) in state.values().iter().enumerate() {
            image[self.variables[variable].index()] = self.values[variable][value.index()];
        }
        State::new(image)
    }
}

/// Finds the representative of a state: the least of its images, as packed.
#[derive(Debug)]
pub(crate) struct Images {
    n_words: usize,
    /// Runs of variables, with the places in `bits` of what their values contribute to the images.
    runs: Vec<(Field, usize)>,
    /// For each value of a run, the bits of all images, one after another.
    bits: Vec<u64>,
    /// The images of the last state.
    images: Vec<u64>,
}

impl Images {
    /// Use the maps that map the start to itself. Return `None` if only the identity does.
    pub(crate) fn new(space: &Space, maps: &[StateMap], start: &State) -> Option<Self> {
        let is_identity = |map: &StateMap| {
            let mut variables = map.variables.iter().enumerate();
            let mut values = map.values.iter();
            variables.all(|(i, to)| i == to.index())
                && values.all(|values| values.iter().enumerate().all(|(i, to)| i == to.index()))
        };
        let maps: Vec<&StateMap> = maps
            .iter()
            .filter(|map| map.image(start) == *start && !is_identity(map))
            .collect();
        if maps.is_empty() {
            return None;
        }
        let n_words = space.packing.n_words();
        let of_value = maps.len() * n_words;
        let (mut runs, mut bits) = (Vec::new(), Vec::new());
        for run in space.packing.runs(MOST_BITS) {
            let begin = bits.len();
            runs.push((run.field, begin));
            bits.resize(begin + run.field.n_values() * of_value, 0);
            space.packing.values_of_run(&run, |number, values| {
                let images = &mut bits[begin + number * of_value..][..of_value];
                for (map, image) in maps.iter().zip(images.chunks_exact_mut(n_words)) {
                    for (variable, value) in values {
                        let to = map.variables[*variable].index();
                        let value = map.values[*variable][*value as usize].0;
                        if let Some(bits) = space.packing.bits_for(to, value) {
                            space.packing.flip(image, to, bits);
                        }
                    }
                }
            });
        }
        Some(Self {
            n_words,
            runs,
            bits,
            images: vec![0; of_value],
        })
    }

    /// Return the representative of a state.
    #[inline]
    pub(crate) fn of<'s>(&'s mut self, state: &'s [u64]) -> &'s [u64] {
        self.images.fill(0);
        let of_value = self.images.len();
        for (field, begin) in &self.runs {
            let at = begin + field.read(state) as usize * of_value;
            let bits = &self.bits[at..at + of_value];
            for (word, bits) in self.images.iter_mut().zip(bits) {
                *word ^= bits;
            }
        }
        let images = self.images.chunks_exact(self.n_words);
        images.fold(state, |least, image| least.min(image))
    }
}
