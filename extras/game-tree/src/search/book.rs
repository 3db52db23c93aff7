//! Minimax, NegMax and AlphaBeta as in "Algorithms in a Nutshell" (chapter 7, Examples 7-2 to 7-4):
//! moves in the order of the rules, a fixed number of moves ahead, without memory.

use crate::form::board::Board;
use crate::game::turn::Player;
use crate::search::score::{STOPPED, Score};
use crate::search::walk::{End, Moves, Observer, Walk};

/// One of the three algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Book {
    Minimax,
    NegMax,
    AlphaBeta,
}

/// The best move of a position and its score; of equally good ones, the first.
pub(crate) type Best = Option<(Score, usize)>;

impl<B: Board, O: Observer> Walk<'_, B, O> {
    /// Return the best move of a position that isn't won. `None` when there is no move, `ply` is 0,
    /// or the search was stopped.
    pub(crate) fn by_the_book(
        &mut self,
        book: Book,
        board: &mut B,
        player: Player,
        ply: u32,
    ) -> Best {
        let beta = self.wins.score(ply);
        let mut alpha = -beta;
        let mut best: Best = None;
        if !self.watch.visit() || ply == 0 {
            return None;
        }
        let other = player.other();
        let mut moves = Moves::new(self.form, player, board);
        while let Some(number) = moves.next(board) {
            let window = match book {
                Book::AlphaBeta => (-beta, -alpha),
                Book::Minimax | Book::NegMax => (-beta, beta),
            };
            let score = self.child(
                board,
                player,
                number,
                ply,
                window,
                |walk, child| match book {
                    // From the point of view of this player, and so negated once more.
                    Book::Minimax => match walk.minimax(child, other, ply - 1, false) {
                        (STOPPED, end) => (STOPPED, end),
                        (score, end) => (-score, end),
                    },
                    Book::NegMax => walk.negmax(child, other, ply - 1),
                    Book::AlphaBeta => walk.alpha_beta(child, other, ply - 1, -beta, -alpha),
                },
            );
            if score == STOPPED {
                return None;
            }
            let score = -score;
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, number));
            }
            alpha = alpha.max(score);
            if book == Book::AlphaBeta && alpha >= beta {
                self.observer.cut(|| moves.count(board));
                break;
            }
        }
        best
    }

    /// Return the score from the point of view of the player at the root, who is to move if
    /// `maximize`.
    fn minimax(
        &mut self,
        board: &mut B,
        player: Player,
        remaining: u32,
        maximize: bool,
    ) -> (Score, End) {
        if !self.watch.visit() {
            return (STOPPED, End::Inner);
        }
        let for_root = |score: Score| if maximize { score } else { -score };
        let mut moves = Moves::new(self.form, player, board);
        if moves.is_empty() {
            return (for_root(self.no_move(remaining)), End::NoMove);
        }
        if remaining == 0 {
            return match self.at_horizon(board, player) {
                STOPPED => (STOPPED, End::Inner),
                score => (for_root(score), End::Horizon),
            };
        }
        let infinity = self.wins.score(remaining);
        let mut best: Option<Score> = None;
        while let Some(number) = moves.next(board) {
            let window = (-infinity, infinity);
            let score = self.child(board, player, number, remaining, window, |walk, child| {
                let (score, end) = walk.minimax(child, player.other(), remaining - 1, !maximize);
                // Scores of children are those of the player who moves there.
                if score == STOPPED || !maximize {
                    (score, end)
                } else {
                    (-score, end)
                }
            });
            if score == STOPPED {
                return (STOPPED, End::Inner);
            }
            let score = if maximize { -score } else { score };
            best = Some(match best {
                None => score,
                Some(best) if maximize => best.max(score),
                Some(best) => best.min(score),
            });
        }
        (best.expect("there are moves"), End::Inner)
    }

    /// Return the maximum of the children's negated scores.
    fn negmax(&mut self, board: &mut B, player: Player, remaining: u32) -> (Score, End) {
        if !self.watch.visit() {
            return (STOPPED, End::Inner);
        }
        let mut moves = Moves::new(self.form, player, board);
        if moves.is_empty() {
            return (self.no_move(remaining), End::NoMove);
        }
        if remaining == 0 {
            return (self.at_horizon(board, player), End::Horizon);
        }
        let infinity = self.wins.score(remaining);
        let mut best = -infinity;
        while let Some(number) = moves.next(board) {
            let window = (-infinity, infinity);
            let score = self.child(board, player, number, remaining, window, |walk, child| {
                walk.negmax(child, player.other(), remaining - 1)
            });
            if score == STOPPED {
                return (STOPPED, End::Inner);
            }
            best = best.max(-score);
        }
        (best, End::Inner)
    }

    /// Return the score if it lies within the window, else the nearer end of the window.
    fn alpha_beta(
        &mut self,
        board: &mut B,
        player: Player,
        remaining: u32,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, End) {
        if !self.watch.visit() {
            return (STOPPED, End::Inner);
        }
        let mut moves = Moves::new(self.form, player, board);
        if moves.is_empty() {
            return (self.no_move(remaining), End::NoMove);
        }
        if remaining == 0 {
            return (self.at_horizon(board, player), End::Horizon);
        }
        while let Some(number) = moves.next(board) {
            let window = (-beta, -alpha);
            let score = self.child(board, player, number, remaining, window, |walk, child| {
                walk.alpha_beta(child, player.other(), remaining - 1, -beta, -alpha)
            });
            if score == STOPPED {
                return (STOPPED, End::Inner);
            }
            alpha = alpha.max(-score);
            if alpha >= beta {
                self.observer.cut(|| moves.count(board));
                break;
            }
        }
        (alpha, End::Inner)
    }
}
