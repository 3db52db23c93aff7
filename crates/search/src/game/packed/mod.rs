//! Packed states: states in a form that fits registers.
//!
//! A game gets the narrowest packed state that can hold its states and express its rules:
//!
//! - [`Bytes`]: one byte for each variable. A rule is one *shuffle*: each byte of the child is
//!   some byte of the parent. A constant that a rule writes is copied too: from a position that the
//!   rule has tested for the constant, or from a spare byte after the variables that always holds
//!   it.
//! - [`Bits`]: a few bits for each variable. Suits games whose rules write and test nothing but
//!   constants: a rule keeps the bits of a mask and sets others.
//!
//! The effect of a rule is a [`Change`] of two operands of the packed state's width: the shuffle
//! (and once more its first lane, in another form), or the bits to keep and the bits to set.
//! Changes compose: a macro-rule costs as much as a rule.

mod bits;
mod bytes;

use bytemuck::Pod;
use psvn_ir::{CanonicalRule, Game, Value, VarId};

use crate::game::branches::Branch;

pub(crate) use bits::{Bits, BitsForm};
pub(crate) use bytes::{Bytes, BytesForm};

/// The effect of a rule or macro-rule on a packed state, in the form's own terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Change<R> {
    pub(crate) first: R,
    pub(crate) second: R,
}

/// A comparison of a packed state with constants: it must equal `value` where `mask` has ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Test<R> {
    pub(crate) mask: R,
    pub(crate) value: R,
}

/// Where a variable is in a packed state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The byte or word.
    pub(crate) index: u16,
    /// The bits of a word.
    pub(crate) shift: u16,
    /// The bits of a word, shifted down.
    pub(crate) mask: u32,
}

/// Packed states whose variables can be read one by one.
pub(crate) trait Read: Pod {
    /// Return the value at a place.
    fn read(&self, place: Place) -> u32;

    /// Return the byte with a number, modulo the size of the packed state (a power of two).
    #[inline(always)]
    fn read_byte(&self, number: usize) -> u32 {
        u32::from(bytemuck::bytes_of(self)[number & (size_of::<Self>() - 1)])
    }
}

/// A buffer for the values of a state, large enough for any packed state.
pub(crate) type Cells = [u8; 256];

/// How the states of one game are packed.
pub(crate) trait Form: Sized + Send + Sync {
    /// The packed state.
    type Packed: Read + Eq + std::hash::Hash + Send + Sync + std::fmt::Debug;

    /// Return the form for a game; `None` if it doesn't fit.
    fn new(game: &Game, branches: &[Branch]) -> Option<Self>;

    /// Return the packed state of a state.
    fn pack(&self, state: &[Value]) -> Self::Packed;

    /// Return where a variable is.
    fn place(&self, var: VarId) -> Place;

    /// Return the effect of a rule.
    fn change(&self, rule: &CanonicalRule) -> Change<Self::Packed>;

    /// Return the values of a state, one by one; the buffer holds them if the packed state doesn't
    /// store them like that.
    fn cells<'r>(&self, packed: &'r Self::Packed, buffer: &'r mut Cells) -> &'r [u8];

    /// Return the test of these variables against constants.
    fn test(&self, constants: &[(VarId, Value)]) -> Test<Self::Packed>;

    /// Return a change that leaves a packed state unchanged exactly if these pairs of variables
    /// have equal values.
    fn equality(&self, pairs: &[(VarId, VarId)]) -> Change<Self::Packed>;

    /// Return the change that makes `one`, then `then`.
    fn compose(one: &Change<Self::Packed>, then: &Change<Self::Packed>) -> Change<Self::Packed>;
}
