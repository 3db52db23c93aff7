//! Pieces: positions that all rules move together.
//!
//! On a cube, stickers never move alone: a corner carries three. If all rules of a game only
//! permute positions, the positions of an orbit may fall into *blocks* that every rule maps to
//! blocks (a block system of the permutation group that the rules generate; found as in Atkinson
//! 1975, "An algorithm for finding the blocks of a permutation group"). The content of a block is a
//! *piece*; it is identified by its block in the goal, and by its values there.

use psvn_ir::{DisjointSets, Game, Value, VarId};

use crate::map::Abstraction;

/// The maximum number of blocks of an orbit.
const MOST_BLOCKS: usize = 64;

/// Positions that rules map to each other, in blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceOrbit {
    /// The positions of each block, ascending. There are at least two blocks of at least two
    /// positions.
    pub blocks: Vec<Vec<VarId>>,
}

/// The blocks of a game all of whose rules permute positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSystem {
    permutations: Vec<Vec<usize>>,
    orbits: Vec<PieceOrbit>,
}

/// The reasons why a pattern can't keep some pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// No positions move together.
    #[error(
        "the game has no pieces: a pattern of pieces needs rules that do nothing but move values in groups, and a goal that is one state"
    )]
    None,
    /// A variable that is in no block.
    #[error("variable {} belongs to no piece of several variables", .0.0 + 1)]
    NoPiece(VarId),
}

impl PieceSystem {
    /// Find the blocks of least size above 1 of each orbit that has any. `None` unless all rules
    /// only permute positions, whatever their values.
    ///
    /// Takes time proportional to the square of the number of positions, times the number of rules.
    pub fn find(game: &Game) -> Option<Self> {
        let permutations: Vec<Vec<usize>> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.value_targets())
            .collect::<Option<_>>()?;
        let same_domain = |orbit: &[usize]| {
            let first = game.variables()[orbit[0]];
            orbit.iter().all(|i| game.variables()[*i] == first)
        };
        let orbits = classes(game.n_variables(), |union| {
            for permutation in &permutations {
                for (from, to) in permutation.iter().enumerate() {
                    union.join(from, *to);
                }
            }
        });
        let orbits = orbits
            .into_iter()
            .filter(|orbit| orbit.len() > 1 && same_domain(orbit))
            .filter_map(|orbit| {
                let blocks = smallest_blocks(&orbit, &permutations)?;
                let vars = |block: Vec<usize>| block.into_iter().map(VarId::from_index).collect();
                Some(PieceOrbit {
                    blocks: blocks.into_iter().map(vars).collect(),
                })
            })
            .collect();
        Some(Self {
            permutations,
            orbits,
        })
    }

    /// Return the orbits that fall into blocks.
    pub fn orbits(&self) -> &[PieceOrbit] {
        &self.orbits
    }

    /// Return, by rule, the new position of the value of each position.
    pub fn permutations(&self) -> &[Vec<usize>] {
        &self.permutations
    }

    /// Return the orbit and the block of a variable.
    pub fn block_of(&self, var: VarId) -> Option<(usize, usize)> {
        self.orbits.iter().enumerate().find_map(|(o, orbit)| {
            let block = orbit.blocks.iter().position(|block| block.contains(&var))?;
            Some((o, block))
        })
    }

    /// Return the blocks with these values in the goal, in any order: orbit and block.
    pub fn named(&self, goal: &[Value], values: &[Value]) -> Vec<(usize, usize)> {
        let mut wanted = values.to_vec();
        wanted.sort_unstable();
        let mut found = Vec::new();
        for (o, orbit) in self.orbits.iter().enumerate() {
            for (b, block) in orbit.blocks.iter().enumerate() {
                let mut there: Vec<Value> = block.iter().map(|var| goal[var.index()]).collect();
                there.sort_unstable();
                if there == wanted {
                    found.push((o, b));
                }
            }
        }
        found
    }
}

impl Abstraction {
    /// Keep the pieces at these variables in the goal, wherever they move; all others look alike.
    /// Variables that none of the kept pieces can reach are dropped.
    ///
    /// The values of a piece have a meaning only together, so this isn't a map of values: an
    /// [`AbstractGame`](crate::AbstractGame) is the game on the remaining variables, with all its
    /// pieces, and a pattern database merges its states further.
    ///
    /// # Errors
    /// If the game has no pieces, or a variable belongs to none.
    pub fn keep_pieces(self, game: &Game, vars: &[VarId]) -> Result<Self, PiecesError> {
        let system = PieceSystem::find(game).filter(|system| !system.orbits.is_empty());
        let system = system.ok_or(PiecesError::None)?;
        if game.goal_state().is_none() {
            return Err(PiecesError::None);
        }
        let (mut kept, mut in_orbit) = (
            vec![false; game.n_variables()],
            vec![false; game.n_variables()],
        );
        for var in vars {
            let (orbit, block) = system.block_of(*var).ok_or(PiecesError::NoPiece(*var))?;
            let orbit = &system.orbits[orbit];
            for var in &orbit.blocks[block] {
                kept[var.index()] = true;
            }
            for var in orbit.blocks.iter().flatten() {
                in_orbit[var.index()] = true;
            }
        }
        Ok(self
            .project(|var| in_orbit[var.index()])
            .with_pieces_at(kept.into()))
    }
}

/// Return the classes after joining, ordered by their first members.
fn classes(n: usize, join: impl FnOnce(&mut DisjointSets)) -> Vec<Vec<usize>> {
    let mut union = DisjointSets::new(n);
    join(&mut union);
    let mut members = vec![Vec::new(); n];
    for i in 0..n {
        members[union.root(i)].push(i);
    }
    members.retain(|members| !members.is_empty());
    members
}

/// Return the blocks of least size above 1; `None` if there are none but the whole orbit.
fn smallest_blocks(orbit: &[usize], permutations: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let n = permutations.first()?.len();
    let mut best: Option<Vec<Vec<usize>>> = None;
    for other in &orbit[1..] {
        let found = classes(n, |union| {
            union.join(orbit[0], *other);
            let mut changed = true;
            while changed {
                changed = false;
                for permutation in permutations {
                    for i in orbit {
                        let root = union.root(*i);
                        changed |= union.join(permutation[*i], permutation[root]);
                    }
                }
            }
        });
        let mut blocks = found;
        blocks.retain(|block| orbit.binary_search(&block[0]).is_ok());
        let is_better = best
            .as_ref()
            .is_none_or(|best| blocks[0].len() < best[0].len());
        if blocks.len() > 1 && is_better {
            best = Some(blocks);
        }
    }
    best.filter(|blocks| blocks.len() <= MOST_BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    #[test]
    fn corners_and_edges_of_the_cube() {
        let game = game("rubik:3");
        let system = PieceSystem::find(&game).expect("permutations");
        let mut forms: Vec<(usize, usize)> = system
            .orbits()
            .iter()
            .map(|orbit| (orbit.blocks.len(), orbit.blocks[0].len()))
            .collect();
        forms.sort_unstable();
        assert_eq!(forms, [(8, 3), (12, 2)]);
        let pattern = Abstraction::identity(&game).keep_pieces(&game, &[VarId(1)]);
        let pattern = pattern.expect("an edge");
        let kept = pattern.pieces_at().expect("pieces");
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 2);
        let variables = (0..48).filter(|var| pattern.is_kept(VarId(*var)));
        assert_eq!(variables.count(), 24);
    }

    #[test]
    fn games_without_pieces() {
        for reference in ["pancake:5", "sliding-tiles:3:3", "hanoi:3:3"] {
            let game = game(reference);
            let error = Abstraction::identity(&game).keep_pieces(&game, &[VarId(0)]);
            assert_eq!(error, Err(PiecesError::None), "{reference}");
        }
    }
}
