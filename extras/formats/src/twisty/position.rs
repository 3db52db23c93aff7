//! Positions and moves in `.tws` files: for each set its name, pieces, and orientations.

use psvn_syntax::{Diagnostic, Span};

use super::puzzle::Set;
use crate::lines::{Line, Lines};
use crate::problems::Problems;

/// The entry of a set in a block.
pub(super) struct Entry {
    pub(super) set: usize,
    /// Pieces, or the places from which pieces come, from 0.
    pub(super) numbers: Vec<usize>,
    /// Orientations; `None` for `?`.
    pub(super) orientations: Vec<Option<usize>>,
    pub(super) span: Span,
}

/// How to read the numbers of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The first number: 0 or 1.
    pub(super) first: usize,
    /// Whether each number occurs once.
    pub(super) is_permutation: bool,
    /// Whether orientations may be `?`.
    pub(super) may_be_open: bool,
}

pub(super) fn error(code: &'static str, message: String, span: Span) -> Diagnostic {
    Diagnostic::error(code, message).at(span, "")
}

/// Read a block up to its `End`. Errors are reported, and the faulty parts left out.
pub(super) fn read(
    lines: &mut Lines<'_>,
    sets: &[Set],
    reading: Reading,
    problems: &mut Problems,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // The set whose numbers may follow, and whether to skip them because it is unknown.
    let mut is_skipped = false;
    let begin = lines.place();
    loop {
        let Some(line) = lines.next() else {
            let message = "the file ends within a block".to_owned();
            problems.push(error("tws-truncated", message, begin).hint("a block ends with `End`"));
            break;
        };
        let first = line.text.split_whitespace().next().unwrap_or_default();
        if first == "End" {
            break;
        }
        if first == "?" || first.starts_with(|c: char| c.is_ascii_digit()) {
            if !is_skipped {
                numbers(line, entries.last_mut(), sets, reading, problems);
            }
            continue;
        }
        let found = sets.iter().position(|set| set.name == line.text);
        is_skipped = found.is_none();
        let Some(set) = found else {
            let near = sets.iter().map(|set| set.name.as_str());
            let near = psvn_ir::near_miss(line.text, near);
            let message = format!("there is no set `{}`", line.text);
            let found = error("tws-unknown-set", message, line.span);
            problems.push(match near {
                Some(near) => found.hint(format!("did you mean `{near}`?")),
                None => found.hint("a block continues up to `End`"),
            });
            continue;
        };
        if entries.iter().any(|entry| entry.set == set) {
            let message = format!("set `{}` comes twice in this block", line.text);
            problems.push(error("tws-twice", message, line.span));
        }
        entries.push(Entry {
            set,
            numbers: vec![],
            orientations: vec![],
            span: line.span,
        });
    }
    for entry in &entries {
        if entry.numbers.is_empty() {
            let message = format!("there are no numbers for set `{}`", sets[entry.set].name);
            problems.push(error("tws-count", message, entry.span));
        }
    }
    entries.retain(|entry| !entry.numbers.is_empty());
    entries
}

/// Read a line of numbers: the first one of a set has pieces, the second one orientations.
fn numbers(
    line: Line<'_>,
    entry: Option<&mut Entry>,
    sets: &[Set],
    reading: Reading,
    problems: &mut Problems,
) {
    let Some(entry) = entry.filter(|entry| entry.orientations.is_empty()) else {
        let message = "these numbers don't belong to a set".to_owned();
        let hint = "a set has a line of pieces, and perhaps one of orientations";
        problems.push(error("tws-numbers", message, line.span).hint(hint));
        return;
    };
    let set = &sets[entry.set];
    let n_words = line.words().count();
    if n_words != set.places() {
        let message = format!(
            "set `{}` has {} places, and here are {n_words} numbers",
            set.name,
            set.places()
        );
        problems.push(error("tws-count", message, line.span));
        if entry.numbers.is_empty() {
            entry.numbers = (0..set.places()).collect();
        } else {
            entry.orientations = vec![Some(0); set.places()];
        }
        return;
    }
    let is_first = entry.numbers.is_empty();
    let (least, end) = if is_first {
        (reading.first, reading.first + set.places())
    } else {
        (0, set.orientations)
    };
    let mut seen = vec![false; end];
    for word in line.words() {
        let number = match word.text {
            "?" if !is_first && reading.may_be_open => None,
            text => match text.parse::<usize>() {
                Ok(number) if (least..end).contains(&number) => Some(number),
                _ => {
                    let message = format!("`{text}` isn't a number from {least} to {}", end - 1);
                    problems.push(error("tws-range", message, word.span));
                    Some(least)
                }
            },
        };
        if is_first {
            let number = number.unwrap_or(least);
            if reading.is_permutation && std::mem::replace(&mut seen[number], true) {
                let message = format!("`{number}` comes twice, so this isn't a permutation");
                problems.push(error("tws-permutation", message, word.span));
            }
            entry.numbers.push(number - least);
        } else {
            entry.orientations.push(number);
        }
    }
}
