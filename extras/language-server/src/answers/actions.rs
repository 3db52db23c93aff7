//! Changes that settle findings.

use lint::{Fix, fixes};
use psvn::Source;
use psvn_syntax::{Diagnostic, Span};

use super::edit::{Edit, difference};
use crate::document::{Document, TIME};
use crate::words::Entity;

/// How sure it is that an action does what the writer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// There is one answer, which `psvn check --fix` gives, too.
    Certain,
    /// It is likely.
    Likely,
}

/// A change that settles one finding, or all that can be settled for certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, as a command.
    pub title: String,
    /// The code of the finding, and its place; `None` where it settles all.
    pub settles: Option<(&'static str, Span)>,
    /// Whether it is certain.
    pub certainty: Certainty,
    /// The changes.
    pub edits: Vec<Edit>,
}

/// How hints begin that name the word which was probably meant.
const BEGINNINGS: [&str; 3] = ["did you mean `", "if `", "if the value `"];

/// The most bytes of a text that is named in a title.
const LONGEST: usize = 40;

impl Document {
    /// Return the changes that settle findings in a part of the text, and one for all findings of
    /// the text whose answer is certain.
    pub fn actions(&self, part: Span) -> Vec<Action> {
        if !self.is_psvn() {
            return Vec::new();
        }
        let certain = fixes(self.text(), self.examined_diagnostics());
        let mut actions: Vec<Action> = certain
            .iter()
            .filter(|fix| touches(fix.span, part))
            .map(|fix| self.of_fix(fix))
            .collect();
        for diagnostic in self.examined_diagnostics() {
            let action = self.of_hint(diagnostic).filter(|action| {
                let places = || action.edits.iter().map(|edit| edit.span);
                places().any(|place| touches(place, part))
                    && places().all(|place| certain.iter().all(|fix| !touches(fix.span, place)))
            });
            actions.extend(action);
        }
        if !certain.is_empty() {
            actions.extend(self.of_all());
        }
        actions
    }

    fn of_fix(&self, fix: &Fix) -> Action {
        Action {
            title: title(self.slice(fix.span), &fix.replacement),
            settles: Some((fix.code, fix.span)),
            certainty: Certainty::Certain,
            edits: vec![Edit {
                span: fix.span,
                text: fix.replacement.clone(),
            }],
        }
    }

    /// The change that a hint proposes for one word, which may be wrong.
    fn of_hint(&self, diagnostic: &Diagnostic) -> Option<Action> {
        let span = diagnostic.primary.as_ref()?.span;
        let word = self.slice(span);
        let hint = diagnostic.hint.as_deref()?;
        let behind = BEGINNINGS.iter().find_map(|it| hint.strip_prefix(it))?;
        let meant = behind.split('`').next()?;
        let are_words = [word, meant]
            .iter()
            .all(|word| !word.is_empty() && !word.contains(char::is_whitespace));
        // A symbol stands for one thing, so all its uses in the row are meant.
        let entity = self.word_at(span.start).and_then(|word| word.entity);
        let places: Vec<Span> = match entity {
            Some(symbol @ Entity::Symbol(..)) => {
                let uses = self.words.referring_to(symbol);
                uses.map(|word| word.span).collect()
            }
            _ => vec![span],
        };
        let edit = |span| Edit {
            span,
            text: meant.to_owned(),
        };
        are_words.then(|| Action {
            title: title(word, meant),
            settles: Some((diagnostic.code, span)),
            certainty: Certainty::Likely,
            edits: places.into_iter().map(edit).collect(),
        })
    }

    /// The change that settles all that is certain.
    fn of_all(&self) -> Option<Action> {
        let mut source = Source::new("", self.text());
        let n_fixes = source.fix(&self.within(TIME)).ok()?;
        (n_fixes > 0).then(|| Action {
            title: "Settle all findings that have one answer".to_owned(),
            settles: None,
            certainty: Certainty::Certain,
            edits: difference(self.text(), &source.text),
        })
    }
}

fn touches(one: Span, other: Span) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn title(old: &str, new: &str) -> String {
    let shown = |text: &str| {
        let text = text.trim();
        let end = text.floor_char_boundary(LONGEST.min(text.len()));
        let dots = if end < text.len() { "..." } else { "" };
        format!("`{}{dots}`", &text[..end])
    };
    if new.is_empty() {
        format!("Delete {}", shown(old))
    } else if new.trim().is_empty() {
        "Replace it by a blank".to_owned()
    } else {
        format!("Replace {} by {}", shown(old), shown(new))
    }
}
