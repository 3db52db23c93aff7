//! Canonical rules: the preconditions and effects of a rule, or of a whole sequence of rules.

use std::sync::Arc;

use crate::ids::{Value, VarId};
use crate::rule::term::{Term, TermKind};
use crate::shared::disjoint_sets::DisjointSets;

/// A rule or macro-rule `(p, a, cost)` in the canonical form of Burch & Holte 2011.
///
/// # Canonical form
/// Two constraints make the representation unique: a constant is written where possible, and
/// otherwise the variable with the smallest index that is known to hold the same value. Therefore
/// `p[i] == x_j` with `j != i` implies `p[j] == x_j`, and two rules that apply to the same states
/// with the same effects are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalRule {
    // Shared: the instances of a rule with unbound symbols have the same preconditions, and rules
    // are copied often.
    preconditions: Arc<[Term]>,
    actions: Arc<[Term]>,
    cost: u64,
}

impl CanonicalRule {
    /// Bring a deterministic rule into canonical form.
    ///
    /// `preconditions[i] == x_j` demands that positions `i` and `j` hold the same value, and
    /// `actions[i] == x_j` writes the old value of position `j`; any index is allowed. Takes O(n
    /// α(n)) time for n positions.
    ///
    /// Every position has one term, so preconditions can't contradict each other: a position that
    /// is tied to another adds no constant.
    ///
    /// # Panics
    /// When the vectors differ in length or a variable is out of range.
    pub fn canonicalize(preconditions: &[Term], actions: &[Term], cost: u64) -> Self {
        assert_eq!(preconditions.len(), actions.len());
        let n = preconditions.len();
        let mut classes = DisjointSets::new(n);
        for (i, term) in preconditions.iter().enumerate() {
            if let TermKind::Variable(var) = term.kind() {
                classes.join(i, var.index());
            }
        }
        let mut class_constant: Vec<Option<Value>> = vec![None; n];
        for (i, term) in preconditions.iter().enumerate() {
            if let TermKind::Constant(value) = term.kind() {
                let class = classes.root(i);
                debug_assert!(
                    class_constant[class].is_none(),
                    "one constant for each class"
                );
                class_constant[class] = Some(value);
            }
        }
        let mut resolve = |i: usize| {
            let class = classes.root(i);
            match class_constant[class] {
                Some(value) => Term::constant(value),
                None => Term::variable(VarId::from_index(class)),
            }
        };
        let canonical_preconditions = (0..n).map(&mut resolve).collect();
        let canonical_actions = actions
            .iter()
            .map(|term| match term.kind() {
                TermKind::Constant(_) => *term,
                TermKind::Variable(var) => resolve(var.index()),
            })
            .collect();
        Self {
            preconditions: canonical_preconditions,
            actions: canonical_actions,
            cost,
        }
    }

    /// Wrap vectors that are already canonical.
    ///
    /// Composition keeps the form, so it need not be restored after each step. Debug builds check.
    pub fn from_canonical_parts(
        preconditions: impl Into<Arc<[Term]>>,
        actions: impl Into<Arc<[Term]>>,
        cost: u64,
    ) -> Self {
        let rule = Self {
            preconditions: preconditions.into(),
            actions: actions.into(),
            cost,
        };
        debug_assert_eq!(
            Self::canonicalize(&rule.preconditions, &rule.actions, cost),
            rule
        );
        rule
    }

    /// The rule with the same preconditions and cost, and other actions, which must be canonical.
    pub(crate) fn with_actions(&self, actions: &[Term]) -> Self {
        Self {
            preconditions: Arc::clone(&self.preconditions),
            actions: actions.into(),
            cost: self.cost,
        }
    }

    /// The empty sequence over `n` positions: no preconditions, no effect, cost 0.
    pub fn identity(n: usize) -> Self {
        let terms: Arc<[Term]> = (0..n)
            .map(|i| Term::variable(VarId::from_index(i)))
            .collect();
        Self {
            preconditions: Arc::clone(&terms),
            actions: terms,
            cost: 0,
        }
    }

    /// Return the precondition vector p.
    #[inline]
    pub fn preconditions(&self) -> &[Term] {
        &self.preconditions
    }

    /// Return the action vector a.
    #[inline]
    pub fn actions(&self) -> &[Term] {
        &self.actions
    }

    /// Return the cost; that of a macro-rule is the sum over its rules.
    #[inline]
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Return the number of positions.
    #[inline]
    pub fn n_variables(&self) -> usize {
        self.preconditions.len()
    }

    /// Return whether the rule tests nothing and changes nothing.
    pub fn is_identity(&self) -> bool {
        self.tests().next().is_none() && self.changes().next().is_none()
    }

    /// Return the positions that are tested, with what they are tested for: a constant, or equality
    /// with an earlier position.
    pub fn tests(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.preconditions
            .iter()
            .enumerate()
            .filter(|(i, term)| !term.is_own_variable(*i))
            .map(|(i, term)| (VarId::from_index(i), *term))
    }

    /// Return the positions that may hold another value afterwards, with what they get.
    ///
    /// Includes positions that change in *some* states only (`a[i] = x_j`): all positions where p
    /// and a differ as terms.
    pub fn changes(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.preconditions
            .iter()
            .zip(self.actions.iter())
            .enumerate()
            .filter(|(_, (p, a))| p != a)
            .map(|(i, (_, a))| (VarId::from_index(i), *a))
    }

    /// Return whether `state` satisfies the preconditions.
    pub fn applies_to(&self, state: &[Value]) -> bool {
        self.preconditions
            .iter()
            .zip(state)
            .all(|(term, value)| match term.kind() {
                TermKind::Constant(constant) => *value == constant,
                TermKind::Variable(var) => *value == state[var.index()],
            })
    }

    /// Return the state that the rule leads to, whether or not its preconditions hold.
    pub fn apply(&self, state: &[Value]) -> Box<[Value]> {
        self.actions
            .iter()
            .map(|term| match term.kind() {
                TermKind::Constant(constant) => constant,
                TermKind::Variable(var) => state[var.index()],
            })
            .collect()
    }

    /// Return whether this rule can be used wherever `other` can, and then always leads to the same
    /// state (conditions ii and iii of Burch & Holte 2011, "Move Pruning"; costs are not compared).
    ///
    /// Read as terms, (p, a) of this rule *generalizes* (p, a) of `other`. The canonical form makes
    /// a table of bindings unnecessary: the substitution for `x_j` is `other.preconditions()[j]`.
    pub fn generalizes(&self, other: &Self) -> bool {
        let p = &other.preconditions;
        let fits = |term: Term, counterpart: Term| match term.kind() {
            TermKind::Constant(_) => term == counterpart,
            TermKind::Variable(var) => p[var.index()] == counterpart,
        };
        self.preconditions
            .iter()
            .zip(p.iter())
            .all(|(term, counterpart)| fits(*term, *counterpart))
            && self
                .actions
                .iter()
                .zip(other.actions.iter())
                .all(|(term, c)| fits(*term, *c))
    }

    /// Return whether `other` is redundant with this rule: this one costs no more and generalizes
    /// it.
    pub fn makes_redundant(&self, other: &Self) -> bool {
        self.cost <= other.cost && self.generalizes(other)
    }

    /// Return whether different states always lead to different states: no unknown value is lost.
    pub fn is_one_to_one(&self) -> bool {
        let mut kept = vec![false; self.n_variables()];
        for var in self.actions.iter().filter_map(|term| term.as_variable()) {
            kept[var.index()] = true;
        }
        self.preconditions
            .iter()
            .filter_map(|term| term.as_variable())
            .all(|var| kept[var.index()])
    }

    /// The rule that undoes this one: it applies exactly to the states that this one leads to.
    /// `None` unless [`is_one_to_one`](Self::is_one_to_one). It has the same cost.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.n_variables();
        let mut new_home: Vec<Option<VarId>> = vec![None; n];
        for (i, term) in self.actions.iter().enumerate().rev() {
            if let Some(var) = term.as_variable() {
                new_home[var.index()] = Some(VarId::from_index(i));
            }
        }
        let rename = |term: &Term| match term.kind() {
            TermKind::Constant(_) => Some(*term),
            TermKind::Variable(var) => new_home[var.index()].map(Term::variable),
        };
        let preconditions: Option<Arc<[Term]>> = self.actions.iter().map(rename).collect();
        let actions: Option<Arc<[Term]>> = self.preconditions.iter().map(rename).collect();
        Some(Self {
            preconditions: preconditions?,
            actions: actions?,
            cost: self.cost,
        })
    }

    /// Return the position that each position's value comes from, if the rule only moves values:
    /// it tests nothing, and every value goes to exactly one position. `None` if the rule does
    /// anything else.
    pub fn value_sources(&self) -> Option<Vec<usize>> {
        if self.tests().next().is_some() || !self.is_one_to_one() {
            return None;
        }
        let source = |term: &Term| term.as_variable().map(VarId::index);
        self.actions.iter().map(source).collect()
    }

    /// Return the position that each position's value goes to: the inverse of
    /// [`value_sources`](Self::value_sources), and `None` where that is.
    pub fn value_targets(&self) -> Option<Vec<usize>> {
        let sources = self.value_sources()?;
        let mut targets = vec![0; sources.len()];
        for (to, from) in sources.into_iter().enumerate() {
            targets[from] = to;
        }
        Some(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(value: u32) -> Term {
        Term::constant(Value(value))
    }

    /// `x(1)` is the paper's x1.
    fn x(position: u32) -> Term {
        Term::variable(VarId(position - 1))
    }

    fn rule(p: &[Term], a: &[Term]) -> CanonicalRule {
        CanonicalRule::canonicalize(p, a, 1)
    }

    #[test]
    fn every_way_to_write_a_rule_has_one_canonical_form() {
        let written = rule(&[c(0), c(1), x(3), x(4)], &[c(1), c(0), x(3), x(4)]);
        for other in [
            rule(&[c(0), c(1), x(3), x(4)], &[c(1), x(1), x(3), x(4)]),
            rule(&[c(0), c(1), x(3), x(4)], &[x(2), c(0), x(3), x(4)]),
            rule(&[c(0), c(1), x(3), x(4)], &[x(2), x(1), x(3), x(4)]),
        ] {
            assert_eq!(written, other);
        }
        let equal_pair = rule(&[x(2), x(2), x(2)], &[x(3), x(2), c(0)]);
        assert_eq!(equal_pair, rule(&[x(1), x(1), x(1)], &[x(1), x(1), c(0)]));
        assert_eq!(
            rule(&[c(0), x(1)], &[x(2), x(2)]),
            rule(&[c(0), c(0)], &[c(0), c(0)])
        );
    }

    #[test]
    fn generalization_follows_the_examples_of_the_paper() {
        let swap = rule(&[x(1), x(2), x(3)], &[x(2), x(1), x(3)]);
        let swap_if_first_is_1 = rule(&[c(1), x(2), x(3)], &[x(2), c(1), x(3)]);
        assert!(swap.generalizes(&swap_if_first_is_1));
        assert!(!swap_if_first_is_1.generalizes(&swap));
        let b = rule(&[c(1), c(2), c(1)], &[c(2), c(1), c(1)]);
        assert!(swap.generalizes(&b));
        assert!(!b.generalizes(&swap));
        // The talk's example, slide "Checking Single Operators".
        let r = rule(&[c(0), c(0), c(1), x(4)], &[c(1), c(0), x(4), c(1)]);
        let s = rule(&[x(1), x(1), x(3), x(4)], &[c(1), x(1), x(4), x(3)]);
        assert!(s.generalizes(&r));
    }

    #[test]
    fn only_rules_that_move_each_value_once_have_sources_and_targets() {
        let turn = rule(&[x(1), x(2), x(3), x(4)], &[x(2), x(3), x(1), x(4)]);
        assert_eq!(turn.value_sources(), Some(vec![1, 2, 0, 3]));
        assert_eq!(turn.value_targets(), Some(vec![2, 0, 1, 3]));
        for other in [
            // Tests a constant, tests an equality, writes a constant, copies a value.
            rule(&[c(0), x(2)], &[x(2), c(0)]),
            rule(&[x(1), x(1)], &[x(1), x(1)]),
            rule(&[x(1), x(2)], &[x(2), c(0)]),
            rule(&[x(1), x(2)], &[x(2), x(2)]),
        ] {
            assert_eq!(other.value_sources(), None);
            assert_eq!(other.value_targets(), None);
        }
    }

    #[test]
    fn inverse_undoes() {
        let r = rule(&[c(0), x(2), x(3)], &[x(2), c(0), x(3)]);
        let inverse = r.inverse().expect("one-to-one");
        assert_eq!(inverse, rule(&[x(1), c(0), x(3)], &[c(0), x(1), x(3)]));
        assert_eq!(inverse.inverse().as_ref(), Some(&r));
        assert_eq!(rule(&[x(1), x(2)], &[c(1), x(2)]).inverse(), None);
    }
}
