//! Boards: the words of a position; short boards have a length that their type knows.

use crate::form::Form;
use crate::game::TwoPlayerGame;
use crate::game::ground::Move;
use crate::game::turn::Player;

/// The words of a position, and how moves change them.
pub(crate) trait Board: Sized {
    /// The changes of the words by the moves.
    type Deltas;

    fn new(words: &[u64]) -> Self;

    fn deltas(game: &TwoPlayerGame, form: &Form) -> Self::Deltas;

    fn word(&self, place: usize) -> u64;

    fn words(&self) -> &[u64];

    /// Call a function with the position after a move. The position is unchanged afterwards.
    fn with_child<R>(
        &mut self,
        deltas: &Self::Deltas,
        player: Player,
        number: usize,
        call: impl FnOnce(&mut Self) -> R,
    ) -> R;
}

/// At most `N` words, a power of two. Positions are copied.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Dense<const N: usize>([u64; N]);

impl<const N: usize> Dense<N> {
    fn of(words: &[u64]) -> Self {
        let mut padded = [0; N];
        padded[..words.len()].copy_from_slice(words);
        Self(padded)
    }
}

impl<const N: usize> Board for Dense<N> {
    type Deltas = [Vec<Self>; 2];

    fn new(words: &[u64]) -> Self {
        Self::of(words)
    }

    fn deltas(game: &TwoPlayerGame, form: &Form) -> Self::Deltas {
        let delta = |a: &Move| Self::of(&form.delta(a));
        [0, 1].map(|player| game.moves[player].iter().map(delta).collect())
    }

    #[inline(always)]
    fn word(&self, place: usize) -> u64 {
        // The mask changes no place, and saves the bounds check.
        self.0[place & (N - 1)]
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn with_child<R>(
        &mut self,
        deltas: &Self::Deltas,
        player: Player,
        number: usize,
        call: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let delta = &deltas[player.index()][number].0;
        call(&mut Self(std::array::from_fn(|i| self.0[i] ^ delta[i])))
    }
}

/// Any number of words. Moves are made and taken back in place.
#[derive(Clone, Debug)]
pub(crate) struct Sparse(Vec<u64>);

/// The words that a move changes.
type Changes = Box<[(u32, u64)]>;

impl Sparse {
    #[inline]
    fn flip(&mut self, changes: &Changes) {
        for (place, delta) in changes {
            self.0[*place as usize] ^= *delta;
        }
    }
}

impl Board for Sparse {
    type Deltas = [Vec<Changes>; 2];

    fn new(words: &[u64]) -> Self {
        Self(words.to_vec())
    }

    fn deltas(game: &TwoPlayerGame, form: &Form) -> Self::Deltas {
        let delta = |a: &Move| -> Changes {
            let words = (0..).zip(form.delta(a));
            words.filter(|(_, delta)| *delta != 0).collect()
        };
        [0, 1].map(|player| game.moves[player].iter().map(delta).collect())
    }

    #[inline]
    fn word(&self, place: usize) -> u64 {
        self.0[place]
    }

    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline]
    fn with_child<R>(
        &mut self,
        deltas: &Self::Deltas,
        player: Player,
        number: usize,
        call: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let changes = &deltas[player.index()][number];
        self.flip(changes);
        let result = call(self);
        self.flip(changes);
        result
    }
}

/// Call a generic function with the board type that fits a number of words.
macro_rules! with_board {
    ($n_words:expr, $board:ident => $call:expr) => {
        match $n_words {
            0..=4 => {
                type $board = $crate::form::board::Dense<4>;
                $call
            }
            5..=8 => {
                type $board = $crate::form::board::Dense<8>;
                $call
            }
            9..=16 => {
                type $board = $crate::form::board::Dense<16>;
                $call
            }
            17..=32 => {
                type $board = $crate::form::board::Dense<32>;
                $call
            }
            _ => {
                type $board = $crate::form::board::Sparse;
                $call
            }
        }
    };
}
pub(crate) use with_board;
