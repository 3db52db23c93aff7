//! The names of files for several tables: `table.pdb` stands for `table-1.pdb`, `table-2.pdb` and
//! so on.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Return the name of a file among several: its number, from 1, or another name of its own, follows
/// the name that they share.
pub fn numbered(path: &Path, number: impl Display) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path
        .extension()
        .map(|extension| format!(".{}", extension.to_string_lossy()))
        .unwrap_or_default();
    path.with_file_name(format!("{stem}-{number}{extension}"))
}

/// Return the existing files of several tables with this name.
pub fn existing(path: &Path) -> Vec<PathBuf> {
    (1..)
        .map(|number| numbered(path, number))
        .take_while(|name| name.exists())
        .collect()
}
