//! The states for which costs are shared.

use psvn_ir::random::SplitMix64;

use super::Operators;

/// The most states for which costs are shared.
const MAX_SAMPLES: usize = 200;

/// The lengths of walks to these states, used in turn.
const LENGTHS: [usize; 5] = [4, 8, 16, 32, 64];

/// The most times that operators are tried on states, over all walks.
const MAX_TRIALS: usize = 1 << 24;

/// The seed of random states: estimates are the same each time.
const SEED: u64 = 1;

/// Return the ends of random walks from starts.
pub(crate) fn of_sharing(operators: &Operators, starts: &[Vec<u32>]) -> Vec<Vec<u32>> {
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
