//! Selective search beyond the horizon: Type B of Shannon 1950, where Type A looks the same number
//! of moves ahead everywhere.

use crate::form::board::Board;
use crate::game::turn::Player;
use crate::search::score::{MAX_EVALUATION, STOPPED, Score};
use crate::search::unquiet::Unquiet;
use crate::search::walk::{End, Moves, Observer, Walk};

/// The most moves that are followed beyond the horizon: rules that are named may lead in circles.
pub const MAX_BEYOND: u32 = 32;

impl<B: Board, O: Observer> Walk<'_, B, O> {
    /// Return the score of a position at the horizon for the player to move. It doesn't depend on a
    /// window, so all algorithms see the same.
    #[inline(always)]
    pub(crate) fn at_horizon(&mut self, board: &mut B, player: Player) -> Score {
        match self.unquiet {
            None => self.evaluate(board, player),
            Some(unquiet) => {
                let window = (-MAX_EVALUATION, MAX_EVALUATION);
                self.beyond(unquiet, board, player, window, MAX_BEYOND)
            }
        }
    }

    /// Return the better of what the evaluator says, since a player need not make one of the moves
    /// that are followed, and of what these moves lead to.
    ///
    /// A game that is won or lost here counts as the best or worst evaluation, and not as a proved
    /// result: moves that aren't followed might avoid it.
    fn beyond(
        &mut self,
        unquiet: &Unquiet,
        board: &mut B,
        player: Player,
        (mut alpha, beta): (Score, Score),
        most: u32,
    ) -> Score {
        alpha = alpha.max(self.evaluate(board, player));
        let mut moves = Moves::new(self.form, player, board);
        while alpha < beta
            && most > 0
            && let Some(number) = moves.next(board)
        {
            if !unquiet.has(player, number) {
                continue;
            }
            let window = (-beta, -alpha);
            let score = self.child(board, player, number, 1, window, |walk, child| {
                if !walk.watch.visit() {
                    return (STOPPED, End::Inner);
                }
                let other = player.other();
                if Moves::new(walk.form, other, child).is_empty() {
                    return (walk.no_move(0), End::NoMove);
                }
                let score = walk.beyond(unquiet, child, other, window, most - 1);
                (score, End::Horizon)
            });
            if score == STOPPED {
                return STOPPED;
            }
            alpha = alpha.max(-score);
        }
        alpha.min(beta)
    }
}
