//! What may stand at a place in the middle of a text, found by counting words, as in the layout
//! pass of the parser. So it is known in rows that aren't complete, too.

use super::KEYWORDS;

/// What is expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A row: a rule, a goal or a block. Behind a rule also what belongs to it.
    Row {
        /// Whether a rule has ended here.
        is_behind_rule: bool,
    },
    /// An entry of the left-hand side.
    Left(usize),
    /// `=>`.
    Arrow,
    /// An entry of the right-hand side.
    Right(usize),
    /// The name of a rule.
    Label,
    /// A cost.
    Cost,
    /// An entry of a goal.
    Goal(usize),
    /// A word in a block of an abstraction.
    Block {
        /// The number of braces that are open.
        depth: usize,
    },
}

/// The place behind some words, and the first of them that belong to its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InRow {
    pub(crate) place: Place,
    /// The index of the first word of the row.
    pub(crate) first: usize,
}

/// Return what is expected behind words that begin with a row, if the game has `n` variables.
/// `None` if they aren't rows.
pub(crate) fn behind(words: &[&str], n: usize) -> Option<InRow> {
    let mut place = Place::Row {
        is_behind_rule: false,
    };
    let mut first = 0;
    for (number, word) in words.iter().enumerate() {
        if matches!(place, Place::Row { .. }) && !belongs_to_rule(word, place) {
            first = number;
        }
        place = next(place, word, n)?;
    }
    if matches!(place, Place::Row { .. }) {
        first = words.len();
    }
    Some(InRow { place, first })
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Whether a word at the beginning of a row belongs to the rule before it.
fn belongs_to_rule(word: &str, place: Place) -> bool {
    let is_behind_rule = place
        == Place::Row {
            is_behind_rule: true,
        };
    is_behind_rule && (is(word, "LABEL") || is(word, "COST"))
}

fn next(place: Place, word: &str, n: usize) -> Option<Place> {
    let is_arrow = word == "=>";
    let row = |is_behind_rule| Place::Row { is_behind_rule };
    let next = match place {
        Place::Row { .. } if belongs_to_rule(word, place) => {
            if is(word, "LABEL") {
                Place::Label
            } else {
                Place::Cost
            }
        }
        Place::Row { .. } if is(word, "GOAL") => Place::Goal(0),
        Place::Row { .. } if is(word, "abstraction") => Place::Block { depth: 0 },
        Place::Row { .. } => next(Place::Left(0), word, n)?,
        Place::Arrow => is_arrow.then_some(Place::Right(0))?,
        Place::Left(_) | Place::Right(_) | Place::Goal(_) if is_arrow => return None,
        Place::Left(k) if k + 1 < n => Place::Left(k + 1),
        Place::Left(_) => Place::Arrow,
        Place::Right(k) if k + 1 < n => Place::Right(k + 1),
        Place::Right(_) | Place::Label | Place::Cost => row(true),
        Place::Goal(k) if k + 1 < n => Place::Goal(k + 1),
        Place::Goal(_) => row(false),
        Place::Block { depth } => match word {
            "{" => Place::Block { depth: depth + 1 },
            "}" if depth <= 1 => row(false),
            "}" => Place::Block { depth: depth - 1 },
            _ if depth == 0 => return None,
            _ => place,
        },
    };
    Some(next)
}

/// Whether a word is a keyword, in any case.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| is(word, keyword))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<(Place, usize)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        behind(&words, 2).map(|it| (it.place, it.first))
    }

    #[test]
    fn words_are_counted() {
        let row = |is_behind_rule| Place::Row { is_behind_rule };
        assert_eq!(place(""), Some((row(false), 0)));
        assert_eq!(place("a"), Some((Place::Left(1), 0)));
        assert_eq!(place("a b"), Some((Place::Arrow, 0)));
        assert_eq!(place("a b =>"), Some((Place::Right(0), 0)));
        assert_eq!(place("a b => c d"), Some((row(true), 5)));
        assert_eq!(place("a b => c d LABEL"), Some((Place::Label, 0)));
        assert_eq!(
            place("a b => c d LABEL x COST 2 GOAL"),
            Some((Place::Goal(0), 9))
        );
        assert_eq!(place("GOAL a b a"), Some((Place::Left(1), 3)));
        assert_eq!(
            place("abstraction { d { a"),
            Some((Place::Block { depth: 2 }, 0))
        );
        // Only behind a rule it is a keyword; else a value may be called like it.
        assert_eq!(place("LABEL"), Some((Place::Left(1), 0)));
        assert_eq!(place("GOAL a b LABEL"), Some((Place::Left(1), 3)));
        assert_eq!(place("a => b"), None);
        assert_eq!(place("a b c"), None);
    }
}
