//! A few bits for each variable.

use std::array;

use bytemuck::{Pod, Zeroable};
use psvn_ir::{CanonicalRule, Game, Value, VarId};

use crate::game::branches::Branch;

use super::{Cells, Change, Form, Place, Read, Test};

/// `W` words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Bits<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Read for Bits<W> {
    #[inline(always)]
    fn read(&self, place: Place) -> u32 {
        (self.0[place.index as usize & (W - 1)] >> (place.shift & 63)) as u32 & place.mask
    }

    #[inline(always)]
    fn read_byte(&self, number: usize) -> u32 {
        (self.0[(number / 8) & (W - 1)] >> (8 * (number % 8))) as u32 & 255
    }
}

/// The bits of one variable: none when its domain has one value.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    /// As many ones as the field has bits.
    ones: u64,
}

/// The maximum number of variables of a game in this form.
const MAX_VARIABLES: usize = size_of::<Cells>();

/// Variables in order, each in as many bits as its domain needs, none across two words.
pub(crate) struct BitsForm<const W: usize> {
    fields: Vec<Field>,
}

impl<const W: usize> BitsForm<W> {
    fn put(&self, packed: &mut [u64; W], var: VarId, bits: u64) {
        let field = self.fields[var.index()];
        packed[field.word] =
            packed[field.word] & !(field.ones << field.shift) | bits << field.shift;
    }
}

impl<const W: usize> Form for BitsForm<W> {
    type Packed = Bits<W>;

    fn new(game: &Game, branches: &[Branch]) -> Option<Self> {
        let rules = branches.iter().map(|branch| &branch.canonical);
        let mut demands = rules
            .clone()
            .flat_map(CanonicalRule::tests)
            .chain(rules.flat_map(CanonicalRule::changes));
        let too_large = |domain: &psvn_ir::Domain| domain.size() > 256;
        if game.n_variables() > MAX_VARIABLES
            || game.domains().iter().any(too_large)
            || demands.any(|(_, term)| term.as_constant().is_none())
        {
            return None;
        }
        let (mut word, mut shift) = (0, 0);
        let mut fields = Vec::with_capacity(game.n_variables());
        for var in 0..game.n_variables() {
            let size = game.domain_of(VarId::from_index(var)).size() as u64;
            let n_bits = size
                .saturating_sub(1)
                .checked_ilog2()
                .map_or(0, |bits| bits + 1);
            if shift + n_bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            if word == W {
                return None;
            }
            fields.push(Field {
                word,
                // A field without bits may come after the last one.
                shift: shift.min(u64::BITS - 1),
                ones: (1 << n_bits) - 1,
            });
            shift += n_bits;
        }
        Some(Self { fields })
    }

    fn pack(&self, state: &[Value]) -> Bits<W> {
        let mut packed = [0; W];
        for (var, value) in state.iter().enumerate() {
            self.put(&mut packed, VarId::from_index(var), u64::from(value.0));
        }
        Bits(packed)
    }

    fn place(&self, var: VarId) -> Place {
        let field = self.fields[var.index()];
        Place {
            index: field.word as u16,
            shift: field.shift as u16,
            mask: field.ones as u32,
        }
    }

    fn change(&self, rule: &CanonicalRule) -> Change<Bits<W>> {
        let (mut keep, mut set) = ([!0; W], [0; W]);
        for (var, term) in rule.changes() {
            let value = term.as_constant().expect("this form takes constants only");
            self.put(&mut keep, var, 0);
            self.put(&mut set, var, u64::from(value.0));
        }
        Change {
            first: Bits(keep),
            second: Bits(set),
        }
    }

    #[inline(always)]
    fn cells<'r>(&self, packed: &'r Bits<W>, buffer: &'r mut Cells) -> &'r [u8] {
        for (cell, field) in buffer.iter_mut().zip(&self.fields) {
            *cell = (packed.0[field.word] >> field.shift & field.ones) as u8;
        }
        &buffer[..self.fields.len()]
    }

    fn test(&self, constants: &[(VarId, Value)]) -> Test<Bits<W>> {
        let (mut mask, mut value) = ([0; W], [0; W]);
        for (var, constant) in constants {
            self.put(&mut mask, *var, self.fields[var.index()].ones);
            self.put(&mut value, *var, u64::from(constant.0));
        }
        Test {
            mask: Bits(mask),
            value: Bits(value),
        }
    }

    fn equality(&self, pairs: &[(VarId, VarId)]) -> Change<Bits<W>> {
        assert!(pairs.is_empty(), "this form takes constants only");
        Change {
            first: Bits([!0; W]),
            second: Bits([0; W]),
        }
    }

    fn compose(one: &Change<Bits<W>>, then: &Change<Bits<W>>) -> Change<Bits<W>> {
        let (first, second) = (&then.first.0, &then.second.0);
        Change {
            first: Bits(array::from_fn(|i| one.first.0[i] & first[i])),
            second: Bits(array::from_fn(|i| one.second.0[i] & first[i] | second[i])),
        }
    }
}
