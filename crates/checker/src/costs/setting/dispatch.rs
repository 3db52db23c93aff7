//! The moves that a state allows, without trying all of them.
//!
//! Each move that tests for a value is filed under one such test: one that few moves have, and few
//! of some given states pass. Of a state, only the moves are tried that are filed under one of its
//! values, and those without such a test.

use std::collections::BTreeMap;

use ahash::AHashMap;

use crate::costs::entries::Entries;
use crate::costs::setting::moves::Move;
use crate::costs::setting::steps::Step;

/// One entry in this many is looked at.
const SAMPLED: usize = 1000;

/// Moves, filed under tests. They have numbers, from 0.
#[derive(Debug)]
pub(crate) struct Dispatch {
    steps: Vec<Step>,
    /// Positions under which moves are filed.
    places: Vec<Place>,
    /// Moves that test for no value.
    others: Vec<usize>,
}

/// The moves that are filed under a position, by the values in order.
#[derive(Debug)]
struct Place {
    position: usize,
    moves: Vec<(u32, Vec<usize>)>,
}

impl Dispatch {
    /// File moves for states like those of some entries.
    pub(crate) fn new<'m>(
        moves: impl IntoIterator<Item = &'m Move>,
        entries: Option<&Entries>,
    ) -> Self {
        let steps: Vec<Step> = moves.into_iter().map(Step::of).collect();
        let mut n_times: AHashMap<(usize, u32), usize> = AHashMap::new();
        let mut count = |value| *n_times.entry(value).or_default() += 1;
        steps
            .iter()
            .flat_map(Step::values_tested)
            .for_each(&mut count);
        if let Some(entries) = entries {
            let mut state = Vec::new();
            for entry in (0..entries.len()).step_by(SAMPLED) {
                entries.read_state(entry, &mut state);
                state.iter().copied().enumerate().for_each(&mut count);
            }
        }
        let mut filed: BTreeMap<usize, BTreeMap<u32, Vec<usize>>> = BTreeMap::new();
        let mut others = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            match step.values_tested().min_by_key(|test| n_times[test]) {
                None => others.push(number),
                Some((position, value)) => {
                    let place = filed.entry(position).or_default();
                    place.entry(value).or_default().push(number);
                }
            }
        }
        let places = filed.into_iter().map(|(position, moves)| Place {
            position,
            moves: moves.into_iter().collect(),
        });
        Self {
            places: places.collect(),
            steps,
            others,
        }
    }

    /// A move, by its number.
    pub(crate) fn step(&self, number: usize) -> &Step {
        &self.steps[number]
    }

    /// The moves that a state allows, with their numbers.
    pub(crate) fn allowed(&self, state: &[u32]) -> impl Iterator<Item = (usize, &Step)> {
        let filed = self.places.iter().filter_map(|place| {
            let value = state[place.position];
            let found = place
                .moves
                .binary_search_by_key(&value, |(value, _)| *value);
            found.ok().map(|at| &place.moves[at].1)
        });
        let candidates = filed.chain([&self.others]).flatten();
        let steps = candidates.map(|number| (*number, &self.steps[*number]));
        steps.filter(|(_, step)| step.applies_to(state))
    }
}
