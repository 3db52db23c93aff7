//! Rows that do not fit: which row has the wrong length, and where the next one begins.
//!
//! Line breaks count here, and only here. A row is taken to end where a line begins that is a
//! better start for the next `=>` or that begins with a keyword. A row with all its entries ends at
//! the end of its line.

use super::{Layout, Previous};
use crate::Diagnostic;
use crate::layout::token::Role;
use crate::text::keyword::{Keyword, resembles_arrow};
use crate::text::wording::{counted_len, quote};

impl<'source> Layout<'source, '_> {
    /// Report what is wrong with the text at `at`, where no item fits, or with the row before it;
    /// returns the place to go on.
    pub(super) fn repair(&mut self, at: usize) -> usize {
        if let Some(end) = self.misspelled_item(at) {
            return end;
        }
        if let Some(previous) = self
            .previous
            .filter(|previous| self.is_to_blame(*previous, at))
        {
            self.out.truncate(previous.mark);
            return self.damaged_row(previous.start);
        }
        self.damaged_row(at)
    }

    /// Whether counting failed because the row before has the wrong length: it ends within a line.
    fn is_to_blame(&self, previous: Previous, at: usize) -> bool {
        if self.words.is_first(at) {
            return false;
        }
        // With several rules on one line, the line shows nothing.
        let line = self.words.line_of(at);
        let next_line = self.words.next_line(at);
        let more_rows = !self.words.is_arrow(at)
            && self
                .words
                .arrow_from(at)
                .is_some_and(|arrow| arrow < next_line);
        line > previous.start || !more_rows
    }

    /// Read `GAOL` and `abstration {` as the words they were meant to be.
    fn misspelled_item(&mut self, at: usize) -> Option<usize> {
        let word = self.words.text(at);
        let entries = at + 1;
        if Keyword::Goal.resembles(word)
            && self
                .words
                .is_plain(entries, entries.saturating_add(self.n_variables))
            && self.words.is_first(entries + self.n_variables)
        {
            self.misspelled(at, Keyword::Goal);
            return Some(self.emit_goal(at));
        }
        if Keyword::Abstraction.resembles(word) && self.words.text(at + 1) == "{" {
            self.misspelled(at, Keyword::Abstraction);
            return Some(self.block(at, at + 1));
        }
        None
    }

    /// Report what is wrong with the row at `start`; return the place behind it.
    fn damaged_row(&mut self, start: usize) -> usize {
        if self.words.is(start, Keyword::Domain) {
            return self.misplaced_domain(start);
        }
        if self.words.is(start, Keyword::Goal) {
            return self.damaged_goal(start);
        }
        if self.words.is(start, Keyword::Abstraction) {
            let end = self.words.next_line(start);
            self.missing_brace(start);
            self.damaged(Role::Abstraction, start);
            return end;
        }
        if matches!(self.words.text(start), "{" | "}") {
            self.reporter.push(
                Diagnostic::error("unmatched-brace", "this brace belongs to no block")
                    .at(self.words.span(start), "")
                    .hint("braces are allowed only in `abstraction { ... }`"),
            );
            return start + 1;
        }
        let end = self.rule_end(start);
        self.damaged_rule(start, end);
        end
    }

    fn misplaced_domain(&mut self, start: usize) -> usize {
        self.reporter.push(
            Diagnostic::error(
                "misplaced-domain",
                "a DOMAIN behind the number of variables",
            )
            .at(self.words.span(start), "too late")
            .hint("move it to the top: domains come before the number of variables"),
        );
        self.damaged(Role::RuleStart, start);
        self.words.next_line(start)
    }

    fn damaged_goal(&mut self, start: usize) -> usize {
        let end = self.goal_end(start);
        let n_entries = end - start - 1;
        if let Some(arrow) = self.words.arrow_from(start).filter(|arrow| *arrow < end) {
            self.reporter.push(
                Diagnostic::error("goal-with-arrow", "a goal has no `=>`")
                    .at(self.words.span(arrow), "")
                    .also(self.words.span(start), "the goal")
                    .hint("write one entry for each variable after GOAL"),
            );
            self.damaged(Role::Goal, start);
        } else if n_entries == self.n_variables {
            self.emit_goal(start);
        } else {
            self.wrong_length("goal", start + 1, end, start, end);
            self.damaged(Role::Goal, start);
        }
        end
    }

    /// Report what is wrong with the rule `start..end`; emits it if only its attributes are wrong.
    fn damaged_rule(&mut self, start: usize, end: usize) {
        let real_arrow = self.words.arrow_from(start).filter(|arrow| *arrow < end);
        let Some(arrow) = real_arrow.or_else(|| self.misspelled_arrow(start, end)) else {
            self.missing_arrow(start, end);
            self.damaged(Role::RuleStart, start);
            return;
        };
        let n = self.n_variables;
        let lhs_fits = arrow - start == n;
        if !lhs_fits {
            self.wrong_length("left-hand side", start, arrow, start, end);
        }
        let second = self
            .words
            .arrow_from(arrow + 1)
            .filter(|second| *second < end);
        if let Some(second) = second {
            self.reporter.push(
                Diagnostic::error("second-arrow", "this rule has a second `=>`")
                    .at(self.words.span(second), "the second one")
                    .also(self.words.span(arrow), "the first one")
                    .hint("begin each rule on a line of its own"),
            );
            self.damaged(Role::RuleStart, start);
            return;
        }
        let attributes = self.attributes_of(arrow + 1, end);
        let rhs_fits = attributes - arrow - 1 == n;
        if !rhs_fits {
            self.wrong_length("right-hand side", arrow + 1, attributes, arrow, end);
        }
        let mark = self.out.len();
        self.emit(Role::RuleStart, start);
        self.emit_row(start, arrow);
        self.emit(Role::Arrow, arrow);
        self.emit_row(arrow + 1, attributes);
        self.damaged_attributes(attributes, end);
        if !(lhs_fits && rhs_fits) {
            self.out.truncate(mark);
            self.damaged(Role::RuleStart, start);
        }
    }

    /// Where the attributes of a rule begin whose right-hand side begins at `rhs`.
    fn attributes_of(&self, rhs: usize, end: usize) -> usize {
        let counted = rhs.saturating_add(self.n_variables);
        if counted <= end && (counted == end || self.is_like_attribute(counted)) {
            return counted;
        }
        let is_attribute =
            |at: &usize| self.words.is(*at, Keyword::Label) || self.words.is(*at, Keyword::Cost);
        (rhs..end).find(is_attribute).unwrap_or(end)
    }

    fn is_like_attribute(&self, at: usize) -> bool {
        let word = self.words.text(at);
        [Keyword::Label, Keyword::Cost]
            .iter()
            .any(|keyword| keyword.matches(word) || keyword.resembles(word))
    }

    /// Emit the attributes `from..end`, misspelled ones included, and report all other words there.
    fn damaged_attributes(&mut self, from: usize, end: usize) {
        let mut at = from;
        while at < end {
            let word = self.words.text(at);
            let both = [(Keyword::Label, Role::Label), (Keyword::Cost, Role::Cost)];
            let exact = both.iter().find(|(keyword, _)| keyword.matches(word));
            let found = exact.or_else(|| both.iter().find(|(keyword, _)| keyword.resembles(word)));
            let Some((keyword, token)) = found else {
                self.reporter.push(
                    Diagnostic::error(
                        "unexpected-text",
                        format!("unexpected {} after a rule", quote(word)),
                    )
                    .at(
                        self.words.span_of(at, end),
                        "LABEL, COST or the end of the line expected",
                    )
                    .hint("a label is one word: write it with `_` in place of spaces"),
                );
                return;
            };
            if exact.is_none() {
                self.misspelled(at, *keyword);
            }
            self.emit(*token, at);
            at += 1;
            if at < end {
                self.emit(Role::Word, at);
                at += 1;
            }
        }
    }

    /// Find what was probably meant as the arrow of the row `start..end`, and report it.
    fn misspelled_arrow(&mut self, start: usize, end: usize) -> Option<usize> {
        let expected = start.saturating_add(self.n_variables);
        let is_like = |at: usize| resembles_arrow(self.words.text(at));
        let at = if expected < end && is_like(expected) {
            expected
        } else {
            (start..end).find(|at| is_like(*at))?
        };
        let word = self.words.text(at);
        self.reporter.push(
            Diagnostic::error(
                "misspelled-arrow",
                format!("{} isn't an arrow", quote(word)),
            )
            .at(self.words.span(at), "`=>` expected")
            .hint("did you mean `=>`?"),
        );
        Some(at)
    }

    /// Report a row without an arrow.
    fn missing_arrow(&mut self, start: usize, end: usize) {
        let n_entries = end - start;
        if let Some(glued) = (start..end).find(|at| self.words.text(*at).contains("=>")) {
            let word = self.words.text(glued);
            self.reporter.push(
                Diagnostic::error(
                    "glued-arrow",
                    format!("the arrow in {} is part of a word", quote(word)),
                )
                .at(self.words.span(glued), "white space must surround `=>`")
                .hint("put spaces around `=>`"),
            );
            return;
        }
        let ends_the_file = end == self.words.len() && n_entries > 1;
        let is_one_line = self.words.next_line(start) == end;
        let is_short =
            n_entries < self.n_variables || (n_entries == self.n_variables && !is_one_line);
        if is_short && !ends_the_file {
            let what = format!("unexpected {}", quote(self.words.text(start)));
            let diagnostic = Diagnostic::error("unexpected-text", what).at(
                self.words.span_of(start, end),
                "a rule, a GOAL or an abstraction expected",
            );
            let word = self.words.text(start);
            let begins = [
                Keyword::Goal,
                Keyword::Abstraction,
                Keyword::Label,
                Keyword::Cost,
            ];
            let meant = begins.iter().find(|keyword| keyword.resembles(word));
            self.reporter.push(match meant {
                Some(keyword) => diagnostic.hint(format!("did you mean `{}`?", keyword.spelling())),
                None => diagnostic.hint("a comment begins with `#` or `;`"),
            });
            return;
        }
        let expected = start + self.n_variables;
        let message = format!("this row has no `=>` but {}", self.entries(n_entries));
        let diagnostic = Diagnostic::error("missing-arrow", message).at(
            self.words.span_of(start, end),
            "a rule, a GOAL or an abstraction expected",
        );
        self.reporter
            .push(if ends_the_file && n_entries < 2 * self.n_variables {
                diagnostic.hint("the file ends in the middle of a rule")
            } else if n_entries == self.n_variables {
                diagnostic.hint("a goal condition begins with GOAL")
            } else {
                diagnostic.hint(format!(
                    "put `=>` behind {}",
                    quote(self.words.text(expected - 1))
                ))
            });
    }

    /// Report that `from..to`, the `part` of a row, has the wrong number of entries. If it has
    /// none, the report points to word `anchor`. The row ends at `end`.
    fn wrong_length(&mut self, part: &str, from: usize, to: usize, anchor: usize, end: usize) {
        let n_entries = to - from;
        let place = if from == to {
            self.words.span(anchor)
        } else {
            self.words.span_of(from, to)
        };
        let message = format!("this {part} has {}", self.entries(n_entries));
        let diagnostic = if n_entries < self.n_variables {
            let missing = counted_len(self.n_variables - n_entries, "entry", "entries");
            Diagnostic::error("wrong-row-length", message).at(place, format!("{missing} missing"))
        } else {
            let extra = counted_len(n_entries - self.n_variables, "entry", "entries");
            Diagnostic::error("wrong-row-length", message).at(place, format!("{extra} too many"))
        };
        let is_cut = to == end && end == self.words.len() && n_entries < self.n_variables;
        self.reporter.push(if is_cut {
            diagnostic.hint("the file ends here: is it complete?")
        } else if n_entries > self.n_variables && part == "right-hand side" {
            diagnostic.hint("a rule's name is written `LABEL name`, its cost `COST number`")
        } else {
            diagnostic
                .hint("write one entry for each variable; `-` stands for one that does not matter")
        });
    }

    /// Where the goal at `start` ends, judged by lines.
    fn goal_end(&self, start: usize) -> usize {
        let mut limit = self.words.next_keyword_line(start);
        if let Some(arrow) = self.words.arrow_from(start).filter(|arrow| *arrow < limit) {
            let line = self.words.best_line(start, arrow, self.n_variables);
            limit = line
                .unwrap_or_else(|| self.words.next_line(arrow))
                .min(limit);
        }
        self.line_end_from((start + 1).saturating_add(self.n_variables), limit)
    }

    /// Where the rule at `start` ends, judged by lines and arrows.
    fn rule_end(&self, start: usize) -> usize {
        let n = self.n_variables;
        let limit = self.words.next_keyword_line(start);
        let Some(arrow) = self.words.arrow_from(start).filter(|arrow| *arrow < limit) else {
            // No arrow: the number of whole lines that a left-hand side needs.
            return self.line_end_from(start.saturating_add(n), limit);
        };
        if let Some(line) = self.words.best_line(start, arrow, n) {
            let distance = |from: usize| (arrow - from).abs_diff(n);
            if distance(line) <= distance(start) {
                // The arrow belongs to a row that begins further down.
                return self.line_end_from(start.saturating_add(n), line);
            }
        }
        let limit = match self
            .words
            .arrow_from(arrow + 1)
            .filter(|second| *second < limit)
        {
            Some(second) => {
                let line = self.words.best_line(arrow, second, n);
                line.unwrap_or_else(|| self.words.next_line(second))
                    .min(limit)
            }
            None => limit,
        };
        let full = (arrow + 1).saturating_add(n);
        if full >= limit {
            limit
        } else {
            self.line_end_from(self.skip_attributes(full), limit)
        }
    }

    /// The end of the line with the word before `at`, but at most `limit`.
    fn line_end_from(&self, at: usize, limit: usize) -> usize {
        if at >= limit {
            limit
        } else {
            self.words.next_line(at - 1).min(limit)
        }
    }
}
