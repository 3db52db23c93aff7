//! An estimate of how much longer sequences could prune, from the states around a start.
//!
//! A machine allows some number of sequences of each length from a state. If they lead to fewer
//! states than there are sequences, the excess sequences are redundant there, and an analysis of
//! that length may find them. Counting both takes much less than the analysis.

use budget::Limits;
use fsm::Machine;
use ideal_tree::{Letters, Neighborhood};
use psvn_ir::{Game, RuleId, State, Value};
use rule_splits::SplitGame;

use crate::machine::RuleMachine;

/// The longest sequences that are counted.
const MOST_LENGTH: usize = 16;

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

/// States near the start of a search, found once for all machines.
#[derive(Default)]
pub(in crate::solve) struct StatesNear {
    /// Around the start, and around others some moves away.
    around: Vec<Neighborhood>,
    /// The work that counting sequences may take.
    most_steps: u64,
}

impl StatesNear {
    /// The greatest depth to which states are found.
    pub(super) const MOST_DEPTH: usize = MOST_LENGTH;

    /// Find states as far as the limits and some number of moves allow, at most some depth away
    /// from each sample: how many longer sequences could be pruned doesn't matter where their
    /// analysis can't be afforded.
    pub(in crate::solve) fn find(
        game: &Game,
        start: &State,
        machine: &RuleMachine,
        split: Option<&SplitGame>,
        (moves, depth): (u64, usize),
        limits: &Limits,
    ) -> Self {
        let mut around = Vec::new();
        let mut state = start.clone();
        let depth = depth.min(MOST_LENGTH);
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
    pub(super) fn n_moves(&self) -> f64 {
        self.around.iter().map(|it| it.n_moves() as f64).sum()
    }

    /// Count the sequences that a machine allows between them, as far as the limits allow.
    pub(in crate::solve) fn prospect(
        &self,
        game: &Game,
        machine: &RuleMachine,
        split: Option<&SplitGame>,
        limits: &Limits,
    ) -> Prospect {
        let letter_at = |rule, values: &[Value]| letter_at(split, rule, values);
        let letters = match split {
            Some(split) => Letters::parts(split.game(), &letter_at),
            None => Letters::rules(game),
        };
        let counted = self.around.iter().map_while(|around| {
            let nodes = around.nodes(&letters, machine, limits, &mut { self.most_steps });
            Some(Prospect {
                sequences: nodes.ok()?.into_iter().map(|nodes| nodes as f64).collect(),
                states: around.states().into_iter().map(|n| n as f64).collect(),
            })
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

/// Sequences and states by length, from 0.
#[derive(Clone, Debug, Default)]
pub(in crate::solve) struct Prospect {
    sequences: Vec<f64>,
    states: Vec<f64>,
}

impl Prospect {
    /// Return the sum of both. Beyond the length that both contain, the shorter one is taken to
    /// grow as the longer one does.
    fn with(&self, other: &Self) -> Self {
        let sum = |a: &[f64], b: &[f64]| {
            let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
            let mut times = 1.0;
            let mut short = short.iter();
            let sum_at = |of_long: &f64| {
                let sum = short
                    .next()
                    .map_or(of_long * times, |of_short| of_long + of_short);
                if *of_long > 0.0 {
                    times = sum / of_long;
                }
                sum
            };
            long.iter().map(sum_at).collect()
        };
        Self {
            sequences: sum(&self.sequences, &other.sequences),
            states: sum(&self.states, &other.states),
        }
    }

    /// Make a prospect from counts by length, from 0.
    #[cfg(test)]
    pub(super) fn from_counts(sequences: &[f64], states: &[f64]) -> Self {
        Self {
            sequences: sequences.to_vec(),
            states: states.to_vec(),
        }
    }

    /// Return the part of the sequences of the greatest length that this machine leaves of those
    /// that another one leaves, near the same start.
    pub(in crate::solve) fn part_of(&self, other: &Self) -> Option<f64> {
        let length = self.reach().min(other.reach());
        let at = |it: &Self| it.sequences.get(length).copied();
        let part = at(self)? / at(other)?;
        part.is_finite().then_some(part)
    }

    /// Return how many times as many sequences the greatest length has as the one before; at least
    /// 1.
    pub(super) fn growth(&self) -> f64 {
        match self.sequences.as_slice() {
            [.., before, last] if *before > 0.0 => (last / before).max(1.0),
            _ => 1.0,
        }
    }

    /// Return the greatest length that was counted.
    pub(in crate::solve) fn reach(&self) -> usize {
        self.sequences.len().saturating_sub(1)
    }

    /// Return how many times as many states lie at one number of moves as at a smaller one; greater
    /// numbers than the [reach](Self::reach) are taken to grow on as the last one did.
    ///
    /// Each state that is reached first at some length has a sequence of this length that no
    /// machine may forbid, so the number of words grows about as much.
    pub(super) fn states_ratio(&self, from: usize, to: usize) -> f64 {
        let reach = self.reach();
        let at = |length: usize| self.states.get(length).map_or(1.0, |n| n.max(1.0));
        let last = at(reach) / at(reach.saturating_sub(1));
        let states = |length: usize| {
            let beyond = length.saturating_sub(reach) as f64;
            at(length.min(reach)) * last.powf(beyond)
        };
        states(to) / states(from)
    }

    /// Return whether this machine leaves fewer sequences than another one, near the same start.
    pub(in crate::solve) fn prunes_more_than(&self, other: &Self) -> bool {
        let length = self.reach().min(other.reach());
        self.excess(length) < other.excess(length)
    }

    /// Return the logarithm of the number of sequences of some moves for each state that they
    /// reach, where longer ones than `length` show nothing new: with each further move it is taken
    /// to grow as with the last one that was counted. What is there already at the length `from`
    /// isn't counted.
    pub(super) fn excess_after(&self, from: usize, length: usize, moves: f64) -> f64 {
        let length = length.min(self.reach());
        let counted = (self.excess(length) - self.excess(from)).max(0.0);
        let more = (moves - length as f64).max(0.0);
        counted + more * self.excess_of_move(from, length)
    }

    /// Return by how much this logarithm grows with the last move of a length.
    pub(super) fn excess_of_move(&self, from: usize, length: usize) -> f64 {
        let length = length.min(self.reach());
        if length > from {
            (self.excess(length) - self.excess(length - 1)).max(0.0)
        } else {
            0.0
        }
    }

    /// Return the logarithm of the number of sequences of a length for each state that they reach,
    /// up to the [reach](Self::reach); greater lengths have at least that much.
    pub(super) fn excess(&self, length: usize) -> f64 {
        let length = length.min(self.reach());
        match (self.sequences.get(length), self.states.get(length)) {
            // There may be no new states if all are near.
            (Some(sequences), Some(states)) if *sequences > 0.0 => {
                (sequences / states.max(0.5)).ln().max(0.0)
            }
            _ => 0.0,
        }
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

    fn near(reference: &str, length: usize, moves: u64) -> Prospect {
        near_within(reference, length, (moves, MOST_LENGTH))
    }

    fn near_within(reference: &str, length: usize, extent: (u64, usize)) -> Prospect {
        let env = crate::Environment::default();
        let game = crate::Game::built_in(reference, &env).expect("a built-in game");
        let start = game.ir().goal_state().expect("one goal");
        let found = crate::analysis::Redundant::find(
            &game,
            length,
            invariants::Invariants::from_goals(game.ir()),
            crate::game::SearchFor::Goals,
            &crate::analysis::SplitRequest::none(),
            move_prune::Limits::default(),
            &env,
        )
        .expect("no limits");
        let machine = found.into_machine(length).expect("a small machine");
        let machine = RuleMachine::new(machine.into(), &[]);
        let limits = Limits::default();
        let states = StatesNear::find(game.ir(), &start, &machine, None, extent, &limits);
        states.prospect(game.ir(), &machine, None, &limits)
    }

    #[test]
    fn what_is_counted_near_the_start_is_what_longer_machines_gain() {
        // A sliding puzzle has no redundant sequences of lengths 3 to 5, and some of length 6.
        let tiles = near("sliding-tiles:3:3", 2, 1_000_000);
        assert!(tiles.reach() >= 8);
        assert_eq!(tiles.excess(5), 0.0);
        assert!(tiles.excess(6) > 0.0);
        assert_eq!(near("sliding-tiles:3:3", 6, 1_000_000).excess(6), 0.0);
        let pancakes = near("pancake:6", 2, 1_000_000);
        assert!(pancakes.excess(2) == 0.0 && pancakes.excess(5) > 0.0);
    }

    #[test]
    fn beyond_the_shorter_count_both_are_taken_to_grow_alike() {
        let long = Prospect::from_counts(&[1.0, 4.0, 12.0, 36.0], &[1.0, 4.0, 8.0, 16.0]);
        let short = Prospect::from_counts(&[1.0, 4.0, 12.0], &[1.0, 4.0, 16.0]);
        for sum in [long.with(&short), short.with(&long)] {
            assert_eq!(sum.sequences, [2.0, 8.0, 24.0, 72.0]);
            assert_eq!(sum.states, [2.0, 8.0, 24.0, 48.0]);
        }
    }

    #[test]
    fn what_is_gained_grows_with_each_move_as_with_the_last_one() {
        let counts = [1.0, 2.0, 4.0, 8.0, 16.0];
        let prospect = Prospect::from_counts(&counts, &[1.0, 2.0, 4.0, 6.0, 9.0]);
        let (third, fourth) = ((8.0_f64 / 6.0).ln(), (16.0_f64 / 9.0).ln());
        assert_eq!(prospect.excess_after(2, 3, 3.0), third);
        assert!((prospect.excess_after(2, 3, 5.0) - 3.0 * third).abs() < 1e-9);
        let of_five = fourth + (fourth - third);
        assert!((prospect.excess_after(2, 4, 5.0) - of_five).abs() < 1e-9);
        // Longer ones than were counted show nothing new.
        assert_eq!(
            prospect.excess_after(2, 9, 5.0),
            prospect.excess_after(2, 4, 5.0)
        );
        // What an analysis couldn't find is there after it, too.
        assert!((prospect.excess_after(3, 4, 4.0) - (fourth - third)).abs() < 1e-9);
        assert_eq!(prospect.growth(), 2.0);
    }

    #[test]
    fn no_states_are_found_beyond_a_depth() {
        let within = |depth| near_within("sliding-tiles:3:3", 2, (1_000_000, depth));
        let (few, many) = (within(3), within(8));
        assert_eq!((few.reach(), many.reach()), (3, 8));
        // Sequences from the start are counted, and from other states some moves away.
        assert_eq!(few.states[0], MOST_SAMPLES as f64);
        let few_moves = near("sliding-tiles:3:3", 2, MANY_MOVES - 1);
        assert_eq!(few_moves.states[0], SAMPLES as f64);
    }

    #[test]
    fn states_grow_on_as_the_last_ones_did() {
        let prospect = Prospect::from_counts(&[1.0, 4.0, 10.0], &[1.0, 4.0, 8.0]);
        assert_eq!(prospect.states_ratio(1, 2), 2.0);
        assert_eq!(prospect.states_ratio(2, 4), 4.0);
        assert_eq!(prospect.states_ratio(3, 4), 2.0);
        assert_eq!(Prospect::default().states_ratio(2, 9), 1.0);
    }

    #[test]
    fn few_steps_reach_less_far() {
        let few = near("pancake:9", 2, 3_000);
        let more = near("pancake:9", 2, 300_000);
        assert!(few.reach() >= 1 && few.reach() < more.reach());
        assert_eq!(few.excess(20), few.excess(few.reach()));
        assert_eq!(Prospect::default().excess(3), 0.0);
    }
}
