//! The folder of a search in units: its plan, the units of the present round, and their results.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use search::{Piece, Subtrees};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::job::Job;
use super::sealed::{Kind, checksum, hex, read, write};
use crate::error::Error;
use crate::store::read::reason;

/// The name of the plan.
const PLAN: &str = "plan";

/// What is searched, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) job: Job,
    /// The number of units that is wanted.
    pub(super) units: u64,
    /// The milliseconds after which a round is split.
    pub(super) after_ms: u64,
    /// The rounds that were searched to their end, by one process or in units.
    pub(super) finished: Vec<FinishedRound>,
    /// The round whose units are in the folder.
    pub(super) open: Option<OpenRound>,
}

/// The identity of a round: the same search makes the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RoundId {
    /// The bound, in the terms of the search.
    pub(super) bound: u64,
    /// The number of subtrees into which its tree is cut.
    pub(super) subtrees: u64,
    /// A hash of the paths to them.
    pub(super) paths: String,
}

/// A round that was searched to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FinishedRound {
    pub(super) id: RoundId,
    /// The result of all subtrees together.
    pub(super) result: Piece,
    /// The time that all units took, in milliseconds.
    pub(super) ms: u64,
}

/// A round that is searched in units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OpenRound {
    pub(super) id: RoundId,
    /// The number of rounds before it.
    pub(super) number: usize,
    /// The number of its units.
    pub(super) units: u64,
}

/// A part of a round, with all that is needed to search it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unit {
    pub(super) job: Job,
    pub(super) finished: Vec<FinishedRound>,
    pub(super) round: OpenRound,
    /// Its number, from 1.
    pub(super) number: u64,
    /// The number of units that was wanted, by which trees are cut.
    pub(super) wanted: u64,
    /// Its subtrees, with the rules from the start to each.
    pub(super) roots: BTreeMap<u64, Vec<u32>>,
}

/// What the search of a unit has found, so far or at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// The hash of the search up to this round.
    round: String,
    unit: u64,
    pub(super) pieces: BTreeMap<u64, Piece>,
    pub(super) ms: u64,
}

impl RoundId {
    pub(super) fn of(subtrees: &Subtrees<'_>) -> Self {
        let mut hash = Sha256::new();
        for number in 0..subtrees.n() {
            let path = subtrees.path(number);
            hash.update((path.len() as u64).to_le_bytes());
            path.iter().for_each(|rule| hash.update(rule.to_le_bytes()));
        }
        Self {
            bound: subtrees.bound(),
            subtrees: subtrees.n(),
            paths: hex(&hash.finalize()),
        }
    }
}

impl OpenRound {
    /// Return the numbers of the subtrees of a unit. Subtrees that are next to each other, which
    /// are of similar size, belong to different units.
    pub(super) fn subtrees_of(&self, unit: u64) -> impl Iterator<Item = u64> + use<> {
        let step = usize::try_from(self.units).unwrap_or(usize::MAX);
        (unit - 1..self.id.subtrees).step_by(step)
    }

    /// Return the hash of the search up to this round.
    fn hash(&self, job: &Job, finished: &[FinishedRound]) -> String {
        let all = serde_json::to_string(&(job, finished, self));
        checksum(all.unwrap_or_default().as_bytes())
    }
}

impl Found {
    /// Return whether all subtrees of its unit are searched up to one, behind which none matters.
    pub(super) fn is_complete(&self, round: &OpenRound, last: u64) -> bool {
        let mut needed = round.subtrees_of(self.unit).take_while(|it| *it <= last);
        needed.all(|number| self.pieces.contains_key(&number))
    }

    /// Return the first subtree that has a solution.
    pub(super) fn first_found(&self) -> Option<u64> {
        let mut pieces = self.pieces.iter();
        pieces.find(|it| it.1.has_found()).map(|it| *it.0)
    }
}

/// The folder of a search in units.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// The names of the files of a unit.
struct Names {
    unit: PathBuf,
    result: PathBuf,
    part: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Return the folder of a unit's file.
    pub(super) fn of_unit(file: &Path) -> Self {
        Self::new(container::atomic::folder_of(file))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Make the folder if there is none.
    pub(super) fn make(&self) -> Result<(), Error> {
        std::fs::create_dir_all(&self.path).map_err(|error| self.failed("make", &error))
    }

    fn failed(&self, what: &str, error: &io::Error) -> Error {
        let why = reason(error);
        Error::input(format!("can't {what} `{}`: {why}", self.path.display()))
    }

    /// Read the plan; `None` where there is none.
    pub(super) fn plan(&self) -> Result<Option<Plan>, Error> {
        let path = self.path.join(PLAN);
        match path.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) => read(&path, Kind::Plan).map(Some),
            Err(error) => Err(self.failed("read", &error)),
        }
    }

    pub(super) fn write_plan(&self, plan: &Plan) -> Result<(), Error> {
        write(&self.path.join(PLAN), Kind::Plan, plan)
    }

    fn names(&self, round: &OpenRound, unit: u64) -> Names {
        let width = round.units.to_string().len();
        let name = |end: &str| {
            let file = format!("{:03}-{unit:0width$}.{end}", round.number);
            self.path.join(file)
        };
        Names {
            unit: name("unit"),
            result: name("result"),
            part: name("part"),
        }
    }

    /// Write a unit, unless it is there.
    pub(super) fn write_unit(&self, unit: &Unit) -> Result<(), Error> {
        let path = self.names(&unit.round, unit.number).unit;
        if read::<Unit>(&path, Kind::Unit).is_ok_and(|before| before == *unit) {
            return Ok(());
        }
        write(&path, Kind::Unit, unit)
    }

    /// Return what is known of a unit: its result, or else what its search has found so far. A
    /// result of other work is an error.
    pub(super) fn found(
        &self,
        job: &Job,
        finished: &[FinishedRound],
        round: &OpenRound,
        unit: u64,
    ) -> Result<Found, Error> {
        let names = self.names(round, unit);
        let hash = round.hash(job, finished);
        for path in [names.result, names.part] {
            if !path.exists() {
                continue;
            }
            let found: Found = read(&path, Kind::Result)?;
            if found.round == hash && found.unit == unit {
                return Ok(found);
            }
            let message = format!("`{}` is the result of another search", path.display());
            return Err(
                Error::input(message).with_hint("remove it, and its unit is searched again")
            );
        }
        Ok(Found {
            round: hash,
            unit,
            ..Found::default()
        })
    }

    /// Write the result of a unit, or what its search has found so far.
    pub(super) fn write_found(
        &self,
        round: &OpenRound,
        found: &Found,
        is_complete: bool,
    ) -> Result<(), Error> {
        let names = self.names(round, found.unit);
        if !is_complete {
            return write(&names.part, Kind::Result, found);
        }
        write(&names.result, Kind::Result, found)?;
        if let Some(first) = found.first_found() {
            let mark = self.path.join(format!("{}{first}", found_prefix(round)));
            // It only spares others work.
            let _ = std::fs::write(mark, []);
        }
        let _ = std::fs::remove_file(names.part);
        Ok(())
    }

    /// Return the first subtree of a round that is known to have a solution, by the marks of all
    /// units.
    pub(super) fn first_found(&self, round: &OpenRound) -> u64 {
        let prefix = found_prefix(round);
        let marks = std::fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .flatten();
        let numbers = marks.filter_map(|mark| {
            let name = mark.file_name();
            name.to_str()?.strip_prefix(&prefix)?.parse().ok()
        });
        numbers.min().unwrap_or(u64::MAX)
    }

    /// Remove the files of all rounds before one.
    pub(super) fn remove_before(&self, round: usize) {
        let files = std::fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .flatten();
        for file in files {
            let name = file.file_name();
            let number = name.to_str().and_then(|name| {
                let (number, rest) = name.split_once(['-', '.'])?;
                let ours = ["unit", "result", "part"];
                let is_ours = rest.starts_with("found-")
                    || rest.rsplit_once('.').is_some_and(|it| ours.contains(&it.1));
                is_ours.then(|| number.parse::<usize>().ok())?
            });
            if number.is_some_and(|number| number < round) {
                // A file that stays is of no use and of no harm.
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}

/// The beginning of the names of the marks that a round has a solution.
fn found_prefix(round: &OpenRound) -> String {
    format!("{:03}.found-", round.number)
}
