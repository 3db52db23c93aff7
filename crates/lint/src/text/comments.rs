//! Warnings about comment lines that have a meaning, or nearly one.
//!
//! A game is valid whatever its comments say, so programs that don't need them ignore mistakes in
//! them. These warnings report the mistakes before another program stumbles over them.

use psvn_ir::comments::mentions_abstractions;
use psvn_ir::near_miss;
use psvn_syntax::{Diagnostic, Span};

/// The words that begin comment lines with a meaning.
const WORDS: [&str; 7] = [
    "abstraction",
    "alias",
    "illegal",
    "layout",
    "players",
    "rotation",
    "start",
];
/// The words of layouts of boards.
pub const LAYOUT_WORDS: [&str; 11] = [
    "blank", "color", "columns", "cube", "falls", "open", "places", "rows", "show", "towers",
    "walker",
];

/// A comment line of the form `# HEAD: CONTENT`.
#[derive(Clone, Copy, Debug)]
pub struct Comment<'t> {
    /// The text in front of the colon.
    pub head: &'t str,
    /// The text behind it.
    pub content: &'t str,
    /// The place of the content.
    pub place: Span,
    head_place: Span,
}

/// Return the warnings about the comment lines of a game's text, at most one for each line. Layouts
/// of boards are left to those who draw them.
pub fn lint_comments(game: &psvn_ir::Game, text: &str) -> Vec<Diagnostic> {
    comments(text)
        .filter_map(|comment| match comment.head.split_once(' ') {
            None if WORDS.contains(&comment.head) => wrong(game, &comment),
            Some(("start", name)) if is_name(name.trim()) => wrong_start(game, &comment),
            _ => misspelled(game, text, &comment),
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

/// Return the comment lines that have a colon.
pub fn comments(text: &str) -> impl Iterator<Item = Comment<'_>> {
    let place_of = move |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        Span::new(start, start + part.len())
    };
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        let comment = line.strip_prefix('#').or_else(|| line.strip_prefix(';'))?;
        let (head, content) = comment.split_once(':')?;
        // A blank before the colon deprives the line of its meaning, so it stays.
        let (head, content) = (head.trim_start(), content.trim());
        Some(Comment {
            head,
            content,
            place: place_of(content),
            head_place: place_of(head),
        })
    })
}

/// Return the warning that a comment with a meaning is wrong, with what is said at its place.
pub fn wrong_comment(message: String, place: Span, at_caret: impl Into<String>) -> Diagnostic {
    Diagnostic::warning("wrong-comment", message).at(place, at_caret)
}

/// The warning about a line with a known word, except a layout.
fn wrong(game: &psvn_ir::Game, comment: &Comment<'_>) -> Option<Diagnostic> {
    let (content, place) = (comment.content, comment.place);
    match comment.head {
        "start" => wrong_start(game, comment),
        "players" if !["1", "2"].contains(&content) => {
            let message = format!("`{content}` is no number of players");
            Some(wrong_comment(message, place, "`1` or `2` expected"))
        }
        "alias" if !content.contains(" = ") => {
            let message = "this alias names no moves".to_owned();
            let finding = wrong_comment(message, place, "` = ` expected");
            Some(finding.hint("an alias is `NAME = MOVES`, such as `R' = R R R`"))
        }
        "abstraction" if content.is_empty() => Some(wrong_comment(
            "this abstraction has no name".to_owned(),
            comment.head_place,
            "a name expected",
        )),
        _ => None,
    }
}

/// The warning about a line that declares a start which isn't a state.
fn wrong_start(game: &psvn_ir::Game, comment: &Comment<'_>) -> Option<Diagnostic> {
    let error = game.parse_state(comment.content).err()?;
    Some(wrong_comment(
        format!("the declared start isn't a state: {error}"),
        comment.place,
        "one value for each variable expected",
    ))
}

/// The warning about a line that probably was meant to have a meaning: its head resembles a word
/// that has one, and its content is what follows this word.
fn misspelled(game: &psvn_ir::Game, text: &str, comment: &Comment<'_>) -> Option<Diagnostic> {
    let mut words = comment.head.split_whitespace();
    let (word, name) = (words.next()?, words.next());
    if words.next().is_some() {
        return None;
    }
    let same = WORDS.iter().find(|known| known.eq_ignore_ascii_case(word));
    let meant = same.copied().or_else(|| near_miss(word, WORDS))?;
    let content = comment.content;
    let fits = match meant {
        "start" => content.split_whitespace().count() == game.n_variables(),
        _ if name.is_some() => false,
        "layout" => content
            .split_whitespace()
            .any(|it| LAYOUT_WORDS.contains(&it)),
        "players" => ["1", "2"].contains(&content),
        "alias" | "illegal" | "rotation" => content.contains(" = "),
        _ => mentions_abstractions(text),
    };
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    fits.then(|| {
        let head = comment.head;
        Diagnostic::warning(
            "misspelled-comment",
            format!("`{head}:` has no meaning, so this line is skipped"),
        )
        .at(comment.head_place, "")
        .hint(format!("did you mean `{meant}{name}:`?"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings about two lamps with a comment: code, text at the caret, and hint.
    fn found(comment: &str) -> Vec<(&'static str, String, Option<String>)> {
        let text = format!("{comment}\n2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let place = |it: &Diagnostic| it.primary.as_ref().expect("a place").span;
        lint_comments(&game, &text)
            .into_iter()
            .map(|it| {
                (
                    it.code,
                    text[place(&it).start..place(&it).end].to_owned(),
                    it.hint,
                )
            })
            .collect()
    }

    #[test]
    fn lines_with_a_meaning_are_checked() {
        for (comment, at, hint) in [
            ("# start: 0", "0", None),
            ("  ; start all-on: 1 1 1", "1 1 1", None),
            ("# players: many", "many", None),
            (
                "# alias: both",
                "both",
                Some("an alias is `NAME = MOVES`, such as `R' = R R R`"),
            ),
        ] {
            let expected = ("wrong-comment", at.to_owned(), hint.map(str::to_owned));
            assert_eq!(found(comment), [expected], "{comment}");
        }
    }

    #[test]
    fn misspelled_words_are_noticed() {
        for (comment, at, meant) in [
            ("# strat: 0 1", "strat", "start:"),
            ("# Start: 0 1", "Start", "start:"),
            ("# strat on: 1 1", "strat on", "start on:"),
            ("# start : 0 1", "start ", "start:"),
            ("# layuot: rows 1 columns 2", "layuot", "layout:"),
            ("# player: 2", "player", "players:"),
            ("# allias: both = a b", "allias", "alias:"),
        ] {
            let hint = Some(format!("did you mean `{meant}`?"));
            assert_eq!(
                found(comment),
                [("misspelled-comment", at.to_owned(), hint)],
                "{comment}"
            );
        }
    }

    #[test]
    fn prose_is_no_mistake() {
        for comment in [
            "# start: 0 1\n# start all-on: 1 1\n# layout: rows 1 columns 2 blank 0\n# players: 1",
            "# Start: both lamps are off",
            "# state: 0 1 of each lamp",
            "# Layout: the first lamp is on the left",
            "# Players: one person",
            "# start at once: 0 0",
            "# http://example.org/start: a page",
        ] {
            assert_eq!(found(comment), [], "{comment}");
        }
    }
}
