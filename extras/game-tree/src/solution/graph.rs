//! Positions and the moves between them, and the propagation of outcomes along the moves.

use psvn_ir::State;

use super::Outcome;
use super::positions::{NoRoom, Positions, Room, bytes_of};
use super::representative::Representative;
use crate::game::{PositionError, Status, TwoPlayerGame};

/// The bytes for each position to propagate outcomes: where the moves to it begin, how many of its
/// own are undecided, its outcome and whether that is known, and its place among the decided ones.
const BYTES_OF_OUTCOME: usize =
    2 * size_of::<u32>() + size_of::<Outcome>() + size_of::<bool>() + size_of::<u32>();
/// The bytes for each position to count games: the number of ways to it, how many moves to it are
/// open, and its place among those that come next.
const BYTES_OF_COUNT: usize = size_of::<u128>() + 2 * size_of::<u32>();
/// The maximum of the two, since the phases don't overlap.
const BYTES_OF_POSITION: usize = if BYTES_OF_COUNT > BYTES_OF_OUTCOME {
    BYTES_OF_COUNT
} else {
    BYTES_OF_OUTCOME
};
/// The bytes for each move: its origin.
const BYTES_OF_MOVE: usize = size_of::<u32>();

/// The status of a position by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Open,
    Drawn,
    /// The player to move has won.
    Won,
    Lost,
}

/// Positions and the moves between them.
pub(super) struct Graph {
    pub(super) positions: Positions,
    over: Vec<Over>,
    /// Where the moves of each position begin in `below`.
    first: Vec<u32>,
    below: Vec<u32>,
}

impl Graph {
    pub(super) fn new(n_variables: usize) -> Self {
        Self {
            positions: Positions::new(n_variables),
            over: Vec::new(),
            first: Vec::new(),
            below: Vec::new(),
        }
    }

    /// Return the memory left if outcomes are still to be propagated.
    fn room(&self, limit: usize) -> Result<Room, NoRoom> {
        let held = self.positions.bytes()
            + bytes_of(&self.over)
            + bytes_of(&self.first)
            + bytes_of(&self.below);
        // Count one more of each, for the item about to be added.
        let later =
            (self.positions.len() + 2) * BYTES_OF_POSITION + (self.below.len() + 1) * BYTES_OF_MOVE;
        limit.checked_sub(held + later).map(Room).ok_or(NoRoom)
    }

    pub(super) fn begin(&mut self, start: &State, limit: usize) -> Result<(), NoRoom> {
        let room = self.room(limit)?;
        self.positions.place(start.values(), room).map(drop)
    }

    /// Make all moves of a position. Return whether there was room for them.
    pub(super) fn expand(
        &mut self,
        game: &TwoPlayerGame,
        place: usize,
        representative: &Representative<'_>,
        limit: usize,
    ) -> Result<Result<(), NoRoom>, PositionError> {
        let state = State::new(self.positions.get(place));
        let player = game.player(&state)?;
        let over = match game.status(&state)? {
            Status::Open => Over::Open,
            Status::Won(winner) if winner == player => Over::Won,
            Status::Won(_) => Over::Lost,
            Status::Drawn => Over::Drawn,
        };
        if self.note(over, limit).is_err() {
            return Ok(Err(NoRoom));
        }
        if over == Over::Open {
            for rule in game.rules_from(&state)? {
                let child = game.after(&state, rule);
                let child = representative.of(&child);
                if self.link(&child, limit).is_err() {
                    return Ok(Err(NoRoom));
                }
            }
            if !representative.is_itself() {
                // Moves to images of one position are one move.
                let first = self.first[place] as usize;
                self.below[first..].sort_unstable();
                let mut kept = first;
                for at in first..self.below.len() {
                    if at == first || self.below[at] != self.below[kept - 1] {
                        self.below[kept] = self.below[at];
                        kept += 1;
                    }
                }
                self.below.truncate(kept);
            }
        }
        Ok(Ok(()))
    }

    fn note(&mut self, over: Over, limit: usize) -> Result<(), NoRoom> {
        let first = u32::try_from(self.below.len()).map_err(|_| NoRoom)?;
        self.room(limit)?.reserve(&mut self.over, 1)?;
        self.room(limit)?.reserve(&mut self.first, 1)?;
        self.over.push(over);
        self.first.push(first);
        Ok(())
    }

    fn link(&mut self, child: &State, limit: usize) -> Result<(), NoRoom> {
        // Moves are numbered in 32 bits.
        u32::try_from(self.below.len() + 1).map_err(|_| NoRoom)?;
        self.room(limit)?.reserve(&mut self.below, 1)?;
        let room = self.room(limit)?;
        self.below.push(self.positions.place(child.values(), room)?);
        Ok(())
    }

    fn below(&self, place: usize) -> &[u32] {
        let start = self.first[place] as usize;
        let end = self.first.get(place + 1).map(|end| *end as usize);
        &self.below[start..end.unwrap_or(self.below.len())]
    }

    /// Return the number of paths from the first position to those without moves, if there are no
    /// cycles.
    pub(super) fn n_games(&self) -> Option<u128> {
        let mut open = vec![0_u32; self.positions.len()];
        for child in &self.below {
            open[*child as usize] += 1;
        }
        // Visit each position after all that lead to it.
        let mut ways = vec![0_u128; self.positions.len()];
        *ways.first_mut()? = 1;
        if open[0] > 0 {
            return None;
        }
        let mut next: Vec<u32> = vec![0];
        let (mut n_done, mut sum) = (0, 0_u128);
        while let Some(place) = next.pop() {
            n_done += 1;
            let below = self.below(place as usize);
            if below.is_empty() {
                sum = sum.checked_add(ways[place as usize])?;
            }
            let here = ways[place as usize];
            for child in below {
                let there = &mut ways[*child as usize];
                *there = there.checked_add(here)?;
                open[*child as usize] -= 1;
                if open[*child as usize] == 0 {
                    next.push(*child);
                }
            }
        }
        (n_done == self.positions.len()).then_some(sum)
    }

    /// Propagate outcomes from the ends, the nearest first, so that each number of moves is the
    /// minimum for the winner, and the maximum for the loser.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let n = self.positions.len();
        // First this is the number of moves to each position, then the place where these moves end,
        // and finally, after they are filled in from the end, the place where they begin.
        let mut above_first = vec![0_u32; n + 1];
        for child in &self.below {
            above_first[*child as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut above_first {
            sum += *end;
            *end = sum;
        }
        let mut above = vec![0_u32; self.below.len()];
        for place in (0..n).rev() {
            for child in self.below(place).iter().rev() {
                let at = &mut above_first[*child as usize];
                *at -= 1;
                above[*at as usize] = place as u32;
            }
        }
        let mut undecided: Vec<u32> = (0..n).map(|place| self.below(place).len() as u32).collect();
        let mut outcomes = vec![Outcome::Draw; n];
        let mut is_known = vec![false; n];
        let mut decided: Vec<u32> = Vec::with_capacity(n);
        for (place, over) in self.over.iter().enumerate() {
            outcomes[place] = match over {
                Over::Won => Outcome::Win(0),
                Over::Lost => Outcome::Loss(0),
                Over::Open | Over::Drawn => continue,
            };
            is_known[place] = true;
            decided.push(place as u32);
        }
        let mut done = 0;
        while let Some(place) = decided.get(done).map(|place| *place as usize) {
            done += 1;
            let outcome = outcomes[place];
            let parents = above_first[place] as usize..above_first[place + 1] as usize;
            for parent in &above[parents] {
                let parent = *parent as usize;
                undecided[parent] = undecided[parent].saturating_sub(1);
                let is_lost = matches!(outcome, Outcome::Win(_)) && undecided[parent] == 0;
                if !is_known[parent] && (is_lost || matches!(outcome, Outcome::Loss(_))) {
                    outcomes[parent] = outcome.before();
                    is_known[parent] = true;
                    decided.push(parent as u32);
                }
            }
        }
        outcomes
    }
}
