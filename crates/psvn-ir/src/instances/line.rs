//! The lines of instance files: `ID: STATE = COST`.

use psvn_syntax::{Diagnostic, Span};

use super::Instance;
use crate::{Game, State, StateError};

/// A word of a line, with its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl Word<'_> {
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }
}

/// The place of some words, one at least.
pub(super) fn span_of(words: &[Word<'_>]) -> Span {
    match words {
        [first, .., last] => Span::new(first.start, last.span().end),
        [only] => only.span(),
        [] => Span::default(),
    }
}

/// The words of each line that has any; `#` at the start of a word begins a comment.
pub(super) fn split(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut words = Vec::new();
        // A mark for the order of bytes is no part of the first word.
        for word in line.split(|c: char| c.is_whitespace() || c == '\u{feff}') {
            let place = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            if word.starts_with('#') {
                break;
            }
            if !word.is_empty() {
                words.push(Word {
                    text: word,
                    start: place,
                });
            }
        }
        start += line.len();
        if !words.is_empty() {
            lines.push(words);
        }
    }
    lines
}

/// Reads a line; `number` is its name unless it has one.
pub(super) fn parse(
    words: &[Word<'_>],
    number: usize,
    game: &Game,
) -> Result<Instance, Box<Diagnostic>> {
    let mut words = words.to_vec();
    let whole = span_of(&words);
    let mut id = number.to_string();
    // A value may contain a colon or an equals sign: what has the length of a state is one.
    if words.len() != game.n_variables()
        && let Some((front, rest)) = words[0].text.split_once(':')
    {
        id = front.to_owned();
        words[0] = Word {
            text: rest,
            start: words[0].start + front.len() + 1,
        };
        if rest.is_empty() {
            words.remove(0);
        }
    }
    let mut known_cost = None;
    if words.len() > game.n_variables()
        && let Some(place) = words.iter().rposition(|word| word.text.starts_with('='))
    {
        let text: String = words[place..].iter().map(|word| word.text).collect();
        known_cost = Some(text[1..].parse().map_err(|_| {
            let found = &text[1..];
            Box::new(
                Diagnostic::error(
                    "bad-instance-cost",
                    format!("expected a cost behind `=`, found `{found}`"),
                )
                .at(span_of(&words[place..]), "no whole number"),
            )
        })?);
        words.truncate(place);
    }
    Ok(Instance {
        id,
        state: state(&words, whole, game)?,
        known_cost,
        span: if words.is_empty() {
            whole
        } else {
            span_of(&words)
        },
    })
}

/// The state that some words are.
pub(super) fn state(
    words: &[Word<'_>],
    whole: Span,
    game: &Game,
) -> Result<State, Box<Diagnostic>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    game.parse_state(&texts.join(" ")).map_err(|error| {
        let message = error.to_string();
        Box::new(match &error {
            StateError::Value { position, .. } => Diagnostic::error("unknown-value", message)
                .at(words[*position].span(), "no value of this position"),
            StateError::Length { expected, found } => {
                let span = if words.is_empty() {
                    whole
                } else {
                    span_of(words)
                };
                let odd = if found < expected {
                    format!("{} missing", expected - found)
                } else {
                    format!("{} too many", found - expected)
                };
                Diagnostic::error("wrong-state-length", message)
                    .at(span, odd)
                    .hint("a line is `ID: STATE = COST`, where only the state must be there")
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        crate::load("2  3 3\n0 A => A 0\nGOAL 0 1\n").game.unwrap()
    }

    fn line(text: &str) -> Result<Instance, Box<Diagnostic>> {
        parse(&split(text)[0], 7, &game())
    }

    #[test]
    fn the_parts_of_a_line_are_told_apart() {
        let parts = |text: &str| {
            let instance = line(text).unwrap();
            let values: Vec<u32> = instance
                .state
                .values()
                .iter()
                .map(|value| value.0)
                .collect();
            (instance.id, values, instance.known_cost)
        };
        assert_eq!(parts("0 1"), ("7".to_owned(), vec![0, 1], None));
        assert_eq!(parts("a: 0 1"), ("a".to_owned(), vec![0, 1], None));
        assert_eq!(parts("a:2 1 = 12"), ("a".to_owned(), vec![2, 1], Some(12)));
        assert_eq!(
            parts("2 1 =12 # easy"),
            ("7".to_owned(), vec![2, 1], Some(12))
        );
        assert_eq!(parts("\u{feff}0 1"), ("7".to_owned(), vec![0, 1], None));
        assert!(split("  # nothing\n\n   \n").is_empty());
    }

    #[test]
    fn what_is_no_instance_is_refused_at_its_place() {
        let place = |text: &str| line(text).unwrap_err().primary.unwrap().span;
        for (wrong, start, end) in [
            ("0", 0, 1),
            ("0 1 2", 0, 5),
            ("0 3", 2, 3),
            ("a: 7 1", 3, 4),
            ("a:", 0, 2),
            ("0 1 =", 4, 5),
            ("0 1 = x", 4, 7),
            ("0 1 = -1", 4, 8),
            ("0 1 = 1 2 x", 4, 11),
        ] {
            assert_eq!(place(wrong), Span::new(start, end), "{wrong}");
        }
    }
}
