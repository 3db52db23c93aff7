//! What stands at the places of a board, and how it is shown.

use serde::Deserialize;

/// What stands at a place of a board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Word")]
pub enum Place {
    /// The place is no part of the board: `-`.
    Outside,
    /// The same in all states: `#`. A dot is an empty place.
    Fixed(String),
    /// The value of a variable: its number from 1, with `!` behind it where the place is marked.
    /// `5=a` is shown as `a` unless it is blank, and `5/6` shows variable 6 where variable 5 is
    /// blank.
    Variable {
        /// Its number, from 1.
        number: usize,
        /// Whether signs are those of a marked place.
        is_marked: bool,
        /// How any value but the blank is shown.
        sign: Option<String>,
        /// The variable that is shown where this one is blank, from 1.
        behind: Option<usize>,
    },
}

impl Place {
    pub(crate) fn read(word: &str) -> Self {
        let unmarked = word.strip_suffix('!').unwrap_or(word);
        let (front, behind) = match unmarked.split_once('/') {
            Some((front, behind)) => (front, behind.parse().ok()),
            None => (unmarked, None),
        };
        let (digits, sign) = match front.split_once('=') {
            Some((digits, sign)) => (digits, Some(sign.to_owned())),
            None => (front, None),
        };
        match digits.parse() {
            _ if word == "-" => Place::Outside,
            Ok(number) => Place::Variable {
                number,
                is_marked: unmarked.len() < word.len(),
                sign,
                behind,
            },
            Err(_) => Place::Fixed(word.to_owned()),
        }
    }
}

/// A variable whose value names the place where something is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// The number of the variable, from 1.
    pub variable: usize,
    /// How the walker is shown.
    pub sign: Sign,
}

/// How something is shown: at most places, and at marked ones. In text `$`, or `$/*`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Sign {
    /// At most places.
    pub plain: String,
    /// At marked places, if it differs.
    pub marked: Option<String>,
}

impl Sign {
    /// The sign for a place.
    pub(crate) fn at(&self, is_marked: bool) -> &str {
        match &self.marked {
            Some(marked) if is_marked => marked,
            _ => &self.plain,
        }
    }
}

impl From<String> for Sign {
    fn from(text: String) -> Self {
        match text.split_once('/') {
            Some((plain, marked)) if !plain.is_empty() && !marked.is_empty() => Self {
                plain: plain.to_owned(),
                marked: Some(marked.to_owned()),
            },
            _ => Self {
                plain: text,
                marked: None,
            },
        }
    }
}

/// A word of a list of places in TOML, where numbers need no quotation marks.
#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    Number(usize),
    Text(String),
}

impl From<Word> for Place {
    fn from(word: Word) -> Self {
        match word {
            Word::Number(number) => Place::Variable {
                number,
                is_marked: false,
                sign: None,
                behind: None,
            },
            Word::Text(text) => Place::read(&text),
        }
    }
}
