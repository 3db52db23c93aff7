//! Block permutations: games whose rules move pieces of several positions at once.
//!
//! On a cube, stickers never move alone: a corner carries three. So the positions fall into blocks
//! that all rules map to blocks ([`PieceSystem`](abstraction::PieceSystem)). The content of a block
//! is a *piece* in an *orientation*. If the ways in which a block can return to itself are a cyclic
//! group, and the turns of all pieces by each rule add up to zero, the sum of the orientations is
//! conserved.
//!
//! Where only some pieces are kept, or values are merged so that some pieces look the same in
//! several orientations, a rank holds the places of the others and the orientation of each: 12! /
//! (12 - k)! * 2^k numbers for k edges of a cube.

mod find;
mod group;
mod kinds;

use std::iter::zip;

use crate::ranking::partial_permutation::PartialPermutation;

/// The maximum number of blocks.
const MOST_BLOCKS: usize = 64;

/// A ranking of pieces with orientations on blocks of positions.
///
/// Pieces that look alike are of one *kind*. The rank is a number for the places of the kinds,
/// times the number of orientations, plus a number for the orientations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrientedPieces {
    /// The variables of each block, in corresponding order.
    frames: Vec<Vec<u32>>,
    /// The number of values that distinguish contents.
    radix: usize,
    /// By content: `kind * n_orientations + orientation`, or `u32::MAX`.
    codes: Vec<u32>,
    /// By code: the values in the order of the frame.
    contents: Vec<Vec<u32>>,
    /// The places of the kinds.
    places: PartialPermutation,
    n_orientations: u64,
    digits: Digits,
    /// The number of orientations of all pieces together.
    orientations: u64,
    /// The ways in which a block returns to itself, each the power of one, if they are a cyclic
    /// group and each turns every oriented piece into another orientation.
    powers: Option<Vec<Vec<usize>>>,
}

/// The pieces whose orientations are part of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Digits {
    /// Those in each block, except the last block if the sum of all orientations is conserved and
    /// is `sum`.
    ByBlock { sum: Option<u64> },
    /// Each piece of the kinds that have orientations. By kind: the weight of its first piece's
    /// orientation, or 0.
    ByPiece { counts_for: Vec<u64> },
}

/// The effect of a permutation of positions on a block: its target, and its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Motion {
    pub(crate) to: u8,
    pub(crate) turn: u8,
}

impl OrientedPieces {
    pub(crate) fn vars(&self) -> impl Iterator<Item = u32> + '_ {
        self.frames.iter().flatten().copied()
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn n_orientations(&self) -> u64 {
        self.n_orientations
    }

    /// Return the variables of each block, in corresponding order.
    pub(crate) fn frames(&self) -> &[Vec<u32>] {
        &self.frames
    }

    /// Return, by orientation, the target of each place of a frame, if the ways to turn a block are
    /// the powers of one.
    pub(crate) fn powers(&self) -> Option<&[Vec<usize>]> {
        self.powers.as_deref()
    }

    /// Return whether the orientations of each piece look different.
    pub(crate) fn are_all_oriented(&self) -> bool {
        matches!(self.digits, Digits::ByBlock { .. })
    }

    pub(crate) fn is_sum_conserved(&self) -> bool {
        self.conserved_sum().is_some()
    }

    /// Return the sum of all orientations, if it is conserved and the orientation of the last block
    /// is not part of the rank.
    pub(crate) fn conserved_sum(&self) -> Option<u64> {
        match self.digits {
            Digits::ByBlock { sum } => sum,
            Digits::ByPiece { .. } => None,
        }
    }

    /// Return the number of pieces that are distinguished by place or orientation.
    pub(crate) fn n_distinguished(&self) -> usize {
        match &self.digits {
            Digits::ByBlock { .. } => self.frames.len(),
            Digits::ByPiece { .. } => self.places.n_places,
        }
    }

    pub(crate) fn size(&self) -> u128 {
        self.places
            .size()
            .saturating_mul(u128::from(self.orientations))
    }

    /// Return the numbers of arrangements of pieces, and of orientations, if rules change each of
    /// them independently.
    pub(crate) fn components(&self) -> Option<[u128; 2]> {
        match self.digits {
            Digits::ByBlock { .. } => Some([self.places.size(), u128::from(self.orientations)]),
            Digits::ByPiece { .. } => None,
        }
    }

    /// Return the places of the kinds, and the number of orientations.
    pub(crate) fn parts(&self) -> (&PartialPermutation, u64) {
        (&self.places, self.orientations)
    }

    /// Return, by kind, the weight of its first piece's orientation, if ranks hold the orientations
    /// of some pieces.
    pub(crate) fn counts_by_piece(&self) -> Option<&[u64]> {
        match &self.digits {
            Digits::ByBlock { .. } => None,
            Digits::ByPiece { counts_for } => Some(counts_for),
        }
    }

    /// Return the kind and the orientation of a block's content; `None` when it isn't a piece.
    #[inline(always)]
    pub(crate) fn content(
        &self,
        block: usize,
        value: &impl Fn(usize) -> u32,
    ) -> Option<(u32, u32)> {
        let mut content = 0;
        for var in &self.frames[block] {
            content = content * self.radix + value(*var as usize) as usize;
        }
        let code = *self.codes.get(content)?;
        let m = self.n_orientations as u32;
        (code != u32::MAX).then_some((code / m, code % m))
    }

    /// Return the image of a piece of a kind, in an orientation and at a block, under a map of
    /// positions and values: its block, kind and orientation.
    pub(crate) fn image(
        &self,
        block: usize,
        (kind, orientation): (u32, u32),
        to: impl Fn(u32) -> u32,
        value: impl Fn(u32) -> u32,
    ) -> Option<(usize, (u32, u32))> {
        let content = &self.contents[kind as usize * self.n_orientations as usize..];
        let content = &content[orientation as usize];
        let there: Vec<(u32, u32)> = self.frames[block]
            .iter()
            .zip(content)
            .map(|(var, it)| (to(*var), value(*it)))
            .collect();
        let target = self.block_of(there[0].0 as usize)?;
        let holds = |var: &u32| there.iter().any(|(other, _)| other == var);
        if !self.frames[target].iter().all(holds) {
            return None;
        }
        let at = |var: usize| {
            let found = there.iter().find(|(other, _)| *other as usize == var);
            found.map_or(0, |(_, value)| *value)
        };
        Some((target, self.content(target, &at)?))
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let mut kinds = [0_u32; MOST_BLOCKS];
        let mut turned = 0;
        let m = self.n_orientations;
        match &self.digits {
            Digits::ByBlock { sum: conserved } => {
                let last = self.frames.len() - usize::from(conserved.is_some());
                let mut sum = 0;
                for (b, kind) in kinds[..self.frames.len()].iter_mut().enumerate() {
                    let (found, orientation) = self.content(b, value)?;
                    *kind = found;
                    sum += u64::from(orientation);
                    if b < last {
                        turned = turned * m + u64::from(orientation);
                    }
                }
                if conserved.is_some_and(|expected| sum % m != expected) {
                    return None;
                }
            }
            Digits::ByPiece { counts_for } => {
                let mut next = [0_u64; MOST_BLOCKS];
                next[..counts_for.len()].copy_from_slice(counts_for);
                for (b, kind) in kinds[..self.frames.len()].iter_mut().enumerate() {
                    let (found, orientation) = self.content(b, value)?;
                    *kind = found;
                    // The next piece of the kind has a smaller weight. Beyond its last one there is
                    // no rank: its places would be too few.
                    let counts = &mut next[found as usize];
                    turned += u64::from(orientation) * *counts;
                    *counts /= m;
                }
            }
        }
        let arrangement = self.places.rank_of(&kinds)?;
        Some(arrangement * self.orientations + turned)
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        let mut kinds = [0_u32; MOST_BLOCKS];
        self.places.unrank(rank / self.orientations, &mut kinds);
        let turned = rank % self.orientations;
        let m = self.n_orientations;
        let mut write = |b: usize, orientation: u64| {
            let code = u64::from(kinds[b]) * m + orientation;
            for (var, value) in zip(&self.frames[b], &self.contents[code as usize]) {
                state[*var as usize] = *value;
            }
        };
        match &self.digits {
            Digits::ByBlock { sum: conserved } => {
                let n_free = self.frames.len() - usize::from(conserved.is_some());
                let (mut left, mut sum) = (turned, 0);
                for b in (0..n_free).rev() {
                    write(b, left % m);
                    sum += left % m;
                    left /= m;
                }
                if let Some(expected) = conserved {
                    write(n_free, (expected + m - sum % m) % m);
                }
            }
            Digits::ByPiece { counts_for } => {
                let mut next = counts_for.clone();
                for b in 0..self.frames.len() {
                    let counts = &mut next[kinds[b] as usize];
                    write(
                        b,
                        turned.checked_div(*counts).map_or(0, |turned| turned % m),
                    );
                    *counts /= m;
                }
            }
        }
    }

    /// Return the block of a variable.
    pub(crate) fn block_of(&self, var: usize) -> Option<usize> {
        let holds = |frame: &Vec<u32>| frame.contains(&(var as u32));
        self.frames.iter().position(holds)
    }

    /// Return, by block, the effect of a permutation of the variables. `None` when it doesn't map
    /// blocks to blocks in the known ways, or these aren't a cyclic group.
    pub(crate) fn motions(&self, to: impl Fn(usize) -> usize) -> Option<Vec<Motion>> {
        let powers = self.powers.as_ref()?;
        let motion = |frame: &Vec<u32>| {
            let target = self.block_of(to(frame[0] as usize))?;
            let place = |var: &u32| {
                let moved = to(*var as usize) as u32;
                self.frames[target].iter().position(|other| *other == moved)
            };
            let twist: Vec<usize> = frame.iter().map(place).collect::<Option<_>>()?;
            let turn = powers.iter().position(|power| *power == twist)?;
            Some(Motion {
                to: target as u8,
                turn: turn as u8,
            })
        };
        self.frames.iter().map(motion).collect()
    }

    /// Return the addend of each piece's orientation to the rank, by block and orientation, if each
    /// kind has one piece, except one kind without orientations. By kind, in the order of the
    /// places' items and then the filler.
    pub(crate) fn single_pieces(&self) -> Option<Vec<(u32, Vec<Vec<u64>>)>> {
        let filler = self.places.filler?;
        let filler_code = filler as usize * self.n_orientations as usize;
        let is_plain = self.contents.get(filler_code) == self.contents.get(filler_code + 1);
        let is_plain = is_plain || self.n_orientations == 1;
        let n_fillers = self.frames.len() - self.places.n_places;
        if !self.places.is_single() || (n_fillers > 1 && !is_plain) {
            return None;
        }
        let mut kinds: Vec<u32> = self.places.items.iter().map(|item| item.value).collect();
        if n_fillers == 1 && !is_plain {
            kinds.push(filler);
        }
        let (n, m) = (self.frames.len(), self.n_orientations);
        let adds = |kind: u32, block: usize, orientation: u64| match &self.digits {
            Digits::ByBlock { sum } => {
                let last = n - usize::from(sum.is_some());
                let places = last.checked_sub(block + 1);
                places.map_or(0, |places| orientation * m.pow(places as u32))
            }
            Digits::ByPiece { counts_for } => orientation * counts_for[kind as usize],
        };
        let table = |kind: u32| {
            let by_block = (0..n).map(|b| (0..m).map(|o| adds(kind, b, o)).collect());
            (kind, by_block.collect())
        };
        Some(kinds.into_iter().map(table).collect())
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::Game;
    use psvn_ir::testing::SplitMix64;

    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    #[test]
    fn cubes_have_their_published_numbers_of_states() {
        let blocks = OrientedPieces::find(&game("rubik:2:fixed"), None);
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].size(), 3_674_160);
        let blocks = OrientedPieces::find(&game("rubik:3"), None);
        let mut sizes: Vec<u128> = blocks.iter().map(OrientedPieces::size).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [88_179_840, 980_995_276_800]);
        assert!(blocks.iter().all(OrientedPieces::is_sum_conserved));
        assert_eq!(OrientedPieces::find(&game("pancake:5"), None), []);
        assert_eq!(OrientedPieces::find(&game("sliding-tiles:3:3"), None), []);
    }

    #[test]
    fn some_pieces_have_as_many_ranks_as_arrangements() {
        let game = game("rubik:3");
        // Two corners, and three edges.
        let homes = ["w/r/g", "b/w/o", "w/g", "r/y", "b/o"];
        let text = format!("pieces {}", homes.join(" "));
        let pattern = abstraction::Abstraction::from_pattern(&game, &text).expect("pieces");
        let mut random = SplitMix64::new(9);
        let mut sizes = Vec::new();
        for blocks in OrientedPieces::find(&game, pattern.pieces_at()) {
            sizes.push(blocks.size());
            for _ in 0..2000 {
                let rank = (u128::from(random.next_u64()) % blocks.size()) as u64;
                let mut state = vec![0; 48];
                blocks.unrank(rank, &mut state);
                assert_eq!(blocks.rank(&|var| state[var]), Some(rank));
            }
        }
        sizes.sort_unstable();
        assert_eq!(sizes, [8 * 7 * 9, 12 * 11 * 10 * 8]);
    }

    #[test]
    fn ranks_go_both_ways() {
        let game = game("rubik:3");
        let mut random = SplitMix64::new(5);
        for blocks in OrientedPieces::find(&game, None) {
            for _ in 0..2000 {
                let rank = (u128::from(random.next_u64()) % blocks.size()) as u64;
                let mut state = vec![0; 48];
                blocks.unrank(rank, &mut state);
                assert_eq!(blocks.rank(&|var| state[var]), Some(rank));
                // A state with a single turned piece is unreachable.
                let frame = &blocks.frames[random.below(blocks.frames.len())];
                let first = state[frame[0] as usize];
                for i in 1..frame.len() {
                    state[frame[i - 1] as usize] = state[frame[i] as usize];
                }
                state[frame[frame.len() - 1] as usize] = first;
                assert_eq!(blocks.rank(&|var| state[var]), None);
            }
        }
    }
}
