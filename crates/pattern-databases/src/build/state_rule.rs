//! Rules that are applied to states, variable by variable.

use psvn_ir::{CanonicalRule, TermKind};

/// The new value of a variable.
#[derive(Clone, Copy, Debug)]
enum Write {
    Constant(u32),
    Copy(u32),
}

/// A rule, ready to be applied to states.
#[derive(Clone, Debug, Default)]
pub(super) struct StateRule {
    /// Variables with the values that they must have.
    constants: Vec<(u32, u32)>,
    /// Variables that must be equal.
    equalities: Vec<(u32, u32)>,
    writes: Vec<(u32, Write)>,
}

impl StateRule {
    pub(super) fn of(rule: &CanonicalRule) -> Self {
        let mut prepared = Self::default();
        for (var, term) in rule.tests() {
            match term.kind() {
                TermKind::Constant(value) => prepared.constants.push((var.0, value.0)),
                TermKind::Variable(other) => prepared.equalities.push((var.0, other.0)),
            }
        }
        for (var, term) in rule.changes() {
            let write = match term.kind() {
                TermKind::Constant(value) => Write::Constant(value.0),
                TermKind::Variable(from) => Write::Copy(from.0),
            };
            prepared.writes.push((var.0, write));
        }
        prepared
    }

    #[inline(always)]
    pub(super) fn applies(&self, state: &[u32]) -> bool {
        let mut constants = self.constants.iter();
        let mut equalities = self.equalities.iter();
        constants.all(|(var, value)| state[*var as usize] == *value)
            && equalities.all(|(one, other)| state[*one as usize] == state[*other as usize])
    }

    /// Change `child`, a copy of `state`.
    #[inline(always)]
    pub(super) fn apply(&self, state: &[u32], child: &mut [u32]) {
        for (var, write) in &self.writes {
            child[*var as usize] = match write {
                Write::Constant(value) => *value,
                Write::Copy(from) => state[*from as usize],
            };
        }
    }

    /// Make `child` a copy of `state` again.
    #[inline(always)]
    pub(super) fn undo(&self, state: &[u32], child: &mut [u32]) {
        for (var, _) in &self.writes {
            child[*var as usize] = state[*var as usize];
        }
    }
}
