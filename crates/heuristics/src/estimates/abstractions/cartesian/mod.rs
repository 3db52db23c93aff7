//! Estimates from Cartesian abstractions.

mod graph;
mod hierarchy;
mod paths;
mod refinement;
mod sets;
mod steps;
mod targets;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::Heuristic;

use self::hierarchy::Hierarchy;
use self::refinement::{Refinement, Size};
use self::sets::Layout;
use self::steps::Steps;
use self::targets::Target;
use super::cost_partitioning::summed::Summed;
use super::cost_partitioning::transition_system::TransitionSystem;
use super::operators::Operators;
use crate::effort::Effort;
use crate::estimates::delete_relaxation::landmarks::FactLandmark;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;
use crate::tables::representative_states;

/// The most abstract states, over all abstractions.
const MAX_STATES: usize = 10_000;

/// The most transitions between abstract states, over all abstractions.
const MAX_TRANSITIONS: usize = 1_000_000;

/// The most abstractions: an estimate looks a state up in each of them.
const MAX_ABSTRACTIONS: usize = 128;

/// The approximate steps to find the abstract state of a state, and to add an estimate.
const STEPS_OF_LOOKUP: f64 = 15.0;
const STEPS_OF_SUM: f64 = 0.3;

/// Sums over Cartesian abstractions, each of which aims at one fact, and one of which aims at the
/// goal (Seipp & Helmert 2018, "Counterexample-Guided Cartesian Abstraction Refinement for
/// Classical Planning"). Admissible and consistent.
///
/// The states of a Cartesian abstraction are sets: for each variable some of its values. An
/// abstraction begins with one set. As long as the cheapest path from a start to the target isn't
/// one of the game, the set where it breaks is split. There is an abstraction for each variable of
/// the goal, for each landmark, a fact that the start has to reach before the goal, and for the
/// whole goal. They share the costs of the rules by saturated cost partitioning, in several orders,
/// of which the greatest sum counts.
///
/// Rules with unknowns are replaced by their instances, one for each combination of the values that
/// they move or compare, as long as these aren't too many: each instance's cost is shared for
/// itself. An abstraction handles rules with unknowns exactly, too.
///
/// The abstractions are refined for the starts that are given, or for states at random distances
/// from the goals. Estimates are admissible for all states that satisfy the invariants.
#[derive(Clone, Debug)]
pub struct CartesianAbstractions {
    summed: Summed<Hierarchy>,
}

impl CartesianAbstractions {
    /// Make the heuristic for a game, states that satisfy the invariants, and some starts.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants, starts: &[State]) -> Result<Self, Refusal> {
        Self::within(game, known, starts, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let facts = GoalFacts::of_goals_within(game, known, effort)?;
        let steps = Steps {
            operators: Operators::new(game, effort)?,
            layout: Layout::of(game),
        };
        let starts = representative_states(game, known, starts);
        let landmarks = match FactLandmark::of_state(game, known, &starts[0], effort) {
            // Abstractions need less memory than facts with all their actions.
            Err(Refusal::TooLarge { .. }) => Vec::new(),
            found => found?,
        };
        let targets = targets(game, &steps.layout, &facts, &landmarks);
        let mut left = Size {
            states: MAX_STATES,
            transitions: MAX_TRANSITIONS,
        };
        let mut hierarchies = Vec::new();
        let mut systems: Vec<TransitionSystem> = Vec::new();
        let mut bytes = 0;
        for (number, target) in targets.iter().enumerate() {
            let n_left = targets.len() - number;
            let size = Size {
                states: (left.states / n_left).max(1),
                transitions: left.transitions / n_left,
            };
            let mut refinement = Refinement::new(&steps, target);
            refinement.refine(&starts, size, effort, bytes)?;
            let (hierarchy, system) = refinement.finish();
            left.states = left.states.saturating_sub(system.n_states());
            left.transitions = left.transitions.saturating_sub(system.n_transitions());
            if system.is_trivial() {
                continue;
            }
            bytes += hierarchy.n_bytes() + system.n_bytes();
            hierarchies.push(hierarchy);
            systems.push(system);
        }
        Ok(Self {
            summed: Summed::new(hierarchies, &systems, &steps.operators, &starts, effort)?,
        })
    }

    /// Return about the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        let hierarchies = self.summed.abstractions().iter().map(Hierarchy::n_bytes);
        hierarchies.sum::<usize>() + self.summed.n_bytes()
    }

    /// Return the approximate number of steps of an estimate, about a nanosecond each.
    pub(crate) fn steps(&self) -> f64 {
        let of_abstraction = STEPS_OF_LOOKUP + self.summed.n_orders() as f64 * STEPS_OF_SUM;
        self.summed.abstractions().len() as f64 * of_abstraction
    }
}

impl Heuristic for CartesianAbstractions {
    #[inline]
    fn estimate(&self, state: &[u32]) -> u64 {
        self.summed.estimate(state)
    }
}

/// Return what the abstractions aim at: facts of the goals, landmarks, and last the goals, for
/// which is left what the others don't need.
fn targets(
    game: &Game,
    layout: &Layout,
    facts: &[GoalFacts],
    landmarks: &[FactLandmark],
) -> Vec<Target> {
    let mut targets = Target::facts_of_goals(layout, facts);
    let is_new = |it: &&FactLandmark| {
        !targets
            .iter()
            .any(|target| target.is_fact(it.var, it.value))
    };
    let landmarks = landmarks.iter().filter(is_new);
    let mut of_landmarks = landmarks.map(|it| Target::landmark(layout, it)).collect();
    targets.append(&mut of_landmarks);
    targets.truncate(MAX_ABSTRACTIONS - 1);
    let goals = Target::goals(game, layout, facts);
    targets.retain(|target| *target != goals);
    targets.push(goals);
    targets
}
