//! Boards of a game's states, by the layout that its text declares or another one.

use std::path::Path;

use drawing::BoardLayout;

use super::Game;
use crate::error::Error;
use crate::store::read;
use crate::text::{Parameter, message};

impl Game {
    /// Return the layout of boards from a TOML file, or else the one that the game's text declares;
    /// `None` where neither has one.
    ///
    /// # Errors
    /// When the file can't be read, or the layout is invalid or doesn't fit the game.
    pub fn board_layout(&self, file: Option<&Path>) -> Result<Option<BoardLayout>, Error> {
        let (layout, origin) = match file {
            Some(path) => {
                let (name, bytes) = read::read_bytes(path)?;
                let text = String::from_utf8_lossy(&bytes);
                let layout = toml::from_str(&text).map_err(|error| {
                    Error::input(format!("`{name}` isn't a layout: {error}")).with_hint(
                        "a layout is TOML with `rows` and `columns`, perhaps `blank`, `variables` \
                         and `[colors]`",
                    )
                })?;
                (layout, name)
            }
            None => match self.layout() {
                Some(Ok(layout)) => (BoardLayout::clone(layout), self.name().to_owned()),
                Some(Err(error)) => {
                    return Err(Error::input(format!("{}: {error}", self.name())));
                }
                None => return Ok(None),
            },
        };
        layout
            .check(self.ir().n_variables())
            .map_err(|error| Error::input(format!("{origin}: {error}")))?;
        Ok(Some(layout))
    }

    /// Return the same layout, or fail if there is none.
    ///
    /// # Errors
    /// As [`board_layout`](Self::board_layout); also when there is no layout.
    pub fn needed_board_layout(&self, file: Option<&Path>) -> Result<BoardLayout, Error> {
        self.board_layout(file)?.ok_or_else(|| {
            Error::usage(format!(
                "{} doesn't say how its states are laid out on a board",
                self.name()
            ))
            .with_hint(message![
                "add a comment such as `# layout: rows 4 columns 4 blank 0` to it, or give `",
                Parameter::Layout.is("FILE.toml"),
                "`"
            ])
        })
    }
}
