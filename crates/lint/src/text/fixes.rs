//! Fixes of a text that are certainly intended.
//!
//! Most findings leave open what was meant. Those here have one answer: a comment written as in
//! another language, a misspelled keyword, a row that is repeated to the letter.

use psvn_syntax::{Diagnostic, Span};

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The code of the finding that it settles.
    pub code: &'static str,
    /// The place of the replaced text.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// Return the fixes that certainly resolve findings about a text, in order of place. They don't
/// overlap. The fixed text may have further findings.
///
/// ```
/// let text = "2 2 2  // two lamps\n0 - => 1 -\n- 0=>- 1\nGOAL 1 1\n";
/// let mut text = text.to_owned();
/// loop {
///     let found = psvn_ir::load(&text).diagnostics;
///     let fixes = lint::fixes(&text, &found);
///     if fixes.is_empty() {
///         break;
///     }
///     text = lint::fixed(&text, &fixes);
/// }
/// assert_eq!(text, "2 2 2  # two lamps\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n");
/// ```
pub fn fixes(text: &str, diagnostics: &[Diagnostic]) -> Vec<Fix> {
    let all = diagnostics
        .iter()
        .flat_map(|one| std::iter::once(one).chain(&one.others));
    let mut fixes: Vec<Fix> = all.filter_map(|diagnostic| fix(text, diagnostic)).collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let mut end = 0;
    fixes.retain(|fix| {
        let is_apart = fix.span.start >= end;
        if is_apart {
            end = fix.span.end.max(fix.span.start + 1);
        }
        is_apart
    });
    fixes
}

/// Make changes that [`fixes`] returned.
pub fn fixed(text: &str, fixes: &[Fix]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fix in fixes {
        out.push_str(&text[at..fix.span.start]);
        out.push_str(&fix.replacement);
        at = fix.span.end;
    }
    out.push_str(&text[at..]);
    out
}

fn fix(text: &str, diagnostic: &Diagnostic) -> Option<Fix> {
    let span = diagnostic.primary.as_ref()?.span;
    let found = text.get(span.start..span.end)?;
    let (span, replacement) = match diagnostic.code {
        // An arrow in both directions may stand for two rules.
        "misspelled-arrow" if !found.starts_with('<') => (span, meant(diagnostic)?),
        "misspelled-keyword" => (span, meant(diagnostic)?),
        "unexpected-text" => {
            let word = found.split_whitespace().next()?;
            let first = Span::new(span.start, span.start + word.len());
            (first, meant(diagnostic)?)
        }
        "foreign-comment" if found == "//" => (span, "#".to_owned()),
        "glued-arrow" => (span, apart(found)?),
        "invisible-character" => {
            let mut characters = found.chars();
            let is_one = characters.next().is_some() && characters.next().is_none();
            let blank = if found.trim().is_empty() { " " } else { "" };
            (span, is_one.then(|| blank.to_owned())?)
        }
        "duplicate-rule" => {
            let first = diagnostic.secondary.first()?.span;
            let words = |text: &str| {
                text.split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let is_same = words(text.get(first.start..first.end)?) == words(found);
            (is_same.then(|| row(text, span))?, String::new())
        }
        _ => return None,
    };
    Some(Fix {
        code: diagnostic.code,
        span,
        replacement,
    })
}

/// The word that was meant, if the hint asks for one.
fn meant(diagnostic: &Diagnostic) -> Option<String> {
    let hint = diagnostic.hint.as_deref()?;
    let word = hint.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    (!word.contains('`')).then(|| word.to_owned())
}

/// A word with blanks around its arrow.
fn apart(word: &str) -> Option<String> {
    let (before, after) = word.split_once("=>")?;
    let parts = [before, "=>", after].into_iter();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    (parts.len() > 1 && !after.contains("=>")).then(|| parts.join(" "))
}

/// A row, with its whole line if it is alone there.
fn row(text: &str, span: Span) -> Span {
    let before = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[span.end..].find('\n').map(|at| span.end + at + 1);
    let after = after.unwrap_or(text.len());
    let is_alone =
        text[before..span.start].trim().is_empty() && text[span.end..after].trim().is_empty();
    if is_alone {
        Span::new(before, after)
    } else {
        span
    }
}
