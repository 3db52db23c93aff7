//! Finding the ranking of a game whose rules move pieces.

use std::iter::zip;

use abstraction::PieceSystem;
use ahash::AHashMap;
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
        let block_of: AHashMap<usize, usize> = zip(0.., blocks)
            .flat_map(|(number, block)| block.iter().map(move |position| (*position, number)))
            .collect();
        let frames = frames(blocks, &block_of, permutations)?;
        let twists = twists(&frames, &block_of, permutations)?;
        let group = Group::generated(width, twists.iter().flatten())?;
        let mut kinds = Kinds::new(&group, radix, n_contents);
        let content = |frame: &[usize]| frame.iter().map(|i| goal[*i]).collect::<Vec<u32>>();
        let is_kept = |frame: &&Vec<usize>| kept.is_none_or(|kept| frame.iter().all(|i| kept[*i]));
        for frame in frames.iter().filter(is_kept) {
            kinds.add(&content(frame))?;
        }
        // Contents that are not kept look alike, and go last.
        for frame in frames.iter().filter(|frame| !is_kept(frame)) {
            kinds.add_to_rest(&content(frame));
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
        let (digits, n_digits) = digits(&kinds, frames.len(), is_conserved)?;
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

/// Return the positions of each block in an order that rules carry from block to block, beginning
/// with the first block's. `None` if rules don't connect the blocks.
fn frames(
    blocks: &[Vec<usize>],
    block_of: &AHashMap<usize, usize>,
    permutations: &[Vec<usize>],
) -> Option<Vec<Vec<usize>>> {
    let mut frames: Vec<Option<Vec<usize>>> = vec![None; blocks.len()];
    frames[0] = Some(blocks[0].clone());
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        let frame = frames[block].clone()?;
        for permutation in permutations {
            let moved: Vec<usize> = frame.iter().map(|i| permutation[*i]).collect();
            let target = *block_of.get(&moved[0])?;
            if frames[target].is_none() {
                frames[target] = Some(moved);
                open.push(target);
            }
        }
    }
    frames.into_iter().collect()
}

/// Return, by rule and block, how the rule turns the block: by place in the block's frame, the
/// place in the target's frame.
fn twists(
    frames: &[Vec<usize>],
    block_of: &AHashMap<usize, usize>,
    permutations: &[Vec<usize>],
) -> Option<Vec<Vec<Vec<usize>>>> {
    let twist = |permutation: &[usize], frame: &[usize]| -> Option<Vec<usize>> {
        let target = &frames[*block_of.get(&permutation[frame[0]])?];
        let place = |i: &usize| target.iter().position(|other| *other == permutation[*i]);
        frame.iter().map(place).collect()
    };
    permutations
        .iter()
        .map(|permutation| frames.iter().map(|it| twist(permutation, it)).collect())
        .collect()
}

/// Return the digits of the orientations, and their number. If the sum of all turns is conserved,
/// the last orientation follows from the others.
fn digits(kinds: &Kinds<'_>, n_blocks: usize, is_conserved: bool) -> Option<(Digits, usize)> {
    let m = kinds.n_orientations as u64;
    if kinds.are_all_oriented() {
        let sum = is_conserved.then_some(kinds.sum % m);
        return Some((
            Digits::ByBlock { sum },
            n_blocks - usize::from(is_conserved),
        ));
    }
    let n_of = |(n, is_oriented): (&usize, &bool)| if *is_oriented { *n } else { 0 };
    let by_kind: Vec<usize> = zip(&kinds.counts, &kinds.oriented).map(n_of).collect();
    let n_digits: usize = by_kind.iter().sum();
    let mut left = n_digits;
    let mut counts_for = Vec::new();
    for n in by_kind {
        // The first digit has the largest weight.
        let power = left.saturating_sub(1) as u32;
        let value = m.checked_pow(power)?;
        counts_for.push(if n > 0 { value } else { 0 });
        left -= n;
    }
    Some((Digits::ByPiece { counts_for }, n_digits))
}
