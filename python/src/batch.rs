//! Heuristics written in Python, which estimate blocks of states.

use std::sync::Arc;

use psvn::batch::{self, BatchHeuristic};
use psvn::instance::Instance;
use psvn::solve::RecordContext;
use psvn::{DEAD_END, Error, Solver, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::game::Game;
use crate::machine::Machine;
use crate::options::{self, Pairs};
use crate::solver::{Found, found};
use crate::state::State;

/// States in rows, which NumPy reads without copying.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct StateBlock {
    block: Arc<batch::StateBlock>,
}

#[pymethods]
impl StateBlock {
    /// Put states of a game in rows.
    #[new]
    fn new(py: Python<'_>, game: &Game, states: Vec<PyRef<'_, State>>) -> PyResult<Self> {
        let rows = states.iter().map(|state| &state.state);
        let block = batch::StateBlock::of(&*game.game, rows).raise(py)?;
        Ok(Self {
            block: Arc::new(block),
        })
    }

    fn __len__(&self) -> usize {
        self.block.len()
    }

    /// The rows as states of a game.
    fn states(&self, game: &Game) -> PyResult<Vec<State>> {
        if self.block.n_variables() != game.game.ir().n_variables() {
            return Err(PyValueError::new_err("these are states of another game"));
        }
        let state = |row: usize| {
            let codes = self.block.state(row);
            let values: Vec<Value> = codes.map(|code| Value(code as u32)).collect();
            State::new(&game.game, psvn::State::new(values))
        };
        Ok((0..self.block.len()).map(state).collect())
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let order = match (self.block.cell_bytes(), cfg!(target_endian = "little")) {
            (1, _) => '|',
            (_, true) => '<',
            (_, false) => '>',
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.block.len(), self.block.n_variables()))?;
        interface.set_item("typestr", format!("{order}u{}", self.block.cell_bytes()))?;
        // Read-only: the search continues with these rows.
        interface.set_item("data", (self.block.address(), true))?;
        Ok(interface)
    }
}

/// A function that takes a block and returns estimates as the bytes of 64-bit numbers in the
/// machine's byte order, with -1 for dead ends.
struct InPython<'a> {
    function: &'a Py<PyAny>,
    /// The exception that it raised.
    raised: &'a mut Option<PyErr>,
}

impl InPython<'_> {
    fn call(&self, states: &Arc<batch::StateBlock>) -> PyResult<Vec<u64>> {
        Python::attach(|py| {
            let block = StateBlock {
                block: Arc::clone(states),
            };
            let answer = self.function.call1(py, (Bound::new(py, block)?,))?;
            let answer = answer.cast_bound::<PyBytes>(py)?;
            let number = |bytes: &[u8; 8]| u64::try_from(i64::from_ne_bytes(*bytes));
            let (numbers, rest) = answer.as_bytes().as_chunks::<8>();
            match rest {
                [] => Ok(numbers
                    .iter()
                    .map(|bytes| number(bytes).unwrap_or(DEAD_END))
                    .collect()),
                _ => Err(PyValueError::new_err("estimates are numbers of 64 bits")),
            }
        })
    }
}

impl BatchHeuristic for InPython<'_> {
    fn estimate(&mut self, states: &Arc<batch::StateBlock>) -> Result<Vec<u64>, Error> {
        self.call(states).map_err(|error| {
            let message = format!("the heuristic failed: {error}");
            *self.raised = Some(error);
            Error::input(message)
        })
    }
}

/// Run work that calls a Python function, and raise its exception.
fn calling<T: Send>(
    py: Python<'_>,
    env: &Environment,
    function: &Py<PyAny>,
    work: impl FnOnce(&mut dyn BatchHeuristic, &psvn::Environment) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let result = env.run(py, |env| {
        let mut heuristic = InPython {
            function,
            raised: &mut raised,
        };
        work(&mut heuristic, env)
    });
    match raised {
        Some(raised) => Err(raised),
        None => result,
    }
}

/// Search with a heuristic that is a Python function.
#[pyfunction]
#[pyo3(signature = (game, env, start, settings, function, batch, machine=None, with_states=true))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn solve_in_batches(
    py: Python<'_>,
    game: &Game,
    env: &Environment,
    start: &State,
    settings: Pairs,
    function: Py<PyAny>,
    batch: usize,
    machine: Option<Py<Machine>>,
    with_states: bool,
) -> PyResult<Found> {
    let options = options::of_search(&settings).raise(py)?;
    let analysis = machine.and_then(|it| it.get().analysis.clone());
    let (record, moves) = calling(py, env, &function, |heuristic, env| {
        let mut builder = Solver::builder(&game.game)
            .options(options)
            .starts([start.state.clone()]);
        if let Some(analysis) = &analysis {
            builder = builder.machine(analysis);
        }
        let solver = builder.build(env)?;
        let answer = batch::solve(&solver, &start.state, heuristic, batch, env)?;
        let instance = Instance::new("1".to_owned(), start.state.clone(), None);
        let context = RecordContext {
            with_states,
            preparation: solver.made_in(),
            ..RecordContext::default()
        };
        found(&game.game, &instance, &answer, context)
    })?;
    Ok((json(&record)?, moves))
}

/// Compare the estimates of a Python function with the least costs, as JSON.
#[pyfunction]
pub(crate) fn check_estimates(
    py: Python<'_>,
    game: &Game,
    env: &Environment,
    start: &State,
    function: Py<PyAny>,
    max_states: usize,
) -> PyResult<String> {
    let checked = calling(py, env, &function, |heuristic, env| {
        batch::check_estimates(&game.game, &start.state, heuristic, max_states, env)
    })?;
    json(&checked)
}
