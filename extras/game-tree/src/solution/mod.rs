//! Solving small games: the outcome of every reachable position.
//!
//! All positions are made, and then outcomes are propagated from the ends of the game (retrograde
//! analysis; Ströhlein 1970, Thompson 1986). A game may return to an earlier position: a position
//! that is then neither won nor lost is drawn, since a player who would otherwise lose can repeat
//! moves forever.

mod graph;
mod positions;
mod representative;

use std::time::Duration;

use budget::{Limits, StopReason};
use psvn_ir::{RuleId, State};

use crate::game::{PositionError, TwoPlayerGame};
use crate::solution::graph::Graph;
use crate::solution::positions::Positions;
pub use crate::solution::representative::Representative;
use crate::visits::Visits;

/// The result of a position under best play by both, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move wins within this number of moves of both players, and no sooner.
    Win(u32),
    /// The other player wins within this number of moves, and no sooner.
    Loss(u32),
    /// Neither player can force a win.
    Draw,
}

impl Outcome {
    /// Rank outcomes; a quick win is better than a slow one, a slow loss better than a quick one.
    fn rank(self) -> i64 {
        match self {
            Outcome::Win(moves) => (1 << 40) - i64::from(moves),
            Outcome::Draw => 0,
            Outcome::Loss(moves) => i64::from(moves) - (1 << 40),
        }
    }

    /// Return the outcome for the player who moves to a position with this one.
    fn before(self) -> Self {
        match self {
            Outcome::Win(moves) => Outcome::Loss(moves + 1),
            Outcome::Loss(moves) => Outcome::Win(moves + 1),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// The bytes that solving may take if the limits don't say: 1 GiB.
pub const DEFAULT_SOLVE_MEMORY: usize = 1 << 30;

/// The reasons why a game wasn't solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The state is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit was reached first.
    #[error("{reason}, after {positions} positions")]
    Stopped {
        /// The limit.
        reason: StopReason,
        /// The number of positions found until then.
        positions: usize,
    },
}

/// The outcomes of all positions that are reachable from a start.
#[derive(Debug)]
pub struct Solution<'g> {
    game: &'g TwoPlayerGame,
    positions: Positions,
    outcomes: Vec<Outcome>,
    n_games: Option<u128>,
    representative: Representative<'g>,
    elapsed: Duration,
}

impl Solution<'_> {
    /// Return the number of positions.
    pub fn n_positions(&self) -> usize {
        self.outcomes.len()
    }

    /// Return the number of ways to play from the start to an end of the game: sequences of
    /// positions if images count as one, and of moves otherwise. `None` if a game may go on
    /// forever, or the number exceeds 128 bits.
    pub fn n_games(&self) -> Option<u128> {
        self.n_games
    }

    /// Return the elapsed time.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Return the numbers of positions that are won, lost and drawn for the player to move.
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

    /// Return the outcome of a position; `None` if it isn't reachable.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        let one = self.representative.of(state);
        let place = self.positions.find(one.values())?;
        Some(self.outcomes[place as usize])
    }

    /// Iterate over all positions with their outcomes, in the order of discovery. If images count
    /// as one, one of them represents all.
    pub fn positions(&self) -> impl Iterator<Item = (State, Outcome)> + '_ {
        let places = self.outcomes.iter().enumerate();
        places.map(|(place, outcome)| (State::new(self.positions.get(place)), *outcome))
    }

    /// Return the best rule of a position; of equally good ones, the first. `None` when the game is
    /// over there, or the position isn't reachable.
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

/// Find the outcome of every position that is reachable from a start.
///
/// Takes about 30 bytes for each position, 4 more for each of its variables, and 8 bytes for each
/// move. The limit on memory, [`DEFAULT_SOLVE_MEMORY`] if there is none, counts all arrays, and
/// both allocations while they grow. The limit on nodes is one on positions.
///
/// # Errors
/// If the state is not a position of the game, or a limit is reached.
pub fn solve<'g>(
    game: &'g TwoPlayerGame,
    start: &State,
    limits: &Limits,
) -> Result<Solution<'g>, SolveError> {
    solve_up_to(game, start, Representative::itself(), limits)
}

/// Find the same outcomes, where positions with the same representative count as one.
///
/// # Errors
/// As for [`solve`].
#[expect(clippy::missing_panics_doc, reason = "it can't happen")]
pub fn solve_up_to<'g>(
    game: &'g TwoPlayerGame,
    start: &State,
    representative: Representative<'g>,
    limits: &Limits,
) -> Result<Solution<'g>, SolveError> {
    let _span = tracing::info_span!("solve positions").entered();
    game.player(start)?;
    let mut watch = Visits::new(limits);
    let most_bytes = limits.memory.unwrap_or(DEFAULT_SOLVE_MEMORY);
    let mut graph = Graph::new(start.values().len());
    let stop = |reason, graph: &Graph| SolveError::Stopped {
        reason,
        positions: graph.positions.len(),
    };
    let mut next = 0;
    let first = representative.of(start);
    if graph.begin(&first, most_bytes).is_err() {
        return Err(stop(StopReason::Memory, &graph));
    }
    while next < graph.positions.len() {
        if !watch.visit() {
            let reason = watch.stopped().expect("the watch says why it stops");
            return Err(stop(reason, &graph));
        }
        if graph
            .expand(game, next, &representative, most_bytes)?
            .is_err()
        {
            return Err(stop(StopReason::Memory, &graph));
        }
        next += 1;
    }
    let outcomes = graph.outcomes();
    let n_games = graph.n_games();
    Ok(Solution {
        game,
        positions: graph.positions,
        outcomes,
        n_games,
        representative,
        elapsed: watch.elapsed(),
    })
}
