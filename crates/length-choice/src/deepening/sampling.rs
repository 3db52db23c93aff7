//! Counts of sequences and of states around a start, which show what longer sequences could prune.

use advisor::lengths::{MOST_COUNTED, Potential};
use budget::Limits;
use fsm::{Machine, RuleMachine};
use ideal_tree::{Letters, Neighborhood};
use psvn_ir::{Game, RuleId, State, Value};
use rule_splits::SplitGame;

/// The number of states around which sequences are counted: the start, and one some moves away,
/// since starts are often special.
const SAMPLES: u64 = 2;

/// The number of these states where there are many moves, and how many that is.
const MOST_SAMPLES: u64 = 3;
const MANY_MOVES: u64 = 10_000;

/// The part of the moves that may be made around the start. The others may use what is left.
const SHARE_OF_START: f64 = 0.75;

/// The number of the machine's states with which a state is reached, at most on average.
const MOST_MEMORIES: u64 = 4;

/// The moves from one of these states to the next one.
const MOVES_BETWEEN: usize = 7;

/// States around the start of a search, found once for all machines.
#[derive(Default)]
pub(crate) struct SampledStates {
    /// Around the start, and around others some moves away.
    around: Vec<Neighborhood>,
    /// The work that counting sequences may take.
    most_steps: u64,
}

impl SampledStates {
    /// Find states as far as the limits and some number of moves allow, at most some depth away
    /// from each sample: how many longer sequences could be pruned doesn't matter where their
    /// analysis can't be afforded.
    pub(crate) fn find(
        game: &Game,
        start: &State,
        machine: &RuleMachine,
        split: Option<&SplitGame>,
        (moves, depth): (u64, usize),
        limits: &Limits,
    ) -> Self {
        let mut around = Vec::new();
        let mut state = start.clone();
        let depth = depth.min(MOST_COUNTED);
        let mut left = moves;
        let samples = if moves >= MANY_MOVES {
            MOST_SAMPLES
        } else {
            SAMPLES
        };
        for sample in 0..samples {
            let share = match sample {
                0 => (moves as f64 * SHARE_OF_START) as u64,
                _ => {
                    state = walk(game, state, machine, split, sample);
                    left
                }
            };
            let near = Neighborhood::as_far_as(game, &state, depth, limits, share);
            left = left.saturating_sub(near.n_moves() as u64);
            around.push(near);
        }
        Self {
            around,
            // A state counts once for each memory of the machine.
            most_steps: moves.saturating_mul(MOST_MEMORIES),
        }
    }

    /// Return the moves that were made to find them.
    pub(crate) fn n_moves(&self) -> f64 {
        self.around.iter().map(|it| it.n_moves() as f64).sum()
    }

    /// Count the sequences that a machine allows between them, as far as the limits allow.
    pub(crate) fn potential(
        &self,
        game: &Game,
        machine: &RuleMachine,
        split: Option<&SplitGame>,
        limits: &Limits,
    ) -> Potential {
        let letter_at = |rule, values: &[Value]| letter_at(split, rule, values);
        let letters = match split {
            Some(split) => Letters::parts(split.game(), &letter_at),
            None => Letters::rules(game),
        };
        let counted = self.around.iter().map_while(|around| {
            let nodes = around.nodes(&letters, machine, limits, &mut { self.most_steps });
            let sequences = nodes.ok()?.into_iter().map(|nodes| nodes as f64);
            let states = around.states().into_iter().map(|n| n as f64);
            Some(Potential::from_counts(sequences, states))
        });
        let sum = counted.reduce(|all, seen| all.with(&seen));
        sum.unwrap_or_default()
    }
}

/// Return the letter of a rule at a state: the rule itself, unless it is split.
fn letter_at(split: Option<&SplitGame>, rule: RuleId, values: &[Value]) -> Option<RuleId> {
    match split {
        Some(split) => split.letter_at(rule, values),
        None => Some(rule),
    }
}

/// Return the state some moves away, along a path that the machine allows.
fn walk(
    game: &Game,
    mut state: State,
    machine: &RuleMachine,
    split: Option<&SplitGame>,
    mut choice: u64,
) -> State {
    let mut memory = machine.start();
    for _ in 0..MOVES_BETWEEN {
        let values = state.values();
        let next = |(id, rule): (RuleId, &psvn_ir::Rule)| {
            let applies = rule.canonical.applies_to(values);
            let letter = applies.then(|| letter_at(split, id, values)).flatten()?;
            let memory = machine.next(memory, letter.0)?;
            Some((memory, rule.canonical.apply(values)))
        };
        let mut all: Vec<_> = game.rules_with_ids().filter_map(next).collect();
        if all.is_empty() {
            break;
        }
        // A linear congruential generator (Knuth), so that each run makes the same choices.
        choice = choice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let place = (choice >> 33) as usize % all.len();
        let (after, values) = all.swap_remove(place);
        memory = after;
        state = State::new(values);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{built_in, up_to};

    type Reference = (&'static str, &'static [&'static str]);

    const TILES: Reference = ("sliding-tiles", &["3", "3"]);

    fn potential(reference: Reference, length: usize, moves: u64) -> Potential {
        potential_within(reference, length, (moves, MOST_COUNTED))
    }

    fn potential_within(reference: Reference, length: usize, extent: (u64, usize)) -> Potential {
        let (name, args) = reference;
        let game = built_in(name, args);
        let start = game.goal_state().expect("one goal");
        let found = up_to(&game, length);
        let machine = found.into_machine(length).expect("a small machine");
        let machine = RuleMachine::new(machine.into(), &[]);
        let limits = Limits::default();
        let states = SampledStates::find(&game, &start, &machine, None, extent, &limits);
        states.potential(&game, &machine, None, &limits)
    }

    #[test]
    fn what_is_counted_near_the_start_is_what_longer_machines_gain() {
        // A sliding puzzle has no redundant sequences of lengths 3 to 5, and some of length 6.
        let tiles = potential(TILES, 2, 1_000_000);
        assert!(tiles.reach() >= 8);
        assert_eq!(tiles.excess(5), 0.0);
        assert!(tiles.excess(6) > 0.0);
        assert_eq!(potential(TILES, 6, 1_000_000).excess(6), 0.0);
        let pancakes = potential(("pancake", &["6"]), 2, 1_000_000);
        assert!(pancakes.excess(2) == 0.0 && pancakes.excess(5) > 0.0);
    }

    #[test]
    fn no_states_are_found_beyond_a_depth() {
        let within = |depth| potential_within(TILES, 2, (1_000_000, depth));
        let (few, many) = (within(3), within(8));
        assert_eq!((few.reach(), many.reach()), (3, 8));
        // Sequences from the start are counted, and from other states some moves away.
        assert_eq!(few.states_at(0), MOST_SAMPLES as f64);
        let few_moves = potential(TILES, 2, MANY_MOVES - 1);
        assert_eq!(few_moves.states_at(0), SAMPLES as f64);
    }

    #[test]
    fn few_steps_reach_less_far() {
        let few = potential(("pancake", &["9"]), 2, 3_000);
        let more = potential(("pancake", &["9"]), 2, 300_000);
        assert!(few.reach() >= 1 && few.reach() < more.reach());
        assert_eq!(few.excess(20), few.excess(few.reach()));
        assert_eq!(Potential::default().excess(3), 0.0);
    }
}
