//! Abstraction blocks: the one part of PSVN with brackets.

use super::Layout;
use crate::Diagnostic;
use crate::layout::token::Role;
use crate::text::keyword::Keyword;
use crate::text::wording::quote;

impl Layout<'_, '_> {
    /// Read a file that holds one block and nothing else.
    pub(super) fn lone_block(&mut self) {
        if self.words.len() == 0 {
            self.reporter.push(
                Diagnostic::error("empty-file", "the file is empty")
                    .hint("write `abstraction { ... }`"),
            );
            return;
        }
        let is_misspelled = Keyword::Abstraction.resembles(self.words.text(0));
        if !is_misspelled && !self.words.is(0, Keyword::Abstraction) {
            self.reporter.push(
                Diagnostic::error("missing-abstraction", "this isn't an abstraction file")
                    .at(self.words.span(0), "`abstraction {` expected")
                    .hint("an abstraction file holds one block, `abstraction { ... }`"),
            );
            return;
        }
        if is_misspelled {
            self.misspelled(0, Keyword::Abstraction);
        }
        if self.words.text(1) != "{" {
            self.missing_brace(0);
            return;
        }
        let end = self.block(0, 1);
        if end < self.words.len() {
            self.reporter.push(
                Diagnostic::error("unexpected-text", "text behind the abstraction block")
                    .at(self.words.span(end), "the file should end here"),
            );
        }
    }

    /// Report `abstraction` without a brace.
    pub(super) fn missing_brace(&mut self, keyword: usize) {
        self.reporter.push(
            Diagnostic::error("missing-brace", "`abstraction` without a block")
                .at(self.words.span(keyword), "`{` should follow")
                .hint("write `abstraction { ... }`, with white space around the braces"),
        );
    }

    /// Emit the block whose keyword is at `start` and whose brace is at `open`; return the place
    /// behind it.
    pub(super) fn block(&mut self, start: usize, open: usize) -> usize {
        let mark = self.out.len();
        let n_errors = self.reporter.n_errors();
        self.emit(Role::Abstraction, start);
        self.emit(Role::Open, open);
        let (end, is_closed) = self.sections(open);
        if is_closed {
            self.emit(Role::Close, end);
        }
        if self.reporter.n_errors() > n_errors {
            self.out.truncate(mark);
            self.damaged(Role::Abstraction, start);
        }
        if is_closed { end + 1 } else { end }
    }

    /// Emit the sections behind the block's opening brace. Returns the place of its closing brace
    /// and `true`, or the place where reading resumes without one and `false`.
    fn sections(&mut self, open: usize) -> (usize, bool) {
        let mut at = open + 1;
        loop {
            if self.block_breaks_off(open, at) {
                self.unclosed(open);
                return (self.resume_in(open, at), false);
            }
            if self.words.text(at) == "}" {
                return (at, true);
            }
            if self.words.text(at) == "{" || self.words.text(at + 1) != "{" {
                self.stray_in_block(at);
                at += 1;
                continue;
            }
            if self.words.is(at, Keyword::Projection) {
                self.emit(Role::Projection, at);
            } else if self.words.is(at, Keyword::Pieces) {
                self.emit(Role::Pieces, at);
            } else {
                self.emit(Role::Word, at);
            }
            self.emit(Role::Open, at + 1);
            let section_open = at + 1;
            at += 2;
            while !matches!(self.words.text(at), "{" | "}") {
                if self.block_breaks_off(open, at) {
                    self.unclosed(section_open);
                    return (self.resume_in(open, at), false);
                }
                at += 1;
            }
            self.emit_row(section_open + 1, at);
            if self.words.text(at) == "{" {
                // The word before is the name of the next section: this section was never closed.
                self.unclosed(section_open);
                at = (at - 1).max(section_open + 1);
            } else {
                self.emit(Role::Close, at);
                at += 1;
            }
        }
    }

    /// Whether the block can't continue at `at`.
    fn block_breaks_off(&self, open: usize, at: usize) -> bool {
        at >= self.words.len()
            || self.words.is_arrow(at)
            || (self.words.is_first(at)
                && at > open + 1
                && self.words.text(at + 1) != "{"
                && self.words.is(at, Keyword::Goal))
            || (self.words.is_first(at)
                && self
                    .words
                    .arrow_from(at)
                    .is_some_and(|arrow| arrow < self.words.next_line(at)))
            || (self.words.is(at, Keyword::Abstraction) && self.words.text(at + 1) == "{")
    }

    /// Where rows may begin again when a block breaks off at `at`.
    fn resume_in(&self, open: usize, at: usize) -> usize {
        if self.words.is_arrow(at) && self.n_variables > 0 {
            self.words
                .best_line(open, at, self.n_variables)
                .unwrap_or(at)
        } else {
            at
        }
    }

    fn unclosed(&mut self, brace: usize) {
        self.reporter.push(
            Diagnostic::error("unclosed-brace", "this brace is never closed")
                .at(self.words.span(brace), "its `}` is missing")
                .hint("write ` }`, with white space around it"),
        );
    }

    fn stray_in_block(&mut self, at: usize) {
        let word = self.words.text(at);
        let diagnostic = Diagnostic::error(
            "unexpected-text",
            format!("unexpected {} in an abstraction block", quote(word)),
        )
        .at(self.words.span(at), "the name of a domain and `{` expected");
        let glued = word.len() > 1 && word.contains(['{', '}']);
        self.reporter.push(if glued {
            diagnostic.hint("braces need white space around them")
        } else {
            diagnostic.hint("write `DOMAIN_NAME { value ... }`, `projection { K P ... }` or `pieces { K P ... }`")
        });
    }
}
