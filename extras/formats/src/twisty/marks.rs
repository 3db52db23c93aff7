//! Variables that show which pieces may not be everywhere.
//!
//! A rule can't ask whether a value is one of several, so it would take a rule for each combination
//! of the pieces that may come to a place. With a variable that shows for each place where its
//! piece may not be, a move remains one rule. The test stands on both sides of a move: what comes
//! to a place must be allowed there, and so must what leaves it. So moves undo each other, and a
//! search backward enters no forbidden state.

use std::collections::BTreeMap;

use super::puzzle::{Illegal, Set};
use super::turns::Turn;

/// The variables of a set that show where its pieces may not be, one for each place.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    pub(super) set: usize,
    /// The first of the variables.
    pub(super) begin: usize,
    /// The kind of each piece.
    kind_of: BTreeMap<usize, usize>,
    /// For each kind of pieces, the places where it may not be, sorted.
    pub(super) forbidden: Vec<Vec<usize>>,
}

impl Marks {
    /// The marks of a set, if some pieces are forbidden somewhere, from a variable on.
    pub(super) fn of(index: usize, set: &Set, illegal: &[Illegal], begin: usize) -> Option<Self> {
        let forbidden_to = |piece: usize| -> Vec<usize> {
            let of_piece = illegal
                .iter()
                .filter(|it| it.set == index && it.pieces.contains(&piece));
            let mut places: Vec<usize> = of_piece.map(|it| it.place).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let mut by_places: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        let mut pieces = set.solved.pieces.clone();
        pieces.sort_unstable();
        pieces.dedup();
        for piece in pieces {
            by_places
                .entry(forbidden_to(piece))
                .or_default()
                .push(piece);
        }
        if by_places.len() < 2 {
            return None;
        }
        let kinds = by_places.values().enumerate();
        let kind_of = kinds.flat_map(|(kind, pieces)| pieces.iter().map(move |it| (*it, kind)));
        Some(Self {
            set: index,
            begin,
            kind_of: kind_of.collect(),
            forbidden: by_places.into_keys().collect(),
        })
    }

    /// The kind of a piece.
    pub(super) fn kind_of(&self, piece: usize) -> usize {
        self.kind_of[&piece]
    }

    /// The value for a kind of pieces.
    pub(super) fn word(&self, kind: usize) -> String {
        // Pieces that may be anywhere are the first kind, if there are any.
        let n_free = usize::from(self.forbidden[0].is_empty());
        match (kind + 1).saturating_sub(n_free) {
            0 => "free".to_owned(),
            1 => "bound".to_owned(),
            number => format!("bound{number}"),
        }
    }

    /// The values of all kinds.
    pub(super) fn words(&self) -> Vec<String> {
        (0..self.forbidden.len())
            .map(|kind| self.word(kind))
            .collect()
    }

    /// The kinds that may be at a place; `None` if all may.
    fn allowed_at(&self, place: usize) -> Option<Vec<usize>> {
        let is_allowed = |kind: &usize| !self.forbidden[*kind].contains(&place);
        let allowed: Vec<usize> = (0..self.forbidden.len()).filter(is_allowed).collect();
        (allowed.len() < self.forbidden.len()).then_some(allowed)
    }

    /// The variables that a move must test, each with the values that it may have.
    pub(super) fn tests(&self, turn: &Turn) -> Vec<(usize, Vec<String>)> {
        let mut allowed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let moved = turn
            .from
            .iter()
            .enumerate()
            .filter(|(to, from)| to != *from);
        for (to, from) in moved {
            let Some(kinds) = self.allowed_at(to) else {
                continue;
            };
            for place in [to, *from] {
                let all = || (0..self.forbidden.len()).collect();
                let left = allowed.entry(place).or_insert_with(all);
                left.retain(|kind| kinds.contains(kind));
            }
        }
        let words = |kinds: Vec<usize>| kinds.into_iter().map(|kind| self.word(kind)).collect();
        let tests = allowed.into_iter();
        tests
            .map(|(place, kinds)| (self.begin + place, words(kinds)))
            .collect()
    }
}
