//! Variables that a machine ignores, since no goal depends on them.
//!
//! A machine file records them among its assumptions, in one line. Earlier versions, which read
//! that line as an invariant, refuse the file.

use budget::Choice;
use checker::ProvedIrrelevance;
use move_prune::Relevance;
use psvn_ir::{CanonicalRule, Game, VarId};

use crate::{Error, Hint};

/// The beginning of the line. The numbers of the variables follow, from 1.
const BEGINNING: &str = "for goals, which don't look at variables";

/// The aim of a search. It decides which states must be distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchFor {
    /// All states, each at its least cost
    #[default]
    States,
    /// A goal state at its least cost: variables on which no goal depends are ignored
    Goals,
}

impl Choice for SearchFor {
    const ALL: &'static [Self] = &[Self::States, Self::Goals];

    fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Goals => "goals",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::States => "All states, each at its least cost",
            Self::Goals => "A goal: variables on which no goal depends are ignored",
        }
    }
}

/// Return the variables that searches of a kind may ignore; none without a goal.
pub fn variables(search_for: SearchFor, game: &Game) -> Vec<VarId> {
    match search_for {
        SearchFor::Goals if !game.goals().is_empty() => {
            let rules = game.rules().iter().map(|rule| rule.canonical.clone());
            let rules: Vec<CanonicalRule> = rules.collect();
            let relevance = Relevance::of(game.n_variables(), &rules, game.goals());
            relevance.irrelevant().collect()
        }
        SearchFor::Goals | SearchFor::States => Vec::new(),
    }
}

/// Return the line that lists the ignored variables.
pub fn line(ignored: &[VarId]) -> String {
    ignored.iter().fold(BEGINNING.to_owned(), |line, var| {
        format!("{line} {}", var.index() + 1)
    })
}

/// Return assumptions with the line in front, if any variable is ignored.
pub fn with_line(ignored: &[VarId], lines: &[String]) -> Vec<String> {
    let first = (!ignored.is_empty()).then(|| line(ignored));
    first.into_iter().chain(lines.iter().cloned()).collect()
}

/// Return the variables that assumptions ignore.
pub fn variables_in(lines: &[String]) -> Vec<VarId> {
    let numbers = lines.iter().filter_map(|line| parse(line));
    numbers.flatten().collect()
}

/// Return the assumptions that are about states.
pub fn other_lines(lines: &[String]) -> Vec<String> {
    let others = lines.iter().filter(|line| parse(line).is_none());
    others.cloned().collect()
}

/// The variables that a line names; `None` if it is about something else or invalid.
fn parse(line: &str) -> Option<Vec<VarId>> {
    let numbers = line.strip_prefix(BEGINNING)?;
    let variable = |number: &str| {
        let number: usize = number.parse().ok()?;
        u32::try_from(number.checked_sub(1)?).ok().map(VarId)
    };
    numbers.split_whitespace().map(variable).collect()
}

/// Refuse a machine that ignores variables which matter for the search.
///
/// # Errors
/// When it does.
pub fn check(
    lines: &[String],
    machine: &str,
    search_for: SearchFor,
    game: &Game,
    game_name: &str,
) -> Result<(), Error> {
    let ignored = variables_in(lines);
    if ignored.is_empty() {
        return Ok(());
    }
    if search_for == SearchFor::States {
        return Err(Error::input(format!(
            "`{machine}` serves searches for goals: it takes states for the same that differ only \
             in what no goal looks at"
        ))
        .with_hint(Hint::AnalyzeForStates));
    }
    match ProvedIrrelevance::prove(game, &ignored) {
        Ok(_) => Ok(()),
        Err(flaw) => Err(Error::input(format!(
            "`{machine}` was made for other goals than those of `{game_name}`: {flaw}"
        ))
        .with_hint("analyze the game again")),
    }
}
