//! Answers about small texts, whole and broken, and about all example games.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod actions;
mod any_text;
mod completion;
mod findings;
mod hover;
mod names;
mod structure;

use language_server::Document;

/// Three lamps in a row, of which two are switched.
pub(crate) const LAMPS: &str = "\
# Three lamps in a row.
DOMAIN lamp 2 off on
DOMAIN color 3 red green blue
4
lamp lamp color 2
# start: off off red 0
off X   - - => on  X -    - LABEL first
on  X   - - => off X -    - LABEL first-off
-   off C - => -   C blue 1 LABEL second COST 3
-   -   - 0 => -   - K    1
GOAL on on - -
GOAL on X X -
";

/// The document of a text in which `|` marks a place, without the mark, and the place.
pub(crate) fn marked(text: &str) -> (Document, usize) {
    let at = text.find('|').expect("a mark");
    (Document::new(text.replacen('|', "", 1)), at)
}

/// The place of the `n`-th occurrence of some words, from 1.
pub(crate) fn place(text: &str, words: &str, n: usize) -> usize {
    text.match_indices(words).nth(n - 1).unwrap().0
}
