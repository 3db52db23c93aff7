//! The structure of a text: its parts by name, and what can be folded.

use psvn_syntax::Span;
use psvn_syntax::ast::{AbstractionDecl, Item, RuleDecl};

use crate::document::Document;
use crate::words::span_of;

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A domain.
    Domain,
    /// The variables.
    Variables,
    /// A rule, or several rules in a row with the same label.
    Rule,
    /// A goal.
    Goal,
    /// A block of an abstraction.
    Abstraction,
}

/// A part of a text, for an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// More about it, on one line.
    pub detail: String,
    /// What it is.
    pub kind: PartKind,
    /// Its place.
    pub span: Span,
    /// The place of its name.
    pub name_span: Span,
    /// What is within it.
    pub parts: Vec<Part>,
}

/// The most bytes of a detail.
const LONGEST: usize = 80;

impl Document {
    /// Return the parts of the text: domains, variables, rules by label, goals, abstractions.
    pub fn outline(&self) -> Vec<Part> {
        let file = self.file();
        let mut parts: Vec<Part> = file
            .domains
            .iter()
            .map(|domain| Part {
                name: domain.name.text.clone(),
                detail: budget::count(domain.values.len(), "value"),
                kind: PartKind::Domain,
                span: domain.span,
                name_span: domain.name.span,
                parts: Vec::new(),
            })
            .collect();
        parts.extend(file.variables.as_ref().map(|variables| Part {
            name: budget::count(variables.domains.len(), "variable"),
            detail: String::new(),
            kind: PartKind::Variables,
            span: variables.span,
            name_span: variables.count.span,
            parts: Vec::new(),
        }));
        let mut n_rules = 0;
        let mut n_blocks = 0;
        for item in &file.items {
            match item {
                Item::Rule(rule) => {
                    n_rules += 1;
                    self.add_rule(rule, n_rules, &mut parts);
                }
                Item::Goal(goal) => parts.push(Part {
                    name: "GOAL".to_owned(),
                    detail: self.line(goal.span),
                    kind: PartKind::Goal,
                    span: goal.span,
                    name_span: goal.span,
                    parts: Vec::new(),
                }),
                Item::Abstraction(block) => {
                    n_blocks += 1;
                    parts.push(self.block(block, n_blocks));
                }
            }
        }
        parts
    }

    /// Add a rule; behind one with the same label, into what stands for both.
    fn add_rule(&self, rule: &RuleDecl, number: usize, parts: &mut Vec<Part>) {
        let part = Part {
            name: rule
                .label
                .as_ref()
                .map_or_else(|| format!("rule_{number}"), |label| label.text.clone()),
            detail: self.line(rule.span),
            kind: PartKind::Rule,
            span: rule.span,
            name_span: rule.label.as_ref().map_or(rule.span, |label| label.span),
            parts: Vec::new(),
        };
        let is_same = |last: &&mut Part| {
            last.kind == PartKind::Rule && last.name.eq_ignore_ascii_case(&part.name)
        };
        let Some(last) = parts.last_mut().filter(is_same) else {
            parts.push(part);
            return;
        };
        if last.parts.is_empty() {
            let first = last.clone();
            last.parts.push(first);
        }
        last.span = last.span.to(part.span);
        last.parts.push(part);
        last.detail = budget::count(last.parts.len(), "rule");
    }

    fn block(&self, block: &AbstractionDecl, number: usize) -> Part {
        Part {
            name: format!("abstraction {number}"),
            detail: self.line(block.span),
            kind: PartKind::Abstraction,
            span: block.span,
            name_span: block.span,
            parts: Vec::new(),
        }
    }

    /// A part of the text on one line.
    fn line(&self, span: Span) -> String {
        let words: Vec<&str> = self.slice(span).split_whitespace().collect();
        let line = words.join(" ");
        if line.len() <= LONGEST {
            return line;
        }
        format!("{}...", &line[..line.floor_char_boundary(LONGEST)])
    }

    /// Return the places that may be folded: parts that take several lines, and comments in a row.
    pub fn foldings(&self) -> Vec<Folding> {
        let file = self.file();
        let domains = file.domains.iter().map(|domain| domain.span);
        let variables = file.variables.iter().map(|variables| variables.span);
        let items = file.items.iter().map(span_of);
        let of_parts = domains.chain(variables).chain(items);
        let mut foldings: Vec<Folding> = of_parts
            .filter(|span| self.slice(*span).contains('\n'))
            .map(|span| Folding {
                span,
                is_comment: false,
            })
            .collect();
        let own: Vec<Span> = file
            .comments
            .iter()
            .filter(|comment| !comment.trailing)
            .map(|comment| comment.span)
            .collect();
        let is_next = |one: &Span, other: &Span| {
            let between = self.slice(Span::new(one.end, other.start.max(one.end)));
            between.trim().is_empty() && between.matches('\n').count() == 1
        };
        let runs = own.chunk_by(is_next).filter(|run| run.len() > 1);
        foldings.extend(runs.map(|run| Folding {
            span: run[0].to(run[run.len() - 1]),
            is_comment: true,
        }));
        foldings
    }
}

/// Lines that may be folded into the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folding {
    /// Their place.
    pub span: Span,
    /// Whether they are comments.
    pub is_comment: bool,
}
