//! Finding the ranking of a game whose rules move pieces.

use std::collections::HashMap;
use std::iter::zip;

use abstraction::PieceSystem;
use ahash::RandomState;
use psvn_ir::{Game, VarId};

use super::group::Group;
use super::kinds::Kinds;
use super::{Digits, MOST_BLOCKS, OrientedPieces};
use crate::ranking::partial_permutation::PartialPermutation;

/// The maximum number of contents of a block that a table distinguishes.
const MOST_CONTENTS: usize = 1 << 20;

impl OrientedPieces {
    /// Find a ranking for each orbit of positions that falls into blocks. Empty unless all rules of
    /// the game only permute positions, whatever their values, and the goal is one state. `kept`
    /// says by variable whether the goal's piece there is distinguished; without it, all pieces
    /// whose values differ are distinguished.
    pub(crate) fn find(game: &Game, kept: Option<&[bool]>) -> Vec<OrientedPieces> {
        PieceSystem::find(game).map_or_else(Vec::new, |system| Self::of_system(game, &system, kept))
    }

    /// As [`find`](Self::find), given the blocks of positions that move together.
    pub(crate) fn of_system(
        game: &Game,
        system: &PieceSystem,
        kept: Option<&[bool]>,
    ) -> Vec<OrientedPieces> {
        let Some(goal) = game.goal_state() else {
            return Vec::new();
        };
        let goal: Vec<u32> = goal.values().iter().map(|value| value.0).collect();
        let orbits = system.orbits().iter();
        orbits
            .filter_map(|orbit| {
                let index = |block: &Vec<VarId>| block.iter().map(|var| var.index()).collect();
                let blocks: Vec<Vec<usize>> = orbit.blocks.iter().map(index).collect();
                let radix = game.domain_of(orbit.blocks[0][0]).size();
                Self::of_orbit(&blocks, system.permutations(), &goal, kept, radix)
            })
            .collect()
    }

    fn of_orbit(
        blocks: &[Vec<usize>],
        permutations: &[Vec<usize>],
        goal: &[u32],
        kept: Option<&[bool]>,
        radix: usize,
    ) -> Option<Self> {
        if blocks.len() > MOST_BLOCKS {
            return None;
        }
        let width = blocks[0].len();
        let n_contents = radix
            .checked_pow(width as u32)
            .filter(|n| *n <= MOST_CONTENTS)?;
        let mut block_of: HashMap<usize, usize, RandomState> = HashMap::default();
        for (b, block) in blocks.iter().enumerate() {
            block_of.extend(block.iter().map(|i| (*i, b)));
        }
        // Carry the order of the first block's positions to all blocks.
        let mut frames: Vec<Option<Vec<usize>>> = vec![None; blocks.len()];
        frames[0] = Some(blocks[0].clone());
        let mut queue = vec![0];
        while let Some(b) = queue.pop() {
            let frame = frames[b].clone()?;
            for permutation in permutations {
                let moved: Vec<usize> = frame.iter().map(|i| permutation[*i]).collect();
                let target = *block_of.get(&moved[0])?;
                if frames[target].is_none() {
                    frames[target] = Some(moved);
                    queue.push(target);
                }
            }
        }
        let frames: Vec<Vec<usize>> = frames.into_iter().collect::<Option<_>>()?;
        // The turn of each block by each rule.
        let twist = |permutation: &[usize], b: usize| -> Option<Vec<usize>> {
            let target = &frames[*block_of.get(&permutation[frames[b][0]])?];
            let place = |i: &usize| target.iter().position(|other| *other == permutation[*i]);
            frames[b].iter().map(place).collect()
        };
        let twists: Vec<Vec<Vec<usize>>> = permutations
            .iter()
            .map(|permutation| (0..frames.len()).map(|b| twist(permutation, b)).collect())
            .collect::<Option<_>>()?;
        let group = Group::generated(width, twists.iter().flatten())?;
        let mut kinds = Kinds::new(&group, radix, n_contents);
        for frame in &frames {
            let content: Vec<u32> = frame.iter().map(|i| goal[*i]).collect();
            if kept.is_none_or(|kept| frame.iter().all(|i| kept[*i])) {
                kinds.add(&content)?;
            }
        }
        // Contents that are not kept look alike, and go last.
        for frame in &frames {
            let content: Vec<u32> = frame.iter().map(|i| goal[*i]).collect();
            if kept.is_some_and(|kept| !frame.iter().all(|i| kept[*i])) {
                kinds.add_to_rest(&content);
            }
        }
        let m = kinds.n_orientations;
        let is_cyclic = group.is_cyclic && m == group.elements.len();
        let is_conserved = kinds.are_all_oriented()
            && is_cyclic
            && m > 1
            && twists.iter().all(|by_block| {
                let turns = by_block.iter().map(|twist| group.number(twist));
                turns.sum::<usize>() % m == 0
            });
        let (digits, n_digits) = if kinds.are_all_oriented() {
            let sum = is_conserved.then_some(kinds.sum % m as u64);
            let n_digits = frames.len() - usize::from(is_conserved);
            (Digits::ByBlock { sum }, n_digits)
        } else {
            let oriented = zip(&kinds.counts, &kinds.oriented);
            let n_of = |(n, oriented): (&usize, &bool)| if *oriented { *n } else { 0 };
            let n_digits: usize = oriented.clone().map(n_of).sum();
            let mut left = n_digits;
            let mut counts_for = Vec::new();
            for kind in oriented {
                let n = n_of(kind);
                // The first digit has the largest weight.
                let power = left.saturating_sub(1) as u32;
                let value = (m as u64).checked_pow(power)?;
                counts_for.push(if n > 0 { value } else { 0 });
                left -= n;
            }
            (Digits::ByPiece { counts_for }, n_digits)
        };
        let orientations = (m as u64).checked_pow(n_digits as u32)?;
        let places =
            PartialPermutation::new((0..frames.len() as u32).collect(), &kinds.counts, &[])?;
        Some(Self {
            frames: frames
                .into_iter()
                .map(|frame| frame.into_iter().map(|i| i as u32).collect())
                .collect(),
            radix,
            codes: kinds.codes,
            contents: kinds.contents,
            places,
            n_orientations: m as u64,
            digits,
            orientations,
            powers: is_cyclic.then_some(group.elements),
        })
    }
}
