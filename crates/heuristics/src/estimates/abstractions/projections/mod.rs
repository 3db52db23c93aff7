//! Estimates from projections to few variables.

mod patterns;
mod projection;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::Heuristic;

use self::patterns::Links;
use self::projection::Projection;
use super::cost_partitioning::summed::Summed;
use super::cost_partitioning::transition_system::TransitionSystem;
use super::operators::Operators;
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;
use crate::tables::representative_states;

/// The most abstract states, over all projections.
const MAX_STATES: usize = 1 << 17;

/// The most transitions between abstract states, over all projections.
const MAX_TRANSITIONS: usize = 1 << 21;

/// The most projections: an estimate looks a state up in each of them.
const MAX_PROJECTIONS: usize = 500;

/// Sums over projections, which overlap: pattern databases of one variable each, of two, and so on,
/// as far as they may add something and fit (Seipp 2019, "Pattern Selection for Optimal Classical
/// Planning with Saturated Cost Partitioning"). Admissible and consistent.
///
/// They share the costs of the rules' instances by saturated cost partitioning, in several orders,
/// of which the greatest sum counts. Abstract states that no state has, by the invariants, are left
/// out.
///
/// Rules with unknowns are replaced by their instances, as for
/// [`LandmarkCut`](crate::LandmarkCut); games with too many of them are refused. The orders are
/// chosen for the starts that are given, or for states at random distances from the goals.
#[derive(Clone, Debug)]
pub struct Projections {
    summed: Summed<Projection>,
}

impl Projections {
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
        let operators = Operators::instances(game, effort)?;
        let (projections, systems) = projected(game, known, &operators, &facts, effort)?;
        let starts = representative_states(game, known, starts);
        Ok(Self {
            summed: Summed::new(projections, &systems, &operators, &starts, effort)?,
        })
    }

    /// Return about the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        self.summed.n_bytes()
    }
}

impl Heuristic for Projections {
    #[inline]
    fn estimate(&self, state: &[u32]) -> u64 {
        self.summed.estimate(state)
    }
}

/// Project to patterns of one variable, of two, and so on, until no larger one fits.
fn projected(
    game: &Game,
    known: &Invariants,
    operators: &Operators,
    facts: &[GoalFacts],
    effort: &Effort<'_>,
) -> Result<(Vec<Projection>, Vec<TransitionSystem>), Refusal> {
    let links = Links::new(game, operators, facts)?;
    let (mut projections, mut systems) = (Vec::new(), Vec::new());
    let (mut n_states, mut n_transitions, mut bytes) = (0, 0, 0);
    let mut patterns = links.smallest();
    while !patterns.is_empty() {
        let project = |pattern: Vec<u32>| {
            let projection = Projection::new(game, &pattern, MAX_STATES)?;
            Some((projection, pattern))
        };
        let mut found: Vec<_> = patterns.into_iter().filter_map(project).collect();
        found.sort_by_key(|(projection, _)| projection.n_states());
        let mut fitting = Vec::new();
        for (projection, pattern) in found {
            let states = n_states + projection.n_states();
            if states > MAX_STATES || projections.len() == MAX_PROJECTIONS {
                break;
            }
            let transitions = n_transitions + projection.n_transitions(operators);
            if transitions > MAX_TRANSITIONS || !effort.has_room(bytes)? {
                continue;
            }
            let system = projection.system(game, known, operators, facts, (effort, bytes))?;
            (n_states, n_transitions) = (states, transitions);
            bytes += system.n_bytes();
            projections.push(projection);
            systems.push(system);
            fitting.push(pattern);
        }
        patterns = links.larger(&fitting);
    }
    Ok((projections, systems))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use psvn_ir::all_states;
    use psvn_ir::testing::{GameShape, cases, random_game};

    use super::super::cost_partitioning::summed::Abstraction;
    use super::*;
    use crate::cells::cells;

    /// Operators with the abstract states from and to which they lead.
    type Steps = BTreeSet<(u32, u32, u32)>;

    /// Check the transitions and goals of all projections of a game, and return their number.
    fn check(game: &Game, states: &[Vec<u32>]) -> usize {
        let watch = Watch::default();
        let effort = Effort::within(&watch);
        let known = Invariants::none(game);
        let facts = GoalFacts::of_goals(game, &known).expect("a small game");
        let operators = Operators::instances(game, &effort).expect("a small game");
        let found = projected(game, &known, &operators, &facts, &effort).expect("no limit");
        let mut n_steps = 0;
        for (projection, system) in std::iter::zip(&found.0, &found.1) {
            let mut steps = Steps::new();
            for state in states {
                let from = projection.of(state);
                for (number, operator) in (0..).zip(operators.iter()) {
                    let mut next = state.clone();
                    operator.apply(&mut next);
                    let to = projection.of(&next);
                    if from != to && operator.applies_to(state) {
                        steps.insert((number, from, to));
                    }
                }
            }
            let transitions = system.transitions();
            let transitions: Steps = transitions
                .map(|it| (it.operator, it.source, it.target))
                .collect();
            assert_eq!(transitions, steps);
            n_steps += steps.len();
        }
        n_steps
    }

    #[test]
    fn abstract_steps_are_those_of_the_states() {
        let mut n_steps = 0;
        for seed in 0..cases(300) {
            let game = random_game(seed, &GameShape::default());
            if !game.goals().is_empty() {
                let states: Vec<Vec<u32>> = all_states(&game).map(|it| cells(&it)).collect();
                n_steps += check(&game, &states);
            }
        }
        assert!(n_steps > 10_000, "{n_steps}");
    }
}
