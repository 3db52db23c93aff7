//! The common part of all searches of a game tree: making moves, and the end of the game.

use crate::form::board::Board;
use crate::form::{Chunk, Form};
use crate::game::NoMove;
use crate::game::turn::Player;
use crate::search::evaluator::{Evaluator, View};
use crate::search::score::{MAX_EVALUATION, STOPPED, Score, Wins};
use crate::search::unquiet::Unquiet;
use crate::visits::Visits;

/// How the search of a position ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The last move has won.
    Won,
    /// There is no move.
    NoMove,
    /// The search ends here.
    Horizon,
    /// There are moves, and they were searched.
    Inner,
}

/// Receives each position that a search visits.
pub(crate) trait Observer {
    /// Note that a move is made. The window is that of the position after it.
    #[inline(always)]
    fn enter(&mut self, _player: Player, _number: usize, _window: (Score, Score)) {}

    /// Note that the move is taken back.
    #[inline(always)]
    fn leave(&mut self, _score: Score, _end: End) {}

    /// Note that the remaining moves of a position aren't searched.
    #[inline(always)]
    fn cut(&mut self, _n_left: impl FnOnce() -> usize) {}
}

/// An observer that does nothing.
impl Observer for () {}

/// The context of a search.
pub(crate) struct Walk<'a, B: Board, O> {
    pub(crate) form: &'a Form,
    pub(crate) deltas: &'a B::Deltas,
    pub(crate) evaluator: &'a dyn Evaluator,
    pub(crate) no_move: NoMove,
    pub(crate) wins: Wins,
    /// Whether goals may hold that the last move doesn't touch.
    pub(crate) all_goals: bool,
    /// The moves that are followed beyond the horizon.
    pub(crate) unquiet: Option<&'a Unquiet>,
    pub(crate) watch: &'a mut Visits,
    pub(crate) observer: O,
}

impl<B: Board, O: Observer> Walk<'_, B, O> {
    /// Make a move, compute the score of the position after it, and take the move back. The score
    /// is for the player who is to move there. `remaining` moves are left here.
    #[inline(always)]
    pub(crate) fn child(
        &mut self,
        board: &mut B,
        player: Player,
        number: usize,
        remaining: u32,
        window: (Score, Score),
        call: impl FnOnce(&mut Self, &mut B) -> (Score, End),
    ) -> Score {
        let (form, deltas) = (self.form, self.deltas);
        board.with_child(deltas, player, number, |child| {
            self.observer.enter(player, number, window);
            let goals = &form.goals[player.index()];
            let (score, end) = if goals.reached(number, self.all_goals, |word| child.word(word)) {
                if self.watch.visit() {
                    (-self.wins.score(remaining - 1), End::Won)
                } else {
                    (STOPPED, End::Won)
                }
            } else {
                call(self, child)
            };
            self.observer.leave(score, end);
            score
        })
    }

    /// Evaluate a position for the player to move.
    #[inline(always)]
    pub(crate) fn evaluate(&self, board: &B, player: Player) -> Score {
        let view = View {
            form: self.form,
            words: board.words(),
            player,
        };
        let score = self.evaluator.evaluate(&view);
        score.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Return the score of a position without moves for the player who would have to move.
    #[inline(always)]
    pub(crate) fn no_move(&self, remaining: u32) -> Score {
        match self.no_move {
            NoMove::Draw => 0,
            NoMove::Loss => -self.wins.score(remaining),
            NoMove::Win => self.wins.score(remaining),
        }
    }
}

/// The moves of a position, in the order of the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves<'f> {
    chunks: &'f [Chunk],
    /// The place of the chunk after that of `bits`.
    next_chunk: usize,
    bits: u64,
}

impl<'f> Moves<'f> {
    #[inline(always)]
    pub(crate) fn new<B: Board>(form: &'f Form, player: Player, board: &B) -> Self {
        let mut moves = Self {
            chunks: &form.chunks[player.index()],
            next_chunk: 0,
            bits: 0,
        };
        moves.advance(board);
        moves
    }

    /// Go to the next chunk with moves.
    #[inline(always)]
    fn advance<B: Board>(&mut self, board: &B) {
        while self.bits == 0
            && let Some(chunk) = self.chunks.get(self.next_chunk)
        {
            self.bits = chunk.applicable(|word| board.word(word));
            self.next_chunk += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// Return the number of the next move. The board must be the same each time.
    #[inline(always)]
    pub(crate) fn next<B: Board>(&mut self, board: &B) -> Option<usize> {
        if self.bits == 0 {
            return None;
        }
        let number = (self.next_chunk - 1) * 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        self.advance(board);
        Some(number)
    }

    /// Return how many moves are left.
    pub(crate) fn count<B: Board>(mut self, board: &B) -> usize {
        std::iter::from_fn(|| self.next(board)).count()
    }
}
