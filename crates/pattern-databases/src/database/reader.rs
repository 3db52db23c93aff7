//! The reader of abstract states in concrete ones.

use abstraction::{AbstractGame, Symmetry};
use psvn_ir::{Game, Value, VarId};

/// The reader of the abstract state in a concrete one.
#[derive(Clone, Debug)]
pub(crate) struct StateReader {
    /// By abstract variable: its concrete variable.
    pub(crate) variables: Vec<u32>,
    /// By abstract variable: the number of its map of values.
    maps: Vec<u32>,
    /// By domain: the abstract value of each value.
    values: Vec<Vec<u32>>,
}

impl StateReader {
    pub(super) fn new(game: &Game, abstract_game: &AbstractGame) -> Self {
        let mut values = vec![Vec::new(); game.domains().len()];
        let mut maps = Vec::new();
        for (i, var) in abstract_game.variables().iter().enumerate() {
            let domain = game.variables()[var.index()].index();
            maps.push(domain as u32);
            if values[domain].is_empty() {
                let images = abstract_game.values(VarId::from_index(i));
                values[domain] = images.iter().map(|value| value.0).collect();
            }
        }
        Self {
            variables: abstract_game.variables().iter().map(|var| var.0).collect(),
            maps,
            values,
        }
    }

    /// Return the abstract value of an abstract variable.
    #[inline(always)]
    pub(crate) fn value(&self, var: usize, concrete: impl Fn(usize) -> usize) -> u32 {
        let map = &self.values[self.maps[var] as usize];
        map[concrete(self.variables[var] as usize)]
    }

    /// Return the reader of the images of states under a symmetry.
    pub(super) fn mirrored(&self, game: &Game, symmetry: &Symmetry) -> Self {
        let mut from = vec![0; game.n_variables()];
        for var in (0..game.n_variables()).map(VarId::from_index) {
            from[symmetry.variable(var).index()] = var.0;
        }
        let variables = self.variables.iter().map(|var| from[*var as usize]);
        let values = self.values.iter().enumerate().map(|(domain, images)| {
            let values = (0..images.len()).map(Value::from_index);
            let image = |value| images[symmetry.value(domain, value).index()];
            values.map(image).collect()
        });
        Self {
            variables: variables.collect(),
            maps: self.maps.clone(),
            values: values.collect(),
        }
    }

    /// Return, by domain, the abstract value of each value; empty where no variable has the domain.
    pub(crate) fn values(&self) -> &[Vec<u32>] {
        &self.values
    }

    /// Return the concrete variable of an abstract one.
    pub(super) fn variable(&self, var: usize) -> VarId {
        VarId(self.variables[var])
    }

    /// Return the abstract value of each concrete one, at an abstract variable.
    pub(super) fn values_of(&self, var: usize) -> &[u32] {
        &self.values[self.maps[var] as usize]
    }

    /// Return the abstract value of a concrete one, at an abstract variable.
    pub(crate) fn abstract_value(&self, var: usize, value: usize) -> u32 {
        self.values[self.maps[var] as usize][value]
    }
}
