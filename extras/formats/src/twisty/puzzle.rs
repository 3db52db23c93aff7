//! A puzzle as its file describes it.

use psvn_syntax::{Diagnostic, Span};

use super::turns::Turn;

/// A twisty puzzle: sets of pieces that moves carry from place to place and turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name.
    pub name: String,
    /// What to say of it, in lines of comments, in place of its name.
    pub heading: Option<String>,
    /// The sets.
    pub sets: Vec<Set>,
    /// Where the pieces of each set are in the beginning, if the file says so.
    pub start: Vec<Arrangement>,
    /// The moves, without their multiples.
    pub moves: Vec<Move>,
    /// Turns of the whole puzzle, which only change how it is held: no moves of a search. Scrambles
    /// and definitions use them.
    pub rotations: Vec<Move>,
    /// Other names of moves and of sequences of moves.
    pub aliases: Vec<(String, String)>,
    /// Pieces that may not be at a place.
    pub illegal: Vec<Illegal>,
    /// The parts that were left out on reading.
    pub notes: Vec<Diagnostic>,
}

/// A set of pieces and their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Its name.
    pub name: String,
    /// The number of orientations of a piece.
    pub orientations: usize,
    /// Where the pieces belong.
    pub solved: Arrangement,
    /// The number of distinguishable orientations of the piece in each place: a divisor of
    /// `orientations`, 1 if none matters.
    pub distinct: Vec<usize>,
    /// Its place in the file.
    pub span: Span,
}

/// Where the pieces of a set are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The piece in each place; equal numbers are identical pieces.
    pub pieces: Vec<usize>,
    /// The orientation of the piece in each place.
    pub orientation: Vec<usize>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its name.
    pub name: String,
    /// The effect on each set.
    pub turns: Vec<Turn>,
    /// Its cost.
    pub cost: u64,
    /// Its place in the file.
    pub span: Span,
    /// Which of its multiples are moves as well.
    pub multiples: Multiples,
}

/// Which multiples of a move are moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiples {
    /// All of them: R, R2, R'.
    #[default]
    All,
    /// Only the one that undoes it.
    Inverse,
    /// None.
    None,
}

/// Pieces that may not be at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The set.
    pub set: usize,
    /// The place.
    pub place: usize,
    /// The pieces.
    pub pieces: Vec<usize>,
    /// Its place in the file.
    pub span: Span,
}

impl Set {
    /// A set with distinct, unturned pieces, before its contents are read.
    pub(super) fn new(name: &str, places: usize, orientations: usize, span: Span) -> Self {
        Self {
            name: name.to_owned(),
            orientations,
            solved: Arrangement {
                pieces: (0..places).collect(),
                orientation: vec![0; places],
            },
            distinct: vec![orientations; places],
            span,
        }
    }

    /// Return the number of places.
    pub fn places(&self) -> usize {
        self.solved.pieces.len()
    }

    /// Whether all pieces look alike, apart from their orientations.
    pub(super) fn is_alike(&self) -> bool {
        let pieces = &self.solved.pieces;
        pieces.iter().all(|piece| *piece == pieces[0])
    }

    /// The number of distinguishable orientations of a piece.
    pub(super) fn distinct_of(&self, piece: usize) -> usize {
        let place = self.solved.pieces.iter().position(|it| *it == piece);
        place.map_or(1, |place| self.distinct[place])
    }

    /// What a sticker of a place shows if a piece is there: the piece, and which of its signs.
    pub(super) fn seen(&self, piece: usize, orientation: usize, sticker: usize) -> (usize, usize) {
        let n = self.orientations;
        (
            piece,
            (sticker + n - orientation) % n % self.distinct_of(piece),
        )
    }

    /// Two places with identical pieces, but different numbers of distinguishable orientations.
    pub(super) fn contradiction(&self) -> Option<(usize, usize)> {
        let mut first = std::collections::HashMap::new();
        for (place, piece) in self.solved.pieces.iter().enumerate() {
            let other = *first.entry(*piece).or_insert(place);
            if self.distinct[other] != self.distinct[place] {
                return Some((other, place));
            }
        }
        None
    }
}
