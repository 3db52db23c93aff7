//! Files of scrambles: starts given by moves.
//!
//! One scramble per line, `NAME: MOVES = COST`, of which only the moves are required; or the blocks
//! of ksolve, `ScrambleAlg NAME`, lines of moves, and `End`. `#` at the start of a word begins a
//! comment.

use std::collections::HashSet;

use psvn_ir::instances::Instance;
use psvn_ir::moves::{Mover, WrongMove};
use psvn_syntax::{Diagnostic, Span};

use crate::lines::{Line, Lines};
use crate::problems::Problems;

/// A word of a scramble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<'t> {
    /// Its text, such as `U2`.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// A start that is given by moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scramble<'t> {
    /// Its name, or its number in the file, from 1.
    pub id: String,
    /// The moves that lead there.
    pub moves: Vec<Move<'t>>,
    /// The known least cost of the way back.
    pub known_cost: Option<u128>,
    /// The place of the moves.
    pub span: Span,
}

/// Return whether a text begins with a block of ksolve. Lines alone don't show whether their words
/// are moves or values.
pub fn begins_with_block(text: &str) -> bool {
    let mut lines = lines_of(text);
    let first = lines
        .next()
        .and_then(|line| words_of(line).into_iter().next());
    first.is_some_and(|word| is_block(word.text))
}

/// Read a file of scrambles.
///
/// # Errors
/// All errors, each with its place. Moves are not checked.
pub fn parse(text: &str) -> Result<Vec<Scramble<'_>>, Vec<Diagnostic>> {
    let mut reader = Reader {
        lines: lines_of(text),
        problems: Problems::default(),
        found: Vec::new(),
    };
    while let Some(line) = reader.lines.next() {
        let words = words_of(line);
        match words.first() {
            Some(word) if is_block(word.text) => reader.block(&words),
            Some(_) => reader.line(words),
            None => {}
        }
    }
    if reader.problems.has_errors() {
        Err(reader.problems.finish())
    } else {
        Ok(reader.found)
    }
}

fn lines_of(text: &str) -> Lines<'_> {
    Lines::new(text, |line| line.starts_with('#'))
}

/// The words of a line in front of a comment.
fn words_of<'t>(line: Line<'t>) -> Vec<Move<'t>> {
    let word = |Line { text, span }| Move { text, span };
    let words = line.words().map(word);
    words
        .take_while(|word| !word.text.starts_with('#'))
        .collect()
}

fn is_block(word: &str) -> bool {
    matches!(word, "ScrambleAlg" | "Scramble" | "RandomScramble")
}

struct Reader<'t> {
    lines: Lines<'t>,
    problems: Problems,
    found: Vec<Scramble<'t>>,
}

impl<'t> Reader<'t> {
    fn error(&mut self, message: &str, span: Span, label: &str, hint: &str) {
        let error = Diagnostic::error("wrong-scramble", message.to_owned()).at(span, label);
        self.problems.push(error.hint(hint));
    }

    /// The name of the next scramble if it is given none.
    fn number(&self) -> String {
        (self.found.len() + 1).to_string()
    }

    /// `NAME: MOVES = COST`.
    fn line(&mut self, mut words: Vec<Move<'t>>) {
        let whole = span_of(&words);
        let mut id = self.number();
        if let Some(name) = words[0].text.strip_suffix(':').filter(|it| !it.is_empty()) {
            id = name.to_owned();
            words.remove(0);
        }
        let mut known_cost = None;
        if let Some(place) = words.iter().rposition(|word| word.text.starts_with('=')) {
            let text: String = words[place..].iter().map(|word| word.text).collect();
            match text[1..].parse() {
                Ok(cost) => known_cost = Some(cost),
                Err(_) => {
                    let message = format!("expected a cost after `=`, found `{}`", &text[1..]);
                    let error = Diagnostic::error("bad-instance-cost", message);
                    let span = span_of(&words[place..]);
                    self.problems.push(error.at(span, "no whole number"));
                }
            }
            words.truncate(place);
        }
        if words.is_empty() {
            let hint = "a line is `NAME: MOVES = COST`, where only the moves are required";
            self.error("there are no moves", whole, "none here", hint);
            return;
        }
        self.found.push(Scramble {
            id,
            span: span_of(&words),
            moves: words,
            known_cost,
        });
    }

    /// `ScrambleAlg NAME`, lines of moves, `End`.
    fn block(&mut self, head: &[Move<'t>]) {
        let is_moves = head[0].text == "ScrambleAlg";
        if !is_moves {
            self.error(
                "a scramble that isn't given by moves",
                head[0].span,
                "positions, or drawn at random",
                "write the moves that lead there, as `ScrambleAlg NAME`, moves, `End`",
            );
        }
        let id = match head.get(1) {
            Some(_) => {
                let names: Vec<&str> = head[1..].iter().map(|word| word.text).collect();
                names.join(" ")
            }
            None => self.number(),
        };
        let mut moves = Vec::new();
        loop {
            match self.lines.next().map(words_of) {
                Some(words) if words.first().is_some_and(|word| word.text == "End") => break,
                Some(words) => moves.extend(words),
                None => {
                    let hint = "a block ends with a line `End`";
                    let (span, label) = (head[0].span, "begins here");
                    self.error("a scramble without an end", span, label, hint);
                    break;
                }
            }
        }
        if is_moves {
            self.found.push(Scramble {
                id,
                span: if moves.is_empty() {
                    span_of(head)
                } else {
                    span_of(&moves)
                },
                moves,
                known_cost: None,
            });
        }
    }
}

/// The place of some words, one at least.
fn span_of(words: &[Move<'_>]) -> Span {
    match words {
        [first, .., last] => Span::new(first.span.start, last.span.end),
        [only] => only.span,
        [] => Span::default(),
    }
}

/// Read the states of a file of scrambles, whose moves are those of a game.
///
/// # Errors
/// All errors with their places. Moves are checked only where the file has no other errors.
pub fn read(text: &str, mover: &Mover<'_>) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let mut instances = Vec::new();
    let mut errors = Vec::new();
    for scramble in parse(text)? {
        let words: Vec<&str> = scramble.moves.iter().map(|word| word.text).collect();
        match mover.walk(&words) {
            Ok(walk) => instances.push(Instance {
                span: scramble.span,
                ..Instance::new(scramble.id, walk.end().clone(), scramble.known_cost)
            }),
            Err(wrong) => errors.push(shown(&scramble, &wrong)),
        }
    }
    if errors.is_empty() {
        Ok(instances)
    } else {
        Err(errors)
    }
}

/// The diagnostic of an error in a scramble, at its place in the file.
fn shown(scramble: &Scramble<'_>, wrong: &WrongMove) -> Diagnostic {
    let word = scramble.moves.get(wrong.word);
    let span = word.map_or(scramble.span, |word| word.span);
    Diagnostic::error("wrong-scramble", wrong.to_string()).at(span, "at this move")
}

/// Return warnings of names that several scrambles have.
pub fn repeated_names(instances: &[Instance]) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let repeated = instances.iter().filter(|it| !seen.insert(&*it.id));
    let warning = |it: &Instance| {
        let message = format!("two instances are called `{}`", it.id);
        Diagnostic::warning("repeated-instance-name", message)
            .at(it.span, "the same name as another one")
    };
    repeated.map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String, Option<u128>)> {
        let scrambles = parse(text).expect("a file without errors");
        let one = |it: Scramble<'_>| {
            for word in &it.moves {
                assert_eq!(&text[word.span.start..word.span.end], word.text);
            }
            let moves: Vec<&str> = it.moves.iter().map(|word| word.text).collect();
            (it.id, moves.join(" "), it.known_cost)
        };
        scrambles.into_iter().map(one).collect()
    }

    fn part(id: &str, moves: &str, cost: Option<u128>) -> (String, String, Option<u128>) {
        (id.to_owned(), moves.to_owned(), cost)
    }

    #[test]
    fn lines_have_names_moves_and_costs() {
        let text = "\u{feff}# a remark\nR U2 F'\n\nfar: R U # not so far\nb: U = 3\nU U =12\n";
        assert!(!begins_with_block(text));
        let expected = [
            part("1", "R U2 F'", None),
            part("far", "R U", None),
            part("b", "U", Some(3)),
            part("4", "U U", Some(12)),
        ];
        assert_eq!(read(text), expected);
        // A label may have a colon within it.
        assert_eq!(read("\u{feff}a:b c"), [part("1", "a:b c", None)]);
        assert_eq!(read("# nothing\n"), []);
    }

    #[test]
    fn blocks_hold_lines_of_moves() {
        let text = "# ksolve\nScrambleAlg first one\nR U\nR' # back\nEnd\nScrambleAlg\nEnd\nU\n";
        assert!(begins_with_block(text));
        let expected = [
            part("first one", "R U R'", None),
            part("2", "", None),
            part("3", "U", None),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_is_no_scramble_is_refused_at_its_place() {
        let places = |text: &str| {
            let errors = parse(text).expect_err("an error");
            let place =
                |it: Diagnostic| (it.code, it.primary.map(|it| (it.span.start, it.span.end)));
            errors.into_iter().map(place).collect::<Vec<_>>()
        };
        assert_eq!(places("a:"), [("wrong-scramble", Some((0, 2)))]);
        assert_eq!(places("R\na: = 7"), [("wrong-scramble", Some((2, 8)))]);
        assert_eq!(places("R = x y"), [("bad-instance-cost", Some((2, 7)))]);
        assert_eq!(
            places("ScrambleAlg a\nR"),
            [("wrong-scramble", Some((0, 11)))]
        );
        let positions = "Scramble a\nCORNERS\n1 2\nEnd\nR =\n";
        assert_eq!(
            places(positions),
            [
                ("wrong-scramble", Some((0, 8))),
                ("bad-instance-cost", Some((29, 30)))
            ]
        );
    }
}
