//! Instance files: one start state a line.

use std::path::Path;

use psvn_ir::{Game, State};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame};

/// So many errors of an instance file are shown; the rest is counted.
const MAX_ERRORS: usize = 20;

/// A start state with what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    /// What stands before the colon, or the instance's number in the file, from 1.
    pub(crate) id: String,
    /// The start state.
    pub(crate) state: State,
    /// The known least cost.
    pub(crate) known_cost: Option<u128>,
}

/// The states that the user gives: one as text, or those of a file.
pub(crate) fn given(
    state: Option<&str>,
    file: Option<&Path>,
    game_path: &Path,
    named: &NamedGame,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    let game = &named.game;
    if let Some(path) = file {
        let stdin = Path::new("-");
        if path == stdin && game_path == stdin {
            return Err(Failure::usage(
                "the game and the instances can't both come from standard input",
            ));
        }
        let (name, bytes) = input::read_bytes(path)?;
        return parse(&String::from_utf8_lossy(&bytes), &name, game, cx);
    }
    let state = game
        .parse_state(state.unwrap_or_default())
        .map_err(|error| {
            Failure::input(format!("--start: {error}"))
                .hint("a state is its values in order, separated by white space")
        })?;
    Ok(vec![Instance {
        id: "1".to_owned(),
        state,
        known_cost: None,
    }])
}

/// Reads an instance file; shows all that is wrong with it.
pub(crate) fn parse(
    text: &str,
    name: &str,
    game: &Game,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    let mut instances = Vec::new();
    let mut n_errors = 0;
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        match parse_line(line, instances.len() + 1, game) {
            Ok(Some(instance)) => instances.push(instance),
            Ok(None) => {}
            Err(message) => {
                n_errors += 1;
                if n_errors <= MAX_ERRORS {
                    cx.log.error(&format!("{name}:{}: {message}", number + 1));
                }
            }
        }
    }
    if n_errors > MAX_ERRORS {
        cx.log.error(&format!(
            "{name}: and {} more errors",
            n_errors - MAX_ERRORS
        ));
    }
    if n_errors > 0 {
        return Err(Failure::reported(Exit::Input));
    }
    if instances.is_empty() {
        return Err(Failure::input(format!("{name}: there are no instances"))
            .hint("write one state a line: its values separated by white space"));
    }
    Ok(instances)
}

fn parse_line(line: &str, number: usize, game: &Game) -> Result<Option<Instance>, String> {
    let mut words: Vec<&str> = line
        .split_whitespace()
        .take_while(|word| !word.starts_with('#'))
        .collect();
    let Some(first) = words.first().copied() else {
        return Ok(None);
    };
    let mut id = number.to_string();
    // A value may contain a colon or an equals sign: what has the length of a state is one.
    if words.len() != game.n_variables()
        && let Some((front, rest)) = first.split_once(':')
    {
        id = front.to_owned();
        words[0] = rest;
        if rest.is_empty() {
            words.remove(0);
        }
    }
    let mut known_cost = None;
    if words.len() > game.n_variables()
        && let Some(place) = words.iter().rposition(|word| word.starts_with('='))
    {
        let cost = words[place..].concat();
        known_cost = Some(
            cost[1..]
                .parse()
                .map_err(|_| format!("expected a cost behind `=`, found `{}`", &cost[1..]))?,
        );
        words.truncate(place);
    }
    let state = game
        .parse_state(&words.join(" "))
        .map_err(|error| error.to_string())?;
    Ok(Some(Instance {
        id,
        state,
        known_cost,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<Option<Instance>, String> {
        let game = psvn_ir::load("2  3 3\n0 A => A 0\nGOAL 0 1\n")
            .game
            .unwrap();
        parse_line(text, 7, &game)
    }

    #[test]
    fn the_parts_of_a_line_are_told_apart() {
        let parts = |text: &str| {
            let instance = line(text).unwrap().unwrap();
            let values: Vec<u32> = instance
                .state
                .values()
                .iter()
                .map(|value| value.0)
                .collect();
            (instance.id, values, instance.known_cost)
        };
        assert_eq!(parts("0 1"), ("7".to_owned(), vec![0, 1], None));
        assert_eq!(parts("a: 0 1"), ("a".to_owned(), vec![0, 1], None));
        assert_eq!(parts("a:2 1 = 12"), ("a".to_owned(), vec![2, 1], Some(12)));
        assert_eq!(
            parts("2 1 =12 # easy"),
            ("7".to_owned(), vec![2, 1], Some(12))
        );
        assert_eq!(line("  # nothing").unwrap(), None);
        assert_eq!(line("").unwrap(), None);
    }

    #[test]
    fn what_is_no_instance_is_refused() {
        for wrong in [
            "0",
            "0 1 2",
            "0 3",
            "a:",
            "0 1 =",
            "0 1 = x",
            "0 1 = -1",
            "0 1 = 1 2 x",
        ] {
            assert!(line(wrong).is_err(), "{wrong}");
        }
    }
}
