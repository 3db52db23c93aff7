//! States of games.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use psvn::drawing;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString, PyTuple};

use crate::errors::Raise;

/// A state: a value for each variable. Immutable and hashable; a sequence of names of values.
#[pyclass(frozen, sequence, module = "psvn._psvn")]
pub(crate) struct State {
    pub(crate) game: Arc<psvn::Game>,
    pub(crate) state: psvn::State,
}

impl State {
    pub(crate) fn new(game: &Arc<psvn::Game>, state: psvn::State) -> Self {
        Self {
            game: Arc::clone(game),
            state,
        }
    }

    fn text(&self) -> String {
        self.game.ir().format_state(self.state.values())
    }
}

#[pymethods]
impl State {
    /// The numbers of the values, each in its variable's domain, from 0.
    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.values().iter().map(|value| value.index()))
    }

    /// The names of the values.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.value_names(&self.state))
    }

    /// Return the state as a board of text; `None` if the game declares no layout of boards.
    fn board(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let layout = self.game.board_layout(None).raise(py)?;
        let text = |layout: drawing::BoardLayout| layout.text(&self.game.value_names(&self.state));
        Ok(layout.map(|layout| text(layout).join("\n")))
    }

    /// The state as a board in SVG; `None` where the game declares no layout of boards.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let layout = self.game.board_layout(None).raise(py)?;
        let values = [self.game.value_names(&self.state)];
        let draw = |layout| drawing::animate(self.game.name(), &layout, &values, &[], 1.0);
        Ok(layout.map(draw))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("State({:?})", self.text())
    }

    fn __len__(&self) -> usize {
        self.state.values().len()
    }

    /// The name of the value at a place, or a tuple of those of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if place.is_instance_of::<PySlice>() {
            return self.values(py)?.as_any().get_item(place);
        }
        let place: isize = place.extract()?;
        let names = self.game.value_names(&self.state);
        let from_the_end = place + names.len() as isize;
        let place = if place < 0 { from_the_end } else { place };
        let name = usize::try_from(place)
            .ok()
            .and_then(|place| names.get(place).copied());
        match name {
            Some(name) => Ok(PyString::new(py, name).into_any()),
            None => Err(PyIndexError::new_err("a state has no such variable")),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<State>()
            .is_ok_and(|other| other.get().state == self.state)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }
}
