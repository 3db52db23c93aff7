//! Building nodes of the tree, with the checks that need only one node.

use lalrpop_util::{ErrorRecovery, ParseError};

use crate::ast::{
    AbstractionDecl, Cell, DomainMapping, Name, Number, Pieces, Projection, RuleDecl,
};
use crate::diagnostic::report::Reporter;
use crate::layout::token::{Role, Run, Token};
use crate::text::wording::{number, quote};
use crate::{Diagnostic, Span};

/// An attribute of a rule, given behind its right-hand side. The place is that of the keyword;
/// `None` stands for an attribute whose error has been reported.
pub(crate) enum Attribute {
    Label(Span, Option<Name>),
    Cost(Span, Option<Number>),
}

/// A section of an abstraction block.
pub(crate) enum Section {
    Mapping(DomainMapping),
    Projection(Projection),
    Pieces(Pieces),
}

type Recovery<'plan> = ErrorRecovery<usize, Token<'plan>, std::convert::Infallible>;

/// Handle a construct that was skipped. The layout pass has reported why when it marked the
/// construct as damaged. It should have caught any other error, too, but such an error is reported.
pub(crate) fn skipped<T>(reporter: &mut Reporter, recovery: Recovery<'_>) -> Option<T> {
    let place = match recovery.error {
        ParseError::UnrecognizedToken {
            token:
                (
                    _,
                    Token {
                        role: Role::Damaged,
                        ..
                    },
                    _,
                ),
            ..
        } => return None,
        ParseError::UnrecognizedToken {
            token: (start, _, end),
            ..
        }
        | ParseError::ExtraToken {
            token: (start, _, end),
        } => Span::new(start, end),
        ParseError::UnrecognizedEof { location, .. } | ParseError::InvalidToken { location } => {
            Span::new(location, location)
        }
        ParseError::User { error } => match error {},
    };
    reporter.push(
        Diagnostic::error("unexpected-text", "unexpected text").at(place, "nothing can stand here"),
    );
    None
}

/// A number that the layout pass has already read.
pub(crate) fn counted_number(text: &str, span: Span) -> Number {
    Number {
        value: number(text).unwrap_or(u64::MAX),
        span,
    }
}

/// The names in a row, or in a part of it.
pub(crate) fn names(row: Run<'_>) -> impl Iterator<Item = Name> {
    row.iter().map(|(word, span)| Name {
        text: word.into(),
        span,
    })
}

/// The cells of a side of a rule, or of a part of it.
pub(crate) fn cells(row: Run<'_>) -> impl Iterator<Item = Cell> {
    row.iter().map(|(word, span)| {
        // A lone star vouches for nothing: it is a symbol.
        let vouched = word.strip_prefix('*').filter(|text| !text.is_empty());
        Cell {
            starred: vouched.is_some(),
            text: vouched.unwrap_or(word).into(),
            span,
        }
    })
}

/// The cells of a goal, or of a part of it; a star there is part of the word.
pub(crate) fn goal_cells(row: Run<'_>) -> impl Iterator<Item = Cell> {
    row.iter().map(|(word, span)| Cell {
        starred: false,
        text: word.into(),
        span,
    })
}

/// A rule; each attribute may be given once.
pub(crate) fn rule(
    reporter: &mut Reporter,
    span: Span,
    lhs: Vec<Cell>,
    arrow: Span,
    rhs: Vec<Cell>,
    attributes: Vec<Attribute>,
) -> RuleDecl {
    let mut rule = RuleDecl {
        span,
        lhs,
        arrow,
        rhs,
        label: None,
        cost: None,
    };
    let (mut label_at, mut cost_at) = (None, None);
    for attribute in attributes {
        match attribute {
            Attribute::Label(place, name) => match label_at {
                None => (label_at, rule.label) = (Some(place), name),
                Some(first) => duplicate(reporter, "LABEL", first, place),
            },
            Attribute::Cost(place, cost) => match cost_at {
                None => (cost_at, rule.cost) = (Some(place), cost),
                Some(first) => duplicate(reporter, "COST", first, place),
            },
        }
    }
    rule
}

fn duplicate(reporter: &mut Reporter, keyword: &str, first: Span, second: Span) {
    reporter.push(
        Diagnostic::error(
            "duplicate-attribute",
            format!("this rule has a second {keyword}"),
        )
        .at(second, "the second one")
        .also(first, "the first one")
        .hint("remove one of them"),
    );
}

/// `LABEL` with nothing behind it.
pub(crate) fn missing_label(reporter: &mut Reporter, keyword: Span) -> Attribute {
    reporter.push(
        Diagnostic::error("missing-label", "LABEL without a name")
            .at(keyword, "a name should follow")
            .hint("write `LABEL name`, or remove it: the rule then gets a name by its number"),
    );
    Attribute::Label(keyword, None)
}

/// `COST` with nothing behind it.
pub(crate) fn missing_cost(reporter: &mut Reporter, keyword: Span) -> Attribute {
    reporter.push(
        Diagnostic::error("missing-cost", "COST without a number")
            .at(keyword, "a number should follow")
            .hint("write `COST 2`, or remove it: the cost is then 1"),
    );
    Attribute::Cost(keyword, None)
}

/// `COST word`, which must be a whole number of at most 32 bits.
pub(crate) fn cost(reporter: &mut Reporter, keyword: Span, word: Name) -> Attribute {
    let why = match number(&word.text) {
        Ok(value) if value <= u64::from(u32::MAX) => {
            return Attribute::Cost(
                keyword,
                Some(Number {
                    value,
                    span: word.span,
                }),
            );
        }
        Ok(_) => "too large",
        Err(problem) => problem.why(),
    };
    reporter.push(
        Diagnostic::error("bad-cost", format!("{} isn't a cost", quote(&word.text)))
            .at(word.span, why)
            .hint(format!("a cost is a whole number from 0 to {}", u32::MAX)),
    );
    Attribute::Cost(keyword, None)
}

/// `projection { K P ... }`
pub(crate) fn projection(reporter: &mut Reporter, span: Span, entries: Vec<Name>) -> Section {
    let mut keep = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.text.as_str() {
            "K" | "k" => keep.push((true, entry.span)),
            "P" | "p" => keep.push((false, entry.span)),
            other => {
                reporter.push(
                    Diagnostic::error(
                        "bad-projection",
                        format!("{} is neither K nor P", quote(other)),
                    )
                    .at(entry.span, "K or P expected")
                    .hint("one letter for each variable: K keeps it, P projects it away"),
                );
                // Keep an entry, so that the length is not reported, too.
                keep.push((true, entry.span));
            }
        }
    }
    Section::Projection(Projection { span, keep })
}

/// `abstraction { ... }`; one projection and one list of pieces at most.
pub(crate) fn abstraction(
    reporter: &mut Reporter,
    span: Span,
    sections: Vec<Section>,
) -> AbstractionDecl {
    let mut block = AbstractionDecl {
        span,
        mappings: Vec::new(),
        projection: None,
        pieces: None,
    };
    for section in sections {
        match section {
            Section::Mapping(mapping) => block.mappings.push(mapping),
            Section::Projection(second) => match &block.projection {
                None => block.projection = Some(second),
                Some(first) => reporter.push(
                    Diagnostic::error("duplicate-projection", "this block has a second projection")
                        .at(second.span, "the second one")
                        .also(first.span, "the first one")
                        .hint("merge them: P wherever one of them has P"),
                ),
            },
            Section::Pieces(second) => match &block.pieces {
                None => block.pieces = Some(second),
                Some(first) => reporter.push(
                    Diagnostic::error("duplicate-pieces", "this block has a second list of pieces")
                        .at(second.span, "the second one")
                        .also(first.span, "the first one")
                        .hint("merge them: P wherever one of them has P"),
                ),
            },
        }
    }
    block
}
