//! Findings about a game's text: for people with the place and a caret, for programs as JSON.

use std::borrow::Cow;
use std::collections::HashMap;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Snippet};
use psvn::Source;
use psvn_syntax::{Diagnostic, LineIndex, Severity};

use crate::output::log::{Log, printable};

/// Lines longer than this are cut before they are shown, since carets far to the right are useless.
const MAX_LINE: usize = 4_000;

/// The most lines that are named for findings that another one represents.
const MOST_LINES: usize = 6;

/// Print all findings of a source, those about one rule together; if a finding represents several,
/// print each of them to a verbose log.
pub(crate) fn print(source: &Source, log: &Log) {
    let index = LineIndex::new(&source.text);
    let mut lines: HashMap<usize, std::ops::Range<usize>> = HashMap::new();
    for block in source.diagnostics.chunk_by(are_about_one_rule) {
        let (diagnostic, further) = block.split_first().expect("chunks aren't empty");
        let mut main = group(source, &index, &mut lines, diagnostic);
        let n_shown = if log.is_verbose() {
            diagnostic.others.len()
        } else {
            0
        };
        if diagnostic.n_others > n_shown {
            main = main.element(Level::NOTE.message(more(diagnostic, n_shown, &index)));
        }
        for other in further {
            let what = format!("{}: {}", other.code, other.message);
            main = main.element(Level::NOTE.message(printable(&what)));
            if other.n_others > 0 {
                main = main.element(Level::NOTE.message(more(other, 0, &index)));
            }
            if let Some(hint) = &other.hint {
                main = main.element(Level::HELP.message(printable(hint)));
            }
        }
        log.render(&[main]);
        for other in &diagnostic.others[..n_shown] {
            log.render(&[group(source, &index, &mut lines, other)]);
        }
    }
}

/// Whether two warnings that follow each other are about one rule, so that its line is shown once.
fn are_about_one_rule(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |it: &Diagnostic| it.primary.as_ref().map(|label| label.span);
    let is_within = match (place(one), place(other)) {
        (Some(one), Some(other)) => other.start <= one.start && one.end <= other.end,
        _ => false,
    };
    is_within && !one.is_error() && !other.is_error()
}

/// `5 more of this kind, in lines 4, 6, 7, 9, ...`, where the first `n_shown` of them were shown.
fn more(diagnostic: &Diagnostic, n_shown: usize, index: &LineIndex<'_>) -> String {
    let left = &diagnostic.others[n_shown..];
    let mut lines: Vec<usize> = left
        .iter()
        .filter_map(|other| other.primary.as_ref())
        .map(|label| index.line_column(label.span.start).0)
        .collect();
    lines.dedup();
    let n_left = diagnostic.n_others - n_shown;
    let all_named = left.len() == n_left && lines.len() <= MOST_LINES;
    let named: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .map(usize::to_string)
        .collect();
    let noun = match lines.len() {
        0 => return format!("{n_left} more of this kind"),
        1 => "line",
        _ => "lines",
    };
    let dots = if all_named { "" } else { ", ..." };
    format!(
        "{n_left} more of this kind, in {noun} {}{dots}",
        named.join(", ")
    )
}

fn group<'a>(
    source: &'a Source,
    index: &LineIndex<'_>,
    lines: &mut HashMap<usize, std::ops::Range<usize>>,
    diagnostic: &'a Diagnostic,
) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(printable(&diagnostic.message))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    match &diagnostic.primary {
        None => group = group.element(Origin::path(source.name.as_str())),
        Some(primary) => {
            // Pass only the lines that matter, since the renderer reads every line.
            let labels = std::iter::once((primary, AnnotationKind::Primary)).chain(
                diagnostic
                    .secondary
                    .iter()
                    .map(|label| (label, AnnotationKind::Context)),
            );
            let mut by_line: Vec<(usize, Vec<Annotation<'a>>)> = Vec::new();
            for (label, kind) in labels {
                let (line, _) = index.line_column(label.span.start);
                let range = lines
                    .entry(line)
                    .or_insert_with(|| line_range(&source.text, label.span.start))
                    .clone();
                let start = label.span.start.clamp(range.start, range.end) - range.start;
                let end = label.span.end.clamp(range.start, range.end) - range.start;
                let annotation = kind
                    .span(start..end.max(start))
                    .label(printable(&label.text));
                match by_line.iter_mut().find(|(other, _)| *other == line) {
                    Some((_, annotations)) => annotations.push(annotation),
                    None => by_line.push((line, vec![annotation])),
                }
            }
            for (line, annotations) in by_line {
                let text = &source.text[lines[&line].clone()];
                group = group.element(
                    Snippet::source(without_c1(text))
                        .path(source.name.as_str())
                        .line_start(line)
                        .annotations(annotations),
                );
            }
        }
    }
    match &diagnostic.hint {
        Some(hint) => group.element(Level::HELP.message(printable(hint))),
        None => group,
    }
}

/// The text with the control characters U+0080 to U+009F, which the renderer lets through, replaced
/// by a dot of the same length in bytes, so that places stay right.
fn without_c1(text: &str) -> Cow<'_, str> {
    let is_c1 = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if text.contains(is_c1) {
        Cow::Owned(text.replace(is_c1, "\u{b7}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The line around an offset, without its end, cut if it is very long.
fn line_range(text: &str, offset: usize) -> std::ops::Range<usize> {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |end| offset + end);
    let end = end - usize::from(text[start..end].ends_with('\r'));
    let limit = offset.saturating_add(MAX_LINE).min(end);
    start..text.floor_char_boundary(limit)
}
