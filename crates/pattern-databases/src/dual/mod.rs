//! Dual states: places and values change their roles (Felner, Zahavi, Schaeffer & Holte 2005, "Dual
//! Lookups in Pattern Databases"; Zahavi, Felner, Holte & Schaeffer 2006, "Dual Search in
//! Permutation State Spaces").
//!
//! Where all rules only permute positions, and the goal has a different value at each position, a
//! state is a permutation of the goal. A path from it to the goal is a product of the rules'
//! permutations that equals its inverse. If each rule has an inverse that costs no more, the
//! inverses in opposite order are a path for the inverse state that costs no more. So both states
//! are equally far from the goal. For a state, a pattern's table is looked up by the places of the
//! pattern's values; for the dual state, by the values at their places.
//!
//! Where rules move several positions at once, as on a cube, the same holds for pieces: each occurs
//! once, and its values determine its orientation. In the dual state, each piece is where the piece
//! at its home comes from, turned back.

pub(crate) mod piece_codes;

use std::sync::Arc;

use abstraction::PieceSystem;
use psvn_ir::Game;

use crate::dual::piece_codes::GamePieces;
use crate::ranking::partial_permutation::MOST_POSITIONS;

/// Marks a value without a home.
const NONE: u32 = u32::MAX;

/// The map from states to dual states of a game of permutations; proved by [`find`](Self::find).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dual(Homes);

/// The method to find the homes of the contents of a state's positions.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Homes {
    Values {
        /// By value: its position in the goal.
        home: Arc<[u32]>,
        /// By position: the value in the goal.
        goal: Arc<[u32]>,
    },
    Pieces(Arc<GamePieces>),
}

impl Homes {
    fn of_values(game: &Game) -> Option<Self> {
        let goal = game.goal_state()?;
        let first = *game.variables().first()?;
        if game.variables().iter().any(|domain| *domain != first) {
            return None;
        }
        let mut home = vec![NONE; game.domain(first).size()];
        for (position, value) in goal.values().iter().enumerate() {
            let known = &mut home[value.index()];
            if std::mem::replace(known, position as u32) != NONE {
                return None;
            }
        }
        Some(Self::Values {
            home: home.into(),
            goal: goal.values().iter().map(|value| value.0).collect(),
        })
    }

    fn of_pieces(game: &Game, system: &PieceSystem) -> Option<Self> {
        let pieces = GamePieces::find(game, system)?;
        pieces.are_all().then(|| Self::Pieces(Arc::new(pieces)))
    }
}

impl Dual {
    /// Return `None` unless all rules permute positions and have inverses that cost no more, and
    /// the goal is one state in which everything that rules move differs: the values of all of at
    /// most 64 positions, or pieces of several positions each, which look different in each
    /// orientation.
    pub fn find(game: &Game) -> Option<Self> {
        let system = PieceSystem::find(game)?;
        if game.n_variables() > MOST_POSITIONS {
            return None;
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
        if !rules.iter().all(has_inverse) {
            return None;
        }
        let values = Homes::of_values(game);
        let homes = values.or_else(|| Homes::of_pieces(game, &system))?;
        Some(Self(homes))
    }

    /// Return the position of a value in the goal, if all values differ.
    #[inline(always)]
    pub(crate) fn home(&self, value: usize) -> Option<usize> {
        let Homes::Values { home, .. } = &self.0 else {
            return None;
        };
        let home = *home.get(value)?;
        (home != NONE).then_some(home as usize)
    }

    /// Return the dual of a state, by position; `None` when the state isn't a permutation of the
    /// goal.
    #[inline(always)]
    pub(crate) fn state(&self, value: impl Fn(usize) -> usize) -> Option<[u32; MOST_POSITIONS]> {
        let mut image = [NONE; MOST_POSITIONS];
        match &self.0 {
            Homes::Pieces(pieces) => pieces.inverse(value, &mut image)?,
            Homes::Values { goal, .. } => {
                for (position, there) in goal.iter().enumerate() {
                    let slot = &mut image[self.home(value(position))?];
                    if std::mem::replace(slot, *there) != NONE {
                        return None;
                    }
                }
            }
        }
        Some(image)
    }
}
