//! Searches whose subtrees are handed out, to local threads and to other processes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use budget::StopReason;

use crate::run::report::{LevelCount, Totals};

/// A function that searches a piece of a round, by its number, until a flag is set.
pub type SearchPiece<'s> = dyn Fn(u64, &Arc<AtomicBool>) -> Result<Piece, StopReason> + Sync + 's;

/// A group that searches the subtrees of a tree together, such as processes on several machines
/// that all run the same search.
pub trait HandOut: Sync {
    /// Search the pieces of a round, each of them once: here by `search`, elsewhere by its
    /// equivalent. Return the results in order, up to the first piece that
    /// [has found](Piece::has_found) a solution; all participants get the same.
    ///
    /// `goes_on` is called repeatedly with the number of nodes generated so far, as far as it is
    /// known; it fails when a limit is reached. `bound` is the bound of the round.
    ///
    /// # Errors
    /// If any participant reaches a limit.
    fn round(
        &self,
        bound: u64,
        pieces: u64,
        search: &SearchPiece<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason>;
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

    /// Return whether there is a solution, so that later pieces don't matter.
    pub fn has_found(&self) -> bool {
        self.found.is_some()
    }
}
