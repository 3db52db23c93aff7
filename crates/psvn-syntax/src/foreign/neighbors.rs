//! Formats of neighboring programs that aren't read: each has a way to one that is.

use super::{first_line, rejected};
use crate::Diagnostic;

/// Return the error that a text is in a format that isn't read, if its beginning shows that. The
/// error names the format, and what to do instead.
pub fn unread(text: &str) -> Option<Diagnostic> {
    let (message, hint) = of_first_line(first_line(text)?, text)?;
    Some(rejected(text, message, hint))
}

/// The message and the hint.
fn of_first_line(line: &str, text: &str) -> Option<(String, &'static str)> {
    let lower = line.to_ascii_lowercase();
    let word = lower.split_whitespace().next().unwrap_or_default();
    if word == "begin_variables" || word == "begin_metric" {
        let version = match word {
            "begin_metric" => "version 1, without a line `begin_version`",
            _ => "the oldest version, with a section `begin_variables`",
        };
        let hint = "translate the task again, with a translator that writes version 3, such as that of \
                    Fast Downward";
        return Some((
            format!("this is SAS+ of {version}, and only version 3 is read"),
            hint,
        ));
    }
    if word.starts_with("(define") || word == "(" && lower.contains("define") {
        // The part may stand on the next line.
        let beginning: String = text
            .chars()
            .take(400)
            .collect::<String>()
            .to_ascii_lowercase();
        let part = ["domain", "problem"]
            .into_iter()
            .filter_map(|part| Some((beginning.find(&format!("({part}"))?, part)))
            .min()
            .map_or("task", |(_, part)| part);
        let hint = "translate domain and problem first: with Fast Downward installed (`pip install \
                    up-fast-downward`), `psvn import pddl DOMAIN.pddl PROBLEM.pddl` writes PSVN, and \
                    `psvn solve` takes both files; or its `translate.py` writes SAS+, which is read";
        return Some((format!("this is a PDDL {part}, and PDDL isn't read"), hint));
    }
    if line.starts_with('{') && text.contains("\"pieces\"") && !text.contains("\"orbits\"") {
        let hint = "give the puzzle, a KPuzzle with `orbits` and `moves`; a state of it is given by \
                    its values, or by the moves that lead there";
        return Some((
            "this is a KPattern, a state of a puzzle without its moves".to_owned(),
            hint,
        ));
    }
    let mut words = lower.split_whitespace();
    if words.next() == Some("type") && words.next().is_some() && text.contains("\nheight") {
        let hint = "`psvn gen map ROWS` writes a walk on a map: give it the rows below the line `map`, \
                    divided by `/`, with `G` at the goal; `.` is free";
        return Some((
            "this is a grid map of the Moving AI Lab of another type than octile, and such files \
             aren't read"
                .to_owned(),
            hint,
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighboring_formats_are_named() {
        for (text, name) in [
            ("; c\n(define (domain d))", "a PDDL domain"),
            ("(DEFINE\n (PROBLEM p) (:domain d))", "a PDDL problem"),
            ("\u{feff}begin_metric\n0\nend_metric\n", "SAS+ of version 1"),
            ("begin_variables\n1\n", "SAS+ of the oldest version"),
            ("type tile\nheight 1\nwidth 1\nmap\n.\n", "a grid map"),
        ] {
            let found = unread(text).expect("a format that isn't read");
            assert!(
                found.message.starts_with(&format!("this is {name}")),
                "{found}"
            );
            let span = found.primary.expect("a place").span;
            assert!(!text[span.start..span.end].is_empty());
            assert!(found.hint.is_some());
        }
        for text in ["", "2 2 2\n", "type X\n", "begin_version\n3\n"] {
            assert_eq!(unread(text), None);
        }
    }
}
