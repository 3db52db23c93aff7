//! From `.tws` text to a puzzle.

use std::collections::HashSet;

use psvn_syntax::{Diagnostic, Span};

use super::definitions::{Definition, define};
use super::notation::Part;
use super::position::{Entry, Reading, error, read};
use super::puzzle::{Illegal, Move, Multiples, Puzzle, Set};
use super::turns::Turn;
use crate::lines::{Line, Lines};
use crate::problems::Problems;

/// The most places, or orientations, of a set.
const MOST_PLACES: usize = 10_000;

/// The words that begin a line outside of blocks.
const WORDS: &[&str] = &[
    "Name",
    "Set",
    "Solved",
    "StartState",
    "Move",
    "MoveTransformation",
    "MoveAlias",
    "MoveSequence",
    "Illegal",
    "SwizzleSet",
];

/// Read the definition of a puzzle in the format of ksolve and twsearch.
///
/// # Errors
/// When the text isn't a definition: all errors, each with its place.
pub fn parse(text: &str) -> Result<Puzzle, Vec<Diagnostic>> {
    let mut reader = Reader {
        lines: Lines::new(text, |line| line.starts_with('#')),
        problems: Problems::default(),
        puzzle: Puzzle::default(),
        names: HashSet::new(),
        definitions: Vec::new(),
        solved: None,
    };
    while let Some(line) = reader.lines.next() {
        reader.line(line);
    }
    reader.finish(Span::new(text.len(), text.len()))
}

/// Whether twisty programs read a move name as a rotation of the whole puzzle, which changes only
/// how it is held.
pub(super) fn is_rotation(name: &str) -> bool {
    let is_upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let axis = name.strip_suffix(['2', '\'']).unwrap_or(name);
    matches!(axis, "x" | "y" | "z") || is_upper && name.len() > 1 && name.ends_with('v')
}

struct Reader<'t> {
    lines: Lines<'t>,
    problems: Problems,
    puzzle: Puzzle,
    /// The names of all moves.
    names: HashSet<&'t str>,
    /// Moves defined by moves that may come later.
    definitions: Vec<Definition>,
    /// The place of the solved state.
    solved: Option<Span>,
}

impl<'t> Reader<'t> {
    fn error(&mut self, code: &'static str, message: String, span: Span) {
        self.problems.push(error(code, message, span));
    }

    /// The words behind the first one; `n` is their number.
    fn arguments(&mut self, line: Line<'t>, usage: &str, n: usize) -> Option<Vec<Line<'t>>> {
        let words: Vec<Line<'t>> = line.words().skip(1).collect();
        if words.len() != n {
            let message = format!("expected `{usage}`, found `{}`", line.text);
            self.error("tws-line", message, line.span);
            return None;
        }
        Some(words)
    }

    fn number(&mut self, word: Line<'_>, least: usize, most: usize) -> usize {
        match word.text.parse::<usize>() {
            Ok(number) if (least..=most).contains(&number) => number,
            _ => {
                let message = format!("`{}` isn't a number from {least} to {most}", word.text);
                self.error("tws-range", message, word.span);
                least
            }
        }
    }

    fn line(&mut self, line: Line<'t>) {
        let first = line.text.split_whitespace().next().unwrap_or_default();
        match first {
            "Name" => {
                let name = line.text[first.len()..].trim();
                self.puzzle.name = name.to_owned();
            }
            "Set" => self.set(line),
            "Solved" | "StartState" => self.solved(line, usize::from(first == "Solved")),
            "Move" | "MoveTransformation" => self.movement(line, first == "MoveTransformation"),
            "MoveAlias" => {
                if let Some(words) = self.arguments(line, "MoveAlias NEW OLD", 2) {
                    let alias = (words[0].text.to_owned(), words[1].text.to_owned());
                    self.puzzle.aliases.push(alias);
                    self.define(&words, None);
                }
            }
            "MoveSequence" => {
                let words: Vec<Line<'t>> = line.words().skip(1).collect();
                if words.len() > 1 {
                    self.define(&words, Some(Multiples::Inverse));
                } else {
                    let message =
                        format!("expected `MoveSequence NAME MOVES`, found `{}`", line.text);
                    self.error("tws-line", message, line.span);
                }
            }
            "Illegal" => self.illegal(line),
            // It is about how the puzzle looks.
            "SwizzleSet" => {}
            _ => self.unknown(first, line),
        }
    }

    /// Note that the first word stands for the others.
    fn define(&mut self, words: &[Line<'t>], multiples: Option<Multiples>) {
        let (name, moves) = (words[0], &words[1..]);
        if multiples.is_some() {
            self.name(name);
        }
        let word = |word: &Line<'t>| Part::Word(word.text.to_owned());
        self.definitions.push(Definition {
            name: name.text.to_owned(),
            span: name.span,
            meaning: moves.iter().map(word).collect(),
            multiples,
        });
    }

    /// Note the name of a move, which must be new.
    fn name(&mut self, name: Line<'t>) {
        if !self.names.insert(name.text) {
            let message = format!("there are two moves `{}`", name.text);
            self.error("tws-twice", message, name.span);
        }
    }

    fn unknown(&mut self, first: &str, line: Line<'_>) {
        let near = psvn_ir::near_miss(first, WORDS.iter().copied());
        let found = error(
            "tws-line",
            format!("no line begins with `{first}`"),
            line.span,
        );
        self.problems.push(match near {
            Some(near) => found.hint(format!("did you mean `{near}`?")),
            None => found.hint(format!("lines begin with {}", WORDS.join(", "))),
        });
        // An unknown block would make an error of each of its lines.
        while let Some(next) = self.lines.peek() {
            let word = next.text.split_whitespace().next().unwrap_or_default();
            if WORDS.contains(&word) {
                return;
            }
            self.lines.next();
        }
    }

    fn set(&mut self, line: Line<'t>) {
        let Some(words) = self.arguments(line, "Set NAME PIECES ORIENTATIONS", 3) else {
            return;
        };
        if self.solved.is_some() {
            let message = "a set is declared before the solved state".to_owned();
            return self.error("tws-order", message, line.span);
        }
        let name = words[0].text;
        if self.puzzle.sets.iter().any(|set| set.name == name) {
            self.error(
                "tws-twice",
                format!("there are two sets `{name}`"),
                words[0].span,
            );
        }
        let places = self.number(words[1], 1, MOST_PLACES);
        let orientations = self.number(words[2], 1, MOST_PLACES);
        self.puzzle
            .sets
            .push(Set::new(name, places, orientations, line.span));
    }

    fn entries(&mut self, reading: Reading) -> Vec<Entry> {
        read(
            &mut self.lines,
            &self.puzzle.sets,
            reading,
            &mut self.problems,
        )
    }

    fn solved(&mut self, line: Line<'t>, first: usize) {
        if self.solved.replace(line.span).is_some() {
            let message = "there are two solved states".to_owned();
            self.error("tws-twice", message, line.span);
        }
        let reading = Reading {
            first,
            is_permutation: false,
            may_be_open: true,
        };
        for entry in self.entries(reading) {
            let set = &mut self.puzzle.sets[entry.set];
            set.solved.pieces = entry.numbers;
            for (place, orientation) in entry.orientations.iter().enumerate() {
                match orientation {
                    Some(number) => set.solved.orientation[place] = *number,
                    None => set.distinct[place] = 1,
                }
            }
            if set.contradiction().is_some() {
                let message = format!(
                    "pieces of set `{}` are identical, but the orientation of one matters",
                    set.name
                );
                self.error("tws-identical", message, entry.span);
            }
        }
    }

    fn movement(&mut self, line: Line<'t>, is_new: bool) {
        let words = self.arguments(line, "Move NAME", 1);
        if self.solved.is_none() {
            let message = "a move comes after the solved state".to_owned();
            self.error("tws-order", message, line.span);
        }
        let first = usize::from(!is_new);
        let entries = self.entries(Reading {
            first,
            is_permutation: true,
            may_be_open: false,
        });
        let sets = self.puzzle.sets.iter();
        let mut turns: Vec<Turn> = sets.map(|set| Turn::identity(set.places())).collect();
        for entry in entries {
            let given = |place: usize| entry.orientations.get(place).copied().flatten();
            // The older form gives the turn of a piece at the place that it leaves.
            let twist = entry.numbers.iter().enumerate();
            let twist = twist
                .map(|(place, from)| given(if is_new { place } else { *from }).unwrap_or_default());
            let twist = twist.collect();
            turns[entry.set] = Turn {
                from: entry.numbers,
                twist,
            };
        }
        let Some(name) = words.map(|words| words[0]) else {
            return;
        };
        self.name(name);
        let name = name.text.to_owned();
        let moves = if is_rotation(&name) {
            &mut self.puzzle.rotations
        } else {
            &mut self.puzzle.moves
        };
        moves.push(Move {
            name,
            turns,
            span: line.span,
            cost: 1,
            multiples: Multiples::All,
        });
    }

    fn illegal(&mut self, line: Line<'t>) {
        let words: Vec<Line<'t>> = line.words().skip(1).collect();
        let [set, place, pieces @ ..] = words.as_slice() else {
            let message = format!("expected `Illegal SET PLACE PIECES`, found `{}`", line.text);
            return self.error("tws-line", message, line.span);
        };
        let Some(index) = self.puzzle.sets.iter().position(|it| it.name == set.text) else {
            return self.error(
                "tws-unknown-set",
                format!("there is no set `{}`", set.text),
                set.span,
            );
        };
        let n = self.puzzle.sets[index].places();
        let place = self.number(*place, 1, n) - 1;
        let pieces: Vec<usize> = pieces.iter().map(|it| self.number(*it, 1, n) - 1).collect();
        if pieces.contains(&self.puzzle.sets[index].solved.pieces[place]) {
            let message = "the solved state has one of these pieces there".to_owned();
            self.error("tws-illegal", message, line.span);
        }
        self.puzzle.illegal.push(Illegal {
            set: index,
            place,
            pieces,
            span: line.span,
        });
    }

    fn finish(mut self, end: Span) -> Result<Puzzle, Vec<Diagnostic>> {
        let missing = match (&self.puzzle, self.solved) {
            (puzzle, _) if puzzle.sets.is_empty() => "Set",
            (_, None) => "Solved",
            (puzzle, _) if puzzle.moves.is_empty() && puzzle.rotations.is_empty() => "Move",
            _ => "",
        };
        if !missing.is_empty() {
            self.error(
                "tws-missing",
                format!("the file has no line `{missing}`"),
                end,
            );
        }
        if !self.problems.has_errors() {
            for (definition, reason) in define(&mut self.puzzle, &self.definitions) {
                let message = format!("`{}` can't be made: {reason}", definition.name);
                self.problems
                    .push(error("tws-sequence", message, definition.span));
            }
        }
        if self.problems.has_errors() {
            Err(self.problems.finish())
        } else {
            Ok(Puzzle {
                heading: None,
                notes: self.problems.finish(),
                ..self.puzzle
            })
        }
    }
}
