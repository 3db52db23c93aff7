//! From words to tokens with a role: the part of PSVN that no context-free grammar can describe.
//!
//! Line breaks mean nothing in PSVN and a rule has no end mark, so only the declared number of
//! variables says where a rule ends; and every keyword may also be a value or a label, so only the
//! place says whether `GOAL` begins a goal. This pass counts. It emits a token of no width in front
//! of each rule, which is also where the grammar resumes after an error.
//!
//! As long as every row has the right length, counting alone decides. When a row does not fit, the
//! pass uses line breaks and the places of `=>` to find out *which* row has the wrong length,
//! reports that row, marks it as damaged and goes on at the next line that begins a row (see
//! `repair`). The example that makes this necessary, with two variables:
//!
//! ```text
//! A B => B          one entry is missing here ...
//! A B => B A        ... but counting fails here: the rule above took the `A`
//! ```
//!
//! Everything is linear in the text up to a logarithm, whatever numbers the text declares.

mod block;
mod header;
mod repair;
mod rows;
pub(crate) mod token;
mod words;

use std::ops::Range;

use crate::Span;
use crate::diagnostic::report::Reporter;
use crate::layout::token::{Role, Token};
use crate::text::lexer::Lexeme;
use words::Words;

/// Every word of a file with its role.
pub(crate) struct Plan<'source> {
    words: Words<'source>,
    /// Roles, each with the indexes of its words.
    roles: Vec<(Role, Range<usize>)>,
}

impl<'source> Plan<'source> {
    /// The tokens between their byte offsets, as the grammar wants them.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (usize, Token<'_>, usize)> {
        self.roles.iter().map(|(role, range)| {
            let Span { start, end } = self.words.span_of(range.start, range.end);
            let end = if role.has_width() { end } else { start };
            let words = self.words.run(range.clone());
            (start, Token { role: *role, words }, end)
        })
    }
}

/// Assign a role to every word of a game.
pub(crate) fn game<'source>(
    source: &'source str,
    lexemes: Vec<Lexeme>,
    reporter: &mut Reporter,
) -> Plan<'source> {
    let mut layout = Layout::new(source, lexemes, reporter);
    if let Some(n_variables) = layout.header() {
        layout.n_variables = n_variables;
        layout.items();
    }
    Plan {
        words: layout.words,
        roles: layout.out,
    }
}

/// Assign a role to every word of an abstraction file.
pub(crate) fn abstraction<'source>(
    source: &'source str,
    lexemes: Vec<Lexeme>,
    reporter: &mut Reporter,
) -> Plan<'source> {
    let mut layout = Layout::new(source, lexemes, reporter);
    layout.lone_block();
    Plan {
        words: layout.words,
        roles: layout.out,
    }
}

/// The most words of a row in one token, so that work on long rows can be ended in between.
const MOST_IN_TOKEN: usize = 1 << 12;

/// The state of the pass.
struct Layout<'source, 'report> {
    words: Words<'source>,
    reporter: &'report mut Reporter,
    out: Vec<(Role, Range<usize>)>,
    /// The next word.
    position: usize,
    /// The number of entries of a row; at least 1 once rows are read.
    n_variables: usize,
    /// The row just emitted, unless it can't be the cause of a later error.
    previous: Option<Previous>,
}

/// A row that fits by counting, but may have taken words of the next one.
#[derive(Clone, Copy)]
struct Previous {
    /// Its first word.
    start: usize,
    /// Length of the output before it.
    mark: usize,
}

impl<'source, 'report> Layout<'source, 'report> {
    fn new(source: &'source str, lexemes: Vec<Lexeme>, reporter: &'report mut Reporter) -> Self {
        Self {
            words: Words::new(source, lexemes),
            reporter,
            out: Vec::new(),
            position: 0,
            n_variables: 0,
            previous: None,
        }
    }

    /// Emit word `at` in the given role, or the role's token of no width in front of it.
    fn emit(&mut self, role: Role, at: usize) {
        self.out.push((role, at..at + 1));
    }

    /// Emit the words `from..to` as one row: more than one token if it is long, and one if it is
    /// empty, which tells the grammar where that is.
    fn emit_row(&mut self, from: usize, to: usize) {
        self.out
            .push((Role::Row, from..to.min(from + MOST_IN_TOKEN)));
        for start in (from..to).step_by(MOST_IN_TOKEN).skip(1) {
            let end = to.min(start + MOST_IN_TOKEN);
            self.out.push((Role::Row, start..end));
        }
    }

    /// Emit a construct whose error was reported: its first token, and the mark that makes the
    /// grammar skip it.
    fn damaged(&mut self, first: Role, at: usize) {
        self.emit(first, at);
        self.emit(Role::Damaged, at);
    }
}
