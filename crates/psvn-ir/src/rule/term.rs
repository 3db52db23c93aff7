//! Terms: the entries of precondition and action vectors.

use std::fmt;

use crate::ids::{Value, VarId};

/// A constant, or the unknown value `x_j` that position `j` holds when the rule is applied
/// (Burch & Holte 2011, "State and Rule Representation").
///
/// Packed into 32 bits, since the inner loops of the analysis compare and copy vectors of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A [`Term`], unpacked for matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// The value.
    Constant(Value),
    /// The value that the position holds before the rule is applied.
    Variable(VarId),
}

const VARIABLE_BIT: u32 = 1 << 31;

impl Term {
    /// The constant `value`.
    #[inline]
    pub fn constant(value: Value) -> Self {
        debug_assert!(value.0 < VARIABLE_BIT);
        Self(value.0)
    }

    /// The unknown value of position `var`.
    #[inline]
    pub fn variable(var: VarId) -> Self {
        debug_assert!(var.0 < VARIABLE_BIT);
        Self(var.0 | VARIABLE_BIT)
    }

    /// Which of the two it is.
    #[inline]
    pub fn kind(self) -> TermKind {
        if self.is_constant() {
            TermKind::Constant(Value(self.0))
        } else {
            TermKind::Variable(VarId(self.0 & !VARIABLE_BIT))
        }
    }

    /// Return whether it is a constant.
    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 & VARIABLE_BIT == 0
    }

    /// Return the constant, if it is one.
    #[inline]
    pub fn as_constant(self) -> Option<Value> {
        match self.kind() {
            TermKind::Constant(value) => Some(value),
            TermKind::Variable(_) => None,
        }
    }

    /// Return the position whose value it stands for, if it is unknown.
    #[inline]
    pub fn as_variable(self) -> Option<VarId> {
        match self.kind() {
            TermKind::Constant(_) => None,
            TermKind::Variable(var) => Some(var),
        }
    }

    /// Return whether it is the unknown value of `position` itself.
    #[inline]
    pub fn is_own_variable(self, position: usize) -> bool {
        self.0 == position as u32 | VARIABLE_BIT
    }

    /// Return the packed form: an unsigned number whose order puts constants before variables.
    #[inline]
    pub fn to_bits(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TermKind::Constant(value) => write!(f, "{}", value.0),
            TermKind::Variable(var) => write!(f, "x{}", var.0 + 1),
        }
    }
}
