//! Blocks of states, as heuristics take them.

use std::any::Any;

use psvn_ir::{Game, State};

use super::by_width;
use crate::game::cell::Cell;
use crate::game::compiled::{StateMismatch, check_state};

/// States in rows, one after the other: for each state a number for each variable, that of its
/// value in the variable's domain, from 0.
///
/// Numbers take 1, 2 or 4 bytes, enough for all values of the game, in the machine's byte order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateBlock {
    cells: Cells,
    n_states: usize,
    n_variables: usize,
}

/// Cells, by the bytes that a value takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cells {
    Byte(Vec<u8>),
    Short(Vec<u16>),
    Word(Vec<u32>),
}

impl StateBlock {
    /// Make a block from rows of states, each of `n_variables` values, without copying.
    pub(super) fn new<C: Cell>(rows: Vec<C>, n_variables: usize, n_states: usize) -> Self {
        // Find the type of the cell, one of three.
        let mut rows = Some(rows);
        let rows: &mut dyn Any = &mut rows;
        let cells = if let Some(rows) = rows.downcast_mut() {
            Cells::Byte(Option::take(rows).unwrap_or_default())
        } else if let Some(rows) = rows.downcast_mut() {
            Cells::Short(Option::take(rows).unwrap_or_default())
        } else {
            let rows = rows.downcast_mut().and_then(Option::take);
            Cells::Word(rows.unwrap_or_default())
        };
        Self {
            cells,
            n_states,
            n_variables,
        }
    }

    /// Return the rows to the search that made them of cells of this type.
    pub(super) fn into_rows<C: Cell>(self) -> Vec<C> {
        let mut cells: Box<dyn Any> = match self.cells {
            Cells::Byte(cells) => Box::new(cells),
            Cells::Short(cells) => Box::new(cells),
            Cells::Word(cells) => Box::new(cells),
        };
        let rows = cells.downcast_mut::<Vec<C>>();
        rows.map(std::mem::take).unwrap_or_default()
    }

    /// Put states of a game in rows.
    ///
    /// # Errors
    /// When one of them isn't a state of the game.
    pub fn of<'s>(
        game: &impl AsRef<Game>,
        states: impl IntoIterator<Item = &'s State>,
    ) -> Result<Self, StateMismatch> {
        let game = game.as_ref();
        by_width!(game, C => {
            let (mut rows, mut n_states) = (Vec::<C>::new(), 0);
            for state in states {
                let variables = game.variables().iter();
                check_state(variables.map(|id| game.domain(*id).size()), state.values())?;
                rows.extend(state.values().iter().map(|value| C::pack(*value)));
                n_states += 1;
            }
            Ok(Self::new(rows, game.n_variables(), n_states))
        })
    }

    /// Return the number of states.
    pub fn len(&self) -> usize {
        self.n_states
    }

    /// Return whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// Return the number of variables.
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Return the bytes that a number takes: 1, 2 or 4.
    pub fn cell_bytes(&self) -> usize {
        match &self.cells {
            Cells::Byte(_) => 1,
            Cells::Short(_) => 2,
            Cells::Word(_) => 4,
        }
    }

    /// Return the address of the first number. All others follow without gaps, and stay where they
    /// are as long as the block lives.
    pub fn address(&self) -> usize {
        match &self.cells {
            Cells::Byte(cells) => cells.as_ptr() as usize,
            Cells::Short(cells) => cells.as_ptr() as usize,
            Cells::Word(cells) => cells.as_ptr() as usize,
        }
    }

    /// Return the numbers of the values of one state.
    ///
    /// # Panics
    /// When there are fewer states.
    pub fn state(&self, state: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let first = state * self.n_variables;
        assert!(state < self.n_states, "there are {} states", self.n_states);
        (first..first + self.n_variables).map(|at| match &self.cells {
            Cells::Byte(cells) => usize::from(cells[at]),
            Cells::Short(cells) => usize::from(cells[at]),
            Cells::Word(cells) => cells[at] as usize,
        })
    }
}
