//! Conditions under which one rule can replace another.

use crate::ids::{Value, VarId};
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::{Term, TermKind};
use crate::shared::disjoint_sets::DisjointSets;

/// A condition on a state: a position holds a constant, or the value of an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Equation {
    /// The position.
    pub position: VarId,
    /// A constant, or the unknown of a position with a smaller index.
    pub term: Term,
}

impl Equation {
    /// Return whether it holds in a state.
    pub fn holds_in(&self, state: &[Value]) -> bool {
        let value = match self.term.kind() {
            TermKind::Constant(value) => value,
            TermKind::Variable(var) => state[var.index()],
        };
        state[self.position.index()] == value
    }
}

impl CanonicalRule {
    /// Return the weakest conditions, beside the preconditions of `other`, under which this rule
    /// can be used wherever `other` can and leads to the same state. Empty exactly if this rule
    /// [generalizes](Self::generalizes) `other`. Sorted by position.
    ///
    /// `None` if no state satisfies them: two different constants would have to be equal.
    pub fn equations_to_generalize(&self, other: &Self) -> Option<Vec<Equation>> {
        let n = self.n_variables();
        let known = other.preconditions();
        let mut classes = DisjointSets::new(n);
        let mut constants: Vec<Option<Value>> = vec![None; n];
        let mut equate = |left: Term, right: Term| -> bool {
            let mut side = |term: Term| match term.kind() {
                TermKind::Constant(value) => (None, Some(value)),
                TermKind::Variable(var) => {
                    let root = classes.root(var.index());
                    (Some(root), constants[root])
                }
            };
            let ((left, left_value), (right, right_value)) = (side(left), side(right));
            if let (Some(a), Some(b)) = (left_value, right_value)
                && a != b
            {
                return false;
            }
            let value = left_value.or(right_value);
            if let (Some(left), Some(right)) = (left, right) {
                classes.join(left, right);
            }
            if let Some(var) = left.or(right) {
                constants[classes.root(var)] = value;
            }
            true
        };
        let instance = |term: Term| match term.kind() {
            TermKind::Constant(_) => term,
            TermKind::Variable(var) => known[var.index()],
        };
        let tests = self.preconditions().iter().zip(known);
        let effects = self.actions().iter().zip(other.actions());
        for (mine, theirs) in tests.chain(effects) {
            if !equate(instance(*mine), *theirs) {
                return None;
            }
        }
        let mut equations = Vec::new();
        for (position, term) in known.iter().enumerate() {
            if !term.is_own_variable(position) {
                continue;
            }
            let root = classes.root(position);
            let term = match constants[root] {
                Some(value) => Term::constant(value),
                None if root == position => continue,
                None => Term::variable(VarId::from_index(root)),
            };
            equations.push(Equation {
                position: VarId::from_index(position),
                term,
            });
        }
        Some(equations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::State;

    fn constant(value: u32) -> Term {
        Term::constant(Value(value))
    }

    fn unknown(position: u32) -> Term {
        Term::variable(VarId(position))
    }

    fn rule(preconditions: &[Term], actions: &[Term]) -> CanonicalRule {
        CanonicalRule::canonicalize(preconditions, actions, 1)
    }

    #[test]
    fn a_test_that_is_left_and_effects_that_differ_are_named() {
        // <x1 x2 x3> -> <x1 x2 x2> can replace <0 x2 x3> -> <x3 x2 0> if x3 = 0 and x2 = 0.
        let other = rule(
            &[constant(0), unknown(1), unknown(2)],
            &[unknown(2), unknown(1), constant(0)],
        );
        let mine = rule(
            &[unknown(0), unknown(1), unknown(2)],
            &[unknown(0), unknown(1), unknown(1)],
        );
        let equations = mine.equations_to_generalize(&other).expect("a state");
        let expected = [1, 2].map(|position| Equation {
            position: VarId(position),
            term: constant(0),
        });
        assert_eq!(equations, expected);
        let state = State::new([0, 0, 0].map(Value));
        assert!(equations.iter().all(|it| it.holds_in(state.values())));

        let swap = rule(
            &[unknown(0), unknown(1), unknown(2)],
            &[unknown(1), unknown(0), unknown(2)],
        );
        let stay = CanonicalRule::identity(3);
        let equation = Equation {
            position: VarId(1),
            term: unknown(0),
        };
        assert_eq!(stay.equations_to_generalize(&swap), Some(vec![equation]));
    }

    #[test]
    fn different_constants_never_agree() {
        let [to_0, to_1] = [0, 1].map(|value| rule(&[unknown(0)], &[constant(value)]));
        assert_eq!(to_0.equations_to_generalize(&to_1), None);
        assert_eq!(to_1.equations_to_generalize(&to_1), Some(Vec::new()));
    }
}
