//! Specifications of experiments: from a file, or among the library's presets.

use std::path::{Path, PathBuf};

use psvn::store::read;
use psvn::text::Source;
use psvn::{Environment, Error, ErrorKind, Event};
use psvn_syntax::{Diagnostic, Span};
use serde::{Deserialize, Serialize};

use super::measurer::Measurer;
use crate::{PRESETS, Plan, Reading, RunSummary, Spec, SpecError, SpecErrors, is_results};

/// The text of a specification, with the paths that follow from its file.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The text.
    pub source: Source,
    /// The folder in which the files that it names are.
    pub folder: PathBuf,
    /// Where its results go unless the caller says otherwise.
    pub results: PathBuf,
}

impl Specification {
    /// Read a file, or standard input for `-`.
    ///
    /// # Errors
    /// When it can't be read, or isn't a text.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let (name, bytes) = read::read_bytes(path)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::input(format!("`{name}` isn't text in UTF-8")))?;
        let results = if path == Path::new("-") {
            PathBuf::from("experiment.jsonl")
        } else {
            path.with_extension("jsonl")
        };
        Ok(Self {
            source: Source::new(name, text),
            folder: path.parent().map(Path::to_owned).unwrap_or_default(),
            results,
        })
    }

    /// Take an experiment that comes with the library; its quick form takes seconds.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn preset(name: &str, quick: bool) -> Result<Self, Error> {
        let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
            let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            return Err(Error::usage(format!("there is no preset `{name}`"))
                .with_hint(format!("there are {}", names.join(", "))));
        };
        let (text, results) = if quick {
            (preset.quick, format!("{name}-quick.jsonl"))
        } else {
            (preset.text, format!("{name}.jsonl"))
        };
        Ok(Self {
            source: Source::new(format!("preset {name}"), text),
            folder: PathBuf::new(),
            results: PathBuf::from(results),
        })
    }

    /// Parse the text.
    ///
    /// # Errors
    /// When it has errors; the listener gets each with its place.
    pub fn parse(&self, env: &Environment) -> Result<Spec, Error> {
        let spec = self.reading().and_then(Reading::spec);
        spec.map_err(|errors| self.refused(errors, env))
    }

    /// List the cells of the experiment.
    ///
    /// # Errors
    /// When the text has errors, or games, instances or methods are wrong; the listener gets each
    /// with its place.
    pub(super) fn plan(&self, runner: &mut Measurer<'_>, env: &Environment) -> Result<Plan, Error> {
        if is_results(&self.source.text) {
            let name = &self.source.name;
            let what = format!("`{name}` is a file of results, not a specification");
            let hint = format!("`psvn report {name}` shows them");
            return Err(Error::input(what).with_hint(hint));
        }
        let plan = self.reading().and_then(|reading| reading.plan(runner));
        plan.map_err(|errors| self.refused(errors, env))
    }

    fn reading(&self) -> Result<Reading<'_>, SpecErrors> {
        Reading::of(&self.source.text)
    }

    /// Report all mistakes.
    fn refused(&self, SpecErrors(errors): SpecErrors, env: &Environment) -> Error {
        let diagnostic = |error: SpecError| {
            let mut diagnostic = Diagnostic::error("experiment", error.message);
            if let Some(place) = error.place {
                diagnostic = diagnostic.at(Span::new(place.start, place.end), "");
            }
            diagnostic.hint = error.hint;
            diagnostic
        };
        let mut source = self.source.clone();
        source.diagnostics = errors.into_iter().map(diagnostic).collect();
        env.emit(&Event::TextErrors(&source));
        Error::text(source, ErrorKind::Input)
    }
}

/// The outcome of an experiment, as data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExperimentReport {
    /// The title of the experiment.
    pub title: String,
    /// The file of results.
    pub results: String,
    /// All cells.
    pub cells: usize,
    /// Cells that were done before.
    pub kept: usize,
    /// Cells that were measured now.
    pub measured: usize,
    /// Cells that a limit stopped.
    pub stopped: usize,
    /// Cells that couldn't be run.
    pub failed: usize,
    /// Whether all cells are done.
    pub complete: bool,
}

impl ExperimentReport {
    /// Report the outcome of a plan whose results are in a file.
    pub(super) fn new(plan: &Plan, summary: &RunSummary, results: &Path) -> Self {
        Self {
            title: plan.spec.title.clone(),
            results: results.display().to_string(),
            cells: summary.total,
            kept: summary.kept,
            measured: summary.measured,
            stopped: summary.stopped,
            failed: summary.failed,
            complete: summary.is_complete(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_found_by_name_and_understood() {
        let env = Environment::default();
        for preset in PRESETS {
            for quick in [false, true] {
                let found = Specification::preset(preset.name, quick).expect("a preset");
                found.parse(&env).expect("a preset without errors");
            }
        }
        let error = Specification::preset("nothing", false).expect_err("no such preset");
        assert_eq!(error.kind(), ErrorKind::Usage);
    }

    #[test]
    fn results_go_beside_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, "title = 5\n").expect("a file");
        let found = Specification::open(&path).expect("a text");
        assert_eq!(found.results, folder.path().join("mine.jsonl"));
        assert_eq!(found.folder, folder.path());
        let error = found
            .parse(&Environment::default())
            .expect_err("a title is text");
        assert!(matches!(error, Error::Text(_)), "{error}");
    }
}
