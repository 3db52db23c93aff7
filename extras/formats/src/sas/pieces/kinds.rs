//! Orbits of facts, and the pieces that move in them.

use super::carries::Carries;
use super::refusal::{NotCarried, Refusal};
use crate::meter::Meter;
use crate::sas::task::Task;

/// Identical pieces that move on the facts of one orbit: a piece is where a fact holds.
#[derive(Debug)]
pub(super) struct Kind {
    /// The facts of the orbit: the places of the pieces.
    pub(super) places: Vec<usize>,
    /// For each operator and each place, the place to which it carries a piece.
    pub(super) to: Vec<Vec<usize>>,
    /// The places of the pieces in the initial state.
    pub(super) start: Vec<usize>,
    /// The places of the pieces in the goal.
    pub(super) goal: Vec<usize>,
}

/// Find the kinds of pieces about which the goal asks. The others change nothing: each operator can
/// be used in each state.
pub(super) fn kinds(
    task: &Task,
    carries: &Carries,
    meter: &Meter<'_>,
) -> Result<Vec<Kind>, Refusal> {
    let holds = |number: &usize| {
        let fact = carries.fact(*number);
        task.state[fact.variable] == fact.value
    };
    let goal: Vec<usize> = task.goal.iter().map(|fact| carries.number(*fact)).collect();
    let mut found = Vec::new();
    for orbit in orbits(carries, meter)? {
        let place = |number: usize| orbit.binary_search(&number).ok();
        let asked: Vec<usize> = goal.iter().filter_map(|it| place(*it)).collect();
        if asked.is_empty() {
            continue;
        }
        let start: Vec<usize> = (0..orbit.len()).filter(|it| holds(&orbit[*it])).collect();
        // With fewer, any of the pieces could take the places that are named.
        if asked.len() != start.len() {
            return Err(NotCarried::Goal.into());
        }
        // Each place has one, so the goal always has what it asks for.
        if start.len() == orbit.len() {
            continue;
        }
        let to = carries.to.iter().map(|to| {
            let carried = orbit.iter().filter_map(|fact| place(to[*fact]));
            carried.collect()
        });
        found.push(Kind {
            to: to.collect(),
            start,
            goal: asked,
            places: orbit,
        });
    }
    if found.is_empty() {
        return Err(NotCarried::Goal.into());
    }
    Ok(found)
}

/// Sets of facts that operators carry into each other, each in order.
fn orbits(carries: &Carries, meter: &Meter<'_>) -> Result<Vec<Vec<usize>>, Refusal> {
    let mut is_seen = vec![false; carries.n_facts()];
    let mut orbits = Vec::new();
    for first in 0..carries.n_facts() {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut orbit = vec![first];
        let mut next = 0;
        // Each operator is a permutation, so going forward comes back, too.
        while let Some(fact) = orbit.get(next).copied() {
            meter.work(carries.to.len())?;
            for to in &carries.to {
                if !std::mem::replace(&mut is_seen[to[fact]], true) {
                    orbit.push(to[fact]);
                }
            }
            next += 1;
        }
        orbit.sort_unstable();
        orbits.push(orbit);
    }
    Ok(orbits)
}
