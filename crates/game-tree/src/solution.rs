//! Solving small games: the outcome of every position that can come about.
//!
//! All positions are made, and then outcomes are handed back from the ends of the game (retrograde
//! analysis; Ströhlein 1970, Thompson 1986). A game may come back to a position that it had: what is
//! neither won nor lost then is drawn, since who doesn't want to lose goes round for ever.

use std::collections::HashMap;
use std::time::Duration;

use psvn_ir::{RuleId, State, Value};

use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::limits::{Limits, StopReason, Watch};

/// How a position ends if both play their best, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move wins within so many moves of both players, and no sooner.
    Win(u32),
    /// The other player does.
    Loss(u32),
    /// Nobody can force a win.
    Draw,
}

impl Outcome {
    /// Outcomes by how good they are; a quick win is better than a slow one, a slow loss better than a
    /// quick one.
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
    /// The most bytes for positions and the moves between them, nearly.
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
    places: Places,
    outcomes: Vec<Outcome>,
    elapsed: Duration,
}

/// The place of each state.
type Places = HashMap<Box<[Value]>, u32, ahash::RandomState>;

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
        let place = self.places.get(state.values())?;
        Some(self.outcomes[*place as usize])
    }

    /// All positions with their outcomes, in no particular order.
    pub fn positions(&self) -> impl Iterator<Item = (State, Outcome)> + '_ {
        let places = self.places.iter();
        places.map(|(values, place)| (State::new(values.clone()), self.outcomes[*place as usize]))
    }

    /// The best rule of a position, the first one if several are equally good; `None` when the game is
    /// over there, or the position can't come about.
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

/// Bytes for a position beside its values: its entry, its outcome, and what is counted.
const BYTES_OF_POSITION: usize = 64;
/// Bytes for a move from one position to another.
const BYTES_OF_MOVE: usize = 8;

/// Finds the outcome of every position that can come about from a start.
///
/// # Errors
/// When the state is no position of the game, or a limit is reached.
pub fn solve<'g>(
    game: &'g TwoPlayerGame,
    start: &State,
    limits: &SolveLimits,
) -> Result<Solution<'g>, SolveError> {
    game.player(start)?;
    let mut watch = Watch::new(&limits.limits);
    let mut graph = Graph::default();
    graph.place(start.values());
    let mut next = 0;
    while next < graph.states.len() {
        let n_states = graph.states.len();
        let per_state = size_of_val(start.values()) + BYTES_OF_POSITION;
        let bytes = n_states * per_state + graph.below.len() * BYTES_OF_MOVE;
        let stop = |reason| SolveError::Stopped {
            reason,
            positions: n_states,
        };
        if !watch.visit() {
            return Err(stop(watch.stopped().unwrap_or(StopReason::Interrupted)));
        }
        if bytes > limits.bytes || n_states >= u32::MAX as usize {
            return Err(stop(StopReason::Memory));
        }
        graph.expand(game, next)?;
        next += 1;
    }
    let outcomes = graph.outcomes();
    Ok(Solution {
        game,
        places: graph.places,
        outcomes,
        elapsed: watch.elapsed(),
    })
}

/// Positions and the moves between them.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    places: Places,
    /// What is over: whether the player to move has won (1), lost (-1), or neither.
    over: Vec<Option<i8>>,
    /// Where the moves of each position begin in `below`.
    first: Vec<usize>,
    below: Vec<u32>,
}

impl Graph {
    fn place(&mut self, values: &[Value]) -> u32 {
        if let Some(place) = self.places.get(values) {
            return *place;
        }
        let place = self.states.len() as u32;
        self.states.push(State::new(values));
        self.places.insert(values.into(), place);
        place
    }

    fn expand(&mut self, game: &TwoPlayerGame, place: usize) -> Result<(), PositionError> {
        let state = self.states[place].clone();
        let player = game.player(&state)?;
        let over = match game.status(&state)? {
            Status::Open => None,
            Status::Won(winner) => Some(if winner == player { 1 } else { -1 }),
            Status::Drawn => Some(0),
        };
        self.over.push(over);
        self.first.push(self.below.len());
        if over.is_none() {
            for rule in game.rules_from(&state)? {
                let child = game.after(&state, rule);
                let child = self.place(child.values());
                self.below.push(child);
            }
        }
        Ok(())
    }

    fn below(&self, place: usize) -> &[u32] {
        let end = self.first.get(place + 1).copied();
        &self.below[self.first[place]..end.unwrap_or(self.below.len())]
    }

    /// Hands outcomes back from the ends, the nearest first: so that each number of moves is the least
    /// for who wins, and the greatest for who loses.
    fn outcomes(&self) -> Vec<Outcome> {
        let n = self.states.len();
        let mut above_first = vec![0usize; n + 1];
        for child in &self.below {
            above_first[*child as usize + 1] += 1;
        }
        for place in 0..n {
            above_first[place + 1] += above_first[place];
        }
        let mut above = vec![0u32; self.below.len()];
        let mut filled = above_first.clone();
        for place in 0..n {
            for child in self.below(place) {
                above[filled[*child as usize]] = place as u32;
                filled[*child as usize] += 1;
            }
        }
        let mut undecided: Vec<u32> = (0..n).map(|place| self.below(place).len() as u32).collect();
        let mut outcomes: Vec<Option<Outcome>> = vec![None; n];
        let mut decided: Vec<u32> = Vec::new();
        for (place, over) in self.over.iter().enumerate() {
            outcomes[place] = match over {
                Some(1) => Some(Outcome::Win(0)),
                Some(-1) => Some(Outcome::Loss(0)),
                _ => continue,
            };
            decided.push(place as u32);
        }
        let mut done = 0;
        while let Some(place) = decided.get(done).map(|place| *place as usize) {
            done += 1;
            let Some(outcome) = outcomes[place] else {
                continue;
            };
            for parent in &above[above_first[place]..above_first[place + 1]] {
                let parent = *parent as usize;
                undecided[parent] = undecided[parent].saturating_sub(1);
                let is_lost = matches!(outcome, Outcome::Win(_)) && undecided[parent] == 0;
                if outcomes[parent].is_none() && (is_lost || matches!(outcome, Outcome::Loss(_))) {
                    outcomes[parent] = Some(outcome.before());
                    decided.push(parent as u32);
                }
            }
        }
        let decided = outcomes.into_iter();
        decided
            .map(|outcome| outcome.unwrap_or(Outcome::Draw))
            .collect()
    }
}
