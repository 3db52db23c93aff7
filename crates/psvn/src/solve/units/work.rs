//! The search of one unit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use search::{HandOut, Limits, Piece, StopReason, Subtrees};
use serde::Serialize;

use super::folder::{Folder, Found, RoundId, Unit};
use super::hands::{self, Taker};
use super::rounds::{differs, least_subtrees, millis};
use super::sealed::{Kind, read};
use crate::environment::Environment;
use crate::error::Error;

/// The least time between two writes of what was found so far.
const SAVED_EVERY: Duration = Duration::from_secs(1);

/// What came of a unit.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct WorkedUnit {
    /// The file of the unit.
    pub unit: String,
    /// The bound of its round.
    pub bound: u64,
    /// The number of its subtrees.
    pub subtrees: u64,
    /// The number of subtrees that an earlier run had searched.
    pub known: u64,
    /// The number of subtrees that are searched now. The others don't matter where another subtree
    /// has a solution.
    pub searched: u64,
    /// The nodes that this run generated.
    pub generated: u64,
    /// Whether the unit has a solution.
    pub found: bool,
    /// Whether nothing is left to do in it.
    pub complete: bool,
    /// The limit that stopped it, if one did.
    #[serde(serialize_with = "code")]
    #[schemars(with = "Option<String>")]
    pub stopped: Option<StopReason>,
}

fn code<S: serde::Serializer>(reason: &Option<StopReason>, to: S) -> Result<S::Ok, S::Error> {
    reason.map(StopReason::code).serialize(to)
}

/// Search a unit, or what is left of it. The result is written beside the unit: now and then so
/// far as it is known, so that a later run continues, and at the end.
///
/// The limits are those of this run alone.
///
/// # Errors
/// When the unit, or something that it needs, can't be read or has changed, or its result can't be
/// written. A limit is no error.
pub fn work(file: &Path, limits: &Limits, env: &Environment) -> Result<WorkedUnit, Error> {
    let unit: Unit = read(file, Kind::Unit)?;
    let folder = Folder::of_unit(file);
    let found = folder.found(&unit.job, &unit.finished, &unit.round, unit.number)?;
    let last = folder.first_found(&unit.round);
    let mut worked = WorkedUnit {
        unit: file.display().to_string(),
        bound: unit.round.id.bound,
        subtrees: unit.roots.len() as u64,
        known: found.pieces.len() as u64,
        searched: 0,
        generated: 0,
        found: found.first_found().is_some(),
        complete: true,
        stopped: None,
    };
    if found.is_complete(&unit.round, last) {
        // An earlier run may have been killed before it said so.
        folder.write_found(&unit.round, &found, true)?;
        return Ok(worked);
    }
    // The nodes of earlier rounds are counted again, though none of them is made.
    let earlier = unit.finished.iter().map(|round| round.result.generated());
    let earlier = earlier.fold(0, u64::saturating_add);
    let limits = Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_add(earlier)),
        ..limits.clone()
    };
    let prepared = unit.job.prepare(&limits, env)?;
    let worker = Worker {
        folder,
        threads: env.threads(),
        state: Mutex::new(Progress {
            begun: 0,
            generated: 0,
            end: None,
            found,
        }),
        unit,
    };
    let stopped_before = prepared.run(&worker, env)?;
    let progress = worker
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    match progress.end {
        Some(Ok(())) => {}
        Some(Err(Stopped::Limit(reason))) => worked.stopped = Some(reason),
        Some(Err(Stopped::Failure(error))) => return Err(error),
        // The search came to a limit, or to its end, before the round of the unit.
        None => worked.stopped = Some(stopped_before.ok_or_else(differs)?),
    }
    worked.searched = progress.found.pieces.len() as u64 - worked.known;
    worked.generated = progress.generated;
    worked.found = progress.found.first_found().is_some();
    worked.complete = worked.stopped.is_none();
    Ok(worked)
}

/// Takes part in a search with the subtrees of one unit.
struct Worker {
    folder: Folder,
    threads: usize,
    unit: Unit,
    state: Mutex<Progress>,
}

/// How far a unit is.
struct Progress {
    /// The number of rounds that the search has come to.
    begun: usize,
    generated: u64,
    end: Option<Result<(), Stopped>>,
    found: Found,
}

/// Why the search of a unit ended before its result.
enum Stopped {
    Limit(StopReason),
    Failure(Error),
}

impl HandOut for Worker {
    fn round(
        &self,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.begun;
        state.begun += 1;
        let id = RoundId::of(subtrees);
        let end = match self.unit.finished.get(number) {
            Some(round) if round.id == id => return Ok(vec![round.result.clone()]),
            None if self.unit.round.id == id => self.search(&mut state, subtrees, goes_on),
            _ => Err(Stopped::Failure(differs())),
        };
        state.end = Some(end);
        // There is nothing to do behind the round.
        Err(StopReason::Interrupted)
    }

    fn least_subtrees(&self) -> usize {
        least_subtrees(self.unit.wanted)
    }
}

impl Worker {
    fn search(
        &self,
        state: &mut Progress,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<(), Stopped> {
        let roots: &BTreeMap<u64, Vec<u32>> = &self.unit.roots;
        if roots
            .iter()
            .any(|(root, path)| *path != subtrees.path(*root))
        {
            return Err(Stopped::Failure(differs()));
        }
        let numbers = roots.keys().copied();
        let left: Vec<u64> = numbers
            .filter(|number| !state.found.pieces.contains_key(number))
            .collect();
        let mut saver = Saver {
            worker: self,
            goes_on,
            found: std::mem::take(&mut state.found),
            generated: 0,
            since: Instant::now(),
            looked: None,
            last: u64::MAX,
            failure: None,
        };
        // One that has a solution may come from an earlier run.
        saver.last = saver.found.first_found().unwrap_or(u64::MAX);
        let end = hands::search(subtrees, &left, self.threads, &mut saver);
        let saved = saver.save(end.is_ok());
        let failure = saver.failure.take();
        (state.generated, state.found) = (saver.generated, saver.found);
        match (failure, end) {
            (Some(error), _) => Err(Stopped::Failure(error)),
            (None, Err(reason)) => {
                saved.map_err(Stopped::Failure)?;
                Err(Stopped::Limit(reason))
            }
            (None, Ok(())) => saved.map_err(Stopped::Failure),
        }
    }
}

/// Keeps the results of subtrees, and writes them now and then.
struct Saver<'a> {
    worker: &'a Worker,
    goes_on: &'a mut dyn FnMut(u64) -> Result<(), StopReason>,
    found: Found,
    generated: u64,
    /// The time of the last write.
    since: Instant,
    /// The time of the last look at the marks of other units.
    looked: Option<Instant>,
    /// The first subtree that is known to have a solution.
    last: u64,
    failure: Option<Error>,
}

impl Saver<'_> {
    /// Write what was found.
    fn save(&mut self, is_complete: bool) -> Result<(), Error> {
        self.found.ms += millis(self.since.elapsed());
        self.since = Instant::now();
        let Worker { folder, unit, .. } = self.worker;
        folder.write_found(&unit.round, &self.found, is_complete)
    }
}

impl Taker for Saver<'_> {
    fn take(&mut self, number: u64, piece: Piece) {
        self.generated = self.generated.saturating_add(piece.generated());
        if piece.has_found() {
            self.last = self.last.min(number);
        }
        self.found.pieces.insert(number, piece);
        if self.since.elapsed() >= SAVED_EVERY
            && let Err(error) = self.save(false)
        {
            self.failure = Some(error);
        }
    }

    fn goes_on(&mut self, generated: u64) -> Result<u64, StopReason> {
        (self.goes_on)(generated)?;
        if self.failure.is_some() {
            return Err(StopReason::Interrupted);
        }
        if self.looked.is_none_or(|at| at.elapsed() >= SAVED_EVERY) {
            self.looked = Some(Instant::now());
            self.last = self
                .last
                .min(self.worker.folder.first_found(&self.worker.unit.round));
        }
        Ok(self.last)
    }
}
