//! The form of a picture, by the ending of its file.

use std::path::Path;

use crate::failure::Failure;

/// Whether a picture goes to Graphviz, by the ending of its file: `.dot`, or else `.svg`.
pub(crate) fn is_dot(path: &Path) -> Result<bool, Failure> {
    match path.extension() {
        Some(ending) if ending == "dot" => Ok(true),
        Some(ending) if ending == "svg" => Ok(false),
        _ => Err(Failure::usage(format!(
            "`{}` ends neither in `.svg` nor in `.dot`",
            path.display()
        ))),
    }
}
