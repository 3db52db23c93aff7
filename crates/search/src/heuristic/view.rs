//! States as heuristics see them.

use psvn_ir::Value;

use crate::game::cell::Cell;

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
