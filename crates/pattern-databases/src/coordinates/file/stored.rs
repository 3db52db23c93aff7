//! Files of words in stores.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::file::FileError;
use crate::progress::{BuildError, Options};

/// Open the file that a store has under a name. The store learns what came of it; a file that can't
/// be used is as good as none.
///
/// # Errors
/// When a limit is reached.
pub(super) fn from_store<T>(
    name: &str,
    options: &Options<'_>,
    open: impl FnOnce(&Path) -> Result<T, FileError>,
) -> Result<Option<T>, BuildError> {
    let found = options
        .store
        .and_then(|store| Some((store, store.find(name)?)));
    let Some((store, path)) = found else {
        return Ok(None);
    };
    let opened = match open(&path) {
        Err(FileError::Build(error @ BuildError::Stopped(_))) => return Err(error),
        opened => opened,
    };
    let outcome = opened.as_ref().map(|_| ());
    store.opened(&path, outcome.map_err(|error| error as &dyn Error));
    Ok(opened.ok())
}

/// Keep a file of words under a name, if there is a store and time is left.
pub(super) fn to_store(
    name: &str,
    n_words: usize,
    took: Duration,
    options: &Options<'_>,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) {
    if let Some(store) = options.store
        && !options.should_stop()
    {
        store.keep(name, took, 8 * n_words as u64, write);
    }
}
