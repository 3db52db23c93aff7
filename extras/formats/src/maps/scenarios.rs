//! Scenarios of the Moving AI Lab (`.scen`): pairs of places on a map, with their distances.

use psvn_syntax::{Diagnostic, Span};

use crate::problems::Problems;

/// The form of a line.
const FORM: &str = "a line has a bucket, the map, its width and height, the column and row of the \
                    start and of the goal, and the distance";

/// Return the lines of an instance file for the scenarios of a text, line by line, each with the
/// distance as a comment; `None` for other texts.
///
/// # Errors
/// All errors of the text, each with its place.
pub fn instances(text: &str) -> Option<Result<String, Vec<Diagnostic>>> {
    let head = text.lines().next()?;
    let mut words = head.split_whitespace();
    if words.next() != Some("version") || words.next()?.parse::<f64>().is_err() {
        return None;
    }
    let mut problems = Problems::default();
    let mut found = String::from("# Scenarios: a place and a destination.\n");
    let mut next = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let begin = next;
        next += line.len();
        if number == 0 {
            continue;
        }
        let said = line.trim_end();
        if !said.trim().is_empty() {
            match pair(said) {
                Some(pair) => found.push_str(&pair),
                None => {
                    let span = Span::new(begin, begin + said.len());
                    let error = Diagnostic::error("scenario", "this isn't a scenario");
                    problems.push(error.at(span, "").hint(FORM));
                }
            }
        }
        found.push('\n');
    }
    Some(if problems.has_errors() {
        Err(problems.finish())
    } else {
        Ok(found)
    })
}

/// Start and destination of a scenario, and its distance as a comment.
fn pair(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // The name of the map may have blanks.
    let [.., column, row, to_column, to_row, distance] = words.as_slice() else {
        return None;
    };
    let numbers = [column, row, to_column, to_row].map(|word| word.parse::<u32>().ok());
    let [Some(column), Some(row), Some(to_column), Some(to_row)] = numbers else {
        return None;
    };
    let distance: f64 = distance.parse().ok()?;
    (words.len() >= 9)
        .then(|| format!("{column},{row} {to_column},{to_row}  # distance {distance}"))
}
