//! From text to words, arrows and comments.
//!
//! Tokens are separated by white space and nothing else: `#` and `;` begin a comment only at the
//! start of a token, so `1#c` is one word. The lexer doesn't decide which word is a keyword,
//! because keywords are recognized by their place (see `layout`).

use logos::Logos;

use crate::ast::Comment;
use crate::diagnostic::report::Reporter;
use crate::text::wording::quote;
use crate::{Diagnostic, Span};

/// The byte order mark that some editors write in front of UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a text consists of, beside white space.
///
/// Each pattern is one character class repeated, so the scan is linear in the text. `allow_greedy`
/// acknowledges that a comment runs to the end of its line.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0B\x0C]+")]
enum Raw {
    #[token("\n")]
    LineBreak,
    #[regex(r"[#;][^\n]*", allow_greedy = true)]
    Comment,
    #[token("=>", priority = 100)]
    Arrow,
    #[regex(r"[^ \t\r\n\x0B\x0C#;][^ \t\r\n\x0B\x0C]*")]
    Word,
}

/// A word or an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    // A file has many of these: offsets of 32 bits halve the memory.
    start: u32,
    end: u32,
    /// Whether it is `=>`.
    pub(crate) is_arrow: bool,
    /// Whether it is the first on its line.
    pub(crate) is_first: bool,
}

impl Lexeme {
    fn new(span: Span, is_arrow: bool, is_first: bool) -> Self {
        // `lex` has refused longer texts.
        Self {
            start: span.start as u32,
            end: span.end as u32,
            is_arrow,
            is_first,
        }
    }

    /// The part before `end`.
    pub(crate) fn cut(self, end: usize) -> Self {
        Self {
            end: end as u32,
            is_arrow: false,
            ..self
        }
    }

    /// Its place.
    pub(crate) fn span(self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

/// Make each brace a separate word.
pub(crate) fn split_braces(source: &str, lexemes: Vec<Lexeme>) -> Vec<Lexeme> {
    let mut split = Vec::with_capacity(lexemes.len());
    for lexeme in lexemes {
        let Span { start, end } = lexeme.span();
        let text = &source[start..end];
        if text.len() == 1 || !text.contains(['{', '}']) {
            split.push(lexeme);
            continue;
        }
        let mut from = start;
        let mut push = |to: usize, from: &mut usize| {
            if *from < to {
                let is_first = lexeme.is_first && *from == start;
                split.push(Lexeme::new(Span::new(*from, to), false, is_first));
                *from = to;
            }
        };
        for (at, _) in text.match_indices(['{', '}']) {
            push(start + at, &mut from);
            push(start + at + 1, &mut from);
        }
        push(end, &mut from);
    }
    split
}

/// The result of the lexer.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// Words and arrows, in order.
    pub(crate) lexemes: Vec<Lexeme>,
    /// Comments, in order.
    pub(crate) comments: Vec<Comment>,
}

/// Split `source`; linear in its length.
pub(crate) fn lex(source: &str, reporter: &mut Reporter) -> Lexed {
    let skipped = if source.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len_utf8()
    } else {
        0
    };
    let mut lexed = Lexed::default();
    if u32::try_from(source.len()).is_err() {
        reporter.push(
            Diagnostic::error("file-too-large", "the file is larger than 4 GiB")
                .hint("no game needs this much text; is this the right file?"),
        );
        return lexed;
    }
    let mut is_first = true;
    for (raw, range) in Raw::lexer(&source[skipped..]).spanned() {
        let span = Span::new(range.start + skipped, range.end + skipped);
        match raw {
            Ok(Raw::LineBreak) => is_first = true,
            Ok(Raw::Comment) => lexed.comments.push(comment(source, span, !is_first)),
            Ok(Raw::Arrow) => {
                lexed.lexemes.push(Lexeme::new(span, true, is_first));
                is_first = false;
            }
            // The patterns cover every text, so no error occurs; if one did, the text would be a
            // word.
            Ok(Raw::Word) | Err(()) => {
                check_characters(source, span, reporter);
                lexed.lexemes.push(Lexeme::new(span, false, is_first));
                is_first = false;
            }
        }
    }
    lexed
}

/// A comment without trailing white space (a carriage return above all).
fn comment(source: &str, span: Span, trailing: bool) -> Comment {
    let text = source[span.start..span.end].trim_end();
    Comment {
        text: text.to_owned(),
        span: Span::new(span.start, span.start + text.len()),
        trailing,
    }
}

/// Report invisible characters.
fn check_characters(source: &str, span: Span, reporter: &mut Reporter) {
    let word = &source[span.start..span.end];
    if word.bytes().all(|byte| byte.is_ascii_graphic()) {
        return;
    }
    for (offset, character) in word.char_indices() {
        let start = span.start + offset;
        let place = Span::new(start, start + character.len_utf8());
        let code_point = u32::from(character);
        if character.is_control() {
            reporter.push(
                Diagnostic::error(
                    "control-character",
                    format!("control character U+{code_point:04X} in {}", quote(word)),
                )
                .at(place, "no text file has this")
                .hint("PSVN is plain text; is this file perhaps a binary or saved as UTF-16?"),
            );
            return;
        }
        if character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{feff}') {
            reporter.push(
                Diagnostic::warning(
                    "invisible-character",
                    format!("invisible character U+{code_point:04X} in {}", quote(word)),
                )
                .at(place, "part of the word; it separates nothing")
                .hint("only space, tab and line breaks separate words; type it again"),
            );
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let lexed = lex(source, &mut Reporter::default());
        lexed
            .lexemes
            .iter()
            .map(|l| source[l.span().start..l.span().end].to_owned())
            .collect()
    }

    #[test]
    fn comments_begin_only_at_the_start_of_a_token() {
        assert_eq!(words("1#c 2;x #a b\n3 ;d"), ["1#c", "2;x", "3"]);
        let lexed = lex("#own\n1 ; trailing \r\n", &mut Reporter::default());
        assert_eq!(lexed.comments[0].text, "#own");
        assert!(!lexed.comments[0].trailing);
        assert_eq!(lexed.comments[1].text, "; trailing");
        assert!(lexed.comments[1].trailing);
    }

    #[test]
    fn all_white_space_separates() {
        assert_eq!(
            words("\u{feff}a\tb\rc\nd\x0Be\x0Cf  g"),
            ["a", "b", "c", "d", "e", "f", "g"]
        );
    }

    #[test]
    fn an_arrow_is_a_token_of_its_own() {
        let arrows = |source: &str| {
            lex(source, &mut Reporter::default())
                .lexemes
                .iter()
                .filter(|l| l.is_arrow)
                .count()
        };
        assert_eq!(arrows("a => b"), 1);
        assert_eq!(arrows("a=>b ==> =>x x=> = >"), 0);
    }

    #[test]
    fn first_on_the_line() {
        let lexed = lex("a b\n # c\n\t c\nd", &mut Reporter::default());
        let first: Vec<bool> = lexed.lexemes.iter().map(|l| l.is_first).collect();
        assert_eq!(first, [true, false, true, true]);
    }

    #[test]
    fn ten_megabytes_of_one_kind() {
        const LENGTH: usize = 10_000_000;
        let comment = format!("#{}", "x".repeat(LENGTH));
        assert_eq!(
            lex(&comment, &mut Reporter::default()).comments[0]
                .text
                .len(),
            LENGTH + 1
        );
        assert_eq!(words(&"é".repeat(LENGTH / 2)).len(), 1);
        assert_eq!(words(&"x".repeat(LENGTH)).len(), 1);
        for blank in [" ", "\t", "\n", "\r\n"] {
            assert_eq!(words(&blank.repeat(LENGTH)).len(), 0);
        }
    }
}
