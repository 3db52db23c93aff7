//! Entry points of the searches with estimates for many states at once.

use psvn_ir::State;

use super::error::BlockError;
use super::heuristic::{AnyHeuristic, BlockHeuristic, Failed, with_erased};
use super::{a_star, by_width, ida};
use crate::best_first::{DuplicateDetection, UnsafeCombination};
use crate::front::run::Run;
use crate::run::limits::Watch;
use crate::run::options::CycleDetection;
use crate::run::report::SolveReport;

/// # Searches with estimates for many states at once
/// These searches expand up to a number of nodes before they request estimates, and pass all new
/// states to a [`BlockHeuristic`] together. With a heuristic that never estimates too high,
/// solutions have least cost, whatever that number is.
///
/// ```
/// use std::convert::Infallible;
/// use std::sync::Arc;
///
/// use search::{BlockHeuristic, CompiledGame, Searcher, StateBlock};
///
/// /// A swap brings at most two tokens home.
/// struct Misplaced;
///
/// impl BlockHeuristic for Misplaced {
///     type Error = Infallible;
///
///     fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Infallible> {
///         let misplaced = |state: usize| {
///             let values = states.state(state).enumerate();
///             values.filter(|(place, value)| value != place).count().div_ceil(2) as u64
///         };
///         Ok((0..states.len()).map(misplaced).collect())
///     }
/// }
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C
///     A B C => A C B
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let start = game.parse_state("2 1 0")?;
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// let report = searcher.run().a_star_in_blocks(&start, &mut Misplaced, 64)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(3));
/// let report = searcher.run().ida_star_in_blocks(&start, &mut Misplaced, 64)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Run<'_> {
    /// Look for a solution of least cost by A*, with a heuristic that estimates many states at
    /// once. Up to `batch` nodes are expanded before estimates are requested.
    ///
    /// Nodes of one score are expanded together, so this may expand more nodes of the last score
    /// than [`a_star`](Self::a_star). States are stored as rows of cells, dead ends too.
    ///
    /// # Errors
    /// When the start is not a state of the game, the searcher has a machine, or the heuristic
    /// fails.
    pub fn a_star_in_blocks<H: BlockHeuristic + ?Sized>(
        &mut self,
        start: &State,
        heuristic: &mut H,
        batch: usize,
    ) -> Result<SolveReport, BlockError<H::Error>> {
        with_erased(heuristic, |heuristic| {
            self.a_star_with(start, heuristic, batch)
        })
    }

    fn a_star_with(
        &mut self,
        start: &State,
        heuristic: &mut AnyHeuristic<'_>,
        batch: usize,
    ) -> Result<SolveReport, BlockError<Failed>> {
        if self.prepared.prunes {
            let detection = DuplicateDetection::ClosedList;
            return Err(UnsafeCombination { detection }.into());
        }
        let game = self.prepared.game.game();
        self.prepared.game.check(start)?;
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        let mut report = by_width!(game, C => {
            a_star::search::<C>(game, start, heuristic, batch.max(1), &mut watch)
        })?;
        (report.preparation, report.elapsed) = watch.times();
        Ok(report)
    }

    /// Look for a solution of least cost by IDA*, with a heuristic that estimates many states at
    /// once. Up to `batch` nodes are taken from the stack and expanded before estimates are
    /// requested.
    ///
    /// With [`CycleDetection::Path`] children are compared with their grandparents alone.
    ///
    /// # Errors
    /// When the start is not a state of the game, some rule costs nothing, or the heuristic fails.
    pub fn ida_star_in_blocks<H: BlockHeuristic + ?Sized>(
        &mut self,
        start: &State,
        heuristic: &mut H,
        batch: usize,
    ) -> Result<SolveReport, BlockError<H::Error>> {
        with_erased(heuristic, |heuristic| {
            self.ida_star_with(start, heuristic, batch)
        })
    }

    fn ida_star_with(
        &mut self,
        start: &State,
        heuristic: &mut AnyHeuristic<'_>,
        batch: usize,
    ) -> Result<SolveReport, BlockError<Failed>> {
        let prepared = &*self.prepared;
        if prepared.game.has_free_rules() {
            return Err(BlockError::FreeRules);
        }
        let game = prepared.game.game();
        prepared.game.check(start)?;
        let pruning = ida::Pruning {
            machine: prepared.prunes.then_some(&prepared.machine),
            parents: self.options.cycle_detection != CycleDetection::None,
        };
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        let mut report = by_width!(game, C => {
            ida::search::<C>(game, start, pruning, heuristic, batch.max(1), &mut watch)
        })?;
        (report.preparation, report.elapsed) = watch.times();
        Ok(report)
    }
}
