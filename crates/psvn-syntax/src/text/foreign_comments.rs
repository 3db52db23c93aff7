//! Comments in the style of other languages, which PSVN doesn't have.
//!
//! Their words are read as entries, so each comment causes several errors at places that don't show
//! the cause. A text with errors is therefore read once more without such comments; if that helps,
//! the cause is reported instead.

use crate::text::lexer::Lexeme;
use crate::text::wording::quote;
use crate::{Diagnostic, Span};

/// The most comments whose places the error keeps.
const MOST_KEPT: usize = 50;
const HINT: &str =
    "a comment begins with `#` or `;` at the start of a word, and ends with its line";

/// The words of a text without those of foreign comments.
pub(crate) struct Stripped {
    /// The remaining words.
    pub(crate) lexemes: Vec<Lexeme>,
    /// The error about the first comment, which stands for the others.
    pub(crate) error: Diagnostic,
}

/// Remove what looks like `/* a comment */`, `// a comment`, `% a comment`, `-- a comment` (the
/// last two at the start of a line), and the text after a `#` or `;` within a word. `None` if there
/// is nothing to remove.
pub(crate) fn strip(source: &str, lexemes: &[Lexeme]) -> Option<Stripped> {
    let mut left = Vec::with_capacity(lexemes.len());
    let mut error: Option<Diagnostic> = None;
    let mut report = |found: Diagnostic| match &mut error {
        Some(first) => first.stand_for(found, MOST_KEPT),
        None => error = Some(found),
    };
    let mut at = 0;
    while let Some(lexeme) = lexemes.get(at) {
        let span = lexeme.span();
        let word = &source[span.start..span.end];
        at += 1;
        let opens_line =
            word.starts_with("//") || lexeme.is_first && (word.starts_with('%') || word == "--");
        if word.starts_with("/*") {
            report(no_comment(word, 2, span));
            at = behind_block(source, lexemes, at - 1);
        } else if opens_line {
            report(no_comment(
                word,
                if word.starts_with('%') { 1 } else { 2 },
                span,
            ));
            at = next_line(lexemes, at);
        } else if let Some(sign) = word.find(['#', ';']) {
            // At the start of a word the sign would begin a comment.
            let text = quote(word);
            report(
                Diagnostic::error(
                    "foreign-comment",
                    format!("{text} is one word, and no comment begins in it"),
                )
                .at(
                    Span::new(span.start + sign, span.end),
                    "put a space before this",
                )
                .hint(HINT),
            );
            left.push(lexeme.cut(span.start + sign));
            at = next_line(lexemes, at);
        } else {
            left.push(*lexeme);
        }
    }
    Some(Stripped {
        lexemes: left,
        error: error?,
    })
}

fn no_comment(word: &str, sign: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        "foreign-comment",
        format!("`{}` begins no comment", &word[..sign]),
    )
    .at(
        Span::new(span.start, span.start + sign),
        "read as the first letters of a word",
    )
    .hint(HINT)
}

/// The first word on a line behind `at`.
fn next_line(lexemes: &[Lexeme], at: usize) -> usize {
    let rest = lexemes[at..].iter();
    at + rest.take_while(|lexeme| !lexeme.is_first).count()
}

/// The word behind the `*/` that ends the comment at `at`; if there is none, the first word of the
/// next line.
fn behind_block(source: &str, lexemes: &[Lexeme], at: usize) -> usize {
    let ends = |lexeme: &Lexeme| {
        let span = lexeme.span();
        source[span.start..span.end].ends_with("*/")
    };
    match lexemes[at..].iter().position(ends) {
        Some(length) => at + length + 1,
        None => next_line(lexemes, at + 1),
    }
}
