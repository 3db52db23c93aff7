//! The moves that a state may allow, without trying all of them.
//!
//! Each move that tests for a value is filed under one such test, the rarest one. Of a state, only
//! the moves are tried that are filed under one of its values, and those without such a test.

use ahash::AHashMap;

use crate::costs::setting::moves::{Move, Test};

/// Moves, filed under tests.
pub(crate) struct Dispatch<'m> {
    /// For each position, by value in order.
    places: Vec<Vec<(u32, Vec<&'m Move>)>>,
    /// Moves that test for no value.
    others: Vec<&'m Move>,
}

/// The positions at which a move tests for a value, each with the value.
fn values_tested(it: &Move) -> impl Iterator<Item = (usize, u32)> {
    let tests = it.tests.iter().enumerate();
    tests.filter_map(|(position, test)| match *test {
        Test::Is(value) => Some((position, value)),
        Test::Any | Test::Same(_) => None,
    })
}

impl<'m> Dispatch<'m> {
    pub(crate) fn new(moves: impl IntoIterator<Item = &'m Move>) -> Self {
        let moves: Vec<&Move> = moves.into_iter().collect();
        let mut n_moves: AHashMap<(usize, u32), usize> = AHashMap::new();
        for test in moves.iter().flat_map(|it| values_tested(it)) {
            *n_moves.entry(test).or_default() += 1;
        }
        let mut dispatch = Self {
            places: Vec::new(),
            others: Vec::new(),
        };
        for it in moves {
            match values_tested(it).min_by_key(|test| n_moves[test]) {
                None => dispatch.others.push(it),
                Some((position, value)) => dispatch.file(position, value, it),
            }
        }
        dispatch
    }

    fn file(&mut self, position: usize, value: u32, it: &'m Move) {
        let n_places = self.places.len().max(position + 1);
        self.places.resize_with(n_places, Vec::new);
        let place = &mut self.places[position];
        match place.binary_search_by_key(&value, |(value, _)| *value) {
            Ok(at) => place[at].1.push(it),
            Err(at) => place.insert(at, (value, vec![it])),
        }
    }

    /// The moves among which are all that a state allows.
    pub(crate) fn candidates(&self, state: &[u32]) -> impl Iterator<Item = &'m Move> {
        let filed = self.places.iter().zip(state).filter_map(|(place, value)| {
            let found = place.binary_search_by_key(value, |(value, _)| *value);
            found.ok().map(|at| &place[at].1)
        });
        filed.chain([&self.others]).flatten().copied()
    }
}
