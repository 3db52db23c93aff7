//! Look-ups along a path: positions that a rule doesn't touch are not computed again.
//!
//! [`values`] is for tables whose ranks are the places of single values, and [`oriented_pieces`]
//! for those whose ranks are the places and orientations of single pieces.

pub(crate) mod symmetric;

mod memo;
mod order;
mod oriented_pieces;
mod piece_ranks;
mod values;

use psvn_ir::Game;
use search::Sibling;

pub(crate) use self::memo::MOST_TABLES;
pub use self::memo::PatternMemo;
use self::oriented_pieces::PieceLookup;
use self::values::ValueLookup;
use crate::database::PatternDatabase;
use crate::ranking::bit_counts::{Work, with_bit_counts};

/// The method by which a set of tables is looked up along paths.
#[derive(Debug)]
pub(crate) enum Lookup {
    Values(Box<ValueLookup>),
    Pieces(PieceLookup),
}

impl Lookup {
    /// Return `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let values = || ValueLookup::new(game, sums).map(Box::new).map(Self::Values);
        let pieces = || PieceLookup::new(game, sums).map(Self::Pieces);
        values().or_else(pieces)
    }

    pub(crate) fn start(&self, sums: &[Vec<PatternDatabase>], state: &[u8]) -> (u64, PatternMemo) {
        match self {
            Self::Values(values) => values.start(sums, state),
            Self::Pieces(pieces) => pieces.start(sums, state),
        }
    }

    /// Return the estimate of a child and the data to keep for it; if the estimate is more than its
    /// cutoff, only a lower bound above the cutoff. `cells` are those of the parent and of the
    /// child.
    pub(crate) fn child(
        &self,
        sums: &[Vec<PatternDatabase>],
        sibling: Sibling,
        cells: (&[u8], &[u8]),
        memo: &PatternMemo,
    ) -> (u64, PatternMemo) {
        with_bit_counts(Child {
            lookup: self,
            sums,
            sibling,
            cells,
            memo,
        })
    }

    /// Estimate several children of a node. The cells of `states` are those of one child after the
    /// other.
    pub(crate) fn children(
        &self,
        sums: &[Vec<PatternDatabase>],
        siblings: &[Sibling],
        (parent, states): (&[u8], &[u8]),
        memo: &PatternMemo,
        found: &mut dyn FnMut(usize, u64, PatternMemo),
    ) {
        match self {
            Self::Values(values) => values.children(sums, siblings, (parent, states), memo, found),
            Self::Pieces(pieces) => {
                let states = states.chunks_exact(parent.len());
                pieces.children(sums, siblings, states, memo, found);
            }
        }
    }
}

/// The work of [`Lookup::child`].
struct Child<'a> {
    lookup: &'a Lookup,
    sums: &'a [Vec<PatternDatabase>],
    sibling: Sibling,
    cells: (&'a [u8], &'a [u8]),
    memo: &'a PatternMemo,
}

impl Work for Child<'_> {
    type Output = (u64, PatternMemo);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self {
            sums,
            sibling: Sibling { rule, cutoff },
            cells,
            memo,
            ..
        } = self;
        match self.lookup {
            Lookup::Values(values) => values.child(sums, rule, cells, memo, cutoff),
            Lookup::Pieces(pieces) => pieces.child(sums, rule, cells.1, memo, cutoff),
        }
    }
}
