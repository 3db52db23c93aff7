//! The surroundings of a start, where sequences are counted: found once for all searches of a run.
//!
//! Starts of one game show about the same. So where there are several, all searches count around
//! the first one, as far as each of them may, and share what they find.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use advisor::Steps;
use advisor::lengths::{MOST_COUNTED, Potential, steps_of_counting};
use budget::Limits;
use fsm::RuleMachine;
use psvn_ir::{Game, State};
use rule_splits::SplitGame;

use super::sampling::SampledStates;

/// The key of an analysis among those of one run: their length, and the steps that the choice of
/// splits might take, if there was one.
pub(crate) type AnalysisKey = (usize, Option<u64>);

/// A machine of a search, and the game of parts if its letters are parts of rules.
#[derive(Clone, Copy)]
pub(crate) struct Pruned<'a> {
    /// The key of its analysis; `None` for the one that searches begin with.
    pub(crate) analysis: Option<AnalysisKey>,
    pub(crate) machine: &'a RuleMachine,
    pub(crate) split: Option<&'a SplitGame>,
}

/// The states near a start, and the sequences that machines allow between them.
#[derive(Default)]
pub(crate) struct Surroundings {
    states: SampledStates,
    /// By the key of a machine's analysis.
    counted: Mutex<BTreeMap<Option<AnalysisKey>, Potential>>,
}

impl Surroundings {
    fn find(
        game: &Game,
        start: &State,
        pruned: Pruned<'_>,
        extent: (u64, usize),
        limits: &Limits,
    ) -> Self {
        let (machine, split) = (pruned.machine, pruned.split);
        Self {
            states: SampledStates::find(game, start, machine, split, extent, limits),
            counted: Mutex::default(),
        }
    }

    /// Return the steps of finding them.
    pub(crate) fn steps(&self) -> Steps {
        steps_of_counting(self.states.n_moves())
    }

    /// Count the sequences that a machine allows between them, as far as the limits allow.
    pub(crate) fn potential(&self, game: &Game, pruned: Pruned<'_>, limits: &Limits) -> Potential {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let count = || {
            self.states
                .potential(game, pruned.machine, pruned.split, limits)
        };
        counted.entry(pruned.analysis).or_insert_with(count).clone()
    }
}

/// How far a search counts: its machine, the moves that could be made, and the depth.
type Extent = (Option<AnalysisKey>, u64, usize);

/// The states that the searches of a run found.
#[derive(Default)]
pub(crate) struct SharedSurroundings {
    /// Where all of them count, if there are several.
    common: Option<State>,
    found: Mutex<BTreeMap<Extent, Arc<Surroundings>>>,
    /// The steps of finding them.
    steps: Mutex<Steps>,
}

impl std::fmt::Debug for SharedSurroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedSurroundings")
            .field("common", &self.common)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

impl SharedSurroundings {
    pub(crate) fn of(starts: &[State]) -> Self {
        Self {
            common: starts.first().filter(|_| starts.len() > 1).cloned(),
            ..Self::default()
        }
    }

    /// Return the steps of all that was found.
    pub(crate) fn steps(&self) -> Steps {
        *self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Find states near a start, or near the common one. Return also whether no other search had
    /// found them.
    pub(crate) fn find(
        &self,
        game: &Game,
        start: &State,
        pruned: Pruned<'_>,
        (moves, depth): (u64, usize),
        limits: &Limits,
    ) -> (Arc<Surroundings>, bool) {
        // What is found within a time differs from search to search.
        let common = self.common.as_ref().filter(|_| limits.time.is_none());
        let Some(common) = common else {
            let surroundings = Surroundings::find(game, start, pruned, (moves, depth), limits);
            self.add(surroundings.steps());
            return (Arc::new(surroundings), true);
        };
        let depth = depth.min(MOST_COUNTED);
        // A power of two, so that similar searches share it.
        let moves = moves.checked_ilog2().map_or(0, |log| 1 << log);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (pruned.analysis, moves, depth);
        if let Some(known) = found.get(&key) {
            return (Arc::clone(known), false);
        }
        let surroundings = Surroundings::find(game, common, pruned, (moves, depth), limits);
        self.add(surroundings.steps());
        let surroundings = Arc::new(surroundings);
        found.insert(key, Arc::clone(&surroundings));
        (surroundings, true)
    }

    fn add(&self, steps: Steps) {
        *self.steps.lock().unwrap_or_else(PoisonError::into_inner) += steps;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::testing::{built_in, up_to};

    #[test]
    fn several_starts_share_the_states_near_the_first_one() {
        let game = built_in("sliding-tiles", &["3", "3"]);
        let goal = game.goal_state().unwrap();
        let other = game.parse_state("1 0 2 3 4 5 6 7 8").unwrap();
        let found = up_to(&game, 2);
        let machine = RuleMachine::new(found.into_machine(2).unwrap().into(), &[]);
        let pruned = Pruned {
            analysis: None,
            machine: &machine,
            split: None,
        };
        let limits = Limits::default();
        let find = |all: &SharedSurroundings, start, moves| {
            all.find(&game, start, pruned, (moves, 9), &limits)
        };
        let all = SharedSurroundings::of(&[goal.clone(), other.clone()]);
        let (first, is_new) = find(&all, &goal, 1_100);
        assert!(is_new && first.steps() > 0.0);
        let (again, is_new) = find(&all, &other, 2_000);
        assert!(!is_new && Arc::ptr_eq(&first, &again));
        assert_eq!(all.steps(), first.steps());
        assert!(find(&all, &other, 2_100).1);
        let alone = SharedSurroundings::of(std::slice::from_ref(&goal));
        assert!(find(&alone, &goal, 1_100).1 && find(&alone, &goal, 1_100).1);
    }
}
