//! Rules of a certificate, carried out on states.

/// An entry of a vector: a value, or an unknown by its number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    Value(u32),
    Unknown(usize),
}

/// A rule as the certificate gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) cost: u64,
    pub(crate) preconditions: Vec<Term>,
    pub(crate) actions: Vec<Term>,
}

/// What a value is tested for. Positions are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Test {
    Any,
    Is(u32),
    Same(usize),
}

/// Where the next value of a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Keep,
    Put(u32),
    From(usize),
}

/// A rule whose unknowns are resolved to positions, with a test and a source for each position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    pub(crate) tests: Vec<Test>,
    pub(crate) sources: Vec<Source>,
    pub(crate) cost: u64,
}

/// Why a vector can't stand in a game with the given domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum VectorFlaw {
    /// It has another number of entries than there are variables.
    #[error("a vector has {found} entries, and there are {expected} variables")]
    Length {
        /// The number of its entries.
        found: usize,
        /// The number of variables.
        expected: usize,
    },
    /// An action has an unknown that no precondition has.
    #[error("the action at position {} has an unknown that no precondition has", position + 1)]
    Unbound {
        /// The position, from 0.
        position: usize,
    },
    /// An action gives a variable a value that its domain doesn't have, or may do so.
    #[error("the action at position {} may give a value outside the domain", position + 1)]
    Domain {
        /// The position, from 0.
        position: usize,
    },
}

/// The tests of a vector of conditions.
pub(crate) fn tests_of(terms: &[Term], domains: &[u32]) -> Result<Vec<Test>, VectorFlaw> {
    check_length(terms, domains)?;
    let test = |(position, term): (usize, &Term)| match *term {
        Term::Value(value) => Test::Is(value),
        Term::Unknown(_) => {
            let first = terms.iter().position(|other| other == term);
            match first.filter(|first| *first != position) {
                Some(first) => Test::Same(first),
                None => Test::Any,
            }
        }
    };
    Ok(terms.iter().enumerate().map(test).collect())
}

fn check_length(terms: &[Term], domains: &[u32]) -> Result<(), VectorFlaw> {
    if terms.len() == domains.len() {
        return Ok(());
    }
    Err(VectorFlaw::Length {
        found: terms.len(),
        expected: domains.len(),
    })
}

impl Move {
    /// Resolve the unknowns of a rule, and check that it keeps values in their domains.
    pub(crate) fn of(rule: &Rule, domains: &[u32]) -> Result<Self, VectorFlaw> {
        let tests = tests_of(&rule.preconditions, domains)?;
        check_length(&rule.actions, domains)?;
        let source = |(position, term): (usize, &Term)| {
            let (source, fits) = match *term {
                Term::Value(value) => (Source::Put(value), value < domains[position]),
                Term::Unknown(_) => {
                    let bound = rule.preconditions.iter().position(|it| it == term);
                    match bound.ok_or(VectorFlaw::Unbound { position })? {
                        from if from == position => (Source::Keep, true),
                        from => (Source::From(from), domains[from] <= domains[position]),
                    }
                }
            };
            fits.then_some(source)
                .ok_or(VectorFlaw::Domain { position })
        };
        let sources: Result<_, _> = rule.actions.iter().enumerate().map(source).collect();
        Ok(Self {
            tests,
            sources: sources?,
            cost: rule.cost,
        })
    }

    /// Whether the move leaves each state that allows it as it is.
    pub(crate) fn is_idle(&self) -> bool {
        let mut pairs = self.tests.iter().zip(&self.sources);
        pairs.all(|(test, source)| match *source {
            Source::Keep => true,
            Source::Put(value) => *test == Test::Is(value),
            Source::From(other) => *test == Test::Same(other),
        })
    }

    /// Put the state that the move leads to into a vector, and return `true`, if it can be made.
    pub(crate) fn carry_out(&self, state: &[u32], next: &mut Vec<u32>) -> bool {
        if !passes(&self.tests, state) {
            return false;
        }
        let value = |(source, value): (&Source, &u32)| match *source {
            Source::Keep => *value,
            Source::Put(put) => put,
            Source::From(position) => state[position],
        };
        next.clear();
        next.extend(self.sources.iter().zip(state).map(value));
        true
    }
}

/// Whether a state passes all tests.
pub(crate) fn passes(tests: &[Test], state: &[u32]) -> bool {
    tests.iter().zip(state).all(|(test, value)| match *test {
        Test::Any => true,
        Test::Is(wanted) => *value == wanted,
        Test::Same(position) => *value == state[position],
    })
}

/// Whether each value is below the size of its domain.
pub(crate) fn fits(domains: &[u32], state: &[u32]) -> bool {
    domains.len() == state.len() && domains.iter().zip(state).all(|(size, value)| value < size)
}
