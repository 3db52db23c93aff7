//! Machines: stepping through them, their words, and their proof.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pictures::{Arrows, draw_machine};
use psvn::certificate::certificate_of_machine;
use psvn::fsm::{Dense, Machine as _, OpenFile};
use psvn::machine::file::open_for;
use psvn::machine::{MachineDescription, WordFilter, WordList, verify};
use psvn::store::atomic;
use psvn::{Analysis, Error};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::game::Game;

/// A machine that reads sequences of rules and rejects those that are redundant.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct Machine {
    game: Arc<psvn::Game>,
    file: OpenFile,
    dense: Dense,
    /// The analysis that made it, unless it comes from a file.
    pub(crate) analysis: Option<Arc<Analysis>>,
    path: Option<PathBuf>,
}

impl Machine {
    /// The machine of an analysis; `None` where it was too large to be built.
    pub(crate) fn of_analysis(
        py: Python<'_>,
        game: &Arc<psvn::Game>,
        analysis: Arc<Analysis>,
    ) -> PyResult<Option<Self>> {
        let Some(file) = &analysis.machine else {
            return Ok(None);
        };
        let file = OpenFile::from_bytes(file.to_bytes());
        let file = file
            .map_err(|error| Error::wrong(error.to_string()))
            .raise(py)?;
        Self::new(game, file, Some(analysis), None)
            .raise(py)
            .map(Some)
    }

    fn new(
        game: &Arc<psvn::Game>,
        file: OpenFile,
        analysis: Option<Arc<Analysis>>,
        path: Option<PathBuf>,
    ) -> Result<Self, Error> {
        let dense = file.machine().to_dense();
        Ok(Self {
            game: Arc::clone(game),
            dense: dense
                .map_err(|error| Error::limit(error.to_string()))?
                .into_owned(),
            file,
            analysis,
            path,
        })
    }

    fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => self.game.name().to_owned(),
        }
    }
}

#[pymethods]
impl Machine {
    /// Read a machine file that was made for a game.
    #[staticmethod]
    fn load(py: Python<'_>, env: &Environment, game: &Game, path: PathBuf) -> PyResult<Self> {
        env.run(py, |_| {
            let file = open_for(&path, game.game.ir(), game.game.name())?;
            Self::new(&game.game, file, None, Some(path.clone()))
        })
    }

    /// The file that it comes from.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    #[getter]
    fn n_states(&self) -> usize {
        self.dense.n_states()
    }

    #[getter]
    fn n_letters(&self) -> u32 {
        self.dense.n_letters()
    }

    #[getter]
    fn max_length(&self) -> u32 {
        self.file.max_length()
    }

    #[getter]
    fn n_words(&self) -> u64 {
        self.file.n_words()
    }

    /// The state before the first rule.
    #[getter]
    fn start(&self) -> usize {
        self.dense.number(self.dense.start())
    }

    /// The state after one more rule, given by its number; `None` where the sequence is forbidden.
    fn step(&self, state: usize, rule: usize) -> PyResult<Option<usize>> {
        if !self.file.parts().is_empty() {
            return Err(PyValueError::new_err(
                "the letters of this machine are parts of rules",
            ));
        }
        if state == 0 || state > self.dense.n_states() {
            return Err(PyIndexError::new_err(format!(
                "the states are 1 to {}",
                self.dense.n_states()
            )));
        }
        let letter = match self.file.operator_of() {
            [] => Some(rule),
            operators => operators.get(rule).map(|letter| *letter as usize),
        };
        let next = letter.and_then(|letter| self.dense.successors(state).nth(letter));
        let next = next.ok_or_else(|| PyIndexError::new_err("the game has no such rule"))?;
        Ok((next != 0).then_some(next))
    }

    /// The redundant words with their replacements, as JSON: at most `most`.
    fn words(&self, py: Python<'_>, most: usize) -> PyResult<String> {
        let list = WordList::of_file(&self.file, Some(self.game.ir())).raise(py)?;
        let filter = WordFilter::default();
        let words = list.explain(self.file.words(), &filter).take(most);
        json(&words.collect::<Result<Vec<_>, _>>().raise(py)?)
    }

    /// The description of the machine as JSON.
    fn describe(&self, py: Python<'_>, env: &Environment) -> PyResult<String> {
        let name = self.name();
        let description = env.run(py, |env| {
            let of = Some(self.game.ir());
            Ok(MachineDescription::of(
                Path::new(&name),
                &self.file,
                of,
                env,
            )?)
        })?;
        json(&description)
    }

    /// Prove all claims of a machine file again; return the result as JSON.
    #[staticmethod]
    fn verify(py: Python<'_>, env: &Environment, game: &Game, path: PathBuf) -> PyResult<String> {
        json(&env.run(py, |env| verify(&game.game, &path, env))?)
    }

    /// What a machine file claims, as a certificate.
    #[staticmethod]
    fn certificate(
        py: Python<'_>,
        env: &Environment,
        game: &Game,
        path: PathBuf,
    ) -> PyResult<String> {
        env.run(py, |env| certificate_of_machine(&game.game, &path, env))
    }

    /// Write the machine to a file, as a whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let file = self.file.to_machine_file();
        let file = file
            .map_err(|error| Error::input(error.to_string()))
            .raise(py)?;
        atomic::write(&path, &file.to_bytes()).raise(py)
    }

    /// The machine as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (name, env) = (self.name(), psvn::Environment::default());
        let graph = draw_machine(
            &self.file,
            Some(&self.game),
            Path::new(&name),
            Arrows::Readable,
            &env,
        );
        let graph = graph.raise(py)?;
        graph
            .svg()
            .map_err(|error| Error::limit(error.to_string()))
            .raise(py)
    }
}
