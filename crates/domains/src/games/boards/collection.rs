//! Files of Sokoban levels in their usual text form: rows of characters, with remarks and empty
//! lines between the levels.

use crate::arguments::Arguments;
use crate::error::{GenerateError, LevelError};
use crate::games::boards::level::{CHARACTERS, Level, Wrong};
use crate::games::boards::picture::{Picture, Place};
use crate::games::boards::sokoban;

/// The characters of a level, for messages.
const KNOWN: &str = "a level has walls `#`, floor (blank, `-` or `_`), goals `.`, boxes `$`, boxes on goals `*`, \
                     and the keeper `@`, or `+` on a goal";

/// Write a level of Sokoban as PSVN text: the one with this number, from 1, in a text in the usual
/// form. `options` are those of the generator, such as `cost=pushes`.
///
/// Rows are lines of walls `#`, floor (blank, `-` or `_`), goals `.`, boxes `$`, boxes on goals
/// `*`, and the keeper `@`, or `+` on a goal. Empty lines, and lines that begin with a letter, a
/// digit or `;`, separate levels.
///
/// ```
/// let text = "; a small one\n#####\n#@$.#\n#####\n";
/// let game = domains::sokoban_level(text, 1, &[])?;
/// assert_eq!(game, domains::generate("sokoban", &["#####/#@$.#/#####"])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// There is no such level, it isn't a game, or an option is wrong. Errors in the text have a place.
pub fn sokoban_level(text: &str, number: usize, options: &[&str]) -> Result<String, LevelError> {
    let levels = levels(text);
    let chosen = number.checked_sub(1).and_then(|index| levels.get(index));
    let Some(rows) = chosen else {
        return Err(LevelError::Missing {
            number,
            n_levels: levels.len(),
        });
    };
    if let Some(error) = rows.iter().find_map(Row::unknown) {
        return Err(error);
    }
    let lines: Vec<&str> = rows.iter().map(|row| row.text).collect();
    let level = Level::read(Picture::of_rows(&lines));
    let level = level.map_err(|wrong| misplaced(rows, &wrong))?;
    let mut args = Arguments::new(&sokoban::INFO, options);
    if let Some(word) = args.word() {
        let expected = "options only, since the level is in a file";
        return Err(args.invalid("LEVEL", word, expected).into());
    }
    let game = sokoban::build_level(&mut args, &level)?;
    Ok(game.to_text())
}

/// A row of a level.
struct Row<'a> {
    /// The number of its line, from 1.
    line: usize,
    text: &'a str,
}

impl Row<'_> {
    /// The error about an unknown character.
    fn unknown(&self) -> Option<LevelError> {
        let found = self.text.chars().position(|c| !CHARACTERS.contains(c))?;
        let sign = self.text.chars().nth(found)?;
        Some(LevelError::Text {
            line: self.line,
            column: found + 1,
            message: format!("`{}` means nothing in a level", sign.escape_debug()),
            hint: KNOWN,
        })
    }
}

/// The levels of a text.
fn levels(text: &str) -> Vec<Vec<Row<'_>>> {
    let mut levels: Vec<Vec<Row<'_>>> = Vec::new();
    let mut is_inside = false;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim_end();
        let first = text.trim_start().chars().next();
        let is_remark = first.is_none_or(|c| c.is_alphanumeric() || matches!(c, ';' | ':' | '\''));
        if is_remark {
            is_inside = false;
            continue;
        }
        let row = Row { line, text };
        match levels.last_mut().filter(|_| is_inside) {
            Some(level) => level.push(row),
            None => levels.push(vec![row]),
        }
        is_inside = true;
    }
    levels
}

/// The error with its place in the text. A missing part has the place where the level begins.
fn misplaced(rows: &[Row<'_>], wrong: &Wrong) -> LevelError {
    let (row, column): Place = wrong.place.unwrap_or_default();
    LevelError::Text {
        line: rows.get(row).map_or(1, |row| row.line),
        column: column + 1,
        message: format!("{} instead of {}", wrong.found, wrong.expected),
        hint: KNOWN,
    }
}

impl From<GenerateError> for LevelError {
    fn from(error: GenerateError) -> Self {
        LevelError::Options(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str =
        "Two levels\n\n  ####\n###  #\n#@$ .#\n######\n; remark\n#####\r\n#.$@#\r\n#####\n";

    fn place(text: &str) -> (usize, usize, String) {
        match sokoban_level(text, 1, &[]) {
            Err(LevelError::Text {
                line,
                column,
                message,
                ..
            }) => (line, column, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn levels_are_those_of_the_generator() {
        for (number, rows) in [(1, "  ####/###  #/#@$ .#/######"), (2, "#####/#.$@#/#####")] {
            let written = crate::generate("sokoban", &[rows, "cost=pushes"]);
            let read = sokoban_level(TWO, number, &["cost=pushes"]);
            assert_eq!(read.expect("a level"), written.expect("a game"));
        }
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let text = |row: &str| format!("\n#####\n{row}\n#####\n");
        let (line, column, message) = place(&text("#@x.#"));
        assert_eq!((line, column), (3, 3));
        assert_eq!(message, "`x` means nothing in a level");
        assert_eq!(place(&text("#@@$.#")).1, 3);
        assert_eq!(place(&text("# $. #")).0, 2);
        // The way leads out behind the goal.
        assert_eq!(place(&text("#@$.")), {
            let message = "an open level instead of walls `#` all around the keeper";
            (3, 4, message.to_owned())
        });
        let (_, column, message) = place(&text("#@$$.#".replace('.', " ").as_str()));
        assert_eq!(column, 3);
        assert!(message.starts_with("2 boxes and 0 goals"));
        assert_eq!(place("######\n#@$$.#\n######").1, 4);
        assert_eq!(place("########\n#@$.#$.#\n########").1, 6);
    }

    #[test]
    fn there_must_be_such_a_level() {
        for (text, number, n_levels) in [(TWO, 3, 2), (TWO, 0, 2), ("Title\n\n", 1, 0)] {
            let error = sokoban_level(text, number, &[]);
            assert_eq!(error, Err(LevelError::Missing { number, n_levels }));
        }
        let error = sokoban_level(TWO, 1, &["cost=none"]);
        assert!(matches!(error, Err(LevelError::Options(_))));
        let error = sokoban_level(TWO, 1, &["#####"]);
        assert!(matches!(error, Err(LevelError::Options(_))));
    }
}
