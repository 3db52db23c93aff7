//! The landmark cut: what a solution must cost if rules took nothing away.

use std::sync::OnceLock;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::Heuristic;

use super::cuts::Cuts;
use super::idle::Idle;
use super::relaxed::Relaxed;
use crate::cells::cells;
use crate::effort::Effort;
use crate::refusal::Refusal;
#[cfg(doc)]
use crate::structure::instances;

/// The visits to each fact of an action in an estimate, until they are counted.
const USUAL_CUTS: f64 = 10.0;

/// LM-cut (Helmert & Domshlak 2009, "Landmarks, Critical Paths and Abstractions: What's the
/// Difference Anyway?"), for rules with unknowns.
///
/// Suppose that variables keep their old values when they get new ones. A *cut* is a set of rules
/// of which each solution uses at least one: those that lead to the facts from which the goal is
/// reached for nothing. The least cost within a cut is added to the estimate and taken away from
/// the costs of all its rules, until the goal costs nothing. No step is paid for twice, so the sum
/// is admissible. It isn't consistent.
///
/// Rules with unknowns are replaced by their instances, one for each combination of the values that
/// they move or compare, as in the same game as a planning task. Where these would be too many, a
/// rule has an action for each value that it may move, and all of them share its cost (Röger,
/// Pommerening & Helmert 2014, "Optimal Planning in the Presence of Conditional Effects: Extending
/// LM-Cut with Context Splitting", section 3, say why). The estimates are then much lower;
/// [`has_instances`](Self::has_instances) reports it.
#[derive(Clone, Debug)]
pub struct LandmarkCut {
    relaxed: Relaxed,
    idle: Idle<Memory>,
    /// The mean number of visits to facts and actions in an estimate.
    visits: OnceLock<f64>,
}

/// The memory of one computation.
struct Memory {
    cuts: Cuts,
    facts: Vec<u32>,
}

impl LandmarkCut {
    /// Make the heuristic for a game and states that satisfy the invariants.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants) -> Result<Self, Refusal> {
        Self::within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            relaxed: Relaxed::new(game, known, effort)?,
            idle: Idle::default(),
            visits: OnceLock::new(),
        })
    }

    /// Return whether rules are replaced by their instances, which aren't too many.
    pub fn has_instances(&self) -> bool {
        self.relaxed.has_instances
    }

    /// Return the estimate of a state, and its cuts: for each the rules, by number, of which each
    /// solution uses at least one. Rules are those that [`instances::of_rules`] passes on.
    pub(crate) fn with_cuts(&self, state: &[u32]) -> (u64, Vec<Vec<u32>>) {
        let mut cuts = Vec::new();
        let (sum, _) = self.counted(state, |cut| cuts.push(cut.to_vec()));
        (sum, cuts)
    }

    /// Return the mean number of visits to facts and actions in an estimate: counted by
    /// [`weigh`](Self::weigh), or supposed.
    pub(crate) fn visits(&self) -> f64 {
        let supposed = || self.relaxed.n_terms() as f64 * USUAL_CUTS;
        self.visits.get().copied().unwrap_or_else(supposed)
    }

    /// Count the visits in estimates of these states, unless that was done before.
    pub(crate) fn weigh(&self, states: &[State]) {
        if !states.is_empty() {
            self.visits.get_or_init(|| {
                let visits = |state: &State| self.counted(&cells(state.values()), |_| ()).1 as f64;
                states.iter().map(visits).sum::<f64>() / states.len() as f64
            });
        }
    }

    fn counted(&self, state: &[u32], each: impl FnMut(&[u32])) -> (u64, u64) {
        let new = || Memory {
            cuts: Cuts::new(&self.relaxed),
            facts: Vec::new(),
        };
        self.idle.with(new, |memory| {
            self.relaxed.put_facts(state, &mut memory.facts);
            memory.cuts.n_visits = 0;
            let sum = memory.cuts.sum(&self.relaxed, &memory.facts, each);
            (sum, memory.cuts.n_visits)
        })
    }
}

impl Heuristic for LandmarkCut {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.counted(state, |_| ()).0
    }
}
