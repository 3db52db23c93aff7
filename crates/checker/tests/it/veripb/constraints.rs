//! Pseudo-Boolean constraints: read, propagated, and solved by trying. Slow and simple.

use std::collections::{BTreeMap, HashMap};

/// A sum of positive coefficients of literals is at least a number.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) terms: Vec<(i64, Literal)>,
    pub(super) least: i64,
}

/// A variable, and whether it is negated.
pub(super) type Literal = (usize, bool);

/// For each variable its value, if it has one.
pub(super) type Assignment = Vec<Option<bool>>;

/// Variables by their names.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<String, usize>,
    pub(super) names: Vec<String>,
}

impl Names {
    pub(super) fn literal(&mut self, word: &str) -> Literal {
        let name = word.trim_start_matches('~');
        let new = self.numbers.len();
        let number = *self.numbers.entry(name.to_owned()).or_insert(new);
        if number == new {
            self.names.push(name.to_owned());
        }
        (number, word.starts_with('~'))
    }

    /// Read `+1 aa -2 ~bb >= 3`.
    pub(super) fn constraint(&mut self, text: &str) -> Constraint {
        let (sum, least) = text.split_once(">=").expect("an inequality");
        let words: Vec<&str> = sum.split_whitespace().collect();
        let number = |word: &str| word.trim().parse().expect("a number");
        let terms = words
            .chunks(2)
            .map(|pair| (number(pair[0]), self.literal(pair[1])));
        Constraint {
            terms: terms.collect(),
            least: number(least),
        }
        .normal()
    }

    /// Read a formula in the format OPB.
    pub(super) fn formula(&mut self, text: &str) -> Vec<Constraint> {
        let lines = text.lines().filter(|line| !line.starts_with('*'));
        lines
            .map(|line| self.constraint(line.strip_suffix(" ;").expect("an end")))
            .collect()
    }
}

impl Constraint {
    /// Make all coefficients positive: c x = c + -c ~x. Each literal has one coefficient.
    pub(super) fn normal(self) -> Self {
        let mut coefficients: BTreeMap<usize, i64> = BTreeMap::new();
        let mut least = self.least;
        for (coefficient, (variable, is_negated)) in self.terms {
            let sum = coefficients.entry(variable).or_default();
            *sum += if is_negated {
                -coefficient
            } else {
                coefficient
            };
            least -= if is_negated { coefficient } else { 0 };
        }
        let mut terms = Vec::new();
        for (variable, coefficient) in coefficients {
            if coefficient != 0 {
                terms.push((coefficient.abs(), (variable, coefficient < 0)));
            }
            least += (-coefficient).max(0);
        }
        Self { terms, least }
    }

    /// What holds if this doesn't.
    pub(super) fn negation(&self) -> Self {
        let negated = self
            .terms
            .iter()
            .map(|(coefficient, it)| (-coefficient, *it));
        Self {
            terms: negated.collect(),
            least: 1 - self.least,
        }
        .normal()
    }

    /// The same, if a literal is true.
    pub(super) fn if_holds(mut self, (variable, is_negated): Literal) -> Self {
        self.terms
            .push((self.least.max(0), (variable, !is_negated)));
        self.normal()
    }

    pub(super) fn times(mut self, factor: i64) -> Self {
        self.least *= factor;
        self.terms.iter_mut().for_each(|term| term.0 *= factor);
        self
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            terms: [&self.terms[..], &other.terms].concat(),
            least: self.least + other.least,
        }
        .normal()
    }

    /// Assign what must hold, and return whether something was assigned; `None` if the constraint
    /// can't hold.
    fn propagate(&self, assignment: &mut Assignment) -> Option<bool> {
        let value = |assignment: &Assignment, (variable, is_negated): Literal| {
            assignment[variable].map(|it| it != is_negated)
        };
        let open = self
            .terms
            .iter()
            .filter(|(_, it)| value(assignment, *it) != Some(false));
        let slack = open.map(|(coefficient, _)| coefficient).sum::<i64>() - self.least;
        if slack < 0 {
            return None;
        }
        let mut is_new = false;
        for (coefficient, literal) in &self.terms {
            if *coefficient > slack && value(assignment, *literal).is_none() {
                assignment[literal.0] = Some(!literal.1);
                is_new = true;
            }
        }
        Some(is_new)
    }
}

/// Assign all that follows from single constraints, and return `false` if one can't hold.
pub(super) fn propagate<'c>(
    constraints: impl Iterator<Item = &'c Constraint> + Clone,
    assignment: &mut Assignment,
) -> bool {
    loop {
        let mut is_new = false;
        for constraint in constraints.clone() {
            match constraint.propagate(assignment) {
                None => return false,
                Some(found) => is_new |= found,
            }
        }
        if !is_new {
            return true;
        }
    }
}

/// An assignment that satisfies all constraints, found by trying the variables in an order.
pub(super) fn solve(
    constraints: &[Constraint],
    order: &[usize],
    mut assignment: Assignment,
) -> Option<Assignment> {
    if !propagate(constraints.iter(), &mut assignment) {
        return None;
    }
    let Some(variable) = order.iter().find(|it| assignment[**it].is_none()) else {
        return Some(assignment);
    };
    [true, false].into_iter().find_map(|value| {
        let mut tried = assignment.clone();
        tried[*variable] = Some(value);
        solve(constraints, order, tried)
    })
}
