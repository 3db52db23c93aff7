//! Boards of a game's states, by the layout that its text declares or another one.

use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::near_miss;
use psvn_syntax::{Diagnostic, Span};

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

/// Return the warning about the comment lines that declare a layout, at the first one or the one
/// with the wrong word.
pub(super) fn lint_layout(game: &psvn_ir::Game, text: &str) -> Option<Diagnostic> {
    let declared = BoardLayout::from_comments(text)?;
    let error = declared
        .and_then(|layout| layout.check(game.n_variables()))
        .err()?;
    let lines: Vec<lint::Comment<'_>> = lint::comments(text)
        .filter(|it| it.head == "layout")
        .collect();
    let wrong_word = match &error {
        LayoutError::Word(word) | LayoutError::Color(word) => Some(word.as_str()),
        _ => None,
    };
    let at_word = wrong_word.and_then(|word| {
        lines.iter().find_map(|line| {
            let at = line.place.start + line.content.find(word)?;
            Some(Span::new(at, at + word.len()))
        })
    });
    let place = at_word.or_else(|| Some(lines.first()?.place))?;
    let finding = lint::wrong_comment(error.to_string(), place, "");
    Some(
        match wrong_word.and_then(|word| near_miss(word, lint::LAYOUT_WORDS)) {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None => finding,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_checked() {
        for (comment, at, hint) in [
            ("# layout: rows 2 columns 2", "rows 2 columns 2", None),
            (
                "# layout: rows 2 column 1",
                "column",
                Some("did you mean `columns`?"),
            ),
            (
                "# layout: rows 1 columns 2\n# layout: color 1 r;d",
                "r;d",
                None,
            ),
            ("# layout: rows 1 columns 2", "", None),
            ("# Layout: the first lamp is on the left", "", None),
        ] {
            let text = format!("{comment}\n2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n");
            let game = psvn_ir::load(&text).game.expect("a game without errors");
            let found = lint_layout(&game, &text);
            let place = found
                .iter()
                .map(|it| it.primary.as_ref().expect("a place").span);
            let places: Vec<&str> = place.map(|it| &text[it.start..it.end]).collect();
            assert_eq!(places.concat(), at, "{comment}");
            let found = found.and_then(|found| found.hint);
            assert_eq!(found.as_deref(), hint, "{comment}");
        }
    }
}
