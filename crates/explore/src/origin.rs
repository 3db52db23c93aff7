//! The origin and the direction of an exploration.

use psvn_ir::{Game, State};
use search::{Direction, GoalStates, PackedStates};

use crate::report::ExploreError;

/// The states at which an exploration begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All states that satisfy a goal condition, followed backward: distances to a goal.
    Goals,
    /// These states, followed forward: distances from the nearest of them.
    States(Vec<State>),
}

impl Origin {
    /// Return the direction of the moves.
    pub fn direction(&self) -> Direction {
        match self {
            Self::Goals => Direction::Backward,
            Self::States(_) => Direction::Forward,
        }
    }

    /// Return the states at distance 0, packed and sorted, without duplicates.
    ///
    /// # Errors
    /// If there are none, or more than fit in `memory` bytes (8 GiB if `None`), or one is not a
    /// state of the game.
    pub fn packed(
        &self,
        game: &Game,
        states: &PackedStates,
        memory: Option<usize>,
    ) -> Result<Vec<Vec<u64>>, ExploreError> {
        let pack = |state: &State| states.pack(state).map_err(ExploreError::from);
        let mut roots: Vec<Vec<u64>> = match self {
            Self::Goals if game.goals().is_empty() => return Err(ExploreError::NoGoal),
            Self::Goals => {
                let bytes = GoalStates::count_all(game)
                    .map(|n| n.saturating_mul(8 * states.n_words() as u128 + 24));
                if bytes.is_none_or(|n| n > memory.map_or(1 << 33, |limit| limit as u128)) {
                    return Err(ExploreError::TooManyGoals(GoalStates::count_all(game)));
                }
                GoalStates::of(game)
                    .map(|state| pack(&state))
                    .collect::<Result<_, _>>()?
            }
            Self::States(starts) => starts.iter().map(pack).collect::<Result<_, _>>()?,
        };
        if roots.is_empty() {
            return Err(ExploreError::NoStart);
        }
        roots.sort_unstable();
        roots.dedup();
        Ok(roots)
    }
}
