//! The places of a game's pieces: for games whose rules permute positions, and whose pieces all
//! differ.
//!
//! A block of positions and the orientation of a piece in it are one small number, its *code*. A
//! rule maps each code to another one, whatever else is in the state.

use std::iter::zip;

use abstraction::PieceSystem;
use psvn_ir::Game;

use crate::ranking::oriented_pieces::{Motion, OrientedPieces};

/// The pieces of a game whose rules only permute positions: those of the orbits in which each piece
/// occurs once and looks different in each orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GamePieces {
    orbits: Vec<OrbitPieces>,
    /// The positions outside all pieces.
    others: Vec<usize>,
    /// Whether no rule moves the others. Then a state is a permutation of the positions, applied to
    /// the goal.
    is_all: bool,
    /// By position: the value in the goal.
    goal: Vec<u32>,
}

/// Pieces that can take each other's blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrbitPieces {
    blocks: OrientedPieces,
    /// By kind: the block of its one piece in the goal.
    homes: Vec<u8>,
    /// By orientation and place in a frame: the place to which the goal's content of this place is
    /// turned.
    turned: Vec<Vec<usize>>,
    shift: u32,
}

impl GamePieces {
    /// Return `None` if there are none. `system` is the piece system of the game.
    pub(crate) fn find(game: &Game, system: &PieceSystem) -> Option<Self> {
        let goal = game.goal_state()?;
        let goal: Vec<u32> = goal.values().iter().map(|value| value.0).collect();
        let orbits: Vec<OrbitPieces> = OrientedPieces::of_system(game, system, None)
            .into_iter()
            .filter_map(|blocks| OrbitPieces::new(blocks, &goal))
            .collect();
        let mut of_pieces = vec![false; goal.len()];
        for var in orbits.iter().flat_map(|orbit| orbit.blocks.vars()) {
            of_pieces[var as usize] = true;
        }
        let others: Vec<usize> = (0..goal.len()).filter(|var| !of_pieces[*var]).collect();
        let moves = |var: &usize| {
            system
                .permutations()
                .iter()
                .any(|moved| moved[*var] != *var)
        };
        (!orbits.is_empty()).then_some(Self {
            is_all: !others.iter().any(moves),
            orbits,
            others,
            goal,
        })
    }

    /// Return whether rules move nothing else.
    pub(crate) fn are_all(&self) -> bool {
        self.is_all
    }

    pub(crate) fn orbits(&self) -> &[OrbitPieces] {
        &self.orbits
    }

    /// If rules move nothing else, build the state in which each piece is where the one at its home
    /// comes from, turned back. `None` when the state isn't a permutation of the goal.
    pub(crate) fn inverse(&self, value: impl Fn(usize) -> usize, image: &mut [u32]) -> Option<()> {
        for var in &self.others {
            if value(*var) as u32 != self.goal[*var] {
                return None;
            }
            image[*var] = self.goal[*var];
        }
        for orbit in &self.orbits {
            let mut seen = 0_u64;
            for block in 0..orbit.n_blocks() {
                let (home, turned) = orbit.at(block, &value)?;
                if seen >> home & 1 != 0 {
                    return None;
                }
                seen |= 1 << home;
                let frames = orbit.blocks.frames();
                for (from, to) in zip(&frames[home], &orbit.turned[turned]) {
                    image[*from as usize] = self.goal[frames[block][*to] as usize];
                }
            }
        }
        Some(())
    }

    /// Return the goal, but with the piece from block `home` of an orbit at the place of a code.
    pub(crate) fn with_piece(&self, orbit: usize, home: usize, code: usize) -> Vec<u32> {
        let orbit = &self.orbits[orbit];
        let mut state = self.goal.clone();
        let (block, turned) = orbit.parts(code);
        let frames = orbit.blocks.frames();
        for (from, to) in zip(&frames[home], &orbit.turned[turned]) {
            state[frames[block][*to] as usize] = self.goal[*from as usize];
        }
        state
    }
}

impl OrbitPieces {
    fn new(blocks: OrientedPieces, goal: &[u32]) -> Option<Self> {
        let turned = blocks.powers()?.to_vec();
        if turned.len() as u64 != blocks.n_orientations() || !blocks.are_all_oriented() {
            return None;
        }
        let n = blocks.n_blocks();
        let mut homes = vec![u8::MAX; n];
        for block in 0..n {
            let (kind, orientation) = blocks.content(block, &|var| goal[var])?;
            let home = homes.get_mut(kind as usize)?;
            if orientation != 0 || std::mem::replace(home, block as u8) != u8::MAX {
                return None;
            }
        }
        let shift = usize::BITS - (turned.len() - 1).leading_zeros();
        Some(Self {
            blocks,
            homes,
            turned,
            shift,
        })
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.blocks.n_blocks()
    }

    /// Return a number that exceeds all codes.
    pub(crate) fn n_codes(&self) -> usize {
        self.n_blocks() << self.shift
    }

    /// Iterate over the codes that a piece can have.
    pub(crate) fn codes(&self) -> impl Iterator<Item = usize> + '_ {
        let turns = 0..self.turned.len();
        (0..self.n_blocks()).flat_map(move |block| turns.clone().map(move |o| self.code(block, o)))
    }

    pub(crate) fn code(&self, block: usize, turned: usize) -> usize {
        block << self.shift | turned
    }

    /// Return the block and the orientation.
    pub(crate) fn parts(&self, code: usize) -> (usize, usize) {
        (code >> self.shift, code & ((1 << self.shift) - 1))
    }

    /// Return the orientation after turning first by one and then by another.
    pub(crate) fn both(&self, one: usize, then: usize) -> usize {
        (one + then) % self.turned.len()
    }

    /// Return the inverse of an orientation.
    pub(crate) fn back(&self, turned: usize) -> usize {
        (self.turned.len() - turned) % self.turned.len()
    }

    /// Return the home of the piece in a block, and its orientation.
    #[inline(always)]
    pub(crate) fn at(
        &self,
        block: usize,
        value: impl Fn(usize) -> usize,
    ) -> Option<(usize, usize)> {
        let (kind, turned) = self.blocks.content(block, &|var| value(var) as u32)?;
        Some((usize::from(self.homes[kind as usize]), turned as usize))
    }

    /// Return whether a position belongs to one of the blocks.
    pub(crate) fn holds(&self, position: usize) -> bool {
        self.blocks.block_of(position).is_some()
    }

    /// Return the positions of a block.
    pub(crate) fn positions(&self, block: usize) -> &[u32] {
        &self.blocks.frames()[block]
    }

    /// Return, by block, the effect of a permutation of the positions.
    pub(crate) fn motions(&self, permutation: &[usize]) -> Option<Vec<Motion>> {
        self.blocks.motions(|var| permutation[var])
    }
}
