//! Text of formulas and proofs, up to a size.

use std::fmt::{self, Write as _};

use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::names::{Fact, Literal};

/// The most bytes of a formula, and of a proof. For each line VeriPB looks at the lines about two
/// layers of states, so its time grows faster than the size: version 3.0.2 takes about two minutes
/// for an 8-puzzle whose proof has nearly this size.
pub(super) const MOST_BYTES: usize = 8 << 20;

/// Lines, of which some state constraints. These are numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) text: String,
    /// The number of the last constraint.
    pub(super) n_constraints: u64,
}

impl Script {
    /// Go on after the constraints of another script.
    pub(super) fn after(other: &Self) -> Self {
        Self {
            text: String::new(),
            n_constraints: other.n_constraints,
        }
    }

    /// Add a line without a constraint.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), ExportFailure> {
        writeln!(self.text, "{line}").expect("strings can be written");
        if self.text.len() > MOST_BYTES {
            return Err(ExportFailure::TooLarge { most: MOST_BYTES });
        }
        Ok(())
    }

    /// Add a line with a constraint, and return its number.
    pub(super) fn constraint(&mut self, line: impl fmt::Display) -> Result<u64, ExportFailure> {
        self.line(line)?;
        self.n_constraints += 1;
        Ok(self.n_constraints)
    }
}

/// A sum of constraints and of facts, each times a factor, in reverse Polish notation.
#[derive(Default)]
pub(super) struct Sum {
    text: String,
}

impl Sum {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Add the constraint of a number, or that a fact is at least 0.
    pub(super) fn add(&mut self, item: impl fmt::Display, factor: u64) {
        if factor == 0 {
            return;
        }
        let is_first = self.text.is_empty();
        write!(self.text, " {item}").expect("strings can be written");
        if factor > 1 {
            write!(self.text, " {factor} *").expect("strings can be written");
        }
        if !is_first {
            self.text += " +";
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pol{};", self.text)
    }
}

/// "At least so much": a sum of literals with coefficients, and the least sum.
pub(super) struct AtLeast {
    terms: Vec<(i64, Literal)>,
    least: i64,
}

impl AtLeast {
    pub(super) fn new(terms: impl IntoIterator<Item = (i64, Fact)>, least: i64) -> Self {
        let terms = terms
            .into_iter()
            .filter(|(coefficient, _)| *coefficient != 0);
        Self {
            terms: terms
                .map(|(coefficient, fact)| (coefficient, fact.into()))
                .collect(),
            least,
        }
    }

    /// One of the literals holds.
    pub(super) fn one(literals: impl IntoIterator<Item = Literal>) -> Self {
        Self {
            terms: literals.into_iter().map(|it| (1, it)).collect(),
            least: 1,
        }
    }

    /// All literals hold.
    pub(super) fn all(literals: impl IntoIterator<Item = Literal>) -> Self {
        let terms: Vec<_> = literals.into_iter().map(|it| (1, it)).collect();
        Self {
            least: terms.len() as i64,
            terms,
        }
    }
}

/// At most one of the facts holds.
pub(super) fn at_most_one(facts: impl IntoIterator<Item = Fact>) -> AtLeast {
    at_most(1, facts.into_iter().map(|fact| (1, fact)))
}

/// The facts that hold cost at most this much.
pub(super) fn at_most(greatest: u64, costs: impl IntoIterator<Item = (u64, Fact)>) -> AtLeast {
    let negated = costs.into_iter().map(|(cost, fact)| (-(cost as i64), fact));
    AtLeast::new(negated, -(greatest as i64))
}

impl fmt::Display for AtLeast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (coefficient, literal) in &self.terms {
            write!(f, "{coefficient:+} {literal} ")?;
        }
        write!(f, ">= {}", self.least)
    }
}
