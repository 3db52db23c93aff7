//! Options as Python passes them: names with values as text.

use psvn::{Error, Pruning, SearchOptions};
use pyo3::prelude::*;

/// Options: names with values.
pub(crate) type Pairs = Vec<(String, String)>;

/// The options of a search.
pub(crate) fn of_search(pairs: &Pairs) -> Result<SearchOptions, Error> {
    let mut options = SearchOptions::default();
    for (name, value) in pairs {
        options.set(name, value)?;
    }
    Ok(options)
}

/// The options of an analysis.
pub(crate) fn of_analysis(pairs: &Pairs) -> Result<Pruning, Error> {
    let mut pruning = Pruning::default();
    for (name, value) in pairs {
        pruning.set(name, value)?;
    }
    Ok(pruning)
}

/// The names of all options of searches and of analyses, with hyphens.
#[pyfunction]
pub(crate) fn option_names() -> (Vec<&'static str>, Vec<&'static str>) {
    (SearchOptions::names(), Pruning::names())
}
