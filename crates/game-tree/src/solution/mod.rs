//! Solving small games: the outcome of every position that can come about.
//!
//! All positions are made, and then outcomes are handed back from the ends of the game (retrograde
//! analysis; Ströhlein 1970, Thompson 1986). A game may come back to a position that it had: what
//! is neither won nor lost then is drawn, since who doesn't want to lose goes round for ever.

mod positions;

use std::time::Duration;

use budget::{Limits, StopReason};
use psvn_ir::{RuleId, State};

use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::solution::positions::{NoRoom, Positions, Room, bytes_of};
use crate::visits::Visits;

/// How a position ends if both play their best, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move wins within this number of moves of both players, and no sooner.
    Win(u32),
    /// The other player does.
    Loss(u32),
    /// Nobody can force a win.
    Draw,
}

impl Outcome {
    /// Outcomes by how good they are; a quick win is better than a slow one, a slow loss better
    /// than a quick one.
    fn rank(self) -> i64 {
        match self {
            Outcome::Win(moves) => (1 << 40) - i64::from(moves),
            Outcome::Draw => 0,
            Outcome::Loss(moves) => i64::from(moves) - (1 << 40),
        }
    }

    /// The outcome for the player who moves to a position with this one.
    fn before(self) -> Self {
        match self {
            Outcome::Win(moves) => Outcome::Loss(moves + 1),
            Outcome::Loss(moves) => Outcome::Win(moves + 1),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// What solving may use.
#[derive(Clone, Debug)]
pub struct SolveLimits {
    /// The most bytes for positions, the moves between them, and what is worked out from these. All
    /// arrays count, with the places that they grow into.
    pub bytes: usize,
    /// Time, positions, and interruption.
    pub limits: Limits,
}

impl Default for SolveLimits {
    fn default() -> Self {
        Self {
            bytes: 1 << 30,
            limits: Limits::default(),
        }
    }
}

/// Why a game wasn't solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The state is no position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit came first.
    #[error("{reason}, after {positions} positions")]
    Stopped {
        /// Which one.
        reason: StopReason,
        /// The positions found until then.
        positions: usize,
    },
}

/// The outcomes of all positions that can come about from a start.
#[derive(Debug)]
pub struct Solution<'g> {
    game: &'g TwoPlayerGame,
    positions: Positions,
    outcomes: Vec<Outcome>,
    elapsed: Duration,
}

impl Solution<'_> {
    /// The number of positions.
    pub fn n_positions(&self) -> usize {
        self.outcomes.len()
    }

    /// The time that it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The positions that are won, lost and drawn for the player to move.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for outcome in &self.outcomes {
            counts[match outcome {
                Outcome::Win(_) => 0,
                Outcome::Loss(_) => 1,
                Outcome::Draw => 2,
            }] += 1;
        }
        counts
    }

    /// The outcome of a position; `None` if it can't come about.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        let place = self.positions.find(state.values())?;
        Some(self.outcomes[place as usize])
    }

    /// All positions with their outcomes, in the order in which they come about.
    pub fn positions(&self) -> impl Iterator<Item = (State, Outcome)> + '_ {
        let places = self.outcomes.iter().enumerate();
        places.map(|(place, outcome)| (State::new(self.positions.get(place)), *outcome))
    }

    /// The best rule of a position, the first one if several are equally good; `None` when the game
    /// is over there, or the position can't come about.
    pub fn best(&self, state: &State) -> Option<RuleId> {
        let mut best: Option<(i64, RuleId)> = None;
        for rule in self.game.rules_from(state).ok()? {
            let rank = self.outcome(&self.game.after(state, rule))?.before().rank();
            if best.is_none_or(|(best, _)| rank > best) {
                best = Some((rank, rule));
            }
        }
        best.map(|(_, rule)| rule)
    }
}

/// What handing outcomes back takes for each position: where the moves to it begin, how many of its
/// own are undecided, its outcome and whether that is known, and its place among the decided ones.
const BYTES_OF_POSITION: usize =
    2 * size_of::<u32>() + size_of::<Outcome>() + size_of::<bool>() + size_of::<u32>();
/// What it takes for each move: who comes from where.
const BYTES_OF_MOVE: usize = size_of::<u32>();

/// Find the outcome of every position that can come about from a start.
///
/// It takes, for each position, 4 bytes for each variable and about 30 more, and 8 bytes for each
/// move.
///
/// # Errors
/// When the state is no position of the game, or a limit is reached.
#[expect(clippy::missing_panics_doc, reason = "it can't happen")]
pub fn solve<'g>(
    game: &'g TwoPlayerGame,
    start: &State,
    limits: &SolveLimits,
) -> Result<Solution<'g>, SolveError> {
    game.player(start)?;
    let mut watch = Visits::new(&limits.limits);
    let mut graph = Graph::new(start.values().len());
    let stop = |reason, graph: &Graph| SolveError::Stopped {
        reason,
        positions: graph.positions.len(),
    };
    let mut next = 0;
    if graph.begin(start, limits.bytes).is_err() {
        return Err(stop(StopReason::Memory, &graph));
    }
    while next < graph.positions.len() {
        if !watch.visit() {
            let reason = watch.stopped().expect("the watch says why it stops");
            return Err(stop(reason, &graph));
        }
        if graph.expand(game, next, limits.bytes)?.is_err() {
            return Err(stop(StopReason::Memory, &graph));
        }
        next += 1;
    }
    let outcomes = graph.outcomes();
    Ok(Solution {
        game,
        positions: graph.positions,
        outcomes,
        elapsed: watch.elapsed(),
    })
}

/// How a position stands by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Open,
    Drawn,
    /// The player to move has won.
    Won,
    Lost,
}

/// Positions and the moves between them.
struct Graph {
    positions: Positions,
    over: Vec<Over>,
    /// Where the moves of each position begin in `below`.
    first: Vec<u32>,
    below: Vec<u32>,
}

impl Graph {
    fn new(n_variables: usize) -> Self {
        Self {
            positions: Positions::new(n_variables),
            over: Vec::new(),
            first: Vec::new(),
            below: Vec::new(),
        }
    }

    /// The room that is left, when outcomes can still be handed back.
    fn room(&self, limit: usize) -> Result<Room, NoRoom> {
        let held = self.positions.bytes()
            + bytes_of(&self.over)
            + bytes_of(&self.first)
            + bytes_of(&self.below);
        // One more of each, for what is about to be added.
        let later =
            (self.positions.len() + 2) * BYTES_OF_POSITION + (self.below.len() + 1) * BYTES_OF_MOVE;
        limit.checked_sub(held + later).map(Room).ok_or(NoRoom)
    }

    fn begin(&mut self, start: &State, limit: usize) -> Result<(), NoRoom> {
        let room = self.room(limit)?;
        self.positions.place(start.values(), room).map(drop)
    }

    /// Make all moves of a position. Says whether there was room for them.
    fn expand(
        &mut self,
        game: &TwoPlayerGame,
        place: usize,
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
                if self.link(&child, limit).is_err() {
                    return Ok(Err(NoRoom));
                }
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

    /// Hand outcomes back from the ends, the nearest first: so that each number of moves is the
    /// least for who wins, and the greatest for who loses.
    fn outcomes(&self) -> Vec<Outcome> {
        let n = self.positions.len();
        // First the number of moves to each position, then where those end that lead to it, and at
        // last, when they are filled in from behind, where they begin.
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
