//! Predecessors of some pieces with orientations: for ranks of places times orientations.
//!
//! How a rule turns the pieces depends on where they are, and not on their orientations. So for
//! each arrangement of places the target and the turns of each rule are computed once. Ranks that
//! differ only in orientations are adjacent in the table and share that work, and turns are added
//! by look-up.

use std::iter::zip;

use super::{Expander, Predecessor};
use crate::backward::Backward;
use crate::ranking::Ranking;
use crate::ranking::oriented_pieces::{Motion, OrientedPieces};
use crate::ranking::partial_permutation::{MOST_POSITIONS, PartialPermutation, PlaceArray};

/// The maximum number of turns that one table adds.
const MOST_TURNS: u64 = 256;

/// The effect of a rule on pieces.
pub(super) struct Step {
    /// By block.
    pub(super) motions: Vec<Motion>,
    pub(super) cost: u64,
}

/// Return the effect of rules on the pieces in these blocks.
pub(super) fn steps(blocks: &OrientedPieces, rules: &[Backward]) -> Option<Vec<Step>> {
    let step = |backward: &Backward| {
        let moved = backward.rule.value_targets()?;
        Some(Step {
            motions: blocks.motions(|var| moved[var])?,
            cost: backward.cost,
        })
    };
    rules.iter().map(step).collect()
}

/// A run of pieces whose orientations are added by one table.
struct Run {
    /// The first piece, and the one after the last.
    pieces: (usize, usize),
    /// The number of orientations of all pieces of the run.
    size: u64,
    /// By turn and orientation: the new orientation, times `stride`.
    sums: Vec<u64>,
    /// The weight of the run's orientations in the rank.
    stride: u64,
}

/// Moves and turns single pieces.
pub(crate) struct PieceExpander<'a> {
    places: &'a PartialPermutation,
    n_orientations: u64,
    /// The orientations of one piece.
    m: u64,
    runs: Vec<Run>,
    steps: Vec<Step>,
}

/// The target of a rule from one arrangement.
#[derive(Clone, Copy)]
struct Target {
    /// The first rank of the arrangement there.
    base: u64,
    /// By run, where the sums of the turn begin.
    turns: [u32; MOST_RUNS],
}

/// Each run has many orientations, and all runs together at most as many as there are ranks.
const MOST_RUNS: usize = 8;

/// The data of one arrangement.
pub(crate) struct Scratch {
    arrangement: u64,
    targets: Vec<Target>,
}

impl<'a> PieceExpander<'a> {
    /// Return `None` unless the ranking is that of single pieces among others that look alike.
    pub(crate) fn new(ranking: &'a Ranking, rules: &[Backward]) -> Option<Self> {
        let blocks = ranking.as_oriented_pieces()?;
        let digits = blocks.counts_by_piece()?;
        let (places, n_orientations) = blocks.parts();
        let m = u64::from(blocks.n_orientations() as u32);
        let weights: Vec<u64> = places
            .items
            .iter()
            .map(|it| digits[it.value as usize])
            .collect();
        // The items' digits, from the most to the least significant, and no others.
        let expected = (0..weights.len()).map(|i| m.pow((weights.len() - 1 - i) as u32));
        if m < 2
            || !weights.iter().copied().eq(expected)
            || m.pow(weights.len() as u32) != n_orientations
        {
            return None;
        }
        let in_a_run = (1..).take_while(|n| m.pow(*n) <= MOST_TURNS).last()? as usize;
        let mut runs = Vec::new();
        let mut first = 0;
        while first < weights.len() {
            let end = weights.len().min(first + in_a_run);
            runs.push(Run::new(m, (first, end), weights[end - 1]));
            first = end;
        }
        if runs.len() > MOST_RUNS {
            return None;
        }
        Some(Self {
            places,
            n_orientations,
            m,
            runs,
            steps: steps(blocks, rules)?,
        })
    }

    #[inline(never)]
    fn look_at(&self, arrangement: u64, scratch: &mut Scratch) {
        let mut places: PlaceArray = [0; MOST_POSITIONS];
        let mut moved: PlaceArray = [0; MOST_POSITIONS];
        self.places.unrank_places(arrangement, &mut places);
        scratch.arrangement = arrangement;
        for (target, step) in zip(&mut scratch.targets, &self.steps) {
            for (turns, run) in zip(&mut target.turns, &self.runs) {
                let mut turn = 0;
                for piece in run.pieces.0..run.pieces.1 {
                    let motion = step.motions[usize::from(places[piece])];
                    moved[piece] = motion.to;
                    turn = turn * self.m + u64::from(motion.turn);
                }
                *turns = (turn * run.size) as u32;
            }
            target.base = self.places.rank_places(&moved) * self.n_orientations;
        }
    }
}

impl Run {
    fn new(m: u64, pieces: (usize, usize), stride: u64) -> Self {
        let n = (pieces.1 - pieces.0) as u32;
        let size = m.pow(n);
        let add = |turn: u64, orientation: u64| -> u64 {
            (0..n)
                .map(|digit| {
                    let power = m.pow(digit);
                    (turn / power + orientation / power) % m * power
                })
                .sum()
        };
        let sums = (0..size * size).map(|i| add(i / size, i % size) * stride);
        Self {
            pieces,
            size,
            sums: sums.collect(),
            stride,
        }
    }
}

impl Expander for PieceExpander<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let none = Target {
            base: 0,
            turns: [0; MOST_RUNS],
        };
        Scratch {
            arrangement: u64::MAX,
            targets: vec![none; self.steps.len()],
        }
    }

    #[inline(always)]
    fn expand(&self, rank: u64, scratch: &mut Scratch, found: &mut Vec<Predecessor>) {
        let (arrangement, orientation) = (rank / self.n_orientations, rank % self.n_orientations);
        if scratch.arrangement != arrangement {
            self.look_at(arrangement, scratch);
        }
        if let [run] = self.runs.as_slice() {
            for (step, target) in zip(&self.steps, &scratch.targets) {
                let sum = run.sums[target.turns[0] as usize + orientation as usize];
                found.push(Predecessor {
                    rank: target.base + sum,
                    cost: step.cost,
                });
            }
            return;
        }
        let mut digits = [0_u32; MOST_RUNS];
        for (digit, run) in zip(&mut digits, &self.runs) {
            *digit = (orientation / run.stride % run.size) as u32;
        }
        for (step, target) in zip(&self.steps, &scratch.targets) {
            let mut rank = target.base;
            for (i, run) in self.runs.iter().enumerate() {
                rank += run.sums[(target.turns[i] + digits[i]) as usize];
            }
            found.push(Predecessor {
                rank,
                cost: step.cost,
            });
        }
    }
}
