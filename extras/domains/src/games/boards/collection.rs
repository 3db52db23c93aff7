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
/// `*`, and the keeper `@`, or `+` on a goal. All other lines separate levels. A line that has
/// other characters, but is below a row and must be one, is an error.
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
        return Err(foreign(text).unwrap_or(LevelError::Missing {
            number,
            n_levels: levels.len(),
        }));
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

/// The levels of a text: rows one below the other, at least one of them with a wall.
fn levels(text: &str) -> Vec<Vec<Row<'_>>> {
    let mut levels: Vec<Vec<Row<'_>>> = Vec::new();
    let mut is_inside = false;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim_end();
        if !is_row(text, is_inside) {
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
    levels.retain(|rows| rows.iter().any(|row| row.text.contains('#')));
    levels
}

/// Whether a line is a row of a level. A line between walls below another row (`is_inside`) is one
/// even if some of its characters are wrong.
fn is_row(text: &str, is_inside: bool) -> bool {
    // A line of floor alone, such as `-----`, is a rule between levels.
    let shows_something = text.contains(|c| !"-_ ".contains(c));
    let n_unknown = text.chars().filter(|c| !CHARACTERS.contains(*c)).count();
    let row = text.trim();
    let n_known = row.chars().count() - n_unknown;
    // In a remark, most characters are letters.
    let has_slips = 3 * n_unknown <= n_known && row.starts_with('#') && row.ends_with('#');
    shows_something && (n_unknown == 0 || is_inside && has_slips)
}

/// The error about levels in a form that isn't read, if the text has some.
fn foreign(text: &str) -> Option<LevelError> {
    let is_count = |c: char| c.is_ascii_digit() || "|()".contains(c);
    let is_packed = |line: &str| {
        line.matches('#').nth(1).is_some()
            && line.contains(is_count)
            && line.chars().all(|c| is_count(c) || CHARACTERS.contains(c))
    };
    (1..).zip(text.lines()).find_map(|(line, text)| {
        let (message, hint) = if text.contains("<L>") || text.contains("<Level") {
            (
                "levels in XML (`.slc`) can't be read",
                "save them as text, one row per line, without `<L>` and `</L>`",
            )
        } else if is_packed(text) {
            (
                "a level in one line, with `|` between rows or numbers before characters, can't be read",
                "write each row on a line of its own, and each square as a character",
            )
        } else {
            return None;
        };
        Some(LevelError::Text {
            line,
            column: 1,
            message: message.to_owned(),
            hint,
        })
    })
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
    fn remarks_and_rules_are_no_levels() {
        let remarks = "-- a note\n/ another\n# Level 1\n\n-----\n#####\n#@$.#\n#####\n-- #2 --\n";
        let level = sokoban_level("#####\n#@$.#\n#####\n", 1, &[]).expect("a level");
        assert_eq!(sokoban_level(remarks, 1, &[]).expect("a level"), level);
        let error = sokoban_level(remarks, 2, &[]);
        let missing = LevelError::Missing {
            number: 2,
            n_levels: 1,
        };
        assert_eq!(error, Err(missing));
    }

    #[test]
    fn forms_that_are_not_read_get_a_hint() {
        for (text, word) in [
            ("<SokobanLevels>\n<Level>\n<L>####</L>\n", "XML"),
            ("; packed\n5#|#@$.#|5#\n", "in one line"),
            ("#####|#@$.#|#####\n", "in one line"),
        ] {
            let (line, column, message) = place(text);
            assert_eq!(column, 1);
            assert!(line > 0 && message.contains(word), "{message}");
        }
    }

    #[test]
    fn boxes_on_goals_behind_walls_are_walls() {
        let level = |behind: &str| {
            let rows = format!("#####\n#@$.#\n#####\n#{behind}#\n###\n");
            sokoban_level(&rows, 1, &[])
        };
        let rules = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_owned).collect()
        };
        let walled = level("*").expect("a level");
        assert_eq!(rules(&walled), rules(&level("#").expect("a level")));
        for loose in ["$", ".", "+"] {
            assert!(level(loose).is_err(), "{loose}");
        }
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
