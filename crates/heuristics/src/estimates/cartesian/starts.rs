//! The states for which abstractions are refined and costs are shared.

use invariants::Invariants;
use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State};

use super::operators::Operators;
use crate::cells::cells;
use crate::tables::sample_states;

/// The most states for which abstractions are refined.
const MAX_STARTS: usize = 16;

/// The most states for which costs are shared.
const MAX_SAMPLES: usize = 200;

/// The lengths of walks to these states, used in turn.
const LENGTHS: [usize; 5] = [4, 8, 16, 32, 64];

/// The most times that operators are tried on states, over all walks.
const MAX_TRIALS: usize = 1 << 24;

/// The seed of random states: estimates are the same each time.
const SEED: u64 = 1;

/// Return states for which abstractions are refined: starts, or ends of random walks backward from
/// the goals, or any states.
pub(in crate::estimates) fn of_refinement(
    game: &Game,
    known: &Invariants,
    starts: &[State],
) -> Vec<Vec<u32>> {
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

/// Return the ends of random walks from starts.
pub(super) fn of_sharing(operators: &Operators, starts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut states = Vec::new();
    let mut random = SplitMix64::new(SEED);
    let mut trials = 0;
    for (number, length) in LENGTHS.into_iter().cycle().enumerate().take(MAX_SAMPLES) {
        let mut state = starts[number % starts.len()].clone();
        for _ in 0..length {
            let all = operators.iter();
            let applicable: Vec<_> = all.filter(|it| it.applies_to(&state)).collect();
            trials += operators.costs.len();
            if applicable.is_empty() {
                break;
            }
            applicable[random.below(applicable.len())].apply(&mut state);
        }
        states.push(state);
        if trials > MAX_TRIALS {
            break;
        }
    }
    states
}
