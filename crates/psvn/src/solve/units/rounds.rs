//! The rounds of a search: those that are finished, one that is joined from its units, and those
//! that are small enough to be searched at once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use psvn_ir::State;
use psvn_ir::instances::Instance;
use schemars::JsonSchema;
use search::{HandOut, Limits, Piece, StopReason, Subtrees};
use serde::Serialize;

use super::folder::{FinishedRound, Folder, Found, OpenRound, Plan, RoundId, Unit};
use super::hands::{self, Taker};
use super::job::{Job, Oriented, Prepared};
use crate::environment::Environment;
use crate::error::Error;
use crate::solve::{Solver, TreeRequest};
use crate::text::Source;

/// The subtrees of each unit, if there are that many: some take much longer than others.
const SUBTREES_OF_UNIT: u64 = 16;

/// The most units of a round.
pub const MOST_UNITS: u64 = 1 << 16;

/// How a search is split into units.
#[derive(Clone, Copy, Debug)]
pub struct Splitting<'p> {
    /// The folder of the units.
    pub folder: &'p Path,
    /// The number of units of a bound that is wanted.
    pub units: u64,
    /// The time after which a bound is split; before that, it is searched at once.
    pub after: Duration,
}

/// A round that waits for its units.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OpenUnits {
    /// The folder of the units.
    pub folder: String,
    /// The bound: on cost, or on depth. In weighted searches it is that of the weighted estimate
    /// times the denominator of the weight.
    pub bound: u64,
    /// The number of units.
    pub units: u64,
    /// The number of units that are done.
    pub done: u64,
    /// Those that are missing, from 1, if some are done.
    pub missing: Vec<u64>,
    /// Whether the units were written just now.
    pub is_new: bool,
}

/// The rounds of a search that is split into units in a folder.
///
/// A search that is [handed out](crate::Solver::solve_handed_out) by them ends as if it had been
/// interrupted where a round waits for its units. [`end`](Self::end) tells.
pub struct Rounds {
    folder: Folder,
    state: Mutex<Standing>,
    threads: usize,
}

/// What changes while a search runs.
struct Standing {
    plan: Plan,
    /// The number of rounds that this run has come to.
    begun: usize,
    /// The round at which it ended.
    open: Option<OpenUnits>,
    /// Why it can't continue.
    failure: Option<Error>,
    /// The time of rounds that were searched elsewhere or earlier.
    elsewhere: Duration,
}

impl Rounds {
    /// Split a search from one start. Return also the search, whose choices are made. If the folder
    /// has units of the same search, it is continued.
    ///
    /// # Errors
    /// When the search can't be split, or the folder has units of another one.
    pub fn of_search(
        splitting: &Splitting<'_>,
        source: &Source,
        solver: Solver,
        instance: &Instance,
        env: &Environment,
    ) -> Result<(Self, Solver), Error> {
        let (job, solver) = Job::of_search(source, solver, instance, env)?;
        Ok((Self::new(splitting, job, env)?, solver))
    }

    /// Split a count of a tree of a game, which may have its rules run backward. `order` has the
    /// names of the columns in the order in which they are shown. Paths in the request are made
    /// absolute. If the folder has units of the same count, it is continued.
    ///
    /// # Errors
    /// When the count can't be split, or the folder has units of another one.
    pub fn of_tree(
        splitting: &Splitting<'_>,
        source: &Source,
        game: Oriented<'_>,
        start: &State,
        request: &mut TreeRequest,
        order: Vec<String>,
        env: &Environment,
    ) -> Result<Self, Error> {
        let job = Job::of_tree(source, game, start, request, order)?;
        Self::new(splitting, job, env)
    }

    fn new(splitting: &Splitting<'_>, job: Job, env: &Environment) -> Result<Self, Error> {
        let folder = Folder::new(splitting.folder);
        let plan = match folder.plan()? {
            // Other numbers of units would cut the rounds that are finished in other ways.
            Some(plan) if plan.job == job && plan.units == splitting.units => Plan {
                after_ms: millis(splitting.after),
                ..plan
            },
            Some(_) => {
                let name = splitting.folder.display();
                let message = format!("`{name}` has the units of another search, or other units");
                return Err(Error::input(message).with_hint("name another folder, or remove it"));
            }
            None => Plan {
                job,
                units: splitting.units,
                after_ms: millis(splitting.after),
                finished: Vec::new(),
                open: None,
            },
        };
        folder.make()?;
        if plan.finished.is_empty() && plan.open.is_none() {
            // What is left of a search without its plan is of no use.
            folder.remove_before(usize::MAX);
        }
        Ok(Self::with(folder, plan, env))
    }

    /// Continue the search whose units are in a folder.
    ///
    /// # Errors
    /// When the folder has no units, or something that they need has changed.
    pub fn join(
        folder: &Path,
        limits: &Limits,
        env: &Environment,
    ) -> Result<(Self, Prepared), Error> {
        let folder = Folder::new(folder);
        let plan = folder.plan()?.ok_or_else(|| {
            let name = folder.path().display();
            Error::input(format!("`{name}` isn't a folder of units"))
        })?;
        let prepared = plan.job.prepare(limits, env)?;
        Ok((Self::with(folder, plan, env), prepared))
    }

    fn with(folder: Folder, plan: Plan, env: &Environment) -> Self {
        let state = Standing {
            plan,
            begun: 0,
            open: None,
            failure: None,
            elsewhere: Duration::ZERO,
        };
        Self {
            folder,
            state: Mutex::new(state),
            threads: env.threads(),
        }
    }

    /// Return where the search stands at its end, and the time of what was searched elsewhere or
    /// earlier. `None` where it has an answer.
    ///
    /// # Errors
    /// When a file can't be read or written, or is of another search.
    pub fn end(&self) -> Result<(Option<OpenUnits>, Duration), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.failure.take() {
            return Err(error);
        }
        self.folder.write_plan(&state.plan)?;
        let rounds = state.plan.finished.len();
        self.folder.remove_before(rounds);
        Ok((state.open.take(), state.elsewhere))
    }
}

/// Return a time in milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl HandOut for Rounds {
    fn round(
        &self,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.begun;
        state.begun += 1;
        let id = RoundId::of(subtrees);
        if let Some(round) = state.plan.finished.get(number) {
            let (is_same, ms, result) = (round.id == id, round.ms, round.result.clone());
            if !is_same {
                state.failure = Some(differs());
                return Err(StopReason::Interrupted);
            }
            state.elsewhere += Duration::from_millis(ms);
            return Ok(vec![result]);
        }
        let found = match state.plan.open.clone().filter(|open| open.number == number) {
            Some(open) if open.id != id => Err(differs()),
            Some(open) => self.joined(&mut state, &open, subtrees),
            None => match self.at_once(&state, subtrees, goes_on) {
                Ok(result) => Ok(result),
                Err(Some(reason)) => return Err(reason),
                Err(None) => self
                    .split(&mut state, number, id.clone(), subtrees)
                    .map(|()| None),
            },
        };
        let stop = |state: &mut Standing, failure| {
            state.failure = failure;
            Err(StopReason::Interrupted)
        };
        match found {
            Err(error) => stop(&mut state, Some(error)),
            Ok(None) => stop(&mut state, None),
            Ok(Some((result, ms))) => {
                if state.plan.open.take().is_some() {
                    state.elsewhere += Duration::from_millis(ms);
                }
                let answer = vec![result.clone()];
                state.plan.finished.push(FinishedRound { id, result, ms });
                Ok(answer)
            }
        }
    }

    fn least_subtrees(&self) -> usize {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        least_subtrees(state.plan.units)
    }
}

/// Return the least number of subtrees for a number of units.
pub(super) fn least_subtrees(units: u64) -> usize {
    usize::try_from(units.saturating_mul(SUBTREES_OF_UNIT)).unwrap_or(usize::MAX)
}

/// The error that a search isn't the one that was split.
pub(super) fn differs() -> Error {
    Error::input("this search cuts its tree in another way than the one that was split").with_hint(
        "all of its work needs the same program, and the same memory and time for preparations",
    )
}

/// The result of a round, and the milliseconds that it took.
type Joined = (Piece, u64);

impl Rounds {
    /// Join the results of the units of a round, if all are there.
    fn joined(
        &self,
        state: &mut Standing,
        open: &OpenRound,
        subtrees: &Subtrees<'_>,
    ) -> Result<Option<Joined>, Error> {
        let Plan { job, finished, .. } = &state.plan;
        let mut all = Vec::new();
        for unit in 1..=open.units {
            all.push(self.folder.found(job, finished, open, unit)?);
        }
        let first_found = all.iter().filter_map(Found::first_found).min();
        let last = first_found.unwrap_or(u64::MAX);
        let missing: Vec<u64> = (1..)
            .zip(&all)
            .filter(|(_, found)| !found.is_complete(open, last))
            .map(|(unit, _)| unit)
            .collect();
        if !missing.is_empty() {
            for unit in &missing {
                self.write_unit(&state.plan, open, *unit, subtrees)?;
            }
            state.open = Some(OpenUnits {
                folder: self.folder.path().display().to_string(),
                bound: open.id.bound,
                units: open.units,
                done: open.units - missing.len() as u64,
                missing,
                is_new: false,
            });
            return Ok(None);
        }
        let ms = all.iter().map(|found| found.ms).sum();
        let mut pieces: Vec<(u64, Piece)> = all
            .into_iter()
            .flat_map(|found| found.pieces)
            .filter(|(number, _)| *number <= last)
            .collect();
        pieces.sort_unstable_by_key(|(number, _)| *number);
        Ok(Some((merged(pieces.into_iter().map(|it| it.1)), ms)))
    }

    /// Search a round by the threads of this process, if that doesn't take too long.
    ///
    /// # Errors
    /// When it takes too long, or a limit is reached.
    #[allow(clippy::type_complexity, reason = "it is taken apart where it is used")]
    fn at_once(
        &self,
        state: &Standing,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Option<Joined>, Option<StopReason>> {
        let after = Duration::from_millis(state.plan.after_ms);
        if after.is_zero() {
            return Err(None);
        }
        let started = Instant::now();
        let mut attempt = Attempt {
            until: started + after,
            is_late: false,
            pieces: Vec::new(),
            goes_on,
        };
        let numbers: Vec<u64> = (0..subtrees.n()).collect();
        match hands::search(subtrees, &numbers, self.threads, &mut attempt) {
            Err(_) if attempt.is_late => Err(None),
            Err(reason) => Err(Some(reason)),
            Ok(()) => {
                let mut pieces = attempt.pieces;
                pieces.sort_unstable_by_key(|(number, _)| *number);
                let last = pieces.iter().position(|it| it.1.has_found());
                pieces.truncate(last.map_or(pieces.len(), |last| last + 1));
                let result = merged(pieces.into_iter().map(|it| it.1));
                Ok(Some((result, millis(started.elapsed()))))
            }
        }
    }

    /// Write the units of a round.
    fn split(
        &self,
        state: &mut Standing,
        number: usize,
        id: RoundId,
        subtrees: &Subtrees<'_>,
    ) -> Result<(), Error> {
        let units = state.plan.units.clamp(1, subtrees.n().max(1));
        let open = OpenRound { id, number, units };
        for unit in 1..=units {
            self.write_unit(&state.plan, &open, unit, subtrees)?;
        }
        state.open = Some(OpenUnits {
            folder: self.folder.path().display().to_string(),
            bound: open.id.bound,
            units,
            done: 0,
            missing: Vec::new(),
            is_new: true,
        });
        state.plan.open = Some(open);
        Ok(())
    }

    fn write_unit(
        &self,
        plan: &Plan,
        round: &OpenRound,
        number: u64,
        subtrees: &Subtrees<'_>,
    ) -> Result<(), Error> {
        let root = |subtree| (subtree, subtrees.path(subtree).to_vec());
        self.folder.write_unit(&Unit {
            job: plan.job.clone(),
            finished: plan.finished.clone(),
            round: round.clone(),
            number,
            wanted: plan.units,
            roots: round.subtrees_of(number).map(root).collect(),
        })
    }
}

/// Merge the results of subtrees in their order.
fn merged(pieces: impl Iterator<Item = Piece>) -> Piece {
    let mut all = Piece::default();
    pieces.for_each(|piece| all.merge(piece));
    all
}

/// A search of a round that is given up when it takes too long.
struct Attempt<'a> {
    until: Instant,
    is_late: bool,
    pieces: Vec<(u64, Piece)>,
    goes_on: &'a mut dyn FnMut(u64) -> Result<(), StopReason>,
}

impl Taker for Attempt<'_> {
    fn take(&mut self, number: u64, piece: Piece) {
        self.pieces.push((number, piece));
    }

    fn goes_on(&mut self, generated: u64) -> Result<u64, StopReason> {
        (self.goes_on)(generated)?;
        if Instant::now() >= self.until {
            self.is_late = true;
            return Err(StopReason::Time);
        }
        Ok(u64::MAX)
    }
}
