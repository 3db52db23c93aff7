//! Variables that a machine ignores, since no goal depends on them.

use checker::ProvedIrrelevance;
use move_prune::Relevance;
use psvn_ir::{CanonicalRule, VarId};
pub(crate) use redundancy::ignored::{line, variables_in, with_line};

use crate::error::Error;
use crate::game::Game;
use crate::text::{Choice, Parameter, message};

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

/// The variables that searches of a kind may ignore; none without a goal.
pub(crate) fn variables(search_for: SearchFor, game: &psvn_ir::Game) -> Vec<VarId> {
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

/// Refuse a machine that ignores variables which matter for the search.
///
/// # Errors
/// When it does.
pub fn check(
    lines: &[String],
    machine: &str,
    search_for: SearchFor,
    game: &Game,
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
        .with_hint(message![
            "analyze the game with `",
            Parameter::SearchFor.is("states"),
            "`"
        ]));
    }
    match ProvedIrrelevance::prove(game.ir(), &ignored) {
        Ok(_) => Ok(()),
        Err(flaw) => Err(Error::input(format!(
            "`{machine}` was made for other goals than those of `{}`: {flaw}",
            game.name()
        ))
        .with_hint("analyze the game again")),
    }
}
