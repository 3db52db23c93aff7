//! The lines of instance files: `ID: STATE = COST`.

use psvn_syntax::{Diagnostic, Span};

use super::Parts;
use super::words::{self, WordMap};
use crate::{Game, State, StateError, VarId};

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

/// Split each line that has words into them; `#` at the start of a word begins a comment.
pub(super) fn split(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut words = Vec::new();
        // A byte order mark isn't a part of the first word.
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

/// The parts of a line; `number` is its name unless it has one.
pub(super) fn parts<'t>(
    words: &[Word<'t>],
    number: usize,
    map: &WordMap,
    game: &Game,
) -> Result<Parts<'t>, Box<Diagnostic>> {
    let n = game.n_variables();
    let mut words = words.to_vec();
    let whole = span_of(&words);
    let mut id = number.to_string();
    // A value may contain a colon or an equals sign. As many words as a state has are a state,
    // unless the first of them isn't a value.
    let is_value = |word: &str| {
        let domain = game.domain_of(VarId::from_index(0));
        domain.lookup(map.value_of(word)).is_some()
    };
    if let Some((front, rest)) = words[0].text.split_once(':')
        && (words.len() != n || (n > 0 && !is_value(words[0].text)))
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
    let (words, known_cost) = split_cost(words, n)?;
    Ok(Parts {
        id,
        whole: if words.is_empty() {
            whole
        } else {
            span_of(&words)
        },
        state: words,
        known_cost,
    })
}

/// The words in front of `= COST`.
pub(super) fn without_cost<'w, 't>(words: &'w [Word<'t>]) -> &'w [Word<'t>] {
    let place = words.iter().rposition(|word| word.text.starts_with('='));
    place.map_or(words, |place| &words[..place])
}

/// Take `= COST` off the end of some words, if there are more of them than a state has.
pub(super) fn split_cost(
    mut words: Vec<Word<'_>>,
    n: usize,
) -> Result<(Vec<Word<'_>>, Option<u128>), Box<Diagnostic>> {
    let place = without_cost(&words).len();
    if place == words.len() || words.len() <= n && n != usize::MAX {
        return Ok((words, None));
    }
    let text: String = words[place..].iter().map(|word| word.text).collect();
    let cost = text[1..].parse().map_err(|_| {
        let found = &text[1..];
        Box::new(
            Diagnostic::error(
                "bad-instance-cost",
                format!("expected a cost after `=`, found `{found}`"),
            )
            .at(span_of(&words[place..]), "no whole number"),
        )
    })?;
    words.truncate(place);
    Ok((words, Some(cost)))
}

/// The state that some words are.
pub(super) fn state(
    words: &[Word<'_>],
    whole: Span,
    map: &WordMap,
    game: &Game,
) -> Result<State, Box<Diagnostic>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    map.state(&texts, game).map_err(|error| {
        let message = error.to_string();
        let hint = words::respelled(&texts, map, game);
        Box::new(match &error {
            StateError::Value { position, .. } => {
                let diagnostic = Diagnostic::error("unknown-value", message)
                    .at(words[*position].span(), "no value of this position");
                match hint {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                }
            }
            StateError::Length { expected, found } => {
                let odd = if found < expected {
                    format!("{} missing", expected - found)
                } else {
                    format!("{} too many", found - expected)
                };
                let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
                let hint = match (hint, texts.last()) {
                    (Some(hint), _) => hint,
                    (None, Some(last)) if *found == expected + 1 && is_number(last) => {
                        format!("if `{last}` is the least cost, write `= {last}`")
                    }
                    _ => {
                        "a line is `ID: STATE = COST`, where only the state is required".to_owned()
                    }
                };
                Diagnostic::error("wrong-state-length", message)
                    .at(whole, odd)
                    .hint(hint)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::Instance;
    use super::super::test_games::numbers;
    use super::*;

    fn game() -> Game {
        numbers(3, 2)
    }

    fn line(text: &str) -> Result<Instance, Box<Diagnostic>> {
        let map = WordMap::default();
        parts(&split(text)[0], 7, &map, &game())?.instance(&map, &game())
    }

    #[test]
    fn a_line_is_split_into_its_parts() {
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
            // As many words as a state has, the first of which is a name.
            ("b: 1", 3, 4),
            ("b:0", 2, 3),
        ] {
            assert_eq!(place(wrong), Span::new(start, end), "{wrong}");
        }
    }
}
