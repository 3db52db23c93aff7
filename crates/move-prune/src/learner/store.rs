//! The states that words lead to, each stored once.

use std::hash::{BuildHasher, Hasher};

use ahash::RandomState;
use psvn_ir::{CanonicalRule, Term, TermKind, Value, VarId};

/// A slot of the table that holds no state.
const FREE: u32 = u32::MAX;

/// Numbered states, packed into as few bytes for each entry as possible.
///
/// The table is written out: a map of the standard library would have to own its keys, that is,
/// keep the bytes of each state a second time, in a block of its own.
pub(super) struct StateStore {
    n_variables: usize,
    /// One more than the greatest constant: unknowns are numbered from here on.
    n_constants: u32,
    /// The bytes of an entry: 1, 2 or 4.
    width: usize,
    packed: Vec<u8>,
    n_states: usize,
    /// Open addressing: the numbers of states, in slots by hash. The length is a power of two.
    slots: Vec<u32>,
    hasher: RandomState,
    /// A state, packed or unpacked.
    scratch: Vec<u8>,
    unpacked: Vec<Term>,
}

impl StateStore {
    /// Make a store for the states that can be reached from `start`.
    pub(super) fn new(n_variables: usize, rules: &[CanonicalRule], start: &[Term]) -> Self {
        let written = rules.iter().flat_map(CanonicalRule::actions);
        let constants = written.chain(start).filter_map(|term| term.as_constant());
        let n_constants = constants.max().map_or(0, |value| value.0 + 1);
        let width = match n_constants as usize + n_variables {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        Self {
            n_variables,
            n_constants,
            width,
            packed: Vec::new(),
            n_states: 0,
            slots: vec![FREE; 1024],
            // The numbers of states don't depend on the hash.
            hasher: RandomState::with_seed(0),
            scratch: Vec::with_capacity(width * n_variables),
            unpacked: Vec::with_capacity(n_variables),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.packed.capacity() + self.slots.capacity() * size_of::<u32>()
    }

    /// Return the number of a state, and whether it is new. Numbers are consecutive.
    pub(super) fn find_or_insert(&mut self, state: &[Term]) -> (u32, bool) {
        self.pack(state);
        if self.n_states * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot_of(&self.scratch);
        if self.slots[slot] != FREE {
            return (self.slots[slot], false);
        }
        let number = self.n_states as u32;
        self.slots[slot] = number;
        self.packed.extend_from_slice(&self.scratch);
        self.n_states += 1;
        (number, true)
    }

    /// Return a state by its number.
    pub(super) fn get(&mut self, number: u32) -> &[Term] {
        let stride = self.width * self.n_variables;
        let start = number as usize * stride;
        let packed = &self.packed[start..start + stride];
        self.unpacked.clear();
        let n_constants = self.n_constants;
        self.unpacked
            .extend(packed.chunks_exact(self.width).map(|bytes| {
                let mut code = [0; 4];
                code[..bytes.len()].copy_from_slice(bytes);
                let code = u32::from_le_bytes(code);
                match code.checked_sub(n_constants) {
                    None => Term::constant(Value(code)),
                    Some(var) => Term::variable(VarId(var)),
                }
            }));
        &self.unpacked
    }

    fn pack(&mut self, state: &[Term]) {
        self.scratch.clear();
        for term in state {
            let code = match term.kind() {
                TermKind::Constant(value) => value.0,
                TermKind::Variable(var) => self.n_constants + var.0,
            };
            let bytes = code.to_le_bytes();
            self.scratch.extend_from_slice(&bytes[..self.width]);
        }
    }

    /// Return the slot of a packed state, or the free slot for it.
    fn slot_of(&self, packed: &[u8]) -> usize {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(packed);
        let mask = self.slots.len() - 1;
        let mut slot = hasher.finish() as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == FREE {
                return slot;
            }
            let start = number as usize * packed.len();
            if &self.packed[start..start + packed.len()] == packed {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; self.slots.len() * 2];
        let stride = self.width * self.n_variables;
        for number in 0..self.n_states {
            let start = number * stride;
            let slot = self.slot_of(&self.packed[start..start + stride]);
            self.slots[slot] = number as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_whatever_their_width() {
        // The greatest constant decides how many bytes an entry takes.
        for (greatest, width) in [(10, 1), (253, 1), (254, 2), (65_533, 2), (65_534, 4)] {
            let start = [Term::constant(Value(greatest)), Term::variable(VarId(1))];
            let mut store = StateStore::new(2, &[], &start);
            assert_eq!(store.width, width);
            assert_eq!(store.find_or_insert(&start), (0, true));
            // Enough for the table to grow, twice.
            let state = |i: u32| {
                [
                    Term::constant(Value(i % (greatest + 1))),
                    Term::variable(VarId(i % 2)),
                ]
            };
            for round in 0..2 {
                for i in 0..3_000 {
                    let (number, is_new) = store.find_or_insert(&state(i));
                    assert!(round == 0 || !is_new);
                    assert_eq!(store.get(number), state(i));
                }
            }
            let expected = (0..3_000).map(state).chain([start]);
            let distinct: std::collections::HashSet<_> = expected.collect();
            assert_eq!(store.n_states, distinct.len());
        }
    }
}
