//! How a game's states are shown as boards: as its file declares it, or another one.

use std::path::Path;

use drawing::BoardLayout;
use psvn_ir::{Game, State, Value, VarId};

use crate::failure::Failure;
use psvn::Game as NamedGame;
use psvn::store::read;

/// The layout that the user gives in a file, or else the one that the game declares.
pub(crate) fn layout(
    file: Option<&Path>,
    named: &NamedGame,
) -> Result<Option<BoardLayout>, Failure> {
    let (layout, origin) = match file {
        Some(path) => {
            let (name, bytes) = read::read_bytes(path)?;
            let text = String::from_utf8_lossy(&bytes);
            let layout = toml::from_str(&text).map_err(|error| {
                Failure::input(format!("`{name}` is no layout: {error}"))
                    .hint("a layout is TOML with `rows` and `columns`, perhaps `blank`, `variables` and `[colors]`")
            })?;
            (layout, name)
        }
        None => match &named.layout() {
            Some(Ok(layout)) => (layout.clone(), named.name().to_owned()),
            Some(Err(error)) => return Err(Failure::input(format!("{}: {error}", named.name()))),
            None => return Ok(None),
        },
    };
    let n_variables = named.ir().n_variables();
    layout
        .check(n_variables)
        .map_err(|error| Failure::input(format!("{origin}: {error}")))?;
    Ok(Some(layout))
}

/// The same where boards are asked for and so a layout is needed.
pub(crate) fn needed_layout(
    file: Option<&Path>,
    named: &NamedGame,
) -> Result<BoardLayout, Failure> {
    layout(file, named)?.ok_or_else(|| {
        Failure::usage(format!("{} doesn't say how its states are laid out on a board", named.name()))
            .hint("add a comment such as `# layout: rows 4 columns 4 blank 0` to it, or give `--layout FILE.toml`")
    })
}

/// The values of a state, as the user spells them.
pub(crate) fn values<'g>(game: &'g Game, state: &State) -> Vec<&'g str> {
    let name = |(place, value): (usize, &Value)| {
        let variable = VarId(u32::try_from(place).unwrap_or(u32::MAX));
        game.domain_of(variable).value_name(*value)
    };
    state.values().iter().enumerate().map(name).collect()
}
