//! The environment of work, which runs beside the interpreter.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use psvn::text::{Finding, Findings};
use psvn::{Cache, Error, Event, Lints, PhaseId};
use pyo3::prelude::*;

use crate::errors::Raise;
use crate::terms::PythonTerms;

/// The time between checks for signals and reports of progress.
const TICK: Duration = Duration::from_millis(25);

/// The progress of a piece of work: in words, and the number of finished parts and of all parts.
type Shown = (String, Option<(usize, usize)>);

/// Events to pass to Python.
#[derive(Default)]
struct News {
    progress: BTreeMap<PhaseId, Shown>,
    warnings: Vec<String>,
}

/// Threads, seed, cache and progress of all work that is done in it.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct Environment {
    base: psvn::Environment,
    progress: Option<Py<PyAny>>,
    warn: Option<Py<PyAny>>,
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(signature = (threads=1, seed=1, cache=None, progress=None, warn=None))]
    fn new(
        threads: usize,
        seed: u64,
        cache: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
        warn: Option<Py<PyAny>>,
    ) -> Self {
        let mut base = psvn::Environment::default()
            .with_threads(threads)
            .with_seed(seed)
            .with_lints(Lints::Counted)
            .with_terms(PythonTerms);
        if let Some(folder) = cache {
            base = base.with_cache(Cache::in_folder(folder));
        }
        Self {
            base,
            progress,
            warn,
        }
    }

    #[getter]
    fn threads(&self) -> usize {
        self.base.threads()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.base.seed()
    }

    #[getter]
    fn cache(&self) -> Option<PathBuf> {
        self.base.cache().folder().map(PathBuf::from)
    }
}

impl Environment {
    /// Run work in a separate thread, without the interpreter's lock. Signals are checked while it
    /// runs; a signal that raises cancels it.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&psvn::Environment) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let news = Arc::new(Mutex::new(News::default()));
        let cancelled = Arc::new(AtomicBool::new(false));
        let env = self
            .base
            .clone()
            .with_cancellation(Arc::clone(&cancelled))
            .with_listener(listener(Arc::clone(&news), self.progress.is_some()));
        let (result, raised) = std::thread::scope(|scope| {
            let (sender, mut receiver) = mpsc::channel();
            scope.spawn(move || {
                // Sending fails only if the interpreter gave up.
                sender.send(work(&env)).ok();
            });
            let mut raised: Option<PyErr> = None;
            loop {
                let (back, received) = py.detach(move || {
                    let received = receiver.recv_timeout(TICK);
                    (receiver, received)
                });
                receiver = back;
                match received {
                    Ok(result) => return (Some(result), raised),
                    Err(RecvTimeoutError::Disconnected) => return (None, raised),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let told = match raised {
                    Some(_) => continue,
                    None => py.check_signals().and_then(|()| self.tell(py, &news)),
                };
                if let Err(error) = told {
                    cancelled.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
        });
        if let Some(progress) = &self.progress {
            let nothing: Option<()> = None;
            progress.call1(py, (nothing, nothing, nothing))?;
        }
        if let Some(error) = raised {
            return Err(error);
        }
        self.tell(py, &news)?;
        match result {
            Some(result) => result.raise(py),
            None => Err(pyo3::exceptions::PyRuntimeError::new_err(
                "the work broke off, which is a mistake in psvn",
            )),
        }
    }

    /// Pass on the events since the last call.
    fn tell(&self, py: Python<'_>, news: &Mutex<News>) -> PyResult<()> {
        let told = std::mem::take(&mut *news.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(progress) = &self.progress {
            for (message, parts) in told.progress.into_values() {
                let (done, total) = parts.unzip();
                progress.call1(py, (message, done, total))?;
            }
        }
        if let Some(warn) = &self.warn {
            for warning in told.warnings {
                warn.call1(py, (warning,))?;
            }
        }
        Ok(())
    }
}

/// Keep the last progress of each piece of work, and all warnings.
fn listener(
    news: Arc<Mutex<News>>,
    wants_progress: bool,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    move |event| {
        let mut news = news.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Progress(progress) if wants_progress => {
                let shown = (progress.message(), progress.parts);
                news.progress.insert(progress.phase, shown);
            }
            Event::Ended(phase) => {
                news.progress.remove(phase);
            }
            Event::Warning(text) | Event::Problem(text) => news.warnings.push((*text).to_owned()),
            Event::TextWarnings(source) => {
                let findings = Findings::of(source).diagnostics;
                news.warnings.extend(findings.iter().map(in_words));
            }
            _ => {}
        }
    }
}

/// A finding in one line, with its place.
fn in_words(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!(":{line}"));
    let hint = finding.hint.as_ref().map(|hint| format!(" ({hint})"));
    format!(
        "{}{}: {}{}",
        finding.file,
        line.unwrap_or_default(),
        finding.message,
        hint.unwrap_or_default()
    )
}
