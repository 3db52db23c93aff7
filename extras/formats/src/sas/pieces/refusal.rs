//! Why a task isn't read as a puzzle.

use std::fmt;

use psvn_ir::LoadStop;

/// Why the operators of a task don't only carry facts from place to place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sas) enum NotCarried {
    /// The task has axioms.
    Axioms,
    /// This operator isn't always possible.
    Demand { operator: String },
    /// This operator doesn't give a variable the value that another one had.
    Effect { operator: String, variable: String },
    /// This operator gives the value of one variable to two.
    Copied { operator: String, variable: String },
    /// The goal asks for other things than pieces in their places, or for nothing that can change.
    Goal,
    /// Two operators have one name.
    Names { operator: String },
}

impl fmt::Display for NotCarried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axioms => write!(f, "there are axioms"),
            Self::Demand { operator } => write!(f, "operator `{operator}` has preconditions"),
            Self::Effect { operator, variable } => write!(
                f,
                "operator `{operator}` gives `{variable}` a value that isn't that of one variable"
            ),
            Self::Copied { operator, variable } => write!(
                f,
                "operator `{operator}` gives the value of `{variable}` to two variables"
            ),
            Self::Goal => write!(
                f,
                "the goal asks for something else than pieces in their places"
            ),
            Self::Names { operator } => write!(f, "two operators are called `{operator}`"),
        }
    }
}

/// Why a task isn't read as a puzzle.
#[derive(Debug)]
pub(super) enum Refusal {
    NotCarried(NotCarried),
    Stopped(LoadStop),
}

impl From<NotCarried> for Refusal {
    fn from(reason: NotCarried) -> Self {
        Self::NotCarried(reason)
    }
}

impl From<LoadStop> for Refusal {
    fn from(stop: LoadStop) -> Self {
        Self::Stopped(stop)
    }
}
