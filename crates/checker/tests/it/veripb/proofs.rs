//! Checks the kinds of steps that the proofs have, as VeriPB does: definitions of new variables,
//! sums, unit propagation, proofs by contradiction, and deletion.

use std::collections::{BTreeMap, HashSet};

use super::constraints::{Constraint, Names, propagate};

type Checked<T> = Result<T, String>;

struct Database {
    names: Names,
    constraints: BTreeMap<usize, Constraint>,
    last: usize,
    /// Variables that something was said about.
    known: HashSet<usize>,
    /// The last definition that was begun.
    begun: String,
    /// What is to be proved by contradiction, and the number of its negation.
    goal: Option<(Constraint, usize)>,
}

/// Check that a proof derives a contradiction from a formula.
pub(super) fn check_proof(formula: &str, proof: &str) -> Checked<()> {
    let mut names = Names::default();
    let formula = names.formula(formula);
    let mut database = Database {
        known: (0..names.names.len()).collect(),
        names,
        constraints: BTreeMap::new(),
        last: 0,
        begun: String::new(),
        goal: None,
    };
    formula.into_iter().for_each(|it| database.add(it));
    let mut lines = proof.lines();
    let mut expect = |wanted: &str| {
        let found = lines.next().unwrap_or("");
        (found == wanted)
            .then_some(())
            .ok_or(format!("{found}, not {wanted}"))
    };
    expect("pseudo-Boolean proof version 3.0")?;
    expect(&format!("f {};", database.last))?;
    for line in lines.by_ref() {
        if line == "output NONE;" {
            break;
        }
        let step = line.strip_suffix(';').unwrap_or(line);
        database
            .step(step)
            .map_err(|problem| format!("{line}: {problem}"))?;
    }
    let mut expect = |wanted: &str| {
        let found = lines.next().unwrap_or("");
        (found == wanted)
            .then_some(())
            .ok_or(format!("{found}, not {wanted}"))
    };
    expect(&format!("conclusion UNSAT : {};", database.last))?;
    expect("end pseudo-Boolean proof;")?;
    let last = database.constraints.get(&database.last).ok_or("deleted")?;
    let is_false = last.terms.is_empty() && last.least > 0;
    is_false.then_some(()).ok_or("no contradiction".to_owned())
}

impl Database {
    fn add(&mut self, constraint: Constraint) {
        self.last += 1;
        self.constraints.insert(self.last, constraint);
    }

    fn step(&mut self, step: &str) -> Checked<()> {
        let (kind, rest) = step.split_once(' ').ok_or("no arguments")?;
        match kind {
            "red" => self.define(rest),
            "pol" => {
                let sum = self.sum(rest)?;
                self.add(sum);
                Ok(())
            }
            "pbc" if self.goal.is_none() => {
                let claim = rest.strip_suffix(" : subproof").ok_or("no proof")?;
                let claim = self.names.constraint(claim);
                self.add(claim.negation());
                self.goal = Some((claim, self.last));
                Ok(())
            }
            "qed" => {
                let (claim, first) = self.goal.take().ok_or("nothing to prove")?;
                let contradiction = self.numbered(rest.trim_start_matches(": "))?;
                if contradiction.least <= 0 || !contradiction.terms.is_empty() {
                    return Err("no contradiction".to_owned());
                }
                self.constraints.retain(|it, _| *it < first);
                self.add(claim);
                Ok(())
            }
            "rup" => {
                let constraint = self.names.constraint(rest);
                let mut assignment = vec![None; self.names.names.len()];
                let negation = constraint.negation();
                let all = self.constraints.values().chain([&negation]);
                if propagate(all, &mut assignment) {
                    return Err("it doesn't follow".to_owned());
                }
                self.known.extend(constraint.terms.iter().map(|it| it.1.0));
                self.add(constraint);
                Ok(())
            }
            "del" => {
                let range = rest.strip_prefix("range ").ok_or("not a range")?;
                let (from, to) = range.split_once(' ').ok_or("not a range")?;
                let number = |word: &str| word.parse::<usize>().map_err(|it| it.to_string());
                let (from, to) = (number(from)?, number(to)?);
                self.constraints.retain(|it, _| !(from..to).contains(it));
                Ok(())
            }
            _ => Err("unknown".to_owned()),
        }
    }

    /// A sum in reverse Polish notation.
    fn sum(&mut self, text: &str) -> Checked<Constraint> {
        let mut stack: Vec<Constraint> = Vec::new();
        let mut words = text.split(' ').peekable();
        while let Some(word) = words.next() {
            if word == "+" {
                let last = stack.pop().ok_or("nothing to add")?;
                let before = stack.pop().ok_or("nothing to add to")?;
                stack.push(before.plus(&last));
            } else if word.parse::<usize>().is_ok() && words.peek() == Some(&"*") {
                words.next();
                let factor = word.parse().map_err(|_| "no factor")?;
                let last = stack.pop().ok_or("nothing to multiply")?;
                stack.push(last.times(factor));
            } else if word.parse::<usize>().is_ok() {
                stack.push(self.numbered(word)?.clone());
            } else {
                stack.push(self.names.constraint(&format!("+1 {word} >= 0")));
            }
        }
        let sum = stack.pop().ok_or("no sum")?;
        stack.is_empty().then_some(sum).ok_or("two sums".to_owned())
    }

    fn numbered(&self, word: &str) -> Checked<&Constraint> {
        let found = word
            .parse()
            .ok()
            .and_then(|it: usize| self.constraints.get(&it));
        found.ok_or(format!("no constraint {word}"))
    }

    /// `F ==> C : F -> 0`, and then `F <== C : F -> 1`, for a variable that is new before.
    fn define(&mut self, text: &str) -> Checked<()> {
        let (definition, witness) = text.split_once(" : ").ok_or("no witness")?;
        let (fact, rest) = definition.split_once(' ').ok_or("no definition")?;
        let (arrow, says) = rest.split_once(' ').ok_or("no definition")?;
        let literal = self.names.literal(fact);
        let constraint = self.names.constraint(says);
        let (constraint, value) = match arrow {
            "==>" if !self.known.contains(&literal.0) => {
                self.begun = format!("{fact} {says}");
                (constraint.if_holds(literal), 0)
            }
            "<==" if self.begun == format!("{fact} {says}") => {
                (constraint.negation().if_holds((literal.0, true)), 1)
            }
            _ => return Err("not a definition".to_owned()),
        };
        self.known.insert(literal.0);
        self.known.extend(constraint.terms.iter().map(|it| it.1.0));
        self.add(constraint);
        let is_right = witness == format!("{fact} -> {value}");
        is_right.then_some(()).ok_or("another witness".to_owned())
    }
}
