//! Heuristics by name, by pattern, from files, or chosen because they pay.

mod abstracted;
mod patterns;
pub(crate) mod table_errors;

use budget::StopReason;
pub use heuristics::Name;
use heuristics::{Misfit, Refusal};
use psvn_ir::State;

pub use heuristic_choice::tables::{
    DistanceCount, Pattern, PatternTables, TableCheck, TableFigures, TableOptions, TableSize,
    TablesReport, WrittenTables,
};
pub use heuristic_choice::{
    CandidateDecision, Choice, Considered, Found, HeuristicSpec, PrepareError, PreparedHeuristic,
    TriedStart,
};
pub(crate) use heuristic_choice::{DEFAULT_MEMORY, Request, SomeBounds, Trial};

pub use self::abstracted::AbstractedGame;
pub use self::patterns::named_pattern;
use crate::error::Error;
use crate::text::algorithm::Algorithm;
use crate::text::{Parameter, Setting, Task, Terms, message};

/// Return the settings that repeat a choice without choosing again.
pub(crate) fn settings_of(choice: &Choice) -> Vec<Setting> {
    let mut settings = vec![Parameter::Heuristic.is(&choice.heuristic)];
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

/// Return the same in a program's terms.
pub fn settings_in_terms_of(choice: &Choice, terms: &dyn Terms) -> String {
    let settings = settings_of(choice);
    let settings: Vec<String> = settings.iter().map(|it| terms.setting(it)).collect();
    settings.join(" ")
}

/// Make the requested heuristic for searches by an algorithm. `trial` tries a heuristic on a start.
pub(crate) fn prepare(
    request: &Request<'_>,
    algorithm: Algorithm,
    trial: &Trial<'_>,
) -> Result<PreparedHeuristic, Error> {
    let _span = tracing::info_span!("prepare heuristic").entered();
    if !algorithm.takes_heuristic() && !request.spec.is_zero() {
        return Err(takes_none(algorithm));
    }
    Ok(heuristic_choice::prepare(request, trial)?)
}

/// Refuse a search that can't be made with a heuristic.
pub(crate) fn check(
    heuristic: &PreparedHeuristic,
    algorithm: Algorithm,
    game: &psvn_ir::Game,
    starts: &[State],
) -> Result<(), Error> {
    if !algorithm.takes_heuristic() && !heuristic.is_zero() {
        return Err(takes_none(algorithm));
    }
    let estimate = &heuristic.estimate;
    Ok(heuristic_choice::check_starts(estimate, game, starts)?)
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
