//! The variables of formulas and proofs, and their names: rules, variables of the game and goals
//! are counted from 1, steps and values from 0.

use std::fmt;
use std::ops::Not;

/// Something that is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// After `step` steps, a variable of the game has this value.
    Value {
        step: u64,
        variable: usize,
        value: u32,
    },
    /// The step after `step` steps uses this rule.
    Rule { step: u64, rule: usize },
    /// The last state satisfies this goal.
    Goal { goal: usize },
    /// From here on facts of proofs alone: all steps after `step` steps cost at most `left`
    /// together.
    Left { step: u64, left: u64 },
    /// The state after `step` steps is this one of its layer, and what is left is at most what the
    /// layer says.
    State { step: u64, number: usize },
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Value {
                step,
                variable,
                value,
            } => write!(f, "t{step}_v{}_{value}", variable + 1),
            Self::Rule { step, rule } => write!(f, "t{step}_r{}", rule + 1),
            Self::Goal { goal } => write!(f, "goal{}", goal + 1),
            Self::Left { step, left } => write!(f, "t{step}_left{left}"),
            Self::State { step, number } => write!(f, "t{step}_s{}", number + 1),
        }
    }
}

/// A fact, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    fact: Fact,
    is_negated: bool,
}

impl From<Fact> for Literal {
    fn from(fact: Fact) -> Self {
        Self {
            fact,
            is_negated: false,
        }
    }
}

impl Not for Fact {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal {
            fact: self,
            is_negated: true,
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated { "~" } else { "" };
        write!(f, "{sign}{}", self.fact)
    }
}

/// The values of a state.
pub(super) fn values(step: u64, state: &[u32]) -> impl Iterator<Item = Fact> {
    let values = state.iter().enumerate();
    values.map(move |(variable, value)| Fact::Value {
        step,
        variable,
        value: *value,
    })
}
