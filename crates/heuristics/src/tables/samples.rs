//! States for the comparison of heuristics.

use invariants::Invariants;
use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State, Value};
use search::GoalStates;

use crate::cells::cells;

/// The lengths of walks, used in turn.
const LENGTHS: [usize; 6] = [10, 20, 40, 80, 160, 320];
/// The number of the first of these that are long: their ends are about as far from the goal as any
/// state in games whose rules only permute.
const FIRST_LONG: usize = 2;
/// The maximum number of times that rules are tried on states, over all walks.
const MOST_TRIALS: usize = 40_000_000;
/// The maximum number of backward rules of a game with samples: more would take much memory.
const MOST_BACKWARD_RULES: usize = 50_000;
/// The maximum number of goal states from which walks begin: the first ones.
const MOST_GOALS: usize = 1_000;
/// The most states for which a heuristic is made.
const MAX_STARTS: usize = 16;
/// The seed of representative states: estimates are the same each time.
const SEED: u64 = 1;

/// Return states for which a heuristic is made: starts, or ends of random walks backward from the
/// goals, or any states.
pub(crate) fn representative_states(
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

/// Return those of some [samples](sample_states) that are ends of long walks.
pub fn ends_of_long_walks(samples: &[State]) -> impl Iterator<Item = &State> {
    let rounds = samples.chunks(LENGTHS.len());
    rounds.flat_map(|round| round.iter().skip(FIRST_LONG))
}

/// Return the ends of random walks backward from the goals, of various lengths: at most `n`, and
/// fewer for games with many rules. None if no goal satisfies the invariants `known`, or a rule
/// that loses values becomes too many backward rules. The same seed gives the same states.
pub fn sample_states(game: &Game, known: &Invariants, n: usize, seed: u64) -> Vec<State> {
    sample_states_unless(game, known, n, seed, &|| false)
}

/// Return those of the [samples](sample_states) that are found before `stop`, which is called once
/// for each walk, returns true.
pub fn sample_states_unless(
    game: &Game,
    known: &Invariants,
    n: usize,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Vec<State> {
    let goals: Vec<State> = GoalStates::of(game)
        .take(MOST_GOALS)
        .filter(|state| known.check_state(game, state).is_ok())
        .collect();
    let Ok(backward) = game.backward_rules(MOST_BACKWARD_RULES) else {
        return Vec::new();
    };
    if goals.is_empty() {
        return Vec::new();
    }
    let mut random = SplitMix64::new(seed);
    let mut trials = 0;
    let mut states = Vec::new();
    let mut apply = Vec::new();
    for length in LENGTHS.iter().cycle().take(n) {
        let mut state: Box<[Value]> = goals[random.below(goals.len())].values().into();
        for _ in 0..*length {
            apply.clear();
            let rules = backward.iter().enumerate();
            let fitting = rules.filter(|(_, rule)| rule.canonical.applies_to(&state));
            apply.extend(fitting.map(|(number, _)| number));
            trials += backward.len();
            if apply.is_empty() {
                break;
            }
            let rule = &backward[apply[random.below(apply.len())]];
            state = rule.canonical.apply(&state);
        }
        states.push(State::new(state));
        if trials > MOST_TRIALS || stop() {
            break;
        }
    }
    states
}
