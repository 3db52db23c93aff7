//! AlphaBeta with the usual extensions: a transposition table, and move ordering by earlier
//! results. The answer is the same.

use crate::form::board::Board;
use crate::game::turn::Player;
use crate::search::book::Best;
use crate::search::score::{STOPPED, Score};
use crate::search::table::{Bound, Entry, NO_MOVE, Table};
use crate::search::walk::{Moves, Walk};

/// Moves that caused cut-offs, for the order of moves.
#[derive(Debug)]
pub(crate) struct Experience {
    /// By player and move: the success of the move so far.
    history: [Vec<i32>; 2],
    /// By the number of moves left to look ahead: the last two moves that caused a cut-off.
    killers: Vec<[u32; 2]>,
    /// Moves of the positions on the path, with their sort keys.
    stack: Vec<(i32, u32)>,
}

/// The best move in the table comes first, then those that caused cut-offs at this depth.
const FROM_TABLE: i32 = i32::MAX;
const KILLER: i32 = i32::MAX - 1;
/// The limit of a history, above which all are halved.
const MAX_HISTORY: i32 = 1 << 28;

impl Experience {
    /// Start without results: moves are ordered by these values, the greatest first.
    pub(crate) fn new(worths: [Vec<i32>; 2]) -> Self {
        Self {
            history: worths,
            killers: Vec::new(),
            stack: Vec::new(),
        }
    }

    #[inline]
    fn worth(&self, player: Player, number: u32, remaining: u32, from_table: u32) -> i32 {
        if number == from_table {
            FROM_TABLE
        } else {
            match self.killers.get(remaining as usize) {
                Some([last, _]) if *last == number => KILLER,
                Some([_, before]) if *before == number => KILLER - 1,
                _ => self.history[player.index()][number as usize],
            }
        }
    }

    /// Put moves in the order in which they are tried, the best one first. Moves that are as good
    /// keep their order.
    fn sort(&self, player: Player, numbers: &mut [usize], remaining: u32, from_table: u32) {
        numbers.sort_by_key(|number| {
            std::cmp::Reverse(self.worth(player, *number as u32, remaining, from_table))
        });
    }

    /// Record that a move caused a cut-off.
    fn praise(&mut self, player: Player, number: u32, remaining: u32) {
        let place = remaining as usize;
        if self.killers.len() <= place {
            self.killers.resize(place + 1, [NO_MOVE; 2]);
        }
        let [last, before] = &mut self.killers[place];
        if *last != number {
            *before = std::mem::replace(last, number);
        }
        let history = &mut self.history[player.index()];
        let worth = &mut history[number as usize];
        *worth = worth.saturating_add((remaining * remaining).min(1 << 20) as i32);
        if *worth > MAX_HISTORY {
            history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }
}

/// The memory of a search.
pub(crate) struct Memory {
    pub(crate) table: Option<Table>,
    /// `None`: moves are tried in the order of the rules.
    pub(crate) experience: Option<Experience>,
    /// Whether a line of play was cut off at the horizon.
    pub(crate) horizon: bool,
    /// The positions whose table entry had a score or a usable bound.
    pub(crate) table_hits: u64,
}

impl<B: Board> Walk<'_, B, ()> {
    /// Return the best move of a position that isn't won; of equally good ones, the first in the
    /// order of the rules. `first` is tried before the others. `None` when there is no move, `ply`
    /// is 0, or the search was stopped.
    pub(crate) fn best(
        &mut self,
        memory: &mut Memory,
        board: &mut B,
        player: Player,
        ply: u32,
        first: Option<usize>,
    ) -> Best {
        if !self.watch.visit() || ply == 0 {
            return None;
        }
        let top = self.wins.score(ply);
        let mut numbers: Vec<usize> = Vec::new();
        let mut moves = Moves::new(self.form, player, board);
        while let Some(number) = moves.next(board) {
            numbers.push(number);
        }
        if let Some(experience) = &memory.experience {
            let first = first.map_or(NO_MOVE, |first| first as u32);
            experience.sort(player, &mut numbers, ply, first);
        }
        let mut best: Best = None;
        for number in numbers {
            // A move that is as good as the best one replaces it if it comes earlier among the
            // rules.
            let alpha = match best {
                None => -top - 1,
                Some((score, before)) if number < before => score - 1,
                Some((score, _)) if score >= top => continue,
                Some((score, _)) => score,
            };
            let score = self.next(memory, board, player, number, ply, (alpha, top));
            if score == STOPPED {
                return None;
            }
            let is_better =
                |(best, before): (Score, usize)| score > best || (score == best && number < before);
            if best.is_none_or(is_better) {
                best = Some((score, number));
            }
        }
        best
    }

    /// Return the score of a move for the player who makes it.
    #[inline(always)]
    fn next(
        &mut self,
        memory: &mut Memory,
        board: &mut B,
        player: Player,
        number: usize,
        remaining: u32,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let score = self.child(
            board,
            player,
            number,
            remaining,
            (-beta, -alpha),
            |walk, child| {
                let other = player.other();
                let score = walk.look(memory, child, other, remaining - 1, -beta, -alpha);
                (score, crate::search::walk::End::Inner)
            },
        );
        if score == STOPPED { STOPPED } else { -score }
    }

    /// Return the score, or a bound on it outside the window.
    fn look(
        &mut self,
        memory: &mut Memory,
        board: &mut B,
        player: Player,
        remaining: u32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        if !self.watch.visit() {
            return STOPPED;
        }
        let mut moves = Moves::new(self.form, player, board);
        if moves.is_empty() {
            return self.no_move(remaining);
        }
        if remaining == 0 {
            memory.horizon = true;
            return self.at_horizon(board, player);
        }
        let window = (alpha, beta);
        let key = self
            .form
            .key
            .map(|places| places.map(|place| board.word(place)));
        let mut from_table = NO_MOVE;
        if let (Some(table), Some(key)) = (&memory.table, key)
            && let Some(entry) = table.get(key)
        {
            from_table = entry.best;
            let depth = u32::from(entry.remaining);
            if depth == remaining || (entry.is_complete && depth < remaining) {
                let score = self.wins.shift(entry.score, remaining - depth);
                match entry.bound {
                    Bound::Lower => alpha = alpha.max(score),
                    Bound::Upper => beta = beta.min(score),
                    Bound::Exact | Bound::None => (alpha, beta) = (score, score),
                }
                if alpha >= beta {
                    memory.horizon |= !entry.is_complete;
                    memory.table_hits += 1;
                    return score;
                }
                (alpha, beta) = window;
            }
        }
        let horizon_before = std::mem::replace(&mut memory.horizon, false);
        let mut best = (-Score::MAX, NO_MOVE);
        // Moves are in the order of the rules, or ordered by earlier results.
        let stack_before = memory.experience.as_mut().map(|experience| {
            let before = experience.stack.len();
            while let Some(number) = moves.next(board) {
                let number = number as u32;
                let worth = experience.worth(player, number, remaining, from_table);
                experience.stack.push((worth, number));
            }
            before
        });
        let mut n_tried = 0;
        loop {
            let number = match (&mut memory.experience, stack_before) {
                (Some(experience), Some(before)) => pick(&mut experience.stack[before..], n_tried),
                _ => moves.next(board),
            };
            let Some(number) = number else { break };
            n_tried += 1;
            let score = self.next(memory, board, player, number, remaining, (alpha, beta));
            if score == STOPPED {
                return STOPPED;
            }
            if score > best.0 {
                best = (score, number as u32);
                alpha = alpha.max(score);
                if alpha >= beta {
                    if let Some(experience) = &mut memory.experience {
                        experience.praise(player, number as u32, remaining);
                    }
                    break;
                }
            }
        }
        if let (Some(experience), Some(before)) = (&mut memory.experience, stack_before) {
            experience.stack.truncate(before);
        }
        let is_complete = !memory.horizon;
        memory.horizon |= horizon_before;
        if let (Some(table), Some(key)) = (&mut memory.table, key) {
            table.put(Entry {
                key,
                score: best.0,
                best: best.1,
                remaining: remaining as u16,
                bound: bound_in(window, best.0),
                is_complete,
            });
        }
        best.0
    }
}

/// What a score found in a window says about the value.
#[inline]
fn bound_in((alpha, beta): (Score, Score), score: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

/// Pick the best of the moves that weren't tried; of equally good ones, the first.
#[inline]
fn pick(moves: &mut [(i32, u32)], n_tried: usize) -> Option<usize> {
    let rest = moves.get_mut(n_tried..)?;
    let mut best = 0;
    for (place, (worth, _)) in rest.iter().enumerate().skip(1) {
        if *worth > rest[best].0 {
            best = place;
        }
    }
    // The other moves keep their order.
    rest.get_mut(..=best)?.rotate_right(1);
    Some(rest[0].1 as usize)
}
