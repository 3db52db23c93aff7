//! Classes of facts that must be in a set together, derived from the equations before any search.
//!
//! `f - g = 0` puts two facts into one class; `f + g = 0` keeps both out of every set. A class with
//! all values of a variable is also kept out: exactly one of them always holds, so the rest of a
//! set is conserved without them, too.

use std::collections::HashSet;

use ahash::RandomState;

use psvn_ir::DisjointSets;

use crate::conserved::balance::{Equation, normalize, oriented};
use crate::facts::FactIndex;

/// Classes of facts, and the remaining equations between them.
#[derive(Debug)]
pub(crate) struct Classes {
    /// The facts of each class, sorted; facts that belong to no set are in none.
    pub(crate) members: Vec<Vec<u32>>,
    /// Equations over classes, each with terms of both signs.
    pub(crate) equations: Vec<Equation>,
}

/// The most passes over the equations; the search finds the rest.
const MAX_PASSES: usize = 100;

impl Classes {
    pub(crate) fn of(index: &FactIndex, mut equations: Vec<Equation>) -> Self {
        let n = index.n_facts();
        let mut sets = DisjointSets::new(n);
        let mut dead = vec![false; n];
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            for equation in &equations {
                match equation.as_slice() {
                    [(one, a), (other, b)] if a + b == 0 => {
                        changed |= unite(&mut sets, &mut dead, *one, *other);
                    }
                    terms if terms.iter().all(|(_, c)| *c > 0) => {
                        for (fact, _) in terms {
                            let class = sets.root(*fact as usize);
                            changed |= !std::mem::replace(&mut dead[class], true);
                        }
                    }
                    _ => {}
                }
            }
            changed |= bury_whole_variables(index, &mut sets, &mut dead);
            if !changed {
                break;
            }
            equations = rewrite(&equations, &mut sets, &dead);
        }
        equations = rewrite(&equations, &mut sets, &dead);
        Self::number(n, &mut sets, &dead, equations)
    }

    /// Number the living classes.
    fn number(n: usize, sets: &mut DisjointSets, dead: &[bool], equations: Vec<Equation>) -> Self {
        let mut number = vec![None; n];
        let mut members: Vec<Vec<u32>> = Vec::new();
        for fact in 0..n as u32 {
            let class = sets.root(fact as usize);
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

/// Join two classes under the smaller root. Return whether they were different.
fn unite(sets: &mut DisjointSets, dead: &mut [bool], one: u32, other: u32) -> bool {
    let (one, other) = (sets.root(one as usize), sets.root(other as usize));
    dead[one.min(other)] |= dead[one.max(other)];
    sets.join(one, other)
}

fn bury_whole_variables(index: &FactIndex, sets: &mut DisjointSets, dead: &mut [bool]) -> bool {
    let mut changed = false;
    let mut fact = 0;
    while (fact as usize) < index.n_facts() {
        let facts = index.of_var(index.var(fact));
        fact = facts.end;
        let class = sets.root(facts.start as usize);
        if facts
            .into_iter()
            .all(|other| sets.root(other as usize) == class)
        {
            changed |= !std::mem::replace(&mut dead[class], true);
        }
    }
    changed
}

/// The equations over the classes' roots, without dead ones, each once.
fn rewrite(equations: &[Equation], sets: &mut DisjointSets, dead: &[bool]) -> Vec<Equation> {
    let mut seen: HashSet<Equation, RandomState> = HashSet::default();
    let mut rewritten = Vec::new();
    for equation in equations {
        let terms = equation
            .iter()
            .map(|(fact, c)| (sets.root(*fact as usize) as u32, *c))
            .filter(|(class, _)| !dead[*class as usize])
            .collect();
        let equation = oriented(normalize(terms));
        if !equation.is_empty() && seen.insert(equation.clone()) {
            rewritten.push(equation);
        }
    }
    rewritten
}
