//! States in sorted files, for searches and explorations with more states than fit the memory.
//!
//! The method is delayed duplicate detection (Korf 2004, "Best-First Frontier Search with Delayed
//! Duplicate Detection"): generated states are collected, sorted, and written as *runs*; runs are
//! merged, which removes duplicates; and states that known files have are left out.
//!
//! | item | what it is |
//! |---|---|
//! | [`Form`] | the words of a state, and their bytes in a file |
//! | [`append`], [`sort`] | states in memory, one after another |
//! | [`Files`] | a folder with files of states of one form; limits and counts of bytes |
//! | [`Writer`], [`SortedFile`], [`Reader`] | one file, with a checksum |
//! | [`Ascending`], [`Merge`] | states in ascending order, and the union of several such sequences |
//! | [`Runs`] | the runs of one set, merged when there are many |
//! | [`FolderLock`], [`TemporaryFolder`] | a folder for one process at a time; one that is removed |
//! | `CheckpointFile` | JSON that is replaced atomically (feature `checkpoints`) |
//!
//! Files hold states as differences from those before, in blocks (Rice codes): random states of n
//! bits, N of them in a file, take some n - log N + 1.5 bits each.
//!
//! A state is a slice of words. States are ordered as slices are: by the first word, then by the
//! second one, and so on.
//!
//! ```
//! use sorted_states::{Ascending, Files, Form, Merge, sort};
//!
//! let folder = tempfile::tempdir()?;
//! let files = Files::new(folder.path(), Form::whole(1), 1 << 16);
//! // Two runs of states of one word, and a file of known states.
//! let mut generated = vec![5, 3, 5, 8];
//! let kept = sort(&mut generated, 1);
//! let runs = [files.write(&generated[..kept])?, files.write(&[4, 8])?];
//! let known = files.write(&[3, 4])?;
//! let mut union = Merge::new(runs.iter().map(|run| run.open()).collect::<Result<_, _>>()?)?;
//! let mut known = Merge::new(vec![known.open()?])?;
//! let mut new = Vec::new();
//! while union.advance()? {
//!     if !known.skip_to(union.state())? {
//!         new.extend_from_slice(union.state());
//!     }
//! }
//! assert_eq!(new, [5, 8]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What this crate doesn't know
//! Games, searches, and when states leave the memory. Limits of time belong to those who merge:
//! they check them between two states.

mod block;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod error;
mod file;
mod files;
mod folder;
mod form;
mod merge;
mod runs;
mod states;

#[cfg(feature = "checkpoints")]
pub use checkpoint::CheckpointFile;
pub use error::FileError;
pub use file::{Content, Reader, SortedFile, Writer};
pub use files::{Files, Usage};
pub use folder::{FolderLock, TemporaryFolder};
pub use form::Form;
pub use merge::{Ascending, Merge};
pub use runs::Runs;
pub use states::{append, sort};
