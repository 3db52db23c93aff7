//! Values that must hold beside some facts, as far as the invariants show.
//!
//! Each variable starts with all values that may occur. A value is removed if the invariants can't
//! all hold beside it: if it excludes all remaining values of another variable, if more variables
//! than a count allows would certainly hold one of its facts, or if too few could. This is repeated
//! until nothing changes. A variable with one remaining value holds it.

use psvn_ir::{Value, VarId};

use crate::execution::Ground;
use crate::invariants::{Fact, ProvedInvariants};

/// The values that variables may have in states with the invariants that match a pattern.
#[derive(Clone, Debug)]
struct Candidates<'a> {
    known: &'a ProvedInvariants,
    /// For each fact whether it may hold.
    may_hold: Vec<bool>,
    /// For each variable how many values are left.
    n_left: Vec<usize>,
    /// For each variable and each count about it, in the order of `counts_of_var`, the number of
    /// remaining values that are among the count's facts.
    n_counted: Vec<Vec<usize>>,
    /// For each count, how many variables certainly hold one of its facts, and how many may.
    n_sure: Vec<usize>,
    n_possible: Vec<usize>,
    /// The variables that hold the same unknown as each variable, including itself.
    equals: Vec<Vec<usize>>,
}

/// The state from which a word is carried out, with all known values: `None` if no state with the
/// invariants matches it.
pub(crate) fn close(known: &ProvedInvariants, start: &[Ground]) -> Option<Vec<Ground>> {
    let mut candidates = Candidates::new(known, start);
    for (var, ground) in start.iter().enumerate() {
        if let Ground::Value(value) = ground
            && !candidates.keep_only(var, *value)
        {
            return None;
        }
    }
    candidates.strike_out()?;
    let complete = |(var, ground): (usize, &Ground)| match candidates.only_value(var) {
        Some(value) => Ground::Value(value),
        None => *ground,
    };
    Some(start.iter().enumerate().map(complete).collect())
}

/// The state that a word leads to, in terms of the closed start state. An unknown is named after
/// one of its positions.
pub(crate) fn within(start: &[Ground], end: &[Ground]) -> Vec<Ground> {
    let complete = |ground: &Ground| match ground {
        Ground::Value(_) => *ground,
        Ground::Unknown(position) => start[*position],
    };
    end.iter().map(complete).collect()
}

impl<'a> Candidates<'a> {
    fn new(known: &'a ProvedInvariants, start: &[Ground]) -> Self {
        let n_variables = start.len();
        let n_values = |var: usize| known.values(var).count();
        let mut candidates = Self {
            known,
            may_hold: vec![true; known.n_facts()],
            n_left: (0..n_variables).map(n_values).collect(),
            n_counted: known.n_counted.clone(),
            n_sure: vec![0; known.counts.len()],
            n_possible: vec![0; known.counts.len()],
            equals: vec![Vec::new(); n_variables],
        };
        for (var, ground) in start.iter().enumerate() {
            if let Ground::Unknown(unknown) = ground {
                candidates.equals[*unknown].push(var);
            }
            for (place, count) in known.counts_of_var[var].iter().enumerate() {
                candidates.n_possible[*count] += 1;
                let is_sure = candidates.n_counted[var][place] == candidates.n_left[var];
                candidates.n_sure[*count] += usize::from(is_sure);
            }
        }
        for (var, ground) in start.iter().enumerate() {
            if let Ground::Unknown(unknown) = ground
                && *unknown != var
            {
                candidates.equals[var] = candidates.equals[*unknown].clone();
            }
        }
        candidates
    }

    fn place(&self, var: usize, value: Value) -> usize {
        self.known.place(fact(var, value))
    }

    fn left(&self, var: usize) -> Vec<Value> {
        let values = self.known.values(var);
        values
            .filter(|value| self.may_hold[self.place(var, *value)])
            .collect()
    }

    fn only_value(&self, var: usize) -> Option<Value> {
        (self.n_left[var] == 1).then(|| self.left(var)[0])
    }

    /// Remove all values but one. Return whether that one is possible.
    fn keep_only(&mut self, var: usize, value: Value) -> bool {
        for other in self.left(var) {
            if other != value {
                self.strike(var, other);
            }
        }
        self.n_left[var] == 1
    }

    fn strike(&mut self, var: usize, value: Value) {
        let known = self.known;
        let place = self.place(var, value);
        self.may_hold[place] = false;
        for (place, count) in known.counts_of_var[var].iter().enumerate() {
            let n_counted = self.n_counted[var][place];
            let (was_sure, was_possible) = (n_counted == self.n_left[var], n_counted > 0);
            let n_counted = n_counted - usize::from(belongs(known, var, value, *count));
            self.n_counted[var][place] = n_counted;
            let n_left = self.n_left[var] - 1;
            if n_left > 0 {
                self.n_sure[*count] += usize::from(n_counted == n_left && !was_sure);
                self.n_possible[*count] -= usize::from(n_counted == 0 && was_possible);
            }
        }
        self.n_left[var] -= 1;
    }

    /// Remove impossible values until nothing changes. `None` if a variable has no value left.
    fn strike_out(&mut self) -> Option<()> {
        loop {
            let mut struck = false;
            for var in 0..self.n_left.len() {
                for value in self.left(var) {
                    if !self.fits(var, value) {
                        self.strike(var, value);
                        struck = true;
                    }
                }
                if self.n_left[var] == 0 {
                    return None;
                }
            }
            if !struck {
                // Counts with no value left to remove may still be violated.
                let counts = self.known.counts.iter().enumerate();
                let mut bounds = counts.map(|(place, count)| {
                    let number = count.number as usize;
                    self.n_sure[place] <= number && number <= self.n_possible[place]
                });
                return bounds.all(|holds| holds).then_some(());
            }
        }
    }

    /// Whether a variable, with all that hold the same unknown, may hold a value.
    fn fits(&self, var: usize, value: Value) -> bool {
        let known = self.known;
        let alone = [var];
        let together = match self.equals[var].as_slice() {
            [] => &alone,
            equals => equals,
        };
        let possible = together.iter().all(|var| {
            self.may_hold[self.place(*var, value)] && known.about(fact(*var, value)).never.is_none()
        });
        possible && !self.excludes_all(together, value) && self.counts_allow(together, value)
    }

    /// Whether variables that hold a value exclude each other, or all remaining values of another
    /// one.
    fn excludes_all(&self, together: &[usize], value: Value) -> bool {
        let known = self.known;
        let excluded = together
            .iter()
            .flat_map(|var| &known.about(fact(*var, value)).excludes);
        for (fact, _) in excluded {
            let other = fact.var.index();
            if together.contains(&other) {
                if fact.value == value {
                    return true;
                }
            } else if self.n_left[other] == 1 && self.may_hold[known.place(*fact)] {
                return true;
            }
        }
        false
    }

    /// Whether the counts can be met if some variables hold a value.
    fn counts_allow(&self, together: &[usize], value: Value) -> bool {
        let known = self.known;
        let concerned = together.iter().flat_map(|var| &known.counts_of_var[*var]);
        concerned.into_iter().all(|count| {
            let (mut n_sure, mut n_possible) = (self.n_sure[*count], self.n_possible[*count]);
            for var in together {
                let counts = &known.counts_of_var[*var];
                let Some(place) = counts.iter().position(|other| other == count) else {
                    continue;
                };
                let n_counted = self.n_counted[*var][place];
                n_sure -= usize::from(n_counted == self.n_left[*var]);
                n_possible -= usize::from(n_counted > 0);
                if belongs(known, *var, value, *count) {
                    n_sure += 1;
                    n_possible += 1;
                }
            }
            let number = known.counts[*count].number as usize;
            n_sure <= number && number <= n_possible
        })
    }
}

/// Whether a fact is one of a count's.
fn belongs(known: &ProvedInvariants, var: usize, value: Value, count: usize) -> bool {
    known.about(fact(var, value)).counts.contains(&count)
}

fn fact(var: usize, value: Value) -> Fact {
    let var = VarId::from_index(var);
    Fact { var, value }
}
