//! Values that a variable never has where a rule applies.

use ahash::AHashSet;
use psvn_ir::{Game, Term, Value, VarId};

use super::partial_states::Known;
use crate::game::branches::Branch;

/// The maximum number of rules that are examined.
const MAX_RULES: usize = 1 << 10;

/// The maximum number of values of a variable that is examined.
const MAX_VALUES: usize = 32;

/// Values of variables that rules copy, each with the number of the rule: no possible state to
/// which the rule applies has the value there. A tile that moves is not the blank, say.
#[derive(Debug, Default)]
pub(crate) struct Impossible(AHashSet<(u32, VarId, Value)>);

impl Impossible {
    /// Find the values in a game of few rules with few values.
    pub(super) fn new(game: &Game, branches: &[Branch], known: &Known) -> Self {
        let mut impossible = AHashSet::new();
        if branches.len() > MAX_RULES {
            return Self::default();
        }
        for (number, branch) in (0..).zip(branches) {
            let preconditions = branch.canonical.preconditions();
            let mut vars: Vec<VarId> = branch
                .canonical
                .changes()
                .flat_map(|(var, action)| [action, preconditions[var.index()]])
                .filter_map(Term::as_variable)
                .collect();
            vars.sort_unstable();
            vars.dedup();
            for var in vars {
                let size = game.domain_of(var).size();
                if size > MAX_VALUES {
                    continue;
                }
                let mut terms = preconditions.to_vec();
                for value in (0..size as u32).map(Value) {
                    for (i, term) in preconditions.iter().enumerate() {
                        if term.as_variable() == Some(var) {
                            terms[i] = Term::constant(value);
                        }
                    }
                    if !known(&terms) {
                        impossible.insert((number, var, value));
                    }
                }
            }
        }
        Self(impossible)
    }

    /// Return whether a variable may have a value where a rule applies.
    pub(crate) fn allows(&self, branch: u32, var: VarId, value: Value) -> bool {
        !self.0.contains(&(branch, var, value))
    }
}
