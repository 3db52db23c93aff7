//! Estimates of the cost from a start, for searches from both ends.

use invariants::Invariants;
use psvn_ir::State;
use search::{GOAL_LIMIT, GoalStates, Limits};

use super::Solver;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::{PreparedHeuristic, Request};

/// The most goal states for which a heuristic is made; it holds for the others, too.
const MOST_GOALS: usize = 16;

/// The game run backward, and the states where it begins.
pub(super) struct Behind {
    backward: Game,
    /// The goal states of the game; none where no start leads to one.
    goals: Vec<State>,
    /// The invariants of all states that they lead to, backward.
    known: Invariants,
}

impl Solver {
    /// Run the game backward.
    fn made_behind(&self) -> Result<Behind, Error> {
        let backward = self.game.backward_within(&self.env)?;
        let known = &self.pruning.known;
        let goals = GoalStates::of(self.game.ir())
            .filter(|goal| known.check_state(self.game.ir(), goal).is_ok());
        let goals: Vec<State> = goals.take(GOAL_LIMIT).collect();
        let is_over = || self.env.is_over();
        Ok(Behind {
            known: match goals.as_slice() {
                [] => Invariants::none(backward.ir()),
                goals => Invariants::from_states_unless(backward.ir(), goals, &is_over),
            },
            backward,
            goals,
        })
    }

    /// Make the heuristic of the search for the game run backward, whose goal is the start: it
    /// estimates the cost from the start to a state.
    ///
    /// It is right on all paths from the start to a goal, since these are the paths of the game run
    /// backward from a goal to the start, and the invariants of the goals hold on them.
    ///
    /// # Errors
    /// When the game can't be run backward, or the heuristic doesn't fit it.
    pub(super) fn estimate_from(&self, start: &State) -> Result<PreparedHeuristic, Error> {
        let behind = match self.behind.get() {
            Some(behind) => behind,
            None => {
                let made = self.made_behind()?;
                self.behind.get_or_init(|| made)
            }
        };
        let Behind { goals, known, .. } = behind;
        let backward = behind.backward.ir().with_goal_states([start]);
        if goals.is_empty() {
            return Ok(PreparedHeuristic::zero(&backward)?);
        }
        let options = &self.options;
        let request = Request {
            spec: &options.heuristic,
            mirrored: options.mirrored,
            duals: false,
            game: &backward,
            starts: &goals[..goals.len().min(MOST_GOALS)],
            known,
            transpositions: None,
            limits: Limits {
                memory: Some(options.bytes_for_heuristic()),
                ..options.limits.clone()
            },
            memory_of_names: options.limits.memory,
            host: &self.env,
        };
        heuristic_choice::prepare(&request, &|_| None)
            .map_err(|error| Error::from(error).about("in the game run backward, "))
    }
}
