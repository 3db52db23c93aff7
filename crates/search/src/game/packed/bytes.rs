//! One byte for each variable.

use std::array;

use bytemuck::{Pod, Zeroable};
use psvn_ir::{CanonicalRule, Game, TermKind, Value, VarId};

use crate::game::branches::Branch;

use super::{Cells, Change, Form, Place, Read, Test};

/// `N` bytes: a power of two, at most 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Bytes<const N: usize>(pub(crate) [u8; N]);

impl<const N: usize> Read for Bytes<N> {
    #[inline(always)]
    fn read(&self, place: Place) -> u32 {
        u32::from(self.0[place.index as usize & (N - 1)])
    }
}

/// The variables in order, then the constants that some rule needs, then zeros.
pub(crate) struct BytesForm<const N: usize> {
    n_variables: usize,
    /// The constants behind the variables.
    pool: Vec<u8>,
}

/// Return a position from which a constant that a rule writes can be copied.
fn tested_for(rule: &CanonicalRule, value: Value) -> Option<usize> {
    rule.preconditions()
        .iter()
        .position(|term| term.as_constant() == Some(value))
}

impl<const N: usize> BytesForm<N> {
    fn identity_bytes() -> [u8; N] {
        array::from_fn(|i| i as u8)
    }
}

impl<const N: usize> Change<Bytes<N>> {
    /// Return the change that picks these bytes.
    pub(crate) fn by_shuffle(shuffle: [u8; N]) -> Self {
        Self {
            first: Bytes(shuffle),
            second: Bytes(first_lane(&shuffle)),
        }
    }
}

/// Return a shuffle's share in the first lane of a child, by lane of the parent.
///
/// A lane has 16 bytes. Byte `16 * lane + i` has the place, within that lane of the parent, of the
/// byte that becomes byte `i` of the child; [`OTHER_LANE`] if it is in another lane. Of a state of
/// one lane that is the shuffle itself.
fn first_lane<const N: usize>(shuffle: &[u8; N]) -> [u8; N] {
    if N <= LANE {
        return *shuffle;
    }
    array::from_fn(|at| {
        let from = usize::from(shuffle[at % LANE]);
        if from / LANE == at / LANE {
            (from % LANE) as u8
        } else {
            OTHER_LANE
        }
    })
}

/// The bytes that one instruction shuffles.
const LANE: usize = 16;

/// The shuffle index that gives a zero.
const OTHER_LANE: u8 = 0x80;

impl<const N: usize> Form for BytesForm<N> {
    type Packed = Bytes<N>;

    fn new(game: &Game, branches: &[Branch]) -> Option<Self> {
        let n_variables = game.n_variables();
        if n_variables > N || game.domains().iter().any(|domain| domain.size() > 256) {
            return None;
        }
        let mut pool: Vec<u8> = Vec::new();
        for branch in branches {
            let rule = &branch.canonical;
            let written = rule.changes().filter_map(|(_, term)| term.as_constant());
            for value in written.filter(|value| tested_for(rule, *value).is_none()) {
                let byte = value.0 as u8;
                if !pool.contains(&byte) {
                    pool.push(byte);
                }
            }
            if n_variables + pool.len() > N {
                return None;
            }
        }
        Some(Self { n_variables, pool })
    }

    fn pack(&self, state: &[Value]) -> Bytes<N> {
        let mut packed = [0; N];
        let values = state.iter().map(|value| value.0 as u8);
        for (byte, value) in packed
            .iter_mut()
            .zip(values.chain(self.pool.iter().copied()))
        {
            *byte = value;
        }
        Bytes(packed)
    }

    fn place(&self, var: VarId) -> Place {
        Place {
            index: var.0 as u16,
            ..Place::default()
        }
    }

    fn change(&self, rule: &CanonicalRule) -> Change<Bytes<N>> {
        let mut shuffle = Self::identity_bytes();
        for (var, term) in rule.changes() {
            let from = match term.kind() {
                TermKind::Variable(from) => from.index(),
                TermKind::Constant(value) => tested_for(rule, value).unwrap_or_else(|| {
                    let pooled = self
                        .pool
                        .iter()
                        .position(|byte| u32::from(*byte) == value.0);
                    self.n_variables + pooled.expect("the pool has every constant that is needed")
                }),
            };
            shuffle[var.index()] = from as u8;
        }
        Change::by_shuffle(shuffle)
    }

    #[inline(always)]
    fn cells<'r>(&self, packed: &'r Bytes<N>, _buffer: &'r mut Cells) -> &'r [u8] {
        &packed.0[..self.n_variables]
    }

    fn test(&self, constants: &[(VarId, Value)]) -> Test<Bytes<N>> {
        let (mut mask, mut value) = ([0; N], [0; N]);
        for (var, constant) in constants {
            (mask[var.index()], value[var.index()]) = (0xFF, constant.0 as u8);
        }
        Test {
            mask: Bytes(mask),
            value: Bytes(value),
        }
    }

    fn equality(&self, pairs: &[(VarId, VarId)]) -> Change<Bytes<N>> {
        let mut shuffle = Self::identity_bytes();
        for (var, other) in pairs {
            shuffle[var.index()] = other.index() as u8;
        }
        Change::by_shuffle(shuffle)
    }

    fn compose(one: &Change<Bytes<N>>, then: &Change<Bytes<N>>) -> Change<Bytes<N>> {
        Change::by_shuffle(array::from_fn(|i| {
            // The mask shows the compiler that no index is out of range; N is a power of two.
            one.first.0[usize::from(then.first.0[i]) & (N - 1)]
        }))
    }
}
