//! Mistakes in a specification that only the runner of an experiment notices.

use crate::spec::SpecError;

/// A step of the way to a part of a specification.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into the field of a table.
    Field(String),
    /// To an element of an array, from 0.
    Element(usize),
}

/// A mistake that only a [`Runner`](crate::Runner) notices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wrong {
    /// The way to the part that is wrong, from the table of the domain or method that was
    /// examined.
    pub path: Vec<Step>,
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl Wrong {
    /// A mistake of a whole domain or method.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            message: message.into(),
            hint: None,
        }
    }

    /// A mistake in the field of a domain or method.
    pub fn at(field: &str, message: impl Into<String>) -> Self {
        Self {
            path: vec![Step::Field(field.to_owned())],
            ..Self::new(message)
        }
    }

    /// Set the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The same, seen from further outside.
    pub(crate) fn within(mut self, front: &[Step]) -> Self {
        self.path.splice(0..0, front.iter().cloned());
        self
    }
}

impl From<Wrong> for SpecError {
    fn from(wrong: Wrong) -> Self {
        Self {
            message: wrong.message,
            place: None,
            hint: wrong.hint,
        }
    }
}

/// The way to a field of a table in an array of them.
pub(crate) fn way(what: &str, place: usize, field: &str) -> Vec<Step> {
    vec![
        Step::Field(what.to_owned()),
        Step::Element(place),
        Step::Field(field.to_owned()),
    ]
}
