//! Searches whose subtrees are handed out, to threads, to other processes, or to a later time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use budget::StopReason;

use crate::run::report::{LevelCount, Totals, add_levels};

/// A function that searches a piece of a round, by its number, until a flag is set.
pub type SearchPiece<'s> = dyn Fn(u64, &Arc<AtomicBool>) -> Result<Piece, StopReason> + Sync + 's;

/// The subtrees into which the tree of a round is cut, in the order in which one thread visits
/// them. The same search of the same program makes the same ones.
pub struct Subtrees<'s> {
    pub(crate) bound: u64,
    pub(crate) n: u64,
    pub(crate) path: &'s (dyn Fn(u64) -> &'s [u32] + Sync),
    pub(crate) search: &'s SearchPiece<'s>,
}

impl Subtrees<'_> {
    /// Return the bound of the round: on estimated total cost times the denominator of the weight,
    /// or on depth.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Return their number.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Return the rules from the start to the root of a subtree.
    ///
    /// # Panics
    /// When there is no subtree of this number.
    pub fn path(&self, number: u64) -> &[u32] {
        (self.path)(number)
    }

    /// Search a subtree until a limit is reached or a flag is set.
    ///
    /// # Errors
    /// When a limit is reached or the flag is set.
    ///
    /// # Panics
    /// When there is no subtree of this number.
    pub fn search(&self, number: u64, stop: &Arc<AtomicBool>) -> Result<Piece, StopReason> {
        (self.search)(number, stop)
    }
}

/// Whoever has the subtrees of a round searched: by threads of this process, or by other processes
/// that run the same search, now or later.
pub trait HandOut: Sync {
    /// Have the subtrees of a round searched, each of them once. Return the results in order, up to
    /// the first one that [has found](Piece::has_found) a solution. Several successive ones may be
    /// [merged](Piece::merge).
    ///
    /// `goes_on` is called repeatedly with the number of nodes generated so far, as far as it is
    /// known; it fails when a limit is reached.
    ///
    /// # Errors
    /// When a limit is reached, or the results aren't there yet.
    fn round(
        &self,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason>;

    /// Return the least number of subtrees into which a round is cut, if it is large enough.
    fn least_subtrees(&self) -> usize {
        0
    }
}

/// The result of searching one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// Without the root of the piece.
    pub(crate) counts: Totals,
    /// By depth below the start of the search, where they were counted.
    pub(crate) levels: Vec<LevelCount>,
    /// Goals in the deepest ply of a tree that is counted.
    pub(crate) goals: u64,
    /// Whether a path was left out because its cost doesn't fit in 64 bits.
    pub(crate) overflow: bool,
    /// The least estimated total cost above the bound.
    pub(crate) beyond: Option<u64>,
    /// The estimated total cost of a solution, and its rules.
    pub(crate) found: Option<(u64, Vec<u32>)>,
}

impl Piece {
    /// Return the number of nodes generated.
    pub fn generated(&self) -> u64 {
        u64::try_from(self.counts.generated).unwrap_or(u64::MAX)
    }

    /// Add the result of a later piece.
    pub fn merge(&mut self, later: Self) {
        self.counts.merge(&later.counts);
        add_levels(&mut self.levels, &later.levels);
        self.goals += later.goals;
        self.overflow |= later.overflow;
        self.beyond = match (self.beyond, later.beyond) {
            (Some(own), Some(later)) => Some(own.min(later)),
            (own, later) => own.or(later),
        };
        if self.found.is_none() {
            self.found = later.found;
        }
    }

    /// Return whether there is a solution, so that later pieces don't matter.
    pub fn has_found(&self) -> bool {
        self.found.is_some()
    }
}
