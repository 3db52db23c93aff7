//! The contents of a board's places, and how they are shown.

use serde::Deserialize;

/// The content of a place of a board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Word")]
pub enum Place {
    /// The place isn't a part of the board: `-`.
    Outside,
    /// The same in all states: `#`. A dot is an empty place.
    Fixed(String),
    /// The value of a variable: its number from 1, with `!` behind it if the place is marked. `5=a`
    /// is shown as `a` unless it is blank, and `5/6` shows variable 6 if variable 5 is blank.
    /// `5@west=a` is shown as `a` while the variable has the value `west`, else as nothing.
    Variable {
        /// Its number, from 1.
        number: usize,
        /// Whether signs are those of a marked place.
        is_marked: bool,
        /// How any value but the blank is shown.
        sign: Option<String>,
        /// The only value that is shown here.
        only: Option<String>,
        /// The variable that is shown if this one is blank, from 1.
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
        let (variable, sign) = match front.split_once('=') {
            Some((variable, sign)) => (variable, Some(sign.to_owned())),
            None => (front, None),
        };
        let (digits, only) = match variable.split_once('@') {
            Some((digits, only)) => (digits, Some(only.to_owned())),
            None => (variable, None),
        };
        match digits.parse() {
            _ if word == "-" => Place::Outside,
            Ok(number) => Place::Variable {
                number,
                is_marked: unmarked.len() < word.len(),
                sign,
                only,
                behind,
            },
            Err(_) => Place::Fixed(word.to_owned()),
        }
    }
}

/// A thing that moves about: one variable names its place, or two variables hold its row and its
/// column.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// The number of the variable, from 1.
    pub variable: usize,
    /// The number of the variable for the column, if the first one holds the row: as numbers,
    /// from 0.
    #[serde(default)]
    pub column: Option<usize>,
    /// The number of rows above row 0.
    #[serde(default)]
    pub down: usize,
    /// The number of columns before column 0.
    #[serde(default)]
    pub right: usize,
    /// How the walker is shown.
    pub sign: Sign,
}

impl Walker {
    /// Read the variables of a walker: `1`, or `1,2` for row and column, or `1+1,2+3` if a row and
    /// three columns of the board come before.
    pub(crate) fn read(variables: &str, sign: Sign) -> Option<Self> {
        let number_and_offset = |text: &str| match text.split_once('+') {
            Some((number, offset)) => Some((number.parse().ok()?, offset.parse().ok()?)),
            None => Some((text.parse().ok()?, 0)),
        };
        let Some((row, column)) = variables.split_once(',') else {
            return Some(Self {
                variable: variables.parse().ok()?,
                column: None,
                down: 0,
                right: 0,
                sign,
            });
        };
        let ((variable, down), (column, right)) =
            (number_and_offset(row)?, number_and_offset(column)?);
        Some(Self {
            variable,
            column: Some(column),
            down,
            right,
            sign,
        })
    }
}

/// How a thing is shown: at most places, and at marked ones. In text `$`, or `$/*`.
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
                only: None,
                behind: None,
            },
            Word::Text(text) => Place::read(&text),
        }
    }
}
