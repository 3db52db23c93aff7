//! Comments in a game's text that this toolkit reads; other programs skip them.

pub(super) mod abstractions;
pub(super) mod aliases;
pub(super) mod declared_players;
pub(super) mod illegal;
pub(super) mod lint;
pub(super) mod rotations;
pub(super) mod start;

/// The comment lines, without the marks that begin them.
fn lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix('#').or_else(|| line.strip_prefix(';'))
    })
}

/// The contents of the comment lines that begin with a word and a colon.
fn lines_of<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    lines(text)
        .filter_map(move |comment| comment.trim().strip_prefix(word))
        .filter_map(|rest| rest.strip_prefix(':'))
        .map(str::trim)
}
