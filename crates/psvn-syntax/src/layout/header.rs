//! The declarations: domains, the number of variables, the domain of each variable.

use super::Layout;
use crate::Diagnostic;
use crate::layout::token::Role;
use crate::text::keyword::Keyword;
use crate::text::wording::{NotANumber, counted, counted_len, number, quote};

impl Layout<'_, '_> {
    /// Read the declarations; return the number of variables that rows should have, or `None` if
    /// that is unclear.
    pub(super) fn header(&mut self) -> Option<usize> {
        if self.words.len() == 0 {
            if self.reporter.n_errors() > 0 {
                return None;
            }
            self.reporter.push(
                Diagnostic::error("empty-file", "the file is empty")
                    .hint("a game needs at least the number of variables and the domain of each"),
            );
            return None;
        }
        loop {
            if self.words.is(self.position, Keyword::Domain) {
                self.domain();
            } else if Keyword::Domain.resembles(self.words.text(self.position)) {
                self.misspelled(self.position, Keyword::Domain);
                self.domain();
            } else {
                return self.variables();
            }
        }
    }

    /// Read `DOMAIN name size value...`.
    fn domain(&mut self) {
        let start = self.position;
        let [name, size, values] = [start + 1, start + 2, start + 3];
        let end = match number(self.words.text(size)) {
            Ok(declared) if self.words.is_plain(name, values) => {
                let end = values.saturating_add(usize::try_from(declared).unwrap_or(usize::MAX));
                let end = if self.domain_ends_at(values, end) {
                    end
                } else {
                    self.domain_end(start)
                };
                let actual = end.saturating_sub(values);
                if actual as u64 != declared {
                    self.wrong_domain_size(start, declared, end);
                }
                // Even if the size is wrong, the values are known, so rules can still be checked.
                self.emit(Role::Domain, start);
                self.emit(Role::Word, name);
                self.emit(Role::Number, size);
                self.emit_row(values, end);
                self.position = end;
                return;
            }
            Ok(_) => self.incomplete_domain(start),
            Err(_) if !self.words.is_plain(name, values) => self.incomplete_domain(start),
            Err(problem) => {
                let end = self.bad_domain_size(start, problem);
                // The number may be missing, with a value in its place.
                self.emit(Role::Domain, start);
                self.emit(Role::Word, name);
                self.emit(Role::Number, size);
                self.emit_row(size, end);
                self.position = end;
                return;
            }
        };
        self.damaged(Role::Domain, start);
        self.position = end;
    }

    /// Whether the values of a domain, which begin at `values`, may end at `end`.
    fn domain_ends_at(&self, values: usize, end: usize) -> bool {
        if !self.words.is_plain(values, end) {
            return false;
        }
        self.words.is(end, Keyword::Domain)
            || self.variables_fit(end)
            // What follows is on its own line and looks right, so any error lies there.
            || (self.words.is_first(end)
                && (number(self.words.text(end)).is_ok()
                    || Keyword::Domain.resembles(self.words.text(end))
                    || self.words.next_line(values - 1) == end))
    }

    /// Whether a number of variables, equally many names and a valid continuation are at `at`.
    fn variables_fit(&self, at: usize) -> bool {
        let Some(n) = self.declared_count(at) else {
            return false;
        };
        let end = (at + 1).saturating_add(n);
        self.words.is_plain(at + 1, end) && self.item_fits(end, n)
    }

    /// The positive number at `at`, if it is one.
    fn declared_count(&self, at: usize) -> Option<usize> {
        let declared = number(self.words.text(at)).ok().filter(|n| *n > 0)?;
        Some(usize::try_from(declared).unwrap_or(usize::MAX))
    }

    /// Where a domain that begins at `start` and has the wrong number of values ends: at the first
    /// line that begins another declaration, else at the end of its line.
    fn domain_end(&self, start: usize) -> usize {
        let begins = |line: &usize| {
            self.words.is(*line, Keyword::Domain)
                || Keyword::Domain.resembles(self.words.text(*line))
                || self.variables_fit(*line)
        };
        let found = self.words.lines_after(start + 2).find(begins);
        found.unwrap_or_else(|| self.words.next_line(start + 2))
    }

    fn wrong_domain_size(&mut self, start: usize, declared: u64, end: usize) {
        let values = start + 3;
        let actual = end.saturating_sub(values);
        let name = self.words.text(start + 1);
        let place = if end == self.words.len() {
            "before the end of the file"
        } else if self.words.line_of(end.saturating_sub(1)) == self.words.line_of(start) {
            "before the next declaration on its line"
        } else {
            "before the next declaration"
        };
        let message = format!(
            "domain {} declares {}, but has {actual} {place}",
            quote(name),
            counted(declared, "value", "values"),
        );
        let fitting = usize::try_from(declared)
            .ok()
            .filter(|declared| *declared < actual);
        let at = match fitting {
            Some(declared) => (values + declared, "more than declared"),
            None => (values, "fewer than declared"),
        };
        self.reporter.push(
            Diagnostic::error("wrong-domain-size", message)
                .at(self.words.span_of(at.0, end), at.1)
                .also(self.words.span(start + 2), "declared here")
                .hint(format!(
                    "write {actual} for the size, or correct the list of values"
                )),
        );
    }

    fn bad_domain_size(&mut self, start: usize, problem: NotANumber) -> usize {
        let word = self.words.text(start + 2);
        self.reporter.push(
            Diagnostic::error(
                "bad-number",
                format!("{} isn't a number of values", quote(word)),
            )
            .at(self.words.span(start + 2), problem.why())
            .hint("write `DOMAIN name number-of-values value ...`"),
        );
        self.domain_end(start)
    }

    fn incomplete_domain(&mut self, start: usize) -> usize {
        let end = self
            .words
            .arrow_from(start)
            .unwrap_or(self.words.len())
            .min(start + 3);
        self.reporter.push(
            Diagnostic::error("incomplete-domain", "this DOMAIN breaks off")
                .at(
                    self.words.span_of(start, end),
                    "a name, a number and the values should follow",
                )
                .hint("write `DOMAIN name number-of-values value ...`"),
        );
        end
    }

    /// Read the number of variables and their domains.
    fn variables(&mut self) -> Option<usize> {
        let start = self.position;
        if start == self.words.len() {
            if self.reporter.n_errors() > 0 {
                // Something before broke off and has been reported.
                return None;
            }
            self.reporter.push(
                Diagnostic::error("missing-count", "the number of variables is missing")
                    .at(self.words.span(start), "the file ends here")
                    .hint(COUNT_HINT),
            );
            return None;
        }
        let word = self.words.text(start);
        match number(word) {
            Ok(0) => {
                self.bad_count("a game has at least one variable", "zero");
                self.infer_count(start + 1)
            }
            Ok(declared) => self.variable_domains(declared),
            Err(NotANumber::Word) if self.begins_oddly(start) => {
                self.bad_count(
                    &format!("{} isn't a number of variables", quote(word)),
                    "not a number",
                );
                self.infer_count(start + 1)
            }
            Err(NotANumber::Word) => {
                let what = format!(
                    "expected DOMAIN or the number of variables, found {}",
                    quote(word)
                );
                self.reporter.push(
                    Diagnostic::error("missing-count", what)
                        .at(
                            self.words.span(start),
                            "the number of variables must come first",
                        )
                        .hint(COUNT_HINT),
                );
                self.infer_count(start)
            }
            Err(problem) => {
                let message = format!("{} isn't a number of variables", quote(word));
                self.bad_count(&message, problem.why());
                self.infer_count(start + 1)
            }
        }
    }

    /// Whether a word is alone on its line or starts with a digit, so that it was probably meant as
    /// the number of variables.
    fn begins_oddly(&self, at: usize) -> bool {
        let alone = self.words.is_first(at) && self.words.next_line(at) == at + 1;
        (alone && at + 1 < self.words.len() && !self.words.is_arrow(at))
            || self
                .words
                .text(at)
                .bytes()
                .next()
                .is_some_and(|byte| byte.is_ascii_digit())
    }

    fn bad_count(&mut self, message: &str, why: &str) {
        self.reporter.push(
            Diagnostic::error("bad-count", message)
                .at(self.words.span(self.position), why)
                .hint(COUNT_HINT),
        );
    }

    /// Read the domains of `declared` variables.
    fn variable_domains(&mut self, declared: u64) -> Option<usize> {
        let start = self.position;
        let names = start + 1;
        let n = usize::try_from(declared).unwrap_or(usize::MAX);
        let end = names.saturating_add(n);
        let fits =
            self.words.is_plain(names, end) && (self.words.is_first(end) || self.item_fits(end, n));
        let end = if fits {
            end
        } else {
            self.variables_end(start, n)
        };
        self.position = end;
        let actual = end - names;
        if actual == n {
            self.emit(Role::VariablesStart, start);
            self.emit(Role::Number, start);
            self.emit_row(names, end);
            return Some(n);
        }
        let follow = if actual == 1 {
            "name follows"
        } else {
            "names follow"
        };
        let excess = if actual > n {
            (names + n, "more than declared")
        } else {
            (names, "fewer than declared")
        };
        self.reporter.push(
            Diagnostic::error(
                "wrong-variable-count",
                format!(
                    "{}, but {actual} domain {follow}",
                    counted(declared, "variable is declared", "variables are declared")
                ),
            )
            .at(self.words.span_of(excess.0, end), excess.1)
            .also(self.words.span(start), "declared here")
            .hint("the number of variables is followed by the name of the domain of each"),
        );
        self.damaged(Role::VariablesStart, start);
        // The rows show which of the two numbers was meant.
        let rows_decide = actual > 0 && !self.rule_fits(end, n) && self.rule_fits(end, actual);
        Some(if rows_decide { actual } else { n })
    }

    /// Where the declaration of the variables ends if counting does not decide: where the first row
    /// seems to begin.
    fn variables_end(&self, start: usize, n: usize) -> usize {
        let limit = self.words.next_keyword_line(start);
        let Some(arrow) = self.words.arrow_from(start).filter(|arrow| *arrow < limit) else {
            return limit;
        };
        let best = self
            .words
            .best_line(start, arrow, n)
            .filter(|line| arrow - line == n);
        let line = best.unwrap_or_else(|| self.words.line_of(arrow));
        if line > start { line } else { arrow }
    }

    /// Guess the missing number of variables from the names that begin at `names` and from the
    /// first rule, so that rows can still be checked.
    fn infer_count(&mut self, names: usize) -> Option<usize> {
        let arrow = self.words.arrow_from(names)?;
        let row = self.words.line_of(arrow).min(arrow);
        if row < names {
            return None;
        }
        self.position = row;
        let n_names = row - names;
        let n = if n_names > 0 && self.rule_fits(row, n_names) {
            n_names
        } else {
            arrow - row
        };
        (n > 0).then_some(n)
    }

    /// Report a misspelled keyword.
    pub(super) fn misspelled(&mut self, at: usize, keyword: Keyword) {
        let word = self.words.text(at);
        self.reporter.push(
            Diagnostic::error(
                "misspelled-keyword",
                format!("{} isn't a keyword", quote(word)),
            )
            .at(
                self.words.span(at),
                format!("{} expected", keyword.spelling()),
            )
            .hint(format!("did you mean `{}`?", keyword.spelling())),
        );
    }

    /// `n` entries and variables for messages.
    pub(super) fn entries(&self, n: usize) -> String {
        let variables = counted_len(self.n_variables, "variable", "variables");
        format!(
            "{}, the game has {variables}",
            counted_len(n, "entry", "entries")
        )
    }
}

const COUNT_HINT: &str =
    "after the DOMAIN declarations come the number of variables and the name of each one's domain";
