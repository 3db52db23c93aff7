//! Errors of the library as Python exceptions.

use psvn::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::terms::PythonTerms;

/// The data of a text's error for Python.
#[derive(Serialize)]
struct Flaw<'a> {
    message: &'a str,
    code: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    hint: Option<&'a str>,
}

/// The exception of an error, with its place and hint.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    exception(py, error).unwrap_or_else(|other| other)
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    details.set_item("hint", error.hint().map(|it| it.in_terms_of(&PythonTerms)))?;
    let mut class = match error.kind() {
        ErrorKind::Usage => "UsageError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Interrupted => "CancelledError",
        ErrorKind::Wrong => "WrongResultError",
        _ => "InputError",
    };
    if let Error::Text(errors) = error {
        class = "TextError";
        let found = errors.errors();
        let flaw = |it: &psvn::TextError| {
            let flaw = Flaw {
                message: &it.message,
                code: it.code,
                line: it.place.map(|place| place.0),
                column: it.place.map(|place| place.1),
                hint: it.hint.as_deref(),
            };
            serde_json::to_value(flaw)
        };
        let flaws: Result<Vec<serde_json::Value>, serde_json::Error> =
            found.iter().map(flaw).collect();
        let flaws = flaws.map_err(|error| unwritable(&error))?;
        details.set_item("flaws", serde_json::Value::from(flaws).to_string())?;
        details.set_item("file", &errors.text.name)?;
        details.set_item("text", &errors.text.text)?;
        if let Some(first) = found.first() {
            details.set_item("line", first.place.map(|place| place.0))?;
            details.set_item("column", first.place.map(|place| place.1))?;
            details.set_item("hint", first.hint.as_deref())?;
        }
    }
    let class = py.import("psvn._core.errors")?.getattr(class)?;
    let message = match error {
        Error::Text(_) => error.to_string(),
        _ => error.message().in_terms_of(&PythonTerms),
    };
    let value = class.call((message,), Some(&details))?;
    Ok(PyErr::from_value(value))
}

/// Returns results of the library, and raises its errors.
pub(crate) trait Raise<T> {
    /// Raise the error, if there is one.
    fn raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Into<Error>> Raise<T> for Result<T, E> {
    fn raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error.into()))
    }
}

fn unwritable(error: &serde_json::Error) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(format!("a result can't be written: {error}"))
}

/// Data as JSON.
pub(crate) fn json(data: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(data).map_err(|error| unwritable(&error))
}
