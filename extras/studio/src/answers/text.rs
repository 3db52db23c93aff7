//! What is wrong with a text, how to mend it, and what a place in it means.

use std::collections::BTreeMap;
use std::sync::Arc;

use language_server::{Action, Certainty, Finding, Span, explanation};
use psvn_syntax::LineIndex;
use serde::{Deserialize, Serialize};

use super::Question;
use super::offsets::Offsets;
use crate::jobs::Owner;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// A text is handed over.
#[derive(Debug, Deserialize)]
pub(crate) struct NewText {
    text: String,
    /// Which window has it.
    window: String,
}

/// What is known about a text at once.
#[derive(Debug, Serialize)]
pub(crate) struct Read {
    game: String,
    /// Whether it is a game.
    is_game: bool,
    /// The hash of the game's content, which comments don't change.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    n_variables: usize,
    n_rules: usize,
    n_goals: usize,
    /// Its start states, by name.
    starts: Vec<(String, String)>,
}

impl NewText {
    /// Read the text, and cancel the work of this window for the text before it.
    pub(crate) fn read(self, studio: &Arc<Studio>) -> Read {
        let opened = studio.read(self.text);
        studio.jobs.cancel_for_others(&Owner {
            game: opened.id.clone(),
            window: self.window,
        });
        let game = opened.game().ok();
        let ir = game.map(psvn::Game::ir);
        Read {
            game: opened.id.clone(),
            is_game: game.is_some(),
            hash: ir.map(|game| game.content_hash().to_string()),
            n_variables: ir.map_or(0, psvn_ir::Game::n_variables),
            n_rules: ir.map_or(0, |game| game.rules().len()),
            n_goals: ir.map_or(0, |game| game.goals().len()),
            starts: game.map_or_else(Vec::new, super::board::starts),
        }
    }
}

/// What is wrong with a text?
#[derive(Debug, Deserialize)]
pub(crate) struct Findings {
    game: String,
}

/// What is wrong with a text.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    findings: Vec<Shown>,
    /// The change that settles all findings that have one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix_all: Option<Fix>,
    /// What each code means.
    codes: BTreeMap<&'static str, &'static str>,
}

/// A finding with its place.
#[derive(Debug, Serialize)]
struct Shown {
    severity: &'static str,
    code: &'static str,
    message: String,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    /// Whether the text there has no effect.
    unnecessary: bool,
    related: Vec<Related>,
    fixes: Vec<Fix>,
}

/// Another place that matters.
#[derive(Debug, Serialize)]
struct Related {
    line: usize,
    text: String,
}

/// A change of the text.
#[derive(Clone, Debug, Serialize)]
struct Fix {
    title: String,
    certain: bool,
    edits: Vec<Edit>,
}

#[derive(Clone, Debug, Serialize)]
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Question for Findings {
    type Answer = Found;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<Found, Refusal> {
        let document = opened.document();
        let text = document.text();
        let (offsets, lines) = (Offsets::of(text), LineIndex::new(text));
        let findings = document.findings();
        let mut fixes: BTreeMap<(&str, usize), Vec<Fix>> = BTreeMap::new();
        let mut fix_all = None;
        for action in document.actions(Span::new(0, text.len())) {
            let fix = fix(&action, &offsets);
            match action.settles {
                Some((code, span)) => fixes.entry((code, span.start)).or_default().push(fix),
                None => fix_all = Some(fix),
            }
        }
        let codes = findings
            .iter()
            .filter_map(|it| Some((it.code, explanation(it.code)?)))
            .collect();
        let shown = |finding: Finding| {
            let (line, column) = lines.line_column(finding.span.start);
            Shown {
                severity: finding.severity.as_str(),
                code: finding.code,
                start: offsets.units(finding.span.start),
                end: offsets.units(finding.span.end),
                line,
                column,
                unnecessary: finding.is_unnecessary,
                related: finding
                    .related
                    .iter()
                    .map(|(span, text)| Related {
                        line: lines.line_column(span.start).0,
                        text: text.clone(),
                    })
                    .collect(),
                // A fix may delete more than what the finding is about, such as the whole line.
                fixes: fixes_within(&fixes, &finding),
                message: finding.message,
            }
        };
        Ok(Found {
            codes,
            findings: findings.into_iter().map(shown).collect(),
            fix_all,
        })
    }
}

/// The fixes of a finding: those of its code that begin where it does.
fn fixes_within(fixes: &BTreeMap<(&str, usize), Vec<Fix>>, finding: &Finding) -> Vec<Fix> {
    let places = finding.span.start..=finding.span.end.max(finding.span.start);
    let of = fixes.range((finding.code, *places.start())..=(finding.code, *places.end()));
    of.flat_map(|(_, fixes)| fixes.iter().cloned()).collect()
}

fn fix(action: &Action, offsets: &Offsets<'_>) -> Fix {
    let edit = |edit: &language_server::Edit| Edit {
        start: offsets.units(edit.span.start),
        end: offsets.units(edit.span.end),
        text: edit.text.clone(),
    };
    Fix {
        title: action.title.clone(),
        certain: action.certainty == Certainty::Certain,
        edits: action.edits.iter().map(edit).collect(),
    }
}

/// What does a place mean?
#[derive(Debug, Deserialize)]
pub(crate) struct At {
    game: String,
    offset: usize,
}

/// The meaning of a place.
#[derive(Debug, Serialize)]
pub(crate) struct Meaning {
    /// As Markdown; `None` where there is nothing to say.
    text: Option<String>,
}

impl Question for At {
    type Answer = Meaning;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<Meaning, Refusal> {
        let document = opened.document();
        let offset = Offsets::of(document.text()).byte(self.offset);
        Ok(Meaning {
            text: document.hover(offset).map(|hover| hover.text),
        })
    }
}
