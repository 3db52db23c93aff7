//! The words that may stand at a place.

use std::collections::BTreeSet;

use psvn_syntax::Span;
use psvn_syntax::ast::Item;

use super::hover::KEYWORDS;
use crate::document::Document;
use crate::words::meaning::DomainIndex;
use crate::words::place::{InRow, Place, behind, is_keyword};
use crate::words::{scan, span_of};

/// What a proposed word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A variable symbol that the row has already.
    Symbol,
    /// A value.
    Value,
    /// `=>` or `-`.
    Operator,
    /// The name of a domain.
    Domain,
    /// A label.
    Label,
    /// A keyword, or a letter of a projection.
    Keyword,
}

/// A word that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// What it is.
    pub kind: CompletionKind,
    /// The word.
    pub word: String,
    /// A few words about it.
    pub detail: String,
}

/// The words that may stand at a place, the likeliest kind first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The place of the word that they replace: the part of it before the cursor.
    pub span: Span,
    /// The words.
    pub items: Vec<Completion>,
}

/// The most values that are proposed.
const MOST_VALUES: usize = 1_000;

impl Document {
    /// Return the words that may stand at an offset, whatever stands there already.
    pub fn completion(&self, offset: usize) -> Completions {
        let offset = self
            .text()
            .floor_char_boundary(offset.min(self.text().len()));
        let nothing = Completions {
            span: Span::new(offset, offset),
            items: Vec::new(),
        };
        let comments = &self.file().comments;
        let is_in_comment = comments
            .iter()
            .any(|comment| comment.span.start < offset && offset <= comment.span.end);
        if !self.is_psvn() || is_in_comment {
            return nothing;
        }
        let all = scan::words(self.text());
        let n_before = all.partition_point(|word| word.start < offset);
        let (before, start) = match all[..n_before].last() {
            Some(word) if word.end >= offset => (&all[..n_before - 1], word.start),
            _ => (&all[..n_before], offset),
        };
        // A star in front of a cell stays.
        let is_starred = self.text()[start..offset].starts_with('*');
        let span = Span::new(start + usize::from(is_starred), offset);
        let mut items = self.proposals(before, offset);
        // Values stay in the order in which they are declared.
        items.sort_by_key(|item| item.kind);
        Completions { span, items }
    }

    fn proposals(&self, before: &[Span], offset: usize) -> Vec<Completion> {
        let header = self.file().variables.as_ref();
        match header {
            Some(variables) if variables.span.end < offset => {
                let (words, row) = self.row(before, offset, variables.span.end);
                self.in_row(&words, row)
            }
            _ => self.in_header(before),
        }
    }

    /// The words of the row that an offset is in, and what is expected behind them.
    fn row(&self, before: &[Span], offset: usize, header: usize) -> (Vec<&str>, Option<InRow>) {
        let items = self.file().items.iter().map(span_of);
        // Behind the last row that is complete and begins before the offset, or at its beginning
        // if the offset is in it, or just behind it.
        let last = items.take_while(|item| item.start < offset).last();
        let start = last.map_or(header, |item| item.start);
        let words = |from: usize| -> Vec<&str> {
            let words = before.iter().filter(|word| word.start >= from);
            words.map(|word| self.slice(*word)).collect()
        };
        let n = self.meaning.variables.len();
        let all = words(start);
        if let Some(row) = behind(&all, n) {
            return (all, Some(row));
        }
        // A row before this one is wrong, so this one begins with its line.
        let line = self.text()[..offset].rfind('\n').map_or(0, |at| at + 1);
        let of_line = words(line.max(header));
        let row = behind(&of_line, n);
        (of_line, row)
    }

    /// What may stand in the declarations.
    fn in_header(&self, before: &[Span]) -> Vec<Completion> {
        let declared = self.file().domains.last();
        let end = declared.map_or(0, |domain| domain.span.end);
        let words = before.iter().filter(|word| word.start >= end);
        let words: Vec<&str> = words.map(|word| self.slice(*word)).collect();
        match words.first() {
            None => vec![keyword("DOMAIN")],
            Some(first) if first.parse::<u64>().is_ok() => self.domains(),
            Some(_) => Vec::new(),
        }
    }

    fn in_row(&self, words: &[&str], row: Option<InRow>) -> Vec<Completion> {
        let Some(InRow { place, first }) = row else {
            return Vec::new();
        };
        let own = &words[first.min(words.len())..];
        match place {
            Place::Row { is_behind_rule } => {
                let mut items = self.cells(0, &[]);
                items.push(keyword("GOAL"));
                items.push(keyword("abstraction"));
                if is_behind_rule {
                    items.push(keyword("LABEL"));
                    items.push(keyword("COST"));
                }
                items
            }
            Place::Left(variable) | Place::Right(variable) => self.cells(variable, own),
            Place::Goal(variable) => self.cells(variable, &own[1..]),
            Place::Arrow => vec![Completion {
                kind: CompletionKind::Operator,
                word: "=>".to_owned(),
                detail: "the right-hand side follows".to_owned(),
            }],
            Place::Label => self.labels(),
            Place::Cost => Vec::new(),
            Place::Block { .. } => self.in_block(own),
        }
    }

    /// What may stand in the column of a variable, behind some words of the row.
    fn cells(&self, variable: usize, own: &[&str]) -> Vec<Completion> {
        let Some(index) = self.meaning.variables.get(variable).copied() else {
            return Vec::new();
        };
        let mut items = self.values(index);
        let n = self.meaning.variables.len();
        let named = &self.meaning.domains[index];
        let symbols: BTreeSet<&str> = own
            .iter()
            .enumerate()
            .filter(|(place, _)| {
                // Behind the arrow, which takes a place, columns begin again.
                let column = if *place > n { place - n - 1 } else { *place };
                self.meaning.variables.get(column) == Some(&index)
            })
            .map(|(_, word)| word.strip_prefix('*').unwrap_or(word))
            .filter(|word| !matches!(*word, "" | "-" | "=>") && named.value(word).is_none())
            .collect();
        items.extend(symbols.into_iter().map(|symbol| Completion {
            kind: CompletionKind::Symbol,
            word: symbol.to_owned(),
            detail: "symbol of this row".to_owned(),
        }));
        items.push(Completion {
            kind: CompletionKind::Operator,
            word: "-".to_owned(),
            detail: "not tested, or left as it is".to_owned(),
        });
        items
    }

    fn values(&self, index: DomainIndex) -> Vec<Completion> {
        let named = &self.meaning.domains[index];
        let values = named.domain.iter().flat_map(psvn_ir::Domain::values);
        let value = |value: &String| Completion {
            kind: CompletionKind::Value,
            word: value.clone(),
            detail: format!("value of `{}`", named.name),
        };
        values.take(MOST_VALUES).map(value).collect()
    }

    fn domains(&self) -> Vec<Completion> {
        let domains = self.meaning.domains.iter();
        let domain = |named: &crate::words::meaning::NamedDomain| {
            let domain = named.domain.as_ref()?;
            Some(Completion {
                kind: CompletionKind::Domain,
                word: named.name.clone(),
                detail: budget::count(domain.size(), "value"),
            })
        };
        domains.filter_map(domain).collect()
    }

    fn labels(&self) -> Vec<Completion> {
        let rules = self.file().items.iter().filter_map(|item| match item {
            Item::Rule(rule) => rule.label.as_ref(),
            Item::Goal(_) | Item::Abstraction(_) => None,
        });
        let labels: BTreeSet<&str> = rules.map(|label| label.text.as_str()).collect();
        let label = |label: &str| Completion {
            kind: CompletionKind::Label,
            word: label.to_owned(),
            detail: "label of a rule".to_owned(),
        };
        labels.into_iter().map(label).collect()
    }

    /// What may stand in a block of an abstraction, behind some of its words.
    fn in_block(&self, own: &[&str]) -> Vec<Completion> {
        let mut depth = 0_usize;
        let mut opened = "";
        for (place, word) in own.iter().enumerate() {
            match *word {
                "{" => {
                    depth += 1;
                    opened = own[place.saturating_sub(1)];
                }
                "}" => {
                    depth = depth.saturating_sub(1);
                    opened = "abstraction";
                }
                _ => {}
            }
        }
        if depth < 2 {
            let mut items = self.domains();
            items.extend([keyword("projection"), keyword("pieces")]);
            return items;
        }
        match self.meaning.known(opened) {
            Some(index) => self.values(index),
            None if is_keyword(opened) => {
                let letter = |word: &str, detail: &str| Completion {
                    kind: CompletionKind::Keyword,
                    word: word.to_owned(),
                    detail: detail.to_owned(),
                };
                vec![letter("K", "kept"), letter("P", "projected away")]
            }
            None => Vec::new(),
        }
    }
}

fn keyword(word: &str) -> Completion {
    let known = KEYWORDS.iter().find(|(name, _)| *name == word);
    Completion {
        kind: CompletionKind::Keyword,
        word: word.to_owned(),
        detail: known.map_or("", |(_, meaning)| meaning).replace('`', ""),
    }
}
