//! Facts in words, and messages about states that break an invariant.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use psvn_ir::{Game, VarId};

use crate::counts::Count;
use crate::facts::{Fact, FactIndex};

/// The way in which a state breaks an invariant, as a message for the user who gave the state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Violation {
    message: String,
}

/// How a state breaks a count.
pub(crate) fn count_violation(
    game: &Game,
    index: &FactIndex,
    count: &Count,
    found: u32,
) -> Violation {
    let assumed = count.number;
    let message = number_of_facts(game, index, count, found);
    Violation {
        message: format!("{message}; the analysis assumed exactly {assumed}"),
    }
}

/// Why a state can't lead to a goal: no rule changes the number of true facts of a set.
pub(crate) fn separation(
    game: &Game,
    index: &FactIndex,
    count: &Count,
    found: u32,
    wanted: &Wanted,
) -> Violation {
    let here = number_of_facts(game, index, count, found);
    let there = match wanted {
        Wanted::InAllGoals(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            format!(
                "in every goal state {}, and no rule changes that",
                numbers.join(" or ")
            )
        }
        Wanted::InFirstGoal(number) => format!(
            "in every state of the first goal {number}, and no rule changes that; other numbers rule out \
             the other goals"
        ),
    };
    Violation {
        message: format!("{here}, {there}"),
    }
}

/// The number of facts of a set that hold in goal states.
pub(crate) enum Wanted {
    /// The set separates the state from all goals; these are the goals' numbers.
    InAllGoals(BTreeSet<u32>),
    /// It separates the state from the first goal; other sets do so for other goals.
    InFirstGoal(u32),
}

/// The number of facts of a set that hold in a state.
fn number_of_facts(game: &Game, index: &FactIndex, count: &Count, found: u32) -> String {
    let times = if found == 1 { "time" } else { "times" };
    let facts = || count.facts.iter().map(|fact| index.fact(*fact));
    let values: BTreeSet<&str> = facts().map(|fact| name(game, fact)).collect();
    match values.first() {
        Some(value) if values.len() == 1 => {
            let vars = facts().map(|fact| fact.var).collect();
            format!(
                "value `{value}` occurs {found} {times} among {}",
                variables(&vars)
            )
        }
        _ => {
            let verb = if found == 1 { "is" } else { "are" };
            let groups = groups(game, index, &count.facts, count.number == 1);
            format!("of the facts \"{groups}\" {found} {verb} true")
        }
    }
}

/// How a state breaks a bound on one variable.
pub(crate) fn value_violation(game: &Game, fact: Fact) -> Violation {
    let (var, value) = (fact.var.0 + 1, name(game, fact));
    Violation {
        message: format!("variable {var} holds `{value}`; the analysis assumed that it never does"),
    }
}

/// How a state breaks a pair.
pub(crate) fn pair_violation(game: &Game, one: Fact, other: Fact) -> Violation {
    Violation {
        message: format!(
            "variable {} holds `{}` while variable {} holds `{}`; the analysis assumed that they \
             never do so together",
            one.var.0 + 1,
            name(game, one),
            other.var.0 + 1,
            name(game, other)
        ),
    }
}

pub(crate) fn name(game: &Game, fact: Fact) -> &str {
    game.domain_of(fact.var).value_name(fact.value)
}

/// `variable 3` or `variables 1-3,7`.
pub(crate) fn variables(vars: &BTreeSet<VarId>) -> String {
    let vars: Vec<u32> = vars.iter().map(|var| var.0 + 1).collect();
    let mut text = String::from(if vars.len() == 1 {
        "variable "
    } else {
        "variables "
    });
    for (n, run) in vars.chunk_by(|one, other| one + 1 == *other).enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let (first, last) = (run[0], run[run.len() - 1]);
        // Writing to a string can't fail.
        let _ = match run.len() {
            1 => write!(text, "{comma}{first}"),
            _ => write!(text, "{comma}{first}-{last}"),
        };
    }
    text
}

/// The variables of facts, by the values that the facts give them.
pub(crate) fn vars_by_values(
    game: &Game,
    facts: impl IntoIterator<Item = Fact>,
) -> BTreeMap<Vec<&str>, BTreeSet<VarId>> {
    let mut values_of: BTreeMap<VarId, Vec<&str>> = BTreeMap::new();
    for fact in facts {
        values_of
            .entry(fact.var)
            .or_default()
            .push(name(game, fact));
    }
    let mut vars_of: BTreeMap<Vec<&str>, BTreeSet<VarId>> = BTreeMap::new();
    for (var, values) in values_of {
        vars_of.entry(values).or_default().insert(var);
    }
    vars_of
}

/// Facts as text, such as `variables 1-3 hold a or variable 4 holds b`: variables with the same set
/// of values are named together. `only_one` states that one variable at a time holds its value.
pub(crate) fn groups(game: &Game, index: &FactIndex, facts: &[u32], only_one: bool) -> String {
    let vars_of = vars_by_values(game, facts.iter().map(|fact| index.fact(*fact)));
    let mut groups: Vec<(Option<VarId>, String)> = vars_of
        .into_iter()
        .map(|(values, vars)| {
            let verb = if only_one || vars.len() == 1 {
                "holds"
            } else {
                "hold"
            };
            let text = format!("{} {verb} {}", variables(&vars), alternatives(&values));
            (vars.first().copied(), text)
        })
        .collect();
    groups.sort();
    let groups: Vec<String> = groups.into_iter().map(|(_, text)| text).collect();
    groups.join(" or ")
}

/// `a`, or `one of 3 values a b c`. The number marks the end of the list, whatever the names of the
/// values; and since no single value is followed by `of`, the two forms can't be confused.
fn alternatives(values: &[&str]) -> String {
    match values {
        [value] => (*value).to_owned(),
        _ => format!("one of {} values {}", values.len(), values.join(" ")),
    }
}
