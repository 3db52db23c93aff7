//! Writes a game whose rules only move values as a `.tws` file.

use std::collections::HashSet;
use std::fmt::Write;

use psvn_ir::Game;

use super::turns::{Group, MOST_ORDER, Turn, multiple_name};
use super::tws::is_rotation;
use crate::words::{Unique, legal};

/// Why a game can't be written as a `.tws` file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TwsError {
    /// The goal isn't one state.
    #[error("its goal isn't one state, and a puzzle has one solved state")]
    Goal,
    /// A rule does more than to change places.
    #[error("rule `{label}` doesn't only change the places of values")]
    NoPermutation {
        /// The rule's label.
        label: String,
    },
    /// A rule doesn't cost 1.
    #[error("rule `{label}` costs {cost}, and all moves of a puzzle cost 1")]
    Cost {
        /// The rule's label.
        label: String,
        /// Its cost.
        cost: u64,
    },
    /// Two rules share a label.
    #[error("several rules are called `{label}`, and moves need names of their own")]
    Label {
        /// The label.
        label: String,
    },
    /// A rule has too many multiples.
    #[error("rule `{label}` has more than {MOST_ORDER} multiples")]
    Order {
        /// The rule's label.
        label: String,
    },
    /// Twisty programs would make a move that the game doesn't have.
    #[error(
        "programs for such files make all multiples of a move, and no rule does what `{label}` does \
         {times} times"
    )]
    Multiple {
        /// The rule's label.
        label: String,
        /// The number of times.
        times: usize,
    },
    /// The game has no rules.
    #[error("it has no rules, and a puzzle has moves")]
    NoRules,
}

/// Write a game as a `.tws` file: a set for each domain, a place for each variable, and a move for
/// each rule that isn't a multiple of an earlier one.
///
/// # Errors
/// When the game can't be written in this format.
pub fn to_tws(game: &Game, name: &str) -> Result<String, TwsError> {
    let goal = game.goal_state().ok_or(TwsError::Goal)?;
    let mut permutations = Vec::new();
    let mut labels = HashSet::new();
    for rule in game.rules() {
        let label = rule.label.to_string();
        if rule.canonical.cost() != 1 {
            return Err(TwsError::Cost {
                label,
                cost: rule.canonical.cost(),
            });
        }
        let Some(from) = rule.canonical.value_sources() else {
            return Err(TwsError::NoPermutation { label });
        };
        if !labels.insert(label.to_lowercase()) {
            return Err(TwsError::Label { label });
        }
        permutations.push(from);
    }
    if permutations.is_empty() {
        return Err(TwsError::NoRules);
    }
    let sets = sets(game);
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = writeln!(out, "Name {}", legal(name));
    for (name, places) in &sets {
        let _ = writeln!(out, "Set {name} {} 1", places.len());
    }
    let _ = writeln!(out, "\nSolved");
    for (name, places) in &sets {
        let values: Vec<usize> = places.iter().map(|it| goal.values()[*it].index()).collect();
        let mut used = values.clone();
        used.sort_unstable();
        used.dedup();
        let number = |value: &usize| used.partition_point(|it| it < value);
        block(name, values.iter().map(number), &mut out);
    }
    let _ = writeln!(out, "End");
    moves(game, &permutations, &sets, &mut out)?;
    Ok(out)
}

/// Write a line of numbers from 1 below the name of a set.
fn block(name: &str, numbers: impl Iterator<Item = usize>, out: &mut String) {
    let numbers: Vec<String> = numbers.map(|it| (it + 1).to_string()).collect();
    let _ = writeln!(out, "{name}\n{}", numbers.join(" "));
}

/// The name and the variables of each domain that has variables.
fn sets(game: &Game) -> Vec<(String, Vec<usize>)> {
    let mut names = Unique::default();
    let domains = game.domains().iter().enumerate();
    let sets = domains.map(|(index, domain)| {
        let variables = game.variables().iter().enumerate();
        let places = variables
            .filter(|(_, it)| it.index() == index)
            .map(|(place, _)| place);
        (domain.name().to_owned(), places.collect::<Vec<_>>())
    });
    sets.filter(|(_, places)| !places.is_empty())
        .map(|(name, places)| {
            let is_taken = name == "End" || name.starts_with(|c: char| c.is_ascii_digit());
            let name = if is_taken {
                format!("S{name}")
            } else {
                legal(&name)
            };
            (names.make(name), places)
        })
        .collect()
}

fn moves(
    game: &Game,
    permutations: &[Vec<usize>],
    sets: &[(String, Vec<usize>)],
    out: &mut String,
) -> Result<(), TwsError> {
    let mut is_done = vec![false; permutations.len()];
    let mut aliases = String::new();
    let mut names = Unique::default();
    for (index, from) in permutations.iter().enumerate() {
        if is_done[index] {
            continue;
        }
        let label = game.rules()[index].label.to_string();
        // Other programs read some names as rotations of the whole puzzle.
        let name = if is_rotation(&label) {
            names.make(format!("{label}_"))
        } else {
            names.make(label.clone())
        };
        let turn = Turn {
            from: from.clone(),
            twist: vec![0; from.len()],
        };
        let group = Group::of_permutations(from.len());
        let powers = group.multiples(std::slice::from_ref(&turn));
        let powers = powers.ok_or_else(|| TwsError::Order {
            label: label.clone(),
        })?;
        let order = powers.len() + 1;
        for (times, power) in (1..).zip(&powers) {
            let found = permutations.iter().position(|it| *it == power[0].from);
            let Some(found) = found else {
                return Err(TwsError::Multiple { label, times });
            };
            is_done[found] = true;
            let made = multiple_name(&name, times, order);
            let wanted = &game.rules()[found].label;
            if **wanted != *made {
                let _ = writeln!(aliases, "MoveAlias {wanted} {made}");
            }
        }
        is_done[index] = true;
        let _ = writeln!(out, "\nMove {name}");
        for (set, places) in sets {
            let inside = |it: &usize| places.partition_point(|place| place < it);
            let is_moved = places.iter().any(|place| from[*place] != *place);
            if is_moved {
                block(set, places.iter().map(|place| inside(&from[*place])), out);
            }
        }
        let _ = writeln!(out, "End");
    }
    if !aliases.is_empty() {
        out.push('\n');
        out.push_str(&aliases);
    }
    Ok(())
}
