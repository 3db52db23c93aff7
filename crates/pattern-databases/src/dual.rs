//! Dual states: places and values change their roles (Felner, Zahavi, Schaeffer & Holte 2005, "Dual Lookups in Pattern
//! Databases"; Zahavi, Felner, Holte & Schaeffer 2006, "Dual Search in Permutation State Spaces").
//!
//! Where all rules only permute positions, and the goal has a different value at each position, a state is a permutation
//! of the goal. A way from it to the goal is a product of the rules' permutations that is its inverse. If to each rule there is one
//! for the inverse permutation that costs no more, a way for the inverse state is made of the inverses in the opposite order, and costs
//! no more. So both are as far from the goal. In the state the table of a pattern asks where the pattern's values are; for
//! the dual state it asks which values stand at their places.

use std::sync::Arc;

use abstraction::PieceSystem;
use psvn_ir::Game;

use crate::ranking::places::MOST_POSITIONS;

/// What has no home.
const NONE: u32 = u32::MAX;

/// The map from states to dual states of a game of permutations; proved by [`find`](Self::find).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dual {
    /// By value: the position where it stands in the goal.
    home: Arc<[u32]>,
    /// By position: the value in the goal.
    goal: Arc<[u32]>,
}

impl Dual {
    /// `None` unless the game is one of permutations, its rules have inverses that cost no more, and the goal is one state that has
    /// a different value at each of at most 64 positions.
    pub fn find(game: &Game) -> Option<Self> {
        let system = PieceSystem::find(game)?;
        let goal = game.goal_state()?;
        let first = *game.variables().first()?;
        let one_domain = game.variables().iter().all(|domain| *domain == first);
        if !one_domain || game.n_variables() > MOST_POSITIONS {
            return None;
        }
        let mut home = vec![NONE; game.domain(first).size()];
        for (position, value) in goal.values().iter().enumerate() {
            let known = &mut home[value.index()];
            if std::mem::replace(known, position as u32) != NONE {
                return None;
            }
        }
        let rules: Vec<(&Vec<usize>, u64)> = system
            .permutations()
            .iter()
            .zip(game.rules())
            .map(|(permutation, rule)| (permutation, rule.canonical.cost()))
            .collect();
        let has_inverse = |(permutation, cost): &(&Vec<usize>, u64)| {
            rules.iter().any(|(other, other_cost)| {
                let mut both = permutation.iter().enumerate();
                other_cost <= cost && both.all(|(from, to)| other[*to] == from)
            })
        };
        rules.iter().all(has_inverse).then(|| Self {
            home: home.into(),
            goal: goal.values().iter().map(|value| value.0).collect(),
        })
    }

    /// Where a value stands in the goal.
    #[inline(always)]
    pub(crate) fn home(&self, value: usize) -> Option<usize> {
        let home = *self.home.get(value)?;
        (home != NONE).then_some(home as usize)
    }

    /// The dual of a state, by position; `None` when the state is no permutation of the goal.
    #[inline(always)]
    pub(crate) fn state(&self, value: impl Fn(usize) -> usize) -> Option<[u32; MOST_POSITIONS]> {
        let mut image = [NONE; MOST_POSITIONS];
        for (position, there) in self.goal.iter().enumerate() {
            let slot = &mut image[self.home(value(position))?];
            if std::mem::replace(slot, *there) != NONE {
                return None;
            }
        }
        Some(image)
    }
}
