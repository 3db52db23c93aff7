//! Plain text for trees and findings, so that a snapshot can be judged alone.

use std::fmt::Write;

use psvn_syntax::ast::{AbstractionDecl, Cell, File, Item, Name};
use psvn_syntax::{Diagnostic, Label, LineIndex};

/// The source with invisible characters escaped.
pub(crate) fn visible(source: &str) -> String {
    let mut text = String::new();
    for character in source.chars() {
        match character {
            '\n' => text.push('\n'),
            c if c.is_control() || c == '\u{a0}' || c == '\u{feff}' => {
                text.extend(c.escape_default());
            }
            c => text.push(c),
        }
    }
    text
}

/// One line for each node.
pub(crate) fn tree(file: &File) -> String {
    let mut text = String::new();
    for domain in &file.domains {
        let name = &domain.name.text;
        writeln!(
            text,
            "domain {name} ({}): {}",
            domain.size.value,
            names(&domain.values)
        )
        .unwrap();
    }
    if let Some(variables) = &file.variables {
        writeln!(
            text,
            "variables {}: {}",
            variables.count.value,
            names(&variables.domains)
        )
        .unwrap();
    }
    for item in &file.items {
        match item {
            Item::Rule(rule) => {
                write!(text, "rule {} => {}", cells(&rule.lhs), cells(&rule.rhs)).unwrap();
                if let Some(label) = &rule.label {
                    write!(text, ", label {}", label.text).unwrap();
                }
                if let Some(cost) = &rule.cost {
                    write!(text, ", cost {}", cost.value).unwrap();
                }
                text.push('\n');
            }
            Item::Goal(goal) => writeln!(text, "goal {}", cells(&goal.cells)).unwrap(),
            Item::Abstraction(block) => text.push_str(&abstraction(block)),
        }
    }
    for comment in &file.comments {
        let kind = if comment.trailing {
            "trailing comment"
        } else {
            "comment"
        };
        writeln!(text, "{kind} {}", comment.text).unwrap();
    }
    text
}

/// One line for each part of a block.
pub(crate) fn abstraction(block: &AbstractionDecl) -> String {
    let mut text = String::from("abstraction\n");
    for mapping in &block.mappings {
        writeln!(
            text,
            "  {}: {}",
            mapping.domain.text,
            names(&mapping.values)
        )
        .unwrap();
    }
    if let Some(pieces) = &block.pieces {
        writeln!(text, "  pieces: {}", names(&pieces.letters)).unwrap();
    }
    if let Some(projection) = &block.projection {
        let letters: String = projection
            .keep
            .iter()
            .map(|(keep, _)| if *keep { 'K' } else { 'P' })
            .collect();
        writeln!(text, "  projection: {letters}").unwrap();
    }
    text
}

fn names(names: &[Name]) -> String {
    names
        .iter()
        .map(|name| name.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn cells(cells: &[Cell]) -> String {
    let star = |cell: &Cell| if cell.starred { "*" } else { "" };
    cells
        .iter()
        .map(|cell| format!("{}{}", star(cell), cell.text))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The findings with their lines and carets.
pub(crate) fn findings(source: &str, findings: &[Diagnostic]) -> String {
    let index = LineIndex::new(source);
    let lines: Vec<&str> = source.split('\n').collect();
    let mut text = String::new();
    for finding in findings {
        writeln!(
            text,
            "{}[{}]: {}",
            finding.severity.as_str(),
            finding.code,
            finding.message
        )
        .unwrap();
        for (mark, label) in finding
            .primary
            .iter()
            .map(|l| ('^', l))
            .chain(finding.secondary.iter().map(|l| ('-', l)))
        {
            place(&mut text, &index, &lines, mark, label);
        }
        if let Some(hint) = &finding.hint {
            writeln!(text, "  = hint: {hint}").unwrap();
        }
    }
    text
}

fn place(text: &mut String, index: &LineIndex<'_>, lines: &[&str], mark: char, label: &Label) {
    let (line, column) = index.line_column(label.span.start);
    let (last_line, last_column) = index.line_column(label.span.end);
    let shown = lines[line - 1];
    let width = if last_line == line {
        last_column - column
    } else {
        shown.chars().count() + 1 - column
    };
    let more = if last_line == line {
        String::new()
    } else {
        format!(" (to line {last_line})")
    };
    writeln!(text, "{line:4} | {}", visible(shown)).unwrap();
    let carets = mark.to_string().repeat(width.max(1));
    writeln!(
        text,
        "     | {}{carets} {}{more}",
        " ".repeat(column - 1),
        label.text
    )
    .unwrap();
}
