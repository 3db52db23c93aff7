//! The order in which operators are compared.

use std::fmt;
use std::str::FromStr;

use psvn_ir::Game;

use super::{OperatorError, Operators};

/// An order of labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OperatorOrder {
    /// As they occur first in the file.
    #[default]
    File,
    /// By name.
    Alphabetic,
    /// As listed; each one once.
    Listed(Vec<String>),
}

impl FromStr for OperatorOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.contains(',') {
            match text.to_ascii_lowercase().as_str() {
                "file" => return Ok(OperatorOrder::File),
                "alphabetic" => return Ok(OperatorOrder::Alphabetic),
                _ => {}
            }
        }
        let labels: Vec<String> = text
            .split(',')
            .map(|label| label.trim().to_owned())
            .collect();
        if labels.iter().any(String::is_empty) {
            return Err("expected file, alphabetic, or labels with commas between them".to_owned());
        }
        Ok(OperatorOrder::Listed(labels))
    }
}

impl fmt::Display for OperatorOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperatorOrder::File => write!(f, "file"),
            OperatorOrder::Alphabetic => write!(f, "alphabetic"),
            // The comma at the end distinguishes a list of one label from a word.
            OperatorOrder::Listed(labels) => write!(f, "{},", labels.join(",")),
        }
    }
}

impl OperatorOrder {
    /// Return the operators of a game in this order.
    ///
    /// # Errors
    /// When the list isn't one of all labels, each once.
    pub fn operators(&self, game: &Game) -> Result<Operators, OperatorError> {
        let operators = Operators::by_label(game);
        let mut labels: Vec<&str> = match self {
            OperatorOrder::File => return Ok(operators),
            OperatorOrder::Alphabetic => operators.names().collect(),
            OperatorOrder::Listed(labels) => labels.iter().map(String::as_str).collect(),
        };
        if *self == OperatorOrder::Alphabetic {
            labels.sort_by_key(|label| label.to_ascii_lowercase());
        }
        Operators::in_order(game, &labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_words_or_lists() {
        let listed = |labels: &[&str]| {
            OperatorOrder::Listed(labels.iter().map(|label| (*label).to_owned()).collect())
        };
        let parse = |text: &str| text.parse::<OperatorOrder>();
        assert_eq!(parse("FILE"), Ok(OperatorOrder::File));
        assert_eq!(parse("alphabetic"), Ok(OperatorOrder::Alphabetic));
        assert_eq!(parse("U, R,d"), Ok(listed(&["U", "R", "d"])));
        assert_eq!(parse("U"), Ok(listed(&["U"])));
        assert_eq!(
            parse("file,alphabetic"),
            Ok(listed(&["file", "alphabetic"]))
        );
        for text in ["", ",", "U,", "U,,R"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(listed(&["file"]).to_string(), "file,");
    }
}
