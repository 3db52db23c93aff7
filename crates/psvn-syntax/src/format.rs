//! The canonical layout of a file.
//!
//! Each declaration, rule and goal has one line, but the domains of the variables keep the user's
//! lines. Order and spelling are the user's. Columns of rules are aligned where lines stay short. A
//! blank line separates declarations, rules, goals and blocks, and stays wherever the user left
//! one. Every comment is kept: one behind a row stays behind it, one on its own line stays above
//! what follows it, and one inside a row moves above that row.

use crate::Span;
use crate::ast::{AbstractionDecl, Cell, Comment, File, Item, Name, Number, RuleDecl};

/// The widest left-hand or right-hand side whose columns are aligned, in characters.
const MAX_ALIGNED_WIDTH: usize = 300;

/// Lay out `file`, which must come from [`parse`](crate::parse) of `source` without errors: text
/// that could not be parsed is not in the tree and would be lost.
///
/// Parsing the result gives the same tree up to places. Formatting it again changes nothing.
pub fn format(file: &File, source: &str) -> String {
    let pieces = pieces(file, source);
    let mut writer = Writer {
        source,
        out: String::new(),
        previous_end: None,
    };
    let mut comments = file.comments.iter().peekable();
    let mut previous: Option<Kind> = None;
    for piece in &pieces {
        let mut is_new_kind = previous.is_some_and(|kind| kind.needs_blank_before(piece.kind));
        let mut may_trail = previous.is_some();
        while let Some(comment) = comments.next_if(|comment| comment.span.start < piece.span.end) {
            if may_trail && comment.trailing && comment.span.start < piece.span.start {
                writer.trailing(comment);
            } else {
                writer.line(&comment.text, comment.span, piece.indent, is_new_kind);
                is_new_kind = false;
            }
            may_trail = false;
        }
        writer.line(&piece.text, piece.span, piece.indent, is_new_kind);
        previous = Some(piece.kind);
    }
    let mut may_trail = previous.is_some();
    for comment in comments {
        if may_trail && comment.trailing {
            writer.trailing(comment);
        } else {
            writer.line(&comment.text, comment.span, 0, false);
        }
        may_trail = false;
    }
    writer.finish()
}

/// Return whether two files differ only in places and in which comments are trailing.
pub fn same_structure(one: &File, other: &File) -> bool {
    let structure = |file: &File| {
        let mut file = file.clone();
        erase_places(&mut file);
        file
    };
    structure(one) == structure(other)
}

/// A line of the result, with its place in the source.
struct Piece {
    span: Span,
    kind: Kind,
    indent: usize,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Domain,
    Variables,
    Rule,
    Goal,
    /// The first line of an abstraction block.
    BlockStart,
    /// Any other line of it.
    InBlock,
}

impl Kind {
    fn needs_blank_before(self, next: Kind) -> bool {
        self != next && next != Kind::InBlock
    }
}

/// Puts lines together.
struct Writer<'source> {
    source: &'source str,
    out: String,
    /// Where the last written thing ended in the source.
    previous_end: Option<usize>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str, span: Span, indent: usize, force_blank: bool) {
        if let Some(end) = self.previous_end {
            self.out.push('\n');
            let between = self.source.get(end..span.start).unwrap_or("");
            if force_blank || has_blank_line(between) {
                self.out.push('\n');
            }
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(text);
        self.previous_end = Some(span.end);
    }

    fn trailing(&mut self, comment: &Comment) {
        self.out.push_str("  ");
        self.out.push_str(&comment.text);
        self.previous_end = Some(comment.span.end);
    }

    fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}

/// Whether `text` has a line of white space only; the first line doesn't count.
fn has_blank_line(text: &str) -> bool {
    let mut is_blank = false;
    for character in text.chars() {
        match character {
            '\n' if is_blank => return true,
            '\n' => is_blank = true,
            character if character.is_ascii_whitespace() || character == '\x0B' => {}
            _ => is_blank = false,
        }
    }
    false
}

fn pieces(file: &File, source: &str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(file.domains.len() + file.items.len() + 2);
    let mut push = |span: Span, kind: Kind, text: String| {
        let indent = if kind == Kind::InBlock && text != "}" {
            2
        } else {
            0
        };
        pieces.push(Piece {
            span,
            kind,
            indent,
            text,
        });
    };
    for domain in &file.domains {
        let size = spelled(&domain.size, source);
        let mut text = format!("DOMAIN {} {size}", domain.name.text);
        push_names(&mut text, &domain.values);
        push(domain.span, Kind::Domain, text);
    }
    if let Some(variables) = &file.variables {
        push(
            variables.count.span,
            Kind::Variables,
            spelled(&variables.count, source),
        );
        // The user's lines are kept: variables are often written as the board that they stand for.
        let on_one_line = |one: &Name, next: &Name| {
            let between = source.get(one.span.end..next.span.start);
            !between.is_some_and(|between| between.contains('\n'))
        };
        for line in variables.domains.chunk_by(on_one_line) {
            let (first, last) = (&line[0], &line[line.len() - 1]);
            let mut text = String::new();
            push_names(&mut text, line);
            let span = first.span.to(last.span);
            push(span, Kind::Variables, text.trim_start().to_owned());
        }
    }
    let columns = Columns::of(file);
    for item in &file.items {
        match item {
            Item::Rule(rule) => push(rule.span, Kind::Rule, columns.rule(rule, source)),
            Item::Goal(goal) => {
                let mut text = String::from("GOAL");
                for cell in &goal.cells {
                    text.push(' ');
                    text.push_str(&cell.text);
                }
                push(goal.span, Kind::Goal, text);
            }
            Item::Abstraction(block) => {
                for (span, kind, text) in block_lines(block) {
                    push(span, kind, text);
                }
            }
        }
    }
    pieces
}

fn block_lines(block: &AbstractionDecl) -> Vec<(Span, Kind, String)> {
    let mut lines = Vec::with_capacity(block.mappings.len() + 3);
    for mapping in &block.mappings {
        let mut text = format!("{} {{", mapping.domain.text);
        push_names(&mut text, &mapping.values);
        text.push_str(" }");
        lines.push((mapping.span, Kind::InBlock, text));
    }
    if let Some(projection) = &block.projection {
        let mut text = String::from("projection {");
        for (keep, _) in &projection.keep {
            text.push_str(if *keep { " K" } else { " P" });
        }
        text.push_str(" }");
        lines.push((projection.span, Kind::InBlock, text));
    }
    if let Some(pieces) = &block.pieces {
        let mut text = format!("{} {{", pieces.name.text);
        push_names(&mut text, &pieces.letters);
        text.push_str(" }");
        lines.push((pieces.span, Kind::InBlock, text));
    }
    lines.sort_by_key(|(span, ..)| span.start);
    let start = block.span.start;
    let first = Span::new(start, block.span.end.min(start + "abstraction".len()));
    let last = Span::new(block.span.end.saturating_sub(1).max(start), block.span.end);
    lines.insert(0, (first, Kind::BlockStart, String::from("abstraction {")));
    lines.push((last, Kind::InBlock, String::from("}")));
    lines
}

fn push_names(text: &mut String, names: &[Name]) {
    for name in names {
        text.push(' ');
        text.push_str(&name.text);
    }
}

/// A number as the user spelled it.
fn spelled(number: &Number, source: &str) -> String {
    let spelling = source.get(number.span.start..number.span.end).unwrap_or("");
    if spelling.parse() == Ok(number.value) {
        spelling.to_owned()
    } else {
        number.value.to_string()
    }
}

/// The widths of the columns of all rules of a file.
struct Columns {
    /// One for each entry of a left-hand and then of a right-hand side; empty if nothing is
    /// aligned.
    widths: Vec<usize>,
    label: usize,
}

impl Columns {
    fn of(file: &File) -> Self {
        let mut widths = Vec::new();
        let mut label = 0;
        let rules = file.items.iter().filter_map(|item| match item {
            Item::Rule(rule) => Some(rule),
            Item::Goal(_) | Item::Abstraction(_) => None,
        });
        for rule in rules {
            for (column, cell) in rule.lhs.iter().chain(&rule.rhs).enumerate() {
                let width = width(cell);
                match widths.get_mut(column) {
                    Some(widest) => *widest = width.max(*widest),
                    None => widths.push(width),
                }
            }
            if let (Some(name), Some(_)) = (&rule.label, &rule.cost) {
                label = name.text.chars().count().max(label);
            }
        }
        if widths.iter().sum::<usize>() + widths.len() + 3 > MAX_ALIGNED_WIDTH {
            widths.clear();
        }
        Self {
            widths,
            label: if label > MAX_ALIGNED_WIDTH / 4 {
                0
            } else {
                label
            },
        }
    }

    fn rule(&self, rule: &RuleDecl, source: &str) -> String {
        let mut text = String::new();
        for (column, cell) in rule.lhs.iter().chain(&rule.rhs).enumerate() {
            if column == rule.lhs.len() {
                text.push_str("=> ");
            }
            if cell.starred {
                text.push('*');
            }
            text.push_str(&cell.text);
            let padding = self
                .widths
                .get(column)
                .map_or(0, |widest| widest - width(cell));
            text.extend(std::iter::repeat_n(' ', padding + 1));
        }
        text.truncate(text.trim_end_matches(' ').len());
        if rule.label.is_some() || rule.cost.is_some() {
            // The end of the last column, which was cut above.
            let last = rule.rhs.last().map_or(0, width);
            let column = rule.lhs.len() + rule.rhs.len();
            let widest = column
                .checked_sub(1)
                .and_then(|column| self.widths.get(column));
            text.extend(std::iter::repeat_n(
                ' ',
                widest.map_or(0, |widest| widest - last),
            ));
        }
        if let Some(label) = &rule.label {
            text.push_str(" LABEL ");
            text.push_str(&label.text);
        }
        if let Some(cost) = &rule.cost {
            let label = rule
                .label
                .as_ref()
                .map_or(self.label, |label| label.text.chars().count());
            text.extend(std::iter::repeat_n(' ', self.label.saturating_sub(label)));
            text.push_str(" COST ");
            text.push_str(&spelled(cost, source));
        }
        text
    }
}

fn width(cell: &Cell) -> usize {
    cell.text.chars().count() + usize::from(cell.starred)
}

fn erase_places(file: &mut File) {
    let nowhere = Span::default();
    let erase = |names: &mut Vec<Name>| names.iter_mut().for_each(|name| name.span = nowhere);
    let erase_cells = |cells: &mut Vec<Cell>| cells.iter_mut().for_each(|cell| cell.span = nowhere);
    for domain in &mut file.domains {
        domain.span = nowhere;
        domain.name.span = nowhere;
        domain.size.span = nowhere;
        erase(&mut domain.values);
    }
    if let Some(variables) = &mut file.variables {
        variables.span = nowhere;
        variables.count.span = nowhere;
        erase(&mut variables.domains);
    }
    for item in &mut file.items {
        match item {
            Item::Rule(rule) => {
                rule.span = nowhere;
                rule.arrow = nowhere;
                erase_cells(&mut rule.lhs);
                erase_cells(&mut rule.rhs);
                rule.label.iter_mut().for_each(|label| label.span = nowhere);
                rule.cost.iter_mut().for_each(|cost| cost.span = nowhere);
            }
            Item::Goal(goal) => {
                goal.span = nowhere;
                erase_cells(&mut goal.cells);
            }
            Item::Abstraction(block) => {
                block.span = nowhere;
                for mapping in &mut block.mappings {
                    mapping.span = nowhere;
                    mapping.domain.span = nowhere;
                    erase(&mut mapping.values);
                }
                if let Some(pieces) = &mut block.pieces {
                    pieces.span = nowhere;
                    pieces.name.span = nowhere;
                    erase(&mut pieces.letters);
                }
                if let Some(projection) = &mut block.projection {
                    projection.span = nowhere;
                    projection
                        .keep
                        .iter_mut()
                        .for_each(|(_, span)| *span = nowhere);
                }
            }
        }
    }
    for comment in &mut file.comments {
        comment.span = nowhere;
        comment.trailing = false;
    }
}
