//! Entry points of the searches on a disk.

use std::path::Path;

use psvn_ir::State;

use crate::best_first::searches::on_disk::room::Shares;
use crate::best_first::searches::on_disk::{OnDiskError, Request, a_star};
use crate::front::run::Run;
use crate::heuristic::{Heuristic, ZeroHeuristic};
use crate::run::options::CycleDetection;
use crate::run::report::SolveReport;

/// # Searches on a disk
/// These searches go on where the memory ends: states that don't fit in
/// [`Limits::memory`](crate::Limits::memory), or in 1 GiB without a limit, go to files. They use
/// [`threads`](Run::threads).
impl Run<'_> {
    /// Let the files of a search on a disk take this many bytes at most; by default they may fill
    /// it. A search that needs more stops with
    /// [`StopReason::Disk`](crate::StopReason::Disk).
    pub fn disk_memory(mut self, bytes: u64) -> Self {
        self.disk_memory = Some(bytes);
        self
    }

    /// Let almost all states of a search on a disk go to files, a few at a time: for tests.
    #[doc(hidden)]
    pub fn tiny_room(mut self) -> Self {
        self.has_tiny_room = true;
        self
    }

    /// Look for a solution of least cost by A* as [`a_star`](Run::a_star) does, with an admissible
    /// heuristic, which need not be consistent. States that don't fit in memory go to files in a
    /// folder, where the search makes a folder of its own and removes it at its end.
    ///
    /// States with equal f are expanded in the order of their path costs, and duplicates are found
    /// when a state's turn comes, not when it is generated. So counts differ from those of
    /// [`a_star`](Run::a_star): open states are counted, and stored, as often as they were
    /// generated. [`SolveReport::iterations`] has the counts for each f; there are none by depth.
    /// [`ties`](Run::ties) have no effect, [`symmetries`](Run::symmetries) have. The solution and
    /// the counts of a search that isn't stopped don't depend on the number of threads, but for the
    /// counts of duplicates.
    ///
    /// # Errors
    /// When the start is not a state of the game, the searcher has a machine, or a file can't be
    /// made, read or written, or differs from what was written.
    pub fn a_star_on_disk(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        folder: &Path,
    ) -> Result<SolveReport, OnDiskError> {
        self.on_disk(start, heuristic, folder)
    }

    /// Look for a solution of least cost by uniform-cost search on a disk; see
    /// [`a_star_on_disk`](Run::a_star_on_disk).
    ///
    /// # Errors
    /// As for [`a_star_on_disk`](Run::a_star_on_disk).
    pub fn uniform_cost_on_disk(
        &mut self,
        start: &State,
        folder: &Path,
    ) -> Result<SolveReport, OnDiskError> {
        self.on_disk(start, &ZeroHeuristic, folder)
    }

    fn on_disk(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        folder: &Path,
    ) -> Result<SolveReport, OnDiskError> {
        let maps = std::mem::take(&mut self.symmetries);
        let request = Request {
            start,
            heuristic,
            maps: &maps,
            folder,
            n_threads: self.options.n_threads,
            most_bytes: self.disk_memory.unwrap_or(u64::MAX),
            shares: self.has_tiny_room.then_some(Shares::TINY),
        };
        let mut failure = None;
        let report = self.with_closed_list(start, |work, packed| {
            a_star(work, packed, &request).unwrap_or_else(|error| {
                failure = Some(error);
                SolveReport::new(CycleDetection::None)
            })
        });
        self.symmetries = maps;
        match failure {
            Some(error) => Err(error),
            None => Ok(report?),
        }
    }
}
