//! Facts that may hold together, as far as the invariants show.

use std::collections::HashMap;

use psvn_ir::{Value, VarId};

use crate::execution::Ground;
use crate::invariants::{Fact, ProvedInvariants};

/// Facts that are assumed to hold together, one after the other, and can be retracted.
#[derive(Clone, Debug)]
pub(crate) struct Assumptions<'a> {
    known: &'a ProvedInvariants,
    values: Vec<Option<Value>>,
    /// For each count, the number of its facts that are assumed.
    held: Vec<u32>,
    /// For each count, the number of its variables with an assumed value.
    fixed: Vec<u32>,
    /// The variables with an assumed value, in order of assumption.
    trail: Vec<usize>,
}

impl<'a> Assumptions<'a> {
    /// Nothing is assumed.
    pub(crate) fn new(known: &'a ProvedInvariants, n_variables: usize) -> Self {
        Self {
            known,
            values: vec![None; n_variables],
            held: vec![0; known.counts.len()],
            fixed: vec![0; known.counts.len()],
            trail: Vec::new(),
        }
    }

    /// Return a mark for [`undo`](Self::undo).
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Retract all assumptions made since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            let Some(value) = self.values[var].take() else {
                continue;
            };
            for count in &self.known.counts_of_var[var] {
                self.fixed[*count] -= 1;
            }
            let var = VarId::from_index(var);
            for count in &self.known.about(Fact { var, value }).counts {
                self.held[*count] -= 1;
            }
        }
    }

    /// Assume a fact. Return `false` if it can't hold beside the others: no state with the
    /// invariants has all of them. (`true` does not guarantee that there is one.)
    pub(crate) fn assume(&mut self, var: usize, value: Value) -> bool {
        if let Some(other) = self.values[var] {
            return other == value;
        }
        let known = self.known;
        let about = known.about(Fact {
            var: VarId::from_index(var),
            value,
        });
        let holds = |fact: &Fact| self.values[fact.var.index()] == Some(fact.value);
        if about.never.is_some() || about.excludes.iter().any(|(fact, _)| holds(fact)) {
            return false;
        }
        self.values[var] = Some(value);
        self.trail.push(var);
        for count in &known.counts_of_var[var] {
            self.fixed[*count] += 1;
        }
        for count in &about.counts {
            self.held[*count] += 1;
        }
        known.counts_of_var[var].iter().all(|&count| {
            let (held, fixed) = (self.held[count], self.fixed[count]);
            held <= known.counts[count].number && fixed - held <= known.counts[count].slack
        })
    }

    /// Assume that several variables hold a value.
    pub(crate) fn assume_all(&mut self, vars: &[usize], value: Value) -> bool {
        vars.iter().all(|var| self.assume(*var, value))
    }

    /// Whether several variables can hold a value, beside the assumptions.
    pub(crate) fn may_hold(&mut self, vars: &[usize], value: Value) -> bool {
        let mark = self.mark();
        let may_hold = self.assume_all(vars, value);
        self.undo(mark);
        may_hold
    }

    /// Whether a state with the invariants may match a pattern, if nothing is assumed yet: its
    /// values fit, and each unknown at several positions can have some value. `false` is certain.
    pub(crate) fn admit(&mut self, pattern: &[Ground]) -> bool {
        let mark = self.mark();
        let mut classes: HashMap<usize, Vec<usize>, ahash::RandomState> = HashMap::default();
        let mut fits = true;
        for (var, value) in pattern.iter().enumerate() {
            match value {
                Ground::Value(value) => fits = fits && self.assume(var, *value),
                Ground::Unknown(unknown) if *unknown != var => {
                    classes.entry(*unknown).or_default().push(var);
                }
                Ground::Unknown(_) => {}
            }
        }
        // An unknown is named after one of its positions.
        let fits = fits
            && classes.into_iter().all(|(unknown, mut members)| {
                members.push(unknown);
                let mut values = self.known.values(unknown);
                values.any(|value| self.may_hold(&members, value))
            });
        self.undo(mark);
        fits
    }
}
