//! Predecessors of pieces that are ranked up to symmetries.
//!
//! For the first arrangement of each class, the target of each rule is computed once, with the
//! class of the target and the symmetries that lead to that class's first arrangement. The new
//! orientations of the pieces are a sum over the pieces. It is looked up in two parts, for the more
//! and the less significant half of the digits, and a third one for the implied orientation.

use super::oriented_pieces::{Step, steps};
use super::{Expander, Predecessor};
use crate::backward::Backward;
use crate::ranking::Ranking;
use crate::ranking::oriented_pieces::Motion;
use crate::ranking::partial_permutation::{MOST_POSITIONS, PlaceArray};
use crate::ranking::symmetric::SymmetricPieces;

/// The maximum number of sums of one half.
const MOST_SUMS: u64 = 1 << 12;

/// The pieces that the digits of the orientations belong to.
enum Digits {
    /// One for each block, except the last one if the sum of all is this.
    ByBlock { sum: Option<usize> },
    /// One for each of these pieces, from the most to the least significant digit.
    ByPiece(Vec<usize>),
}

/// Moves and turns pieces, and finds the representatives of the predecessors.
pub(crate) struct SymmetricExpander<'a> {
    pieces: &'a SymmetricPieces,
    digits: Digits,
    /// The orientations of one piece, and of all pieces.
    m: usize,
    n_orientations: u64,
    /// The digits of each half.
    lengths: [usize; 2],
    /// The values of the less significant half.
    n_low: u64,
    /// By value of each half: the sum of its digits.
    sums: [Vec<u8>; 2],
    steps: Vec<Step>,
}

/// The target of a rule and a symmetry from one class.
struct Target {
    /// The first rank of the class there.
    base: u64,
    cost: u64,
}

/// The data of one class.
pub(crate) struct Scratch {
    class: u64,
    targets: Vec<Target>,
    /// By target: the addend of each value of the two halves, and of each implied orientation.
    added: Vec<u64>,
}

impl<'a> SymmetricExpander<'a> {
    /// Return `None` unless the ranking is that of pieces up to symmetries.
    pub(crate) fn new(ranking: &'a Ranking, rules: &[Backward]) -> Option<Self> {
        let pieces = ranking.as_symmetric_pieces()?;
        let blocks = pieces.blocks();
        let m = blocks.n_orientations();
        let (_, n_orientations) = blocks.parts();
        let digits = match blocks.counts_by_piece() {
            None => Digits::ByBlock {
                sum: blocks.conserved_sum().map(|sum| sum as usize),
            },
            Some(counts_for) => {
                let kinds = pieces.images().kinds().iter();
                let weights = kinds.map(|kind| counts_for[*kind as usize]).enumerate();
                let mut weights: Vec<(usize, u64)> = weights.filter(|(_, it)| *it > 0).collect();
                weights.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
                let expected = (0..weights.len() as u32).rev().map(|power| m.pow(power));
                if !weights.iter().map(|(_, weight)| *weight).eq(expected) {
                    return None;
                }
                Digits::ByPiece(weights.into_iter().map(|(piece, _)| piece).collect())
            }
        };
        let n_digits = match &digits {
            Digits::ByBlock { sum } => blocks.n_blocks() - usize::from(sum.is_some()),
            Digits::ByPiece(pieces) => pieces.len(),
        };
        let lengths = [n_digits.div_ceil(2), n_digits / 2];
        let [n_high, n_low] = lengths.map(|length| m.checked_pow(length as u32));
        let (n_high, n_low) = (n_high?, n_low?);
        if n_high > MOST_SUMS || n_high * n_low != n_orientations {
            return None;
        }
        let digit_sum = |number: u64, length: usize| {
            let digits = (0..length as u32).map(|power| number / m.pow(power) % m);
            (digits.sum::<u64>() % m) as u8
        };
        let sums = [(n_high, lengths[0]), (n_low, lengths[1])];
        Some(Self {
            pieces,
            digits,
            m: m as usize,
            n_orientations,
            lengths,
            n_low,
            sums: sums.map(|(n, length)| (0..n).map(|it| digit_sum(it, length)).collect()),
            steps: steps(blocks, rules)?,
        })
    }

    /// Return the pieces of the digits, and the piece with the implied orientation.
    fn digit_pieces(&self, blocks: &[u8]) -> (Vec<usize>, Option<usize>) {
        match &self.digits {
            Digits::ByPiece(pieces) => (pieces.clone(), None),
            Digits::ByBlock { sum } => {
                let mut by_block = vec![0; blocks.len()];
                for (piece, block) in blocks.iter().enumerate() {
                    by_block[usize::from(*block)] = piece;
                }
                let implied = sum.and_then(|_| by_block.pop());
                (by_block, implied)
            }
        }
    }

    #[inline(never)]
    fn look_at(&self, class: u64, scratch: &mut Scratch) {
        let images = self.pieces.images();
        let (places, _) = self.pieces.blocks().parts();
        let n_pieces = images.kinds().len();
        let found = images.unrank(places, self.pieces.first_of(class));
        let blocks = &found[..n_pieces];
        let (digits, implied) = self.digit_pieces(blocks);
        scratch.class = class;
        scratch.targets.clear();
        scratch.added.clear();
        let mut motions = vec![Motion { to: 0, turn: 0 }; n_pieces];
        for step in &self.steps {
            let mut moved: PlaceArray = [0; MOST_POSITIONS];
            for (piece, block) in blocks.iter().enumerate() {
                motions[piece] = step.motions[usize::from(*block)];
                moved[piece] = motions[piece].to;
            }
            let (class, symmetry) = self.pieces.class_of(places.rank_places(&moved));
            let mut lead_there = |then: Option<usize>| {
                scratch.targets.push(Target {
                    base: class * self.n_orientations,
                    cost: step.cost,
                });
                let adds = |piece: usize, orientation: usize| {
                    let motion = motions[piece];
                    let turned = (orientation + usize::from(motion.turn)) % self.m;
                    let block = usize::from(motion.to);
                    match then {
                        None => images.adds(symmetry, piece, block, turned),
                        Some(then) => images.adds_then((symmetry, then), piece, block, turned),
                    }
                };
                let (high, low) = digits.split_at(self.lengths[0]);
                self.add_sums(high, adds, &mut scratch.added);
                self.add_sums(low, adds, &mut scratch.added);
                let of_implied = |o| implied.map_or(0, |piece| adds(piece, o));
                scratch.added.extend((0..self.m).map(of_implied));
            };
            lead_there(None);
            for then in self.pieces.stabilizers(class) {
                lead_there(Some(usize::from(*then)));
            }
        }
    }

    /// Add the sums for each value of some digits.
    fn add_sums(&self, pieces: &[usize], adds: impl Fn(usize, usize) -> u64, added: &mut Vec<u64>) {
        let first = added.len();
        added.push(0);
        // From the least significant digit on: repeat the sums so far once for each value of the
        // digit.
        for piece in pieces.iter().rev() {
            let end = added.len();
            for orientation in 1..self.m {
                let more = adds(*piece, orientation);
                added.extend_from_within(first..end);
                let last = added.len() - (end - first);
                added[last..].iter_mut().for_each(|it| *it += more);
            }
            let more = adds(*piece, 0);
            added[first..end].iter_mut().for_each(|it| *it += more);
        }
    }
}

impl Expander for SymmetricExpander<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            class: u64::MAX,
            targets: Vec::new(),
            added: Vec::new(),
        }
    }

    #[inline(always)]
    fn expand(&self, rank: u64, scratch: &mut Scratch, found: &mut Vec<Predecessor>) {
        let (class, orientation) = (rank / self.n_orientations, rank % self.n_orientations);
        if scratch.class != class {
            self.look_at(class, scratch);
        }
        let high = (orientation / self.n_low) as usize;
        let low = (orientation % self.n_low) as usize;
        let implied = match &self.digits {
            Digits::ByBlock { sum: Some(sum) } => {
                let others = self.sums[0][high] + self.sums[1][low];
                (sum + 2 * self.m - usize::from(others)) % self.m
            }
            _ => 0,
        };
        let (n_high, n_low) = (self.sums[0].len(), self.sums[1].len());
        let added = scratch.added.chunks_exact(n_high + n_low + self.m);
        for (target, added) in scratch.targets.iter().zip(added) {
            let more = added[high] + added[n_high + low] + added[n_high + n_low + implied];
            found.push(Predecessor {
                rank: target.base + more,
                cost: target.cost,
            });
        }
    }
}
