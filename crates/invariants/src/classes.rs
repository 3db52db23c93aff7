//! Classes of facts that must be in a set together: what the equations force before any search.
//!
//! `f - g = 0` puts two facts into one class; `f + g = 0` keeps both out of every set. A class with
//! all values of a variable is kept out as well: exactly one of them holds anyway, and without them
//! the rest of a set is conserved just as well.

use std::collections::HashSet;

use ahash::RandomState;

use crate::balance::{Equation, normalize, oriented};
use crate::facts::FactIndex;

/// Classes of facts, and the equations between them that are left.
#[derive(Debug)]
pub(crate) struct Classes {
    /// The facts of each class, sorted; facts that belong to no set are in none.
    pub(crate) members: Vec<Vec<u32>>,
    /// Equations over classes, each with terms of both signs.
    pub(crate) equations: Vec<Equation>,
}

/// The most passes over the equations; what is not found in as many is left to the search.
const MAX_PASSES: usize = 100;

impl Classes {
    pub(crate) fn of(index: &FactIndex, mut equations: Vec<Equation>) -> Self {
        let n = index.n_facts();
        let mut root: Vec<u32> = (0..n as u32).collect();
        let mut dead = vec![false; n];
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            for equation in &equations {
                match equation.as_slice() {
                    [(one, a), (other, b)] if a + b == 0 => {
                        changed |= unite(&mut root, &mut dead, *one, *other);
                    }
                    terms if terms.iter().all(|(_, c)| *c > 0) => {
                        for (fact, _) in terms {
                            let class = find(&mut root, *fact) as usize;
                            changed |= !std::mem::replace(&mut dead[class], true);
                        }
                    }
                    _ => {}
                }
            }
            changed |= bury_whole_variables(index, &mut root, &mut dead);
            if !changed {
                break;
            }
            equations = rewrite(&equations, &mut root, &dead);
        }
        equations = rewrite(&equations, &mut root, &dead);
        Self::number(n, &mut root, &dead, equations)
    }

    /// Number the living classes.
    fn number(n: usize, root: &mut [u32], dead: &[bool], equations: Vec<Equation>) -> Self {
        let mut number = vec![None; n];
        let mut members: Vec<Vec<u32>> = Vec::new();
        for fact in 0..n as u32 {
            let class = find(root, fact) as usize;
            if dead[class] {
                continue;
            }
            let id = *number[class].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() as u32 - 1
            });
            members[id as usize].push(fact);
        }
        let equations = equations
            .into_iter()
            .map(|equation| {
                equation
                    .into_iter()
                    .filter_map(|(fact, c)| Some((number[fact as usize]?, c)))
                    .collect()
            })
            .collect();
        Self { members, equations }
    }
}

fn find(root: &mut [u32], mut fact: u32) -> u32 {
    while root[fact as usize] != fact {
        root[fact as usize] = root[root[fact as usize] as usize];
        fact = root[fact as usize];
    }
    fact
}

/// Join two classes under the smaller root. Return whether they were two.
fn unite(root: &mut [u32], dead: &mut [bool], one: u32, other: u32) -> bool {
    let (one, other) = (find(root, one), find(root, other));
    root[one.max(other) as usize] = one.min(other);
    dead[one.min(other) as usize] |= dead[one.max(other) as usize];
    one != other
}

fn bury_whole_variables(index: &FactIndex, root: &mut [u32], dead: &mut [bool]) -> bool {
    let mut changed = false;
    let mut fact = 0;
    while (fact as usize) < index.n_facts() {
        let facts = index.of_var(index.var(fact));
        fact = facts.end;
        let class = find(root, facts.start);
        if facts.into_iter().all(|other| find(root, other) == class) {
            changed |= !std::mem::replace(&mut dead[class as usize], true);
        }
    }
    changed
}

/// The equations over the classes' roots, without dead ones, each once.
fn rewrite(equations: &[Equation], root: &mut [u32], dead: &[bool]) -> Vec<Equation> {
    let mut seen: HashSet<Equation, RandomState> = HashSet::default();
    let mut rewritten = Vec::new();
    for equation in equations {
        let terms = equation
            .iter()
            .map(|(fact, c)| (find(root, *fact), *c))
            .filter(|(class, _)| !dead[*class as usize])
            .collect();
        let equation = oriented(normalize(terms));
        if !equation.is_empty() && seen.insert(equation.clone()) {
            rewritten.push(equation);
        }
    }
    rewritten
}
