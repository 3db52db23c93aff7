//! Writing files so that nobody ever sees half of one.

use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// How the names of unfinished files begin.
pub(crate) const TEMPORARY_PREFIX: &str = ".psvn-";

/// The folder that a file is in, or will be.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a file: all of it or, should anything go wrong, nothing.
///
/// The bytes go to a temporary file beside the target, which then takes its place. What is no plain
/// file (`/dev/null`, a pipe) is written to directly, and a link keeps pointing where it does.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    try_write(path, bytes).map_err(|error| {
        Failure::input(format!(
            "can't write `{}`: {}",
            path.display(),
            crate::input::reason(&error)
        ))
    })
}

/// As [`write()`], with a plain error.
pub(crate) fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let existing = std::fs::metadata(path).ok();
    if existing
        .as_ref()
        .is_some_and(|metadata| !metadata.is_file())
    {
        return std::fs::File::options()
            .write(true)
            .open(path)?
            .write_all(bytes);
    }
    let target = match existing {
        Some(_) => std::fs::canonicalize(path)?,
        None => path.to_owned(),
    };
    let folder = folder_of(&target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: the user's mask takes away what is not wanted.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if let Some(metadata) = existing {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}
