//! Changes of a text.

use psvn_syntax::Span;

/// A change: a part of the text, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place of the replaced text.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Make changes, which are in order and don't overlap.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start]);
        out.push_str(&edit.text);
        at = edit.span.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Return the changes that turn one text into another: line by line if there are as many lines, so
/// that a cursor stays where it is; else one that leaves out the lines before and behind it that
/// stay.
pub(super) fn difference(old: &str, new: &str) -> Vec<Edit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let is_same = |(one, other): &(&&str, &&str)| one == other;
    if old_lines.len() == new_lines.len() {
        let mut at = 0;
        let mut edits = Vec::new();
        for (one, other) in old_lines.iter().zip(&new_lines) {
            if one != other {
                edits.push(Edit {
                    span: Span::new(at, at + one.len()),
                    text: (*other).to_owned(),
                });
            }
            at += one.len();
        }
        return edits;
    }
    let before = old_lines.iter().zip(&new_lines).take_while(is_same).count();
    let most = old_lines.len().min(new_lines.len()) - before;
    let after = old_lines
        .iter()
        .rev()
        .zip(new_lines.iter().rev())
        .take(most)
        .take_while(is_same)
        .count();
    let start: usize = old_lines[..before].iter().map(|line| line.len()).sum();
    let kept: usize = old_lines[old_lines.len() - after..]
        .iter()
        .map(|line| line.len())
        .sum();
    vec![Edit {
        span: Span::new(start, old.len() - kept),
        text: new_lines[before..new_lines.len() - after].concat(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_lead_from_one_text_to_the_other() {
        let texts = [
            "",
            "a\n",
            "a\nb\n",
            "a\nc\nb\n",
            "c\nb\n",
            "a\nb",
            "a\na\na\n",
            "a\na\n",
        ];
        for old in texts {
            for new in texts {
                let edits = difference(old, new);
                assert_eq!(edited(old, &edits), new, "{old:?} {new:?}");
                assert!(
                    edits
                        .iter()
                        .all(|edit| edit.span.end - edit.span.start <= old.len())
                );
            }
        }
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\n").len(), 1);
        assert_eq!(difference("a\n", "a\n"), []);
    }
}
