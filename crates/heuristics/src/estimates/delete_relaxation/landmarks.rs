//! Facts that each solution from a state reaches.

use invariants::Invariants;
use psvn_ir::Game;
use search::DEAD_END;

use super::costs::{Costs, Together};
use super::relaxed::Relaxed;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// A fact that each solution from a state reaches, even if rules take nothing away.
///
/// It is found by all that can be reached without it: there is no goal. The same is true for each
/// other state whose facts are all among these, so solutions from it have to reach the fact, too.
#[derive(Clone, Debug)]
pub(crate) struct FactLandmark {
    pub(crate) var: u32,
    pub(crate) value: u32,
    /// By variable and value: whether it can be reached without the fact.
    before: Vec<Vec<bool>>,
}

impl FactLandmark {
    /// Return whether a fact can be reached without this one.
    pub(crate) fn is_before(&self, var: u32, value: u32) -> bool {
        self.before[var as usize][value as usize]
    }

    /// Return landmarks of a state that aren't facts of it: those facts of a plan without which
    /// there is no other one.
    ///
    /// # Errors
    /// If the game has no goal, too many rules and values, or a limit is reached.
    pub(crate) fn of_state(
        game: &Game,
        known: &Invariants,
        state: &[u32],
        effort: &Effort<'_>,
    ) -> Result<Vec<Self>, Refusal> {
        let relaxed = Relaxed::new(game, known, effort)?;
        let mut facts = Vec::new();
        relaxed.put_facts(state, &mut facts);
        let mut costs = Costs::new(&relaxed, Together::Sum);
        if costs.of_plan(&relaxed, &facts) == DEAD_END {
            return Ok(Vec::new());
        }
        let mut landmarks = Vec::new();
        for (var, range) in (0..).zip(relaxed.facts_of_variables()) {
            for fact in range.clone() {
                if !costs.is_planned(fact) || facts.contains(&fact) {
                    continue;
                }
                effort.check(0)?;
                let reached = reached_without(&relaxed, &facts, fact);
                if !reached[relaxed.goal as usize] {
                    let variables = relaxed.facts_of_variables();
                    let of_variable = |facts: std::ops::Range<u32>| {
                        reached[facts.start as usize..facts.end as usize].to_vec()
                    };
                    landmarks.push(Self {
                        var,
                        value: fact - range.start,
                        before: variables.map(of_variable).collect(),
                    });
                }
            }
        }
        Ok(landmarks)
    }
}

/// Return by fact whether it can be reached without another one.
fn reached_without(relaxed: &Relaxed, facts: &[u32], avoided: u32) -> Vec<bool> {
    let n_needed = |action: u32| relaxed.needs.of(action).len();
    let mut missing: Vec<usize> = (0..relaxed.rules.len() as u32).map(n_needed).collect();
    let mut is_reached = vec![false; relaxed.n_facts];
    let mut open: Vec<u32> = facts.to_vec();
    open.push(relaxed.always);
    for fact in &open {
        is_reached[*fact as usize] = true;
    }
    while let Some(fact) = open.pop() {
        for action in relaxed.needed_by.of(fact) {
            missing[*action as usize] -= 1;
            if missing[*action as usize] > 0 {
                continue;
            }
            for added in relaxed.adds.of(*action) {
                if *added != avoided && !std::mem::replace(&mut is_reached[*added as usize], true) {
                    open.push(*added);
                }
            }
        }
    }
    is_reached
}
