//! Looking up along a path: what a rule doesn't touch stays as it was.
//!
//! [`values`] fits tables whose ranks are the places of single values, and [`oriented_pieces`]
//! those whose ranks are the places and orientations of single pieces.

pub(crate) mod symmetric;

mod oriented_pieces;
mod piece_ranks;
mod values;

use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, RuleId};
use search::Cell;

use self::oriented_pieces::PieceLookup;
use self::values::ValueLookup;
use crate::database::PatternDatabase;

/// The most places of values or pieces, over all tables.
const MOST_SLOTS: usize = 48;
/// The entries that are looked at to learn what a table says on average.
const SAMPLED: usize = 1 << 12;
/// The most tables.
pub(crate) const MOST_TABLES: usize = 8;
/// What a table says when no goal can be reached.
const DEAD: u16 = u16::MAX;

/// The first place where places are not known.
const UNKNOWN: u8 = u8::MAX;

/// What is kept for a node: the place of each value or piece of each table, and what each table
/// says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct PatternMemo {
    parts: [u16; MOST_TABLES],
    places: [u8; MOST_SLOTS],
}

impl Default for PatternMemo {
    fn default() -> Self {
        Self {
            parts: [0; MOST_TABLES],
            places: [0; MOST_SLOTS],
        }
    }
}

/// How a set of tables is looked up along paths.
#[derive(Debug)]
pub(crate) enum Lookup {
    Values(Box<ValueLookup>),
    Pieces(PieceLookup),
}

impl Lookup {
    /// `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let values = || ValueLookup::new(game, sums).map(Box::new).map(Self::Values);
        let pieces = || PieceLookup::new(game, sums).map(Self::Pieces);
        values().or_else(pieces)
    }

    #[inline]
    pub(crate) fn start<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[C],
    ) -> (u64, PatternMemo) {
        match self {
            Self::Values(values) => values.start(sums, state),
            Self::Pieces(pieces) => pieces.start(sums, state),
        }
    }

    /// The estimate of a child and what is kept for it; only that it is more than `enough`, if it
    /// is.
    #[inline(always)]
    pub(crate) fn child<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        (parent, child): (&[C], &[C]),
        memo: &PatternMemo,
        enough: u64,
    ) -> (u64, PatternMemo) {
        match self {
            Self::Values(values) => values.child(sums, rule, (parent, child), memo, enough),
            Self::Pieces(pieces) => pieces.child(sums, rule, child, memo, enough),
        }
    }
}

/// The numbers of the sums, those first that say more on average.
fn by_estimates(sums: &[Vec<PatternDatabase>]) -> Vec<usize> {
    let means = sums.iter().map(|sum| sum.iter().map(mean).sum::<f64>());
    let means: Vec<f64> = means.collect();
    let mut numbers: Vec<usize> = (0..sums.len()).collect();
    numbers.sort_by(|one, other| means[*other].total_cmp(&means[*one]));
    numbers
}

/// About what a table says on average: the mean of some of its entries.
fn mean(table: &PatternDatabase) -> f64 {
    let mut random = SplitMix64::new(1);
    let (mut sum, mut states) = (0.0, 0.0);
    for _ in 0..SAMPLED {
        let rank = random.next_u64() % table.n_entries().max(1);
        if let Some(entry) = table.table.get(rank) {
            let weight = table.ranking.n_states(rank) as f64;
            sum += (entry * table.unit) as f64 * weight;
            states += weight;
        }
    }
    if states > 0.0 { sum / states } else { 0.0 }
}

/// Whether the distances of a table fit the memo.
fn fits(table: &PatternDatabase) -> bool {
    table.table.width().unreached() - 1 <= u64::from(DEAD - 1) / table.unit
}
