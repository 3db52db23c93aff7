//! From text to tree.

use std::cell::Cell;

use crate::diagnostic::report::Reporter;
use crate::layout::token::Token;
use crate::text::{foreign_comments, lexer};
use crate::tree::{grammar, lengths};
use crate::{Diagnostic, ast, layout};

/// The result of [`parse`].
#[derive(Clone, Debug, Default)]
pub struct Parse {
    /// The tree; if there are errors, the part that could be parsed.
    pub file: ast::File,
    /// Errors and warnings, in order of place. At most [`MAX_REPORTED`](crate::MAX_REPORTED) of
    /// each severity, followed by one that counts the rest.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether `stop` ended the parsing: then neither the tree nor the diagnostics are valid.
    pub stopped: bool,
}

/// The result of [`parse_abstraction`].
#[derive(Clone, Debug, Default)]
pub struct ParseAbstraction {
    /// The block; `None` only when errors were reported.
    pub abstraction: Option<ast::AbstractionDecl>,
    /// All comments, in order.
    pub comments: Vec<ast::Comment>,
    /// Errors and warnings, as in [`Parse::diagnostics`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Parse a PSVN file. Linear in the length of the text, up to a logarithm.
pub fn parse(source: &str) -> Parse {
    parse_unless(source, &|| false)
}

/// Like [`parse`], but end early when `stop` returns true. It is called every few thousand words.
pub fn parse_unless(source: &str, stop: &dyn Fn() -> bool) -> Parse {
    let stopped = || Parse {
        stopped: true,
        ..Parse::default()
    };
    let mut reporter = Reporter::default();
    let lexed = lexer::lex(source, &mut reporter);
    if stop() {
        return stopped();
    }
    let Some(parse) = parse_words(source, lexed, reporter, stop) else {
        return stopped();
    };
    if parse.n_errors == 0 {
        return parse.parse;
    }
    // The errors may lie in comments written in the style of another language.
    let mut reporter = Reporter::default();
    let mut lexed = lexer::lex(source, &mut reporter);
    let Some(stripped) = foreign_comments::strip(source, &lexed.lexemes) else {
        return parse.parse;
    };
    lexed.lexemes = stripped.lexemes;
    reporter.push(stripped.error);
    let Some(without) = parse_words(source, lexed, reporter, stop) else {
        return stopped();
    };
    // One of its errors reports those comments.
    if without.n_errors <= parse.n_errors {
        without.parse
    } else {
        parse.parse
    }
}

/// The parse result of a text's words.
struct WordsParse {
    parse: Parse,
    /// The number of errors, kept or not.
    n_errors: usize,
}

/// Parse words. `None` if `stop` ended the parsing.
fn parse_words(
    source: &str,
    lexed: lexer::Lexed,
    mut reporter: Reporter,
    stop: &dyn Fn() -> bool,
) -> Option<WordsParse> {
    let plan = layout::game(source, lexed.lexemes, &mut reporter);
    if stop() {
        return None;
    }
    let has_stopped = Cell::new(false);
    let mut n_unchecked = 0;
    let may_go_on = |(_, token, _): &(usize, Token<'_>, usize)| {
        n_unchecked += token.words.iter().len();
        if n_unchecked >= WORDS_BETWEEN_CHECKS {
            n_unchecked = 0;
            has_stopped.set(stop());
        }
        !has_stopped.get()
    };
    let mut file = build_tree(plan.tokens().take_while(may_go_on), &mut reporter);
    if has_stopped.get() {
        return None;
    }
    file.comments = lexed.comments;
    lengths::check_blocks(&file, &mut reporter);
    Some(WordsParse {
        n_errors: reporter.n_errors(),
        parse: Parse {
            file,
            diagnostics: reporter.finish(),
            stopped: false,
        },
    })
}

/// The number of words that become part of the tree between two calls of `stop`.
const WORDS_BETWEEN_CHECKS: usize = 1 << 14;

/// Parse an abstraction file: one `abstraction { ... }` block without a game around it.
///
/// Braces need no white space around them here: glued braces could be values only inside a game.
///
/// The lengths of mappings and of the projection can't be checked without the game.
pub fn parse_abstraction(source: &str) -> ParseAbstraction {
    let mut reporter = Reporter::default();
    let lexed = lexer::lex(source, &mut reporter);
    let lexemes = lexer::split_braces(source, lexed.lexemes);
    let plan = layout::abstraction(source, lexemes, &mut reporter);
    let file = build_tree(plan.tokens(), &mut reporter);
    let abstraction = file.items.into_iter().find_map(|item| match item {
        ast::Item::Abstraction(block) => Some(block),
        ast::Item::Rule(_) | ast::Item::Goal(_) => None,
    });
    ParseAbstraction {
        abstraction,
        comments: lexed.comments,
        diagnostics: reporter.finish(),
    }
}

/// Run the grammar.
fn build_tree<'source>(
    tokens: impl Iterator<Item = (usize, Token<'source>, usize)>,
    reporter: &mut Reporter,
) -> ast::File {
    grammar::FileParser::new()
        .parse(reporter, tokens.map(Ok))
        .unwrap_or_else(|_| {
            // The layout pass emits only sequences that the grammar accepts or recovers from.
            // Should that ever be wrong, the user still gets an answer.
            reporter.push(Diagnostic::error(
                "unexpected-text",
                "this file can't be understood",
            ));
            ast::File::default()
        })
}
