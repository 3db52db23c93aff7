//! A task as its file describes it.

use psvn_syntax::Span;

/// A planning task in SAS+.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Whether the costs of operators count; otherwise each costs 1.
    pub uses_costs: bool,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Sets of facts of which at most one holds.
    pub mutexes: Vec<MutexGroup>,
    /// The initial value of each variable; for a derived variable, its default.
    pub state: Vec<usize>,
    /// The facts that must hold in the end.
    pub goal: Vec<Fact>,
    /// The operators.
    pub operators: Vec<Operator>,
    /// How derived variables get their values.
    pub axioms: Vec<Axiom>,
    /// The place of the goal in its file.
    pub goal_span: Span,
}

/// A variable with a finite domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, such as `var0`.
    pub name: String,
    /// The layer of axioms that derive it; `None` for a variable that operators change.
    pub layer: Option<u32>,
    /// The meaning of each of its values.
    pub facts: Vec<String>,
    /// Its place in its file.
    pub span: Span,
}

/// A variable with one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    /// The variable, from 0.
    pub variable: usize,
    /// The value, from 0.
    pub value: usize,
}

/// Facts of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts.
    pub facts: Vec<Fact>,
    /// Its place in its file.
    pub span: Span,
}

/// The effect of an operator on one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The conditions of the effect; the operator can be used without them.
    pub conditions: Vec<Fact>,
    /// The variable that it changes.
    pub variable: usize,
    /// The value that the variable must have for the operator to be used; `None` for any.
    pub before: Option<usize>,
    /// The value that it gets.
    pub after: usize,
}

/// An operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its name: words.
    pub name: String,
    /// The facts that must hold and remain.
    pub prevail: Vec<Fact>,
    /// Its changes.
    pub effects: Vec<Effect>,
    /// Its cost.
    pub cost: u64,
    /// Its place in its file.
    pub span: Span,
}

/// A rule that derives the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    /// The facts that must hold.
    pub conditions: Vec<Fact>,
    /// The derived variable.
    pub variable: usize,
    /// The value that it has without the rule.
    pub before: usize,
    /// The value that it has by the rule.
    pub after: usize,
    /// Its place in its file.
    pub span: Span,
}

impl Task {
    /// Whether axioms derive the variable.
    pub(crate) fn is_derived(&self, variable: usize) -> bool {
        self.variables[variable].layer.is_some()
    }

    /// Whether an axiom gives a derived variable its default back. Translators of Fast Downward
    /// before 24.06 write such axioms beside the others, for conditions that ask for the default.
    /// They change nothing: derived variables are set to their defaults before axioms are
    /// evaluated, and the conditions of these axioms hold only where those of the others don't.
    pub(crate) fn gives_default(&self, axiom: &Axiom) -> bool {
        let head = &self.variables[axiom.variable];
        head.layer.is_some() && head.facts.len() == 2 && axiom.after == self.state[axiom.variable]
    }

    /// Return the cost that counts for an operator.
    pub fn cost_of(&self, operator: &Operator) -> u64 {
        if self.uses_costs { operator.cost } else { 1 }
    }
}
