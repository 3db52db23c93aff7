//! Atomic writing of files: all of one or, on an error, nothing.
//!
//! The kind of file decides how:
//!
//! - a regular file, or none yet: the bytes go to a temporary file beside it, which takes its place
//!   when it is complete and on the disk. Permissions stay unchanged. A file that nobody may write
//!   is refused, from the superuser, too.
//! - a link: its target is treated by these rules, even if that doesn't exist yet. The link stays.
//! - anything else (a device, a pipe), the file behind standard output, and open files under
//!   `/dev/fd`: written in place.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// The prefix of the names of unfinished files.
pub const TEMPORARY_PREFIX: &str = ".psvn-";

/// The longest chain of links that is followed, as in the system itself.
const MOST_LINKS: usize = 40;

/// Return the folder that a file is in, or will be.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Write a file: all of it or, on an error, nothing.
///
/// # Errors
/// When the file can't be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Target::find(path)?.begin()?;
    draft.write_all(bytes)?;
    draft.complete()?.take_place()
}

/// Write a new file that only its owner can read, and replace none: all of it or, on an error,
/// nothing.
///
/// # Errors
/// When the file can't be written, or there is one.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A temporary file is its owner's only, unless other permissions are given.
    let mut file = temporary_names().tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let written = file.persist_noclobber(path);
    written.map(|_| ()).map_err(|error| error.error)
}

/// The target of a write.
pub enum Target {
    /// A regular file, or one that doesn't exist yet.
    File {
        /// Its path, with links followed.
        path: PathBuf,
        /// The metadata of the file before, if there was one.
        before: Option<Box<Metadata>>,
    },
    /// A target that is written in place.
    InPlace(Place),
}

/// A target that isn't replaced.
pub enum Place {
    /// A device or a pipe.
    Node(PathBuf),
    /// A file that some process has open, by its number.
    Open(PathBuf),
    /// Standard output.
    StandardOutput,
}

impl Target {
    /// Find the target of a path, and whether it may be written. Write nothing yet.
    ///
    /// # Errors
    /// When it can't be written for a reason that shows before writing.
    pub fn find(path: &Path) -> io::Result<Self> {
        let before = match std::fs::metadata(path) {
            Ok(metadata) => Some(Box::new(metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(before) = &before {
            if before.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if is_standard_output(before) {
                return Ok(Self::InPlace(Place::StandardOutput));
            }
            if !before.is_file() {
                return Ok(Self::InPlace(Place::Node(path.to_owned())));
            }
        }
        let Some(path) = end_of_links(path)? else {
            return Ok(Self::InPlace(Place::Open(path.to_owned())));
        };
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        if before.is_some() {
            // The system lets the superuser do anything, so check the permissions first.
            if before
                .as_ref()
                .is_some_and(|it| it.permissions().readonly())
            {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is read-only",
                ));
            }
            File::options().write(true).open(&path)?;
        }
        // If no file can be made, nothing should be computed for it.
        drop(temporary_beside(&path)?);
        Ok(Self::File { path, before })
    }

    /// Return whether it is a regular file, or will be.
    pub fn is_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }

    /// Begin to write. Opening a pipe waits for its reader.
    ///
    /// # Errors
    /// When the file can't be opened, or none can be made beside it.
    pub fn begin(self) -> io::Result<Draft> {
        let sink = match self {
            Self::File { path, before } => Sink::Beside {
                file: temporary_beside(&path)?,
                path,
                before,
            },
            Self::InPlace(Place::Node(path)) => {
                Sink::InPlace(File::options().write(true).open(path)?)
            }
            // Append, as for the process that has it open.
            Self::InPlace(Place::Open(path)) => {
                Sink::InPlace(File::options().append(true).open(path)?)
            }
            Self::InPlace(Place::StandardOutput) => Sink::InPlace(standard_output()?),
        };
        Ok(Draft {
            out: BufWriter::new(sink),
        })
    }
}

/// A file that is being written. Dropped before it is complete, it is removed.
pub struct Draft {
    out: BufWriter<Sink>,
}

enum Sink {
    Beside {
        file: NamedTempFile,
        /// Its path, with links followed.
        path: PathBuf,
        /// The metadata of the file before, if there was one.
        before: Option<Box<Metadata>>,
    },
    InPlace(File),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside { file, .. } => file.write(bytes),
            Self::InPlace(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside { file, .. } => file.flush(),
            Self::InPlace(file) => file.flush(),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Draft {
    /// End writing: all bytes are on the disk.
    ///
    /// # Errors
    /// When the bytes can't be written.
    pub fn complete(self) -> io::Result<Complete> {
        let sink = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        let Sink::Beside { file, path, before } = sink else {
            return Ok(Complete { waiting: None });
        };
        if let Some(before) = before {
            keep_owner(file.as_file(), &before);
            file.as_file().set_permissions(before.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(Complete {
            waiting: Some((file.into_temp_path(), path)),
        })
    }
}

/// A complete file that may not have its name yet. Dropped without it, it is removed.
pub struct Complete {
    waiting: Option<(TempPath, PathBuf)>,
}

impl Complete {
    /// Return the path of the bytes until the file has its name; `None` if they were written in
    /// place.
    pub fn path(&self) -> Option<&Path> {
        self.waiting.as_ref().map(|(path, _)| &**path)
    }

    /// Give the file its name, in place of any file of that name.
    ///
    /// # Errors
    /// When the file can't be renamed.
    pub fn take_place(self) -> io::Result<()> {
        match self.waiting {
            None => Ok(()),
            Some((temporary, path)) => temporary.persist(path).map_err(|error| error.error),
        }
    }
}

/// Temporary files with the names of unfinished ones.
fn temporary_names() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    builder
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = temporary_names();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The default of new files; the user's mask removes permissions.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

/// The file that links lead to, whether it exists or not. `None` for the links by which the system
/// shows the open files of processes: their targets can't be replaced.
fn end_of_links(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_link = std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink());
        if !is_link {
            return Ok(Some(path));
        }
        if std::fs::canonicalize(folder_of(&path))?.starts_with("/proc") {
            return Ok(None);
        }
        // An absolute path takes the place of the folder.
        path = folder_of(&path).join(std::fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links lead to one another"))
}

/// Give a file that replaces another one the same owner, as far as the system allows it.
fn keep_owner(file: &File, before: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (user, group) = (before.uid(), before.gid());
        let differs = |now: Metadata| (now.uid(), now.gid()) != (user, group);
        if file.metadata().is_ok_and(differs) && fchown(file, Some(user), Some(group)).is_err() {
            // A user who may write a file may not be allowed to change the owner of another one.
            let _ = fchown(file, None, Some(group));
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, before);
    }
}

/// Standard output as a file with the same position, so that later output follows.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

fn is_standard_output(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let node = |it: &Metadata| (it.dev(), it.ino());
        let output = standard_output().and_then(|output| output.metadata());
        output.is_ok_and(|output| node(&output) == node(metadata))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_are_followed_also_where_nothing_is_yet() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        symlink("inner/two", at("one")).unwrap();
        symlink("../three", at("inner/two")).unwrap();
        for text in ["new", "old"] {
            write(&at("one"), text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(at("three")).unwrap(), text);
            assert!(at("one").is_symlink() && at("inner/two").is_symlink());
        }
        symlink("circle", at("circle")).unwrap();
        assert!(write(&at("circle"), b"").is_err());
        symlink("no/such/folder", at("lost")).unwrap();
        assert!(write(&at("lost"), b"").is_err());
        assert!(at("lost").is_symlink());
    }

    #[test]
    fn what_may_not_be_written_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "precious").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&path, b"new").unwrap_err();
        assert_eq!(error.to_string(), "the file is read-only");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        assert!(write(folder.path(), b"new").is_err());
        assert!(write(Path::new(""), b"new").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_left_of_a_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut draft = Target::find(&path).unwrap().begin().unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        let mut draft = Target::find(&path).unwrap().begin().unwrap();
        draft.write_all(b"whole").unwrap();
        let complete = draft.complete().unwrap();
        assert_eq!(std::fs::read(complete.path().unwrap()).unwrap(), b"whole");
        drop(complete);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
