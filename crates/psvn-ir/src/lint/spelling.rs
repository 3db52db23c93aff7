//! Warnings about letters that look like variable symbols and are values.
//!
//! The language ignores case. If `a` is a value, `A` in a rule is that value and no variable
//! symbol, although a single capital letter mostly is one. A rule meant to move any value then
//! moves only this one.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_syntax::{Diagnostic, Span};

use super::Thinner;
use crate::ids::{DomainId, Value};
use crate::source::builder::GameBuilder;

/// A letter that names a value in another case than its declaration.
struct Respelt {
    domain: DomainId,
    value: Value,
    text: String,
    span: Span,
}

/// How the values of a rule or goal that are single letters are spelled.
#[derive(Default)]
pub(crate) struct LetterValues {
    /// The domains of those that are spelled as declared.
    as_declared: Vec<DomainId>,
    respelt: Vec<Respelt>,
}

impl LetterValues {
    /// Note a word that stands for a value.
    pub(crate) fn note(
        &mut self,
        game: &GameBuilder,
        (domain, value): (DomainId, Value),
        text: &str,
        span: Span,
    ) {
        let mut letters = text.chars();
        let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
        if !is_letter {
            return;
        }
        if game.domains[domain.index()].value_name(value) != text {
            self.respelt.push(Respelt {
                domain,
                value,
                text: text.to_owned(),
                span,
            });
        } else if !self.as_declared.contains(&domain) {
            self.as_declared.push(domain);
        }
    }
}

/// Collects how letters are spelled, and judges this by the whole file.
#[derive(Default)]
pub(crate) struct SpellingLint {
    /// For each domain, whether some letter is spelled as declared.
    as_declared: HashMap<DomainId, bool, RandomState>,
    found: Vec<(DomainId, Diagnostic)>,
    thinner: HashMap<DomainId, Thinner, RandomState>,
}

impl SpellingLint {
    /// Note the values of a goal. A letter in another case isn't a symbol there: goals hardly ever
    /// have symbols.
    pub(crate) fn goal(&mut self, letters: &LetterValues) {
        for domain in &letters.as_declared {
            self.as_declared.insert(*domain, true);
        }
    }

    /// Note the values of a rule.
    pub(crate) fn rule(&mut self, game: &GameBuilder, letters: &LetterValues) {
        self.goal(letters);
        for respelt in &letters.respelt {
            let domain = &game.domains[respelt.domain.index()];
            let (text, value) = (&respelt.text, domain.value_name(respelt.value));
            let warning = Diagnostic::warning(
                "value-looks-like-symbol",
                format!("`{text}` is the value `{value}`, since case doesn't matter"),
            )
            .at(
                respelt.span,
                format!("a value of domain `{}`, no variable symbol", domain.name()),
            )
            .hint(format!(
                "if any value is meant, use a letter that isn't a value; otherwise write `{value}`"
            ));
            let thinner = self.thinner.entry(respelt.domain).or_default();
            self.found.push((respelt.domain, thinner.thin(warning)));
        }
    }

    /// The warnings. If a file spells no letter of a domain as declared, that is its author's
    /// habit.
    pub(crate) fn finish(self, diagnostics: &mut Vec<Diagnostic>) {
        let as_declared = self.as_declared;
        let found = self.found.into_iter();
        let odd = found.filter(|(domain, _)| as_declared.contains_key(domain));
        diagnostics.extend(odd.map(|(_, warning)| warning));
    }
}
