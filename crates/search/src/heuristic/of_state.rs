//! Heuristics that use nothing but the state.

use crate::game::cell::Cell;
use crate::heuristic::Heuristic;
use crate::heuristic::view::StateView;

/// A heuristic that uses nothing but the state. It has one method and is object-safe.
///
/// Searches take it as an [`OfState`]. A heuristic that can use data of the parent implements
/// [`Heuristic`] instead.
///
/// ```
/// use search::{CompiledGame, OfState, Searcher, StateHeuristic, StateView};
///
/// /// Half the number of tokens that are not at home: a move swaps two.
/// struct Misplaced;
///
/// impl StateHeuristic for Misplaced {
///     fn estimate(&self, state: StateView<'_>) -> u64 {
///         let values = state.values().enumerate();
///         let misplaced = values.filter(|(home, value)| value.index() != *home).count();
///         misplaced.div_ceil(2) as u64
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
/// let heuristics: [Box<dyn StateHeuristic>; 1] = [Box::new(Misplaced)];
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// for heuristic in &heuristics {
///     let report = searcher.run().ida_star(&start, &OfState(&**heuristic))?;
///     assert_eq!(report.solution().map(|it| it.cost), Some(3));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StateHeuristic: Sync {
    /// Return the estimate for a state; [`DEAD_END`](crate::DEAD_END) if no goal state can be
    /// reached. It must be a function of the state alone.
    fn estimate(&self, state: StateView<'_>) -> u64;
}

impl<H: StateHeuristic + ?Sized> StateHeuristic for &H {
    fn estimate(&self, state: StateView<'_>) -> u64 {
        (**self).estimate(state)
    }
}

impl<H: StateHeuristic + ?Sized> StateHeuristic for Box<H> {
    fn estimate(&self, state: StateView<'_>) -> u64 {
        (**self).estimate(state)
    }
}

/// A [`StateHeuristic`] in the form that searches take.
#[derive(Clone, Copy, Debug)]
pub struct OfState<H>(pub H);

impl<H: StateHeuristic> Heuristic for OfState<H> {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.0.estimate(StateView::of(state))
    }
}
