//! Composition without allocation, for callers that compose millions of sequences.

use psvn_ir::{Term, TermKind, VarId};

use crate::MacroRule;
use crate::subcase::{Conflict, Update, decide};

/// A rule in the form that composition needs: only the positions that it tests or changes.
#[derive(Clone, Debug)]
pub struct PreparedRule {
    tests: Box<[(VarId, Term)]>,
    changes: Box<[(VarId, Term)]>,
    cost: u64,
    n_variables: usize,
}

impl PreparedRule {
    /// Prepare a rule.
    pub fn new(rule: &MacroRule) -> Self {
        Self {
            tests: rule.tests().collect(),
            changes: rule.changes().collect(),
            cost: rule.cost(),
            n_variables: rule.n_variables(),
        }
    }

    /// Return the positions that are tested, each with the term that it must match.
    pub fn tests(&self) -> &[(VarId, Term)] {
        &self.tests
    }

    /// Return the positions that are changed, each with the term that it gets.
    pub fn changes(&self) -> &[(VarId, Term)] {
        &self.changes
    }

    /// Return the rule's cost.
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

/// Holds the macro-rule of a sequence and appends rules to it.
///
/// Appending takes O(t n) time for a rule with t tests over n positions, and O(t + c) if no unknown
/// is replaced and c positions change.
#[derive(Clone, Debug)]
pub struct Composer {
    preconditions: Vec<Term>,
    actions: Vec<Term>,
    /// Exact: a sequence has fewer than 2^64 rules.
    cost: u128,
    /// The new actions of the changed positions, before they are written.
    scratch: Vec<Term>,
}

impl Composer {
    /// Make a composer that holds the empty sequence over `n_variables` positions.
    pub fn new(n_variables: usize) -> Self {
        let terms: Vec<Term> = (0..n_variables)
            .map(|i| Term::variable(VarId::from_index(i)))
            .collect();
        Self {
            preconditions: terms.clone(),
            actions: terms,
            cost: 0,
            scratch: Vec::new(),
        }
    }

    /// Start again from a macro-rule.
    pub fn load(&mut self, rule: &MacroRule) {
        self.load_parts(rule.preconditions(), rule.actions(), rule.cost());
    }

    /// Start again from the parts of a macro-rule, which must be canonical.
    ///
    /// # Panics
    /// If their length is not that of the composer.
    #[inline]
    pub fn load_parts(&mut self, preconditions: &[Term], actions: &[Term], cost: u64) {
        self.preconditions.copy_from_slice(preconditions);
        self.actions.copy_from_slice(actions);
        self.cost = cost.into();
    }

    /// Append a rule.
    ///
    /// # Errors
    /// The rule can never follow. The composer is then invalid and must be loaded again.
    ///
    /// # Panics
    /// If the rule has another number of positions.
    #[inline]
    pub fn append(&mut self, rule: &PreparedRule) -> Result<(), Conflict> {
        assert_eq!(rule.n_variables, self.actions.len());
        for (position, wanted) in &rule.tests {
            let (_, update) = decide(&self.actions, *position, *wanted)?;
            self.apply_update(update);
        }
        self.apply_changes(rule);
        Ok(())
    }

    #[inline]
    pub(crate) fn apply_update(&mut self, update: Update) {
        if let Update::Replace { unknown, by } = update {
            let unknown = Term::variable(unknown);
            for term in self.preconditions.iter_mut().chain(&mut self.actions) {
                if *term == unknown {
                    *term = by;
                }
            }
        }
    }

    /// The last step of the paper's algorithm: apply the rule's actions to those of the sequence so
    /// far.
    #[inline]
    pub(crate) fn apply_changes(&mut self, rule: &PreparedRule) {
        self.scratch.clear();
        self.scratch
            .extend(rule.changes.iter().map(|(_, new)| match new.kind() {
                TermKind::Constant(_) => *new,
                TermKind::Variable(var) => self.actions[var.index()],
            }));
        for ((position, _), new) in rule.changes.iter().zip(&self.scratch) {
            self.actions[position.index()] = *new;
        }
        self.cost += u128::from(rule.cost);
    }

    /// Return the preconditions of the sequence.
    #[inline]
    pub fn preconditions(&self) -> &[Term] {
        &self.preconditions
    }

    /// Return the actions of the sequence.
    #[inline]
    pub fn actions(&self) -> &[Term] {
        &self.actions
    }

    /// Return the cost of the sequence: the sum of the costs of its rules.
    #[inline]
    pub fn cost(&self) -> u128 {
        self.cost
    }

    /// Return the macro-rule of the sequence.
    ///
    /// # Panics
    /// When the sequence costs 2^64 or more. Rules of games cost less than 2^32 each.
    pub fn to_macro_rule(&self) -> MacroRule {
        MacroRule::from_canonical_parts(
            self.preconditions.as_slice(),
            self.actions.as_slice(),
            u64::try_from(self.cost).expect("a macro-rule costs less than 2^64"),
        )
    }
}
