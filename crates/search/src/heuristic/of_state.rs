//! Heuristics that use nothing but the state.

use psvn_ir::Value;

use crate::game::cell::Cell;
use crate::heuristic::Heuristic;

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

/// The values of a state in the form that a search holds.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'s>(pub(crate) Cells<'s>);

/// The values, by the bytes for each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cells<'s> {
    Byte(&'s [u8]),
    Short(&'s [u16]),
    Word(&'s [u32]),
}

impl<'s> StateView<'s> {
    /// Return a view of packed values. Only these three widths are cells.
    pub(crate) fn of<C: Cell>(cells: &'s [C]) -> Self {
        Self(match size_of::<C>() {
            1 => Cells::Byte(bytemuck::cast_slice(cells)),
            2 => Cells::Short(bytemuck::cast_slice(cells)),
            _ => Cells::Word(bytemuck::cast_slice(cells)),
        })
    }

    /// Return the number of variables.
    pub fn len(self) -> usize {
        match self.0 {
            Cells::Byte(cells) => cells.len(),
            Cells::Short(cells) => cells.len(),
            Cells::Word(cells) => cells.len(),
        }
    }

    /// Return whether the game has no variables.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Return the value of the variable with index `variable`.
    ///
    /// # Panics
    /// When the game has no such variable.
    pub fn value(self, variable: usize) -> Value {
        match self.0 {
            Cells::Byte(cells) => cells[variable].value(),
            Cells::Short(cells) => cells[variable].value(),
            Cells::Word(cells) => cells[variable].value(),
        }
    }

    /// Return the values of all variables, in order.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value> + 's {
        (0..self.len()).map(move |variable| self.value(variable))
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
