//! The file of results: one JSON object per line, append-only.
//!
//! A header begins an *edition*: the cells of one experiment. If an experiment resumes after a
//! change, a new edition begins, and unchanged cells are copied into it without being measured
//! again. Within an edition the last line of a cell counts.
//!
//! A killed program may leave an incomplete last line. It is cut off when the file is opened the
//! next time, and its cell is measured again.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use psvn::store::read::reason;
use psvn::text::Task;
use psvn::{Error, message};

use crate::record::{FORMAT, Header, Outcome, Record, VERSION};
use crate::spec::Limits;

/// Files of results are no larger than this.
const MAX_BYTES: u64 = 4 << 30;

/// Why a file of results is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// It can't be read or written.
    #[error("can't read or write it: {0}")]
    Io(#[from] io::Error),
    /// It isn't a file of results.
    #[error("it isn't a file of results: its first line isn't the header of one")]
    Foreign,
    /// It was written by another version of the format.
    #[error("it has version {found} of the format, and this program knows version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A line in it is damaged.
    #[error("line {line} is damaged: {reason}")]
    Damaged {
        /// The number of the line, from 1.
        line: usize,
        /// The damage.
        reason: String,
    },
    /// Another program writes it.
    #[error("another program is writing it")]
    Locked,
    /// It is too large.
    #[error("it has more than {MAX_BYTES} bytes")]
    TooLarge,
}

impl ResultsError {
    /// Return the error for the file that can't be used, with what helps.
    pub fn about(&self, path: &Path) -> Error {
        let name = path.display();
        let failure = Error::input(format!("`{name}`: {self}"));
        match self {
            Self::Io(error) => {
                Error::input(format!("can't read or write `{name}`: {}", reason(error)))
            }
            Self::Locked => failure.with_hint("wait for it, or use another file"),
            Self::Damaged { .. } => failure
                .with_hint("remove this line, and its cell is measured again; or use another file"),
            Self::Foreign if path.extension().is_some_and(|end| end == "toml") => {
                let hint = message![
                    Task::Measure,
                    " measures it, and says where the results are"
                ];
                let what = format!("`{name}` is a specification, not a file of results");
                Error::input(what).with_hint(hint)
            }
            _ => failure.with_hint("choose another file; this one is unchanged"),
        }
    }
}

/// The content of a file of results.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The header of the last edition; `None` if the file is empty.
    pub header: Option<Header>,
    /// The results of the last edition, one for each cell, in the order of their first measurement.
    pub records: Vec<Record>,
    /// Results of all editions by key: the last one of each.
    by_key: HashMap<String, Record>,
    /// Whether the last line is cut off.
    pub torn: bool,
    /// The bytes of all complete lines.
    complete: u64,
}

impl Results {
    /// Read a file of results.
    ///
    /// # Errors
    /// It isn't a file of results of this version, or a line other than the last one is damaged.
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        Self::read_from(&mut File::open(path)?)
    }

    fn read_from(file: &mut File) -> Result<Self, ResultsError> {
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ResultsError::TooLarge);
        }
        Self::parse(&bytes)
    }

    /// Parse the bytes of a file of results.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn parse(bytes: &[u8]) -> Result<Self, ResultsError> {
        let end = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let (complete, rest) = bytes.split_at(end);
        let mut results = Self {
            torn: !rest.is_empty(),
            complete: complete.len() as u64,
            ..Self::default()
        };
        // An incomplete header can be dropped; any other text may be a foreign file.
        if complete.is_empty() && !rest.is_empty() && !rest.starts_with(header_start().as_bytes()) {
            let both = rest.len().min(header_start().len());
            if rest[..both] != header_start().as_bytes()[..both] {
                return Err(ResultsError::Foreign);
            }
        }
        let mut places: HashMap<String, usize> = HashMap::new();
        for (number, line) in complete.split(|byte| *byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let damaged = |error: serde_json::Error| ResultsError::Damaged {
                line: number + 1,
                reason: error.to_string(),
            };
            if line.starts_with(header_start().as_bytes()) {
                check_version(line)?;
                results.header = Some(serde_json::from_slice(line).map_err(damaged)?);
                results.records.clear();
                places.clear();
                continue;
            }
            if results.header.is_none() {
                return Err(ResultsError::Foreign);
            }
            let record: Record = serde_json::from_slice(line).map_err(damaged)?;
            results.by_key.insert(record.key.clone(), record.clone());
            let name = identity(&record);
            match places.get(&name) {
                Some(place) => results.records[*place] = record,
                None => {
                    places.insert(name, results.records.len());
                    results.records.push(record);
                }
            }
        }
        Ok(results)
    }

    /// Return the last result of a cell in any edition.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.by_key.get(key)
    }
}

/// Two cells of an edition may differ only in their names, and each has its result.
fn identity(record: &Record) -> String {
    let Record {
        key,
        domain,
        method,
        instance,
        ..
    } = record;
    format!("{key}\n{domain}\n{method}\n{instance}")
}

/// Return whether a text begins as a file of results does.
pub fn is_results(text: &str) -> bool {
    text.starts_with(&header_start())
}

/// The beginning of header lines.
fn header_start() -> String {
    format!("{{\"format\":\"{FORMAT}\",\"version\":")
}

fn check_version(line: &[u8]) -> Result<(), ResultsError> {
    #[derive(serde::Deserialize)]
    struct Version {
        version: u32,
    }
    match serde_json::from_slice::<Version>(line) {
        Ok(Version { version }) if version != VERSION => {
            Err(ResultsError::Version { found: version })
        }
        // The error already names the line.
        _ => Ok(()),
    }
}

/// Whether a result is valid under other limits: it ended within them, or the same limits stopped
/// it.
pub(crate) fn holds_under(record: &Record, limits: &Limits) -> bool {
    let measured = &record.measured;
    match measured.outcome {
        Outcome::Failed => false,
        outcome if outcome.is_limit() => record.limits == *limits,
        // Only the runner knows the unit of time; numbers of nodes can be compared here.
        _ => match (limits.nodes, measured.generated) {
            (Some(most), Some(generated)) => generated <= most,
            _ => true,
        },
    }
}

/// A file of results that is open for writing.
#[derive(Debug)]
pub struct ResultsFile {
    path: PathBuf,
    file: File,
    results: Results,
}

impl ResultsFile {
    /// Open a file to continue it, or create one. An incomplete last line of a killed program is
    /// removed. No other program can open it for writing at the same time.
    ///
    /// # Errors
    /// It can't be read and written, another program is writing it, or it isn't a file of results.
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        let mut options = File::options();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResultsError::Locked),
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => {}
        }
        let results = Results::read_from(&mut file)?;
        if results.torn {
            file.set_len(results.complete)?;
        }
        file.seek(SeekFrom::Start(results.complete))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            results,
        })
    }

    /// Return the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Return the contents of the file when it was opened.
    pub fn before(&self) -> &Results {
        &self.results
    }

    /// Begin an edition.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.line(header)
    }

    /// Add a result. Once this returns, the result survives the end of this program.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        self.line(record)
    }

    fn line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        // One write for the whole line: only the system could split it.
        self.file.write_all(&line)?;
        self.file.flush()
    }

    /// Flush everything to the disk.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}
