//! Reading machine files of any version into memory.

use crate::file::contents::{FileError, MachineFile};
use crate::file::open::OpenFile;
use crate::file::version_1::{self, version};

impl MachineFile {
    /// Read a whole file of any version up to the current one.
    ///
    /// # Errors
    /// When the bytes aren't a machine file of these versions, or are damaged. Nothing in them is
    /// trusted: lengths are checked before memory is allocated for them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        match version(bytes)? {
            version_1::VERSION => version_1::read(bytes),
            _ => OpenFile::from_bytes(bytes.to_vec())?.to_machine_file(),
        }
    }
}
