//! Heuristics by name, by pattern, from files, or chosen because they pay.

mod abstracted;
mod patterns;
pub mod table_errors;

use std::time::Duration;

use budget::StopReason;
use heuristic_choice::{Choice, Prepared};
pub use heuristics::Name;
use heuristics::{Combined, Misfit, Named, Refusal};
use invariants::Invariants;
use psvn_ir::State;

pub use heuristic_choice::tables::{
    DistanceCount, Pattern, PatternTables, TableCheck, TableFigures, TableOptions, TableSize,
    TablesReport, WrittenTables,
};
pub use heuristic_choice::{
    CandidateDecision, Considered, DEFAULT_MEMORY, Found, HeuristicSpec, PrepareError, Request,
    SomeBounds, TableSpec, Trial, TriedStart,
};

pub use self::abstracted::AbstractedGame;
pub use self::patterns::named_pattern;
use crate::error::Error;
use crate::text::algorithm::Algorithm;
use crate::text::{Parameter, Setting, Task, Terms, message};

/// A heuristic that is ready for searches, with the reasons for its choice.
pub struct Heuristic {
    /// Estimates the remaining cost.
    pub estimate: Combined,
    /// Why it was chosen, if `auto` chose it.
    pub reason: Option<String>,
    /// If `auto` chose it, the settings that name the choice, so that it can be repeated without
    /// choosing again.
    pub settings: Option<Vec<Setting>>,
    /// The choices that were considered, each with its expected cost; empty where no tables were
    /// considered.
    pub considered: Vec<Considered>,
    /// The answers that were found during the choice.
    pub found: Vec<Found>,
    /// What tries have shown about starts, while it was chosen.
    pub tried: Vec<TriedStart>,
    /// Whether a transposition table pays beside it, as tries showed.
    pub has_transpositions: bool,
    /// The time to choose it, and to build or open its tables.
    pub elapsed: Duration,
}

impl From<Prepared> for Heuristic {
    fn from(prepared: Prepared) -> Self {
        Self {
            estimate: prepared.estimate,
            reason: prepared.reason,
            settings: prepared.choice.map(settings),
            considered: prepared.considered,
            found: prepared.found,
            tried: prepared.tried,
            has_transpositions: prepared.has_transpositions,
            elapsed: prepared.elapsed,
        }
    }
}

/// The settings that repeat a choice.
fn settings(choice: Choice) -> Vec<Setting> {
    let mut settings = vec![Parameter::Heuristic.is(choice.heuristic)];
    if choice.mirrored > 0 {
        settings.push(Parameter::Mirrored.is(choice.mirrored));
    }
    if choice.duals {
        settings.push(Setting {
            parameter: Parameter::Duals,
            value: None,
        });
    }
    settings.extend(choice.memory.map(|it| Parameter::HeuristicMemory.is(it)));
    settings.extend(choice.table.map(|it| Parameter::Table.is(it)));
    settings
}

impl Heuristic {
    /// Make the heuristic that is 0 everywhere.
    ///
    /// # Errors
    /// Never, as it fits every game.
    pub fn zero(game: &psvn_ir::Game) -> Result<Self, Error> {
        let zero = Named::new(game, &Invariants::none(game), &[Name::Zero]);
        Ok(Self::named(zero.map_err(misfit)?.into(), Duration::ZERO))
    }

    /// A heuristic that wasn't chosen among others.
    fn named(estimate: Combined, elapsed: Duration) -> Self {
        Prepared::named(estimate, elapsed).into()
    }

    /// Take an estimate that tables make, which took some time to build or open.
    pub fn of_tables(estimate: Combined, elapsed: Duration) -> Self {
        Self::named(estimate, elapsed)
    }

    /// Make the requested heuristic for searches by an algorithm. `trial` tries a heuristic on a
    /// start.
    ///
    /// # Errors
    /// When the algorithm takes no heuristic, one doesn't fit the game, a table can't be read or
    /// built, or a start breaks an assumption of a table.
    pub fn prepare(
        request: &Request<'_>,
        algorithm: Algorithm,
        trial: &Trial<'_>,
    ) -> Result<Self, Error> {
        let _span = tracing::info_span!("prepare heuristic").entered();
        if !algorithm.takes_heuristic() && !request.spec.is_zero() {
            return Err(takes_none(algorithm));
        }
        let prepared = heuristic_choice::prepare(request, trial)?;
        Ok(prepared.into())
    }

    /// Refuse a search that can't be made with it.
    pub(crate) fn check(
        &self,
        algorithm: Algorithm,
        game: &psvn_ir::Game,
        starts: &[State],
    ) -> Result<(), Error> {
        if !algorithm.takes_heuristic() && !self.is_zero() {
            return Err(takes_none(algorithm));
        }
        Ok(heuristic_choice::check_starts(
            &self.estimate,
            game,
            starts,
        )?)
    }

    /// Estimate the cost from a state to a goal; `None` where no goal can be reached.
    pub fn of_state(&self, state: &State) -> Option<u64> {
        Some(self.estimate.of_state(state)).filter(|it| *it != search::DEAD_END)
    }

    /// Return whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        let is_zero = |named: &Named| named.names() == [Name::Zero];
        self.estimate.patterns().is_none() && self.estimate.named().is_some_and(is_zero)
    }

    /// Return the settings that name the choice, in a program's terms.
    pub fn settings_in_terms_of(&self, terms: &dyn Terms) -> Option<String> {
        let settings = self.settings.as_ref()?.iter();
        let settings: Vec<String> = settings.map(|it| terms.setting(it)).collect();
        Some(settings.join(" "))
    }

    /// Return whether solutions of least cost are found with it.
    pub fn is_admissible(&self) -> bool {
        self.estimate.is_admissible()
    }
}

fn takes_none(algorithm: Algorithm) -> Error {
    Error::usage(format!("{} takes no heuristic", algorithm.name())).with_hint(message![
        "use `",
        Parameter::Algorithm.is("ida"),
        "`, `wida`, `ida-cr`, `dfbnb`, `ida-table`, `astar`, `wastar` or `greedy`, or leave out `",
        Parameter::Heuristic,
        "`"
    ])
}

impl From<PrepareError> for Error {
    fn from(error: PrepareError) -> Self {
        let text = error.to_string();
        match error {
            PrepareError::Misfit(error) => misfit(error),
            PrepareError::Build(error) => table_errors::of_building(error),
            PrepareError::File { path, error } => table_errors::of_file("use", &path, error),
            PrepareError::Start { .. } => Self::input(text)
                .with_hint("a table holds for states that have the invariants of the goals"),
            PrepareError::NotAdditive { .. } => Self::usage(text).with_hint(message![
                "a comma instead of `+` takes the greatest; ",
                Task::BuildAdditiveTables,
                " tables that can be added up"
            ]),
            PrepareError::NoGoal { .. } => {
                Self::input(text).with_hint("add a line such as `GOAL 0 1 2`")
            }
            PrepareError::NotRegular { .. } => Self::usage(text)
                .with_hint("give the name of a file, to which the numbers of the tables are added"),
            PrepareError::Write { .. } => Self::input(text),
            PrepareError::Interrupted => Self::interrupted(text),
            PrepareError::Check(_) => Self::limit(text),
            PrepareError::OfPattern { pattern, error } => {
                table_errors::of_building(error).about(&format!("{pattern}: "))
            }
            PrepareError::FilesAndPatterns => Self::usage(text).with_hint(message![
                "build files with ",
                Task::WriteAdditiveTables,
                ", or give all patterns here"
            ]),
            _ => Self::usage(text),
        }
    }
}

fn misfit(misfit: Misfit) -> Error {
    if let Refusal::Stopped { reason } = misfit.refusal {
        let name = misfit.name;
        let why = format!(
            "the heuristic `{name}` wasn't made, because {}",
            reason.clause()
        );
        return match reason {
            StopReason::Interrupted => Error::interrupted(why),
            _ => Error::limit(why),
        };
    }
    Error::usage(misfit.to_string()).with_hint(message![
        "`",
        Parameter::Heuristic.is("auto"),
        "` takes one that fits"
    ])
}
