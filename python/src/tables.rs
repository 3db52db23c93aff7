//! Pattern databases, and heuristics by name, for single states.

use std::path::PathBuf;
use std::sync::Arc;

use psvn::heuristic::{Pattern, PatternTables, PreparedHeuristic, TableOptions};
use psvn::{Error, Limits, Solver};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::game::Game;
use crate::options::{self, Pairs};
use crate::state::State;
use crate::trees;

/// A heuristic that is ready: pattern databases, or one with a name.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct Tables {
    pub(crate) heuristic: Arc<PreparedHeuristic>,
    report: Option<String>,
}

fn table_options(
    additive: bool,
    time: Option<String>,
    memory: Option<String>,
) -> Result<TableOptions, Error> {
    Ok(TableOptions {
        additive,
        limits: Limits {
            time: trees::time(time)?,
            memory: trees::memory(memory)?,
            ..Limits::default()
        },
    })
}

impl Tables {
    fn ready(
        tables: PatternTables,
        game: &psvn::Game,
        check: bool,
        env: &psvn::Environment,
    ) -> Result<(psvn::heuristic::TablesReport, PreparedHeuristic), Error> {
        let elapsed = tables.elapsed();
        let (report, estimate) = tables.combined(game.named(), true, check, env)?;
        Ok((report, PreparedHeuristic::given(estimate, elapsed)))
    }
}

#[pymethods]
impl Tables {
    /// Build tables for patterns, and write them to a file if one is given.
    #[staticmethod]
    #[pyo3(signature = (
        env, game, patterns, path=None, additive=false, check=false, time=None, memory=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn build(
        py: Python<'_>,
        env: &Environment,
        game: &Game,
        patterns: Vec<String>,
        path: Option<PathBuf>,
        additive: bool,
        check: bool,
        time: Option<String>,
        memory: Option<String>,
    ) -> PyResult<Self> {
        let options = table_options(additive, time, memory).raise(py)?;
        let (report, heuristic) = env.run(py, |env| {
            let game = &game.game;
            let mut parsed = Vec::new();
            for text in &patterns {
                parsed.push(Pattern::parse(game.ir(), text)?);
            }
            if parsed.is_empty() {
                parsed.push(Pattern::whole(game.ir()));
            }
            let tables =
                PatternTables::build(game.named(), &parsed, path.as_deref(), options, env)?;
            Self::ready(tables, game, check, env)
        })?;
        Ok(Self {
            heuristic: Arc::new(heuristic),
            report: Some(json(&report)?),
        })
    }

    /// Open tables that were written before.
    #[staticmethod]
    #[pyo3(signature = (env, game, paths, additive=false, check=false, memory=None))]
    fn open(
        py: Python<'_>,
        env: &Environment,
        game: &Game,
        paths: Vec<PathBuf>,
        additive: bool,
        check: bool,
        memory: Option<String>,
    ) -> PyResult<Self> {
        let options = table_options(additive, None, memory).raise(py)?;
        let (report, heuristic) = env.run(py, |env| {
            let tables = PatternTables::open(game.game.named(), &paths, options, env)?;
            Self::ready(tables, &game.game, check, env)
        })?;
        Ok(Self {
            heuristic: Arc::new(heuristic),
            report: Some(json(&report)?),
        })
    }

    /// A heuristic by its name, for searches from any state.
    #[staticmethod]
    fn named(py: Python<'_>, env: &Environment, game: &Game, settings: Pairs) -> PyResult<Self> {
        let mut options = options::of_search(&settings).raise(py)?;
        options.prune = Some(psvn::PruneSpec::None);
        let heuristic = env.run(py, |env| {
            let solver = Solver::builder(&game.game).options(options).build(env)?;
            Ok(solver.shared_heuristic())
        })?;
        Ok(Self {
            heuristic,
            report: None,
        })
    }

    /// The figures of the tables as JSON; `None` for a heuristic with a name.
    #[getter]
    fn report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    /// The name of the heuristic.
    #[getter]
    fn name(&self) -> String {
        self.heuristic.estimate.to_string()
    }

    /// Whether it never estimates too high.
    #[getter]
    fn is_admissible(&self) -> bool {
        self.heuristic.is_admissible()
    }

    /// The estimates of states; `None` for those from which no goal can be reached.
    fn estimate(
        &self,
        py: Python<'_>,
        game: &Game,
        states: Vec<PyRef<'_, State>>,
    ) -> PyResult<Vec<Option<u64>>> {
        let n_variables = game.game.ir().n_variables();
        let estimate = |state: &PyRef<'_, State>| {
            if state.state.values().len() != n_variables {
                return Err(Error::input("this is a state of another game"));
            }
            Ok(self.heuristic.of_state(&state.state))
        };
        states
            .iter()
            .map(estimate)
            .collect::<Result<_, Error>>()
            .raise(py)
    }
}
