//! Findings in a text of another format: all of them in one pass, up to a limit. Findings that
//! differ only in names and numbers have one cause, so the first stands for the others.

use std::collections::HashMap;

use psvn_syntax::Diagnostic;

/// The most errors, and the most warnings, that are kept; the rest are counted. Of those that
/// another one stands for, as many are kept.
const MOST_KEPT: usize = 50;

/// What a finding is about: its severity, its code, and its message without names and numbers.
type Kind = (psvn_syntax::Severity, &'static str, String);

/// Collects errors in a text, and remarks.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    n_errors: usize,
    n_hidden_errors: usize,
    n_hidden_warnings: usize,
    /// The place of the first finding of each kind among the errors or the warnings.
    first: HashMap<Kind, usize>,
}

impl Problems {
    /// Add a finding.
    pub(crate) fn push(&mut self, found: Diagnostic) {
        self.n_errors += usize::from(found.is_error());
        let (kept, n_hidden) = match found.is_error() {
            true => (&mut self.errors, &mut self.n_hidden_errors),
            false => (&mut self.warnings, &mut self.n_hidden_warnings),
        };
        let kind = kind(&found);
        match self.first.get(&kind) {
            Some(first) => kept[*first].stand_for(found, MOST_KEPT),
            None if kept.len() < MOST_KEPT => {
                self.first.insert(kind, kept.len());
                kept.push(found);
            }
            None => *n_hidden += 1,
        }
    }

    /// The number of errors so far.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Whether there was an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// The findings in order of place, with a remark on those that were left out.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.errors;
        all.extend(self.warnings);
        psvn_ir::sorted::by_key(&mut all, |found| {
            found.primary.as_ref().map_or(0, |label| label.span.start)
        });
        if self.n_hidden_errors > 0 {
            let message = format!("and more errors: {}", self.n_hidden_errors);
            all.push(Diagnostic::error("too-many-errors", message));
        }
        if self.n_hidden_warnings > 0 {
            let message = format!("and more warnings: {}", self.n_hidden_warnings);
            all.push(Diagnostic::warning("too-many-warnings", message));
        }
        all
    }
}

/// What a finding is about, apart from names and numbers.
fn kind(found: &Diagnostic) -> Kind {
    let unquoted = found.message.split('`').step_by(2).collect::<String>();
    let message = unquoted.chars().filter(|c| !c.is_ascii_digit()).collect();
    (found.severity, found.code, message)
}

#[cfg(test)]
mod tests {
    use psvn_syntax::Span;

    use super::*;

    #[test]
    fn findings_of_one_cause_are_one() {
        let mut problems = Problems::default();
        for number in 0..100 {
            let message = format!("operator {number} needs `x{number}`");
            let place = Span::new(number, number + 1);
            problems.push(Diagnostic::warning("sas-axiom", message).at(place, ""));
        }
        problems.push(Diagnostic::error("sas-axiom", "operator 3 is cut off"));
        let found = problems.finish();
        assert_eq!(found.len(), 2);
        let warning = found.iter().find(|it| !it.is_error()).unwrap();
        assert_eq!(warning.message, "operator 0 needs `x0`");
        assert_eq!((warning.n_others, warning.others.len()), (99, 50));
    }
}
