//! The words of comment lines that declare something: start states, illegal values, names of moves.
//!
//! They refer to values and labels, so they are renamed together with these.

use lint::Comment;
use psvn_syntax::Span;

use super::tree::Collector;
use super::{Entity, Role, Word, scan};

/// Collect the words of the comments that name values or labels.
pub(super) fn collect(text: &str, collector: &mut Collector<'_>) {
    for comment in lint::comments(text) {
        match comment.head.split_once(' ').map_or(comment.head, |it| it.0) {
            "start" => start(&comment, collector),
            "illegal" => illegal(&comment, collector),
            "alias" | "rotation" => moves(&comment, collector),
            _ => {}
        }
    }
}

/// The words of a part of a text, with their places in the whole.
fn words(part: &str, begin: usize) -> impl Iterator<Item = (Span, &str)> {
    let bytes = part.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && scan::is_blank(bytes[at]) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && !scan::is_blank(bytes[at]) {
            at += 1;
        }
        let span = Span::new(begin + start, begin + at);
        (start < at).then(|| (span, &part[start..at]))
    })
}

fn value(collector: &mut Collector<'_>, variable: usize, span: Span, word: &str) {
    let index = collector.meaning.variables.get(variable).copied();
    let Some(entity) = index.and_then(|index| collector.value(index, word)) else {
        return;
    };
    collector.found.push(Word {
        entity: Some(entity),
        variable: Some(variable),
        is_in_comment: true,
        ..Word::plain(span, Role::Value)
    });
}

/// `# start: STATE`
fn start(comment: &Comment<'_>, collector: &mut Collector<'_>) {
    for (variable, (span, word)) in words(comment.content, comment.place.start).enumerate() {
        value(collector, variable, span, word);
    }
}

/// `# illegal: VARIABLE = VALUES, VARIABLE = VALUES`
fn illegal(comment: &Comment<'_>, collector: &mut Collector<'_>) {
    let mut begin = comment.place.start;
    for part in comment.content.split(',') {
        if let Some((variable, values)) = part.split_once('=')
            && let Ok(variable) = variable.trim().parse::<usize>()
            && let Some(variable) = variable.checked_sub(1)
        {
            let at = begin + part.len() - values.len();
            for (span, word) in words(values, at) {
                value(collector, variable, span, word);
            }
        }
        begin += part.len() + 1;
    }
}

/// `# alias: NAME = MOVES`, `# rotation: NAME = MOVE -> MOVE ...`
fn moves(comment: &Comment<'_>, collector: &mut Collector<'_>) {
    let Some((name, moves)) = comment.content.split_once('=') else {
        return;
    };
    for (span, word) in words(moves, comment.place.start + name.len() + 1) {
        let Some(index) = collector.labels.known(word) else {
            continue;
        };
        collector.found.push(Word {
            entity: Some(Entity::Label(index)),
            is_in_comment: true,
            ..Word::plain(span, Role::Label)
        });
    }
}
