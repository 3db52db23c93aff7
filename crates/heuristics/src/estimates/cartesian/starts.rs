//! The states for which abstractions are refined and costs are shared.

use invariants::Invariants;
use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State};

use crate::name::cells;
use crate::tables::sample_states;

/// The most states for which abstractions are refined.
const MAX_STARTS: usize = 16;

/// The seed of random states: estimates are the same each time.
const SEED: u64 = 1;

/// Return states for which abstractions are refined: starts, or ends of random walks backward from
/// the goals, or any states.
pub(super) fn of_refinement(game: &Game, known: &Invariants, starts: &[State]) -> Vec<Vec<u32>> {
    let wide = |states: &[State]| -> Vec<Vec<u32>> {
        let states = states.iter().take(MAX_STARTS);
        states.map(|state| cells(state.values())).collect()
    };
    if !starts.is_empty() {
        return wide(starts);
    }
    let samples = sample_states(game, known, MAX_STARTS, SEED);
    if !samples.is_empty() {
        return wide(&samples);
    }
    let mut random = SplitMix64::new(SEED);
    let mut state = || -> Vec<u32> {
        let domains = game.variables().iter().map(|id| game.domain(*id));
        domains
            .map(|domain| random.below(domain.size()) as u32)
            .collect()
    };
    (0..MAX_STARTS).map(|_| state()).collect()
}
