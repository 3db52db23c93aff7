//! Invariants as lines of text, as a machine's file records them.
//!
//! ```text
//! exactly 1 of variables 1-9 holds 0
//! exactly 1 of variables 4,6 holds a or variable 7 holds nothing
//! variables 2-3 never hold b c
//! variable 1 holds a excludes variable 2 holds b c or variable 3 holds d
//! ```
//! Words are separated by single spaces, so every value name that PSVN text can contain is read
//! back. Variables are counted from 1, as in all output.

use std::collections::BTreeSet;

use psvn_ir::{Game, Value, VarId};

use crate::counts::Count;
use crate::facts::{FactIndex, MAX_FACTS};
use crate::invariants::Invariants;
use crate::violation::{groups, variables, vars_by_values};

/// Why a line can't be read as an invariant of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}: {problem}", line + 1)]
pub struct ParseError {
    /// The line, counted from 0.
    pub line: usize,
    /// The problem.
    pub problem: ParseProblem,
}

/// The problem with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseProblem {
    /// Another word was expected.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// The word in its place.
        found: String,
    },
    /// The line ends too early.
    #[error("the line ends, but {expected} is expected")]
    End {
        /// What was expected.
        expected: &'static str,
    },
    /// The game has no such variable.
    #[error("the game has {n_variables} variables, and so none with the number {number}")]
    Variable {
        /// The number, counted from 1.
        number: u64,
        /// The number of variables.
        n_variables: usize,
    },
    /// The variable's domain has no such value.
    #[error("`{word}` isn't a value of variable {variable}")]
    Value {
        /// The word.
        word: String,
        /// The variable, counted from 1.
        variable: usize,
    },
    /// The game is too large to have invariants.
    #[error("the game is too large for invariants")]
    TooLarge,
}

impl Invariants {
    /// Write the invariants, one on each line. [`from_lines`](Self::from_lines) reads them back.
    ///
    /// # Panics
    /// If the invariants belong to another game.
    pub fn to_lines(&self, game: &Game) -> Vec<String> {
        let mut lines: Vec<String> = self
            .counts
            .iter()
            .map(|count| {
                let groups = groups(game, &self.index, &count.facts, count.number == 1);
                format!("exactly {} of {groups}", count.number)
            })
            .collect();
        lines.extend(self.never_lines(game));
        lines.extend(self.exclusive_lines(game));
        lines
    }

    /// The number of lines about single facts.
    pub(crate) fn n_never_lines(&self, game: &Game) -> usize {
        self.never_lines(game).len()
    }

    /// Variables with the same values out of reach share a line.
    fn never_lines(&self, game: &Game) -> Vec<String> {
        let vars_of = vars_by_values(game, self.unreachable_facts());
        let mut lines: Vec<(VarId, String)> = vars_of
            .into_iter()
            .filter_map(|(values, vars)| {
                let verb = if vars.len() == 1 { "holds" } else { "hold" };
                let line = format!("{} never {verb} {}", variables(&vars), values.join(" "));
                Some((*vars.first()?, line))
            })
            .collect();
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// One line for each fact with the facts that it excludes.
    fn exclusive_lines(&self, game: &Game) -> Vec<String> {
        self.exclusive
            .chunk_by(|one, other| one.0 == other.0)
            .map(|chunk| {
                let others: Vec<u32> = chunk.iter().map(|pair| pair.1).collect();
                let fact = groups(game, &self.index, &[chunk[0].0], true);
                let others = groups(game, &self.index, &others, false);
                format!("{fact} excludes {others}")
            })
            .collect()
    }

    /// Read what [`to_lines`](Self::to_lines) wrote for the same game.
    ///
    /// # Errors
    /// The first line that can't be read as an invariant of this game. Whether the rules preserve
    /// it is not checked.
    pub fn from_lines(game: &Game, lines: &[String]) -> Result<Self, ParseError> {
        if lines.is_empty() {
            return Ok(Self::none(game));
        }
        let index = FactIndex::new(game, MAX_FACTS).ok_or(ParseError {
            line: 0,
            problem: ParseProblem::TooLarge,
        })?;
        let mut counts = Vec::new();
        let mut never = Vec::new();
        let mut exclusive = Vec::new();
        for (line, text) in lines.iter().enumerate() {
            let mut reader = Reader {
                game,
                index: &index,
                words: text.split(' ').collect(),
                next: 0,
            };
            match reader.line() {
                Err(problem) => return Err(ParseError { line, problem }),
                Ok(Line::Count(facts, number)) => counts.push(Count::new(&index, facts, number)),
                Ok(Line::Never(facts)) => never.extend(facts),
                Ok(Line::Exclusive(one, others)) => {
                    exclusive.extend(
                        others
                            .iter()
                            .map(|other| (one.min(*other), one.max(*other))),
                    );
                }
            }
        }
        never.sort_unstable();
        never.dedup();
        exclusive.sort_unstable();
        exclusive.dedup();
        Ok(Self::from_parts(index, counts, never, exclusive))
    }
}

/// The content of a line.
enum Line {
    Count(Vec<u32>, u32),
    Never(Vec<u32>),
    Exclusive(u32, Vec<u32>),
}

/// Reads one line, word by word.
struct Reader<'a> {
    game: &'a Game,
    index: &'a FactIndex,
    words: Vec<&'a str>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<Line, ParseProblem> {
        let line = if self.peek() == Some("exactly") {
            self.next += 1;
            let number = self.number("a number")?;
            self.expect(&["of"], "`of`")?;
            Line::Count(self.groups()?, number)
        } else {
            let vars = self.variables()?;
            if self.peek() == Some("never") {
                self.next += 1;
                self.expect(&["hold", "holds"], "`holds`")?;
                let mut facts = Vec::new();
                while self.peek().is_some() || facts.is_empty() {
                    self.value(&vars, &mut facts)?;
                }
                Line::Never(facts)
            } else {
                let facts = self.group(&vars)?;
                let [fact] = facts.as_slice() else {
                    return Err(self.unexpected(self.next, "one fact of one variable"));
                };
                self.expect(&["excludes"], "`excludes`")?;
                Line::Exclusive(*fact, self.groups()?)
            }
        };
        match self.peek() {
            None => Ok(line),
            Some(_) => Err(self.unexpected(self.next, "the end of the line")),
        }
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    fn unexpected(&self, at: usize, expected: &'static str) -> ParseProblem {
        match self.words.get(at) {
            None => ParseProblem::End { expected },
            Some(found) => ParseProblem::Unexpected {
                expected,
                found: (*found).to_owned(),
            },
        }
    }

    fn word(&mut self, expected: &'static str) -> Result<&'a str, ParseProblem> {
        let word = self.peek().ok_or(ParseProblem::End { expected })?;
        self.next += 1;
        Ok(word)
    }

    fn expect(&mut self, words: &[&str], expected: &'static str) -> Result<(), ParseProblem> {
        let word = self.word(expected)?;
        if words.contains(&word) {
            return Ok(());
        }
        Err(self.unexpected(self.next - 1, expected))
    }

    fn number(&mut self, expected: &'static str) -> Result<u32, ParseProblem> {
        let word = self.word(expected)?;
        word.parse()
            .map_err(|_| self.unexpected(self.next - 1, expected))
    }

    fn groups(&mut self) -> Result<Vec<u32>, ParseProblem> {
        let vars = self.variables()?;
        let mut facts = self.group(&vars)?;
        while self.peek() == Some("or") {
            self.next += 1;
            let vars = self.variables()?;
            facts.extend(self.group(&vars)?);
        }
        facts.sort_unstable();
        facts.dedup();
        Ok(facts)
    }

    /// `holds V` or `holds one of K values V...`
    fn group(&mut self, vars: &[VarId]) -> Result<Vec<u32>, ParseProblem> {
        self.expect(&["hold", "holds"], "`holds`")?;
        let mut facts = Vec::new();
        if !self.words[self.next.min(self.words.len())..].starts_with(&["one", "of"]) {
            self.value(vars, &mut facts)?;
            return Ok(facts);
        }
        self.next += 2;
        let n_values = self.number("the number of values")?;
        self.expect(&["values"], "`values`")?;
        for _ in 0..n_values {
            self.value(vars, &mut facts)?;
        }
        Ok(facts)
    }

    /// A value that each of the variables may hold.
    fn value(&mut self, vars: &[VarId], facts: &mut Vec<u32>) -> Result<(), ParseProblem> {
        let word = self.word("a value")?;
        for var in vars {
            let value: Value =
                self.game
                    .domain_of(*var)
                    .lookup(word)
                    .ok_or_else(|| ParseProblem::Value {
                        word: word.to_owned(),
                        variable: var.index() + 1,
                    })?;
            facts.push(self.index.id(var.index(), value));
        }
        Ok(())
    }

    /// `variables 1-3,7`
    fn variables(&mut self) -> Result<Vec<VarId>, ParseProblem> {
        const EXPECTED: &str = "a list of variables, such as `1-3,7`,";
        self.expect(&["variable", "variables"], "`variables`")?;
        let list = self.word(EXPECTED)?;
        let n_variables = self.game.n_variables();
        let mut vars = BTreeSet::new();
        for range in list.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |word: &str| -> Result<u64, ParseProblem> {
                let number = word.parse();
                number.map_err(|_| self.unexpected(self.next - 1, EXPECTED))
            };
            let (first, last) = (number(first)?, number(last)?);
            for bound in [first, last] {
                if bound == 0 || bound > n_variables as u64 {
                    let number = bound;
                    return Err(ParseProblem::Variable {
                        number,
                        n_variables,
                    });
                }
            }
            vars.extend((first..=last).map(|number| VarId::from_index(number as usize - 1)));
        }
        Ok(vars.into_iter().collect())
    }
}
