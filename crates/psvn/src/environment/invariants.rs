//! Invariants, found within the time that the environment leaves.

use invariants::{Invariants, StartSet, find_unless};
use psvn_ir::State;

use super::Environment;

/// Find the invariants of the goal until the budget's time is over. Those not found by then are
/// missing.
pub(crate) fn from_goals(game: &psvn_ir::Game, env: &Environment) -> Invariants {
    let stop = || env.is_over();
    let goals: Vec<StartSet> = game.goals().iter().map(StartSet::from).collect();
    find_unless(game, &stop).instantiate_unless(game, &goals, &stop)
}

/// Find the invariants of states until the budget's time is over.
pub fn from_states(game: &psvn_ir::Game, states: &[State], env: &Environment) -> Invariants {
    Invariants::from_states_unless(game, states, &|| env.is_over())
}

/// The invariants of the goal, unless no rule can be used there.
///
/// They hold in all states from which the goal can be reached if each rule can be undone. Where no
/// rule can be used at the goal, all sequences of rules would count as impossible: then nothing is
/// assumed.
pub(crate) fn of_goals(game: &psvn_ir::Game, env: &Environment) -> Option<Invariants> {
    let known = from_goals(game, env);
    let mut rules = game.rules().iter();
    let is_dead_end =
        !game.rules().is_empty() && rules.all(|rule| !known.admits(rule.canonical.preconditions()));
    (!is_dead_end).then_some(known)
}
