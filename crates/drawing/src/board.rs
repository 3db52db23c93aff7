//! States as boards: which variable stands in which row and column.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::style::width;

/// A layout: which variable of a game stands where on a board.
///
/// ```
/// use drawing::BoardLayout;
///
/// let layout = BoardLayout::from_comments("# layout: rows 2 columns 3 blank 0\n6\n...").unwrap()?;
/// let state = ["1", "4", "2", "3", "0", "5"];
/// assert_eq!(layout.text(&state), ["1 4 2", "3 . 5"]);
/// # Ok::<(), drawing::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardLayout {
    /// The rows of the board.
    pub rows: usize,
    /// The columns of the board.
    pub columns: usize,
    /// The value that is shown as an empty place.
    #[serde(default)]
    pub blank: Option<String>,
    /// The variables of the board, row by row and counted from 1. If empty, the first variables of
    /// the game.
    #[serde(default)]
    pub variables: Vec<usize>,
    /// Colors of values, as CSS writes them.
    #[serde(default)]
    pub colors: BTreeMap<String, String>,
}

/// Why a layout is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A word that has no meaning here, or lacks its number.
    #[error(
        "a layout is `rows N columns N`, perhaps with `blank VALUE`; `{0}` means nothing there"
    )]
    Word(String),
    /// Rows or columns are missing or zero.
    #[error("a layout needs a number of rows and of columns, each from 1 to 1000")]
    Size,
    /// The game has fewer variables.
    #[error("the board has {places} places, and the game has {variables} variables")]
    TooFewVariables {
        /// The places of the board.
        places: usize,
        /// The variables of the game.
        variables: usize,
    },
    /// Another number of variables is listed than there are places.
    #[error("the board has {places} places, and {listed} variables are listed for them")]
    Listed {
        /// The places of the board.
        places: usize,
        /// The variables that are listed.
        listed: usize,
    },
    /// A color has characters that no CSS color has.
    #[error("`{0}` is no color: write a name, #RRGGBB or rgb(R,G,B)")]
    Color(String),
}

impl BoardLayout {
    /// Find the layout that a comment line of a game declares, such as
    /// `# layout: rows 3 columns 3 blank 0`.
    pub fn from_comments(text: &str) -> Option<Result<Self, LayoutError>> {
        let comments = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix('#'));
        let declared = comments
            .filter_map(|comment| comment.trim().strip_prefix("layout:"))
            .next()?;
        Some(Self::from_words(declared))
    }

    fn from_words(text: &str) -> Result<Self, LayoutError> {
        let mut layout = Self {
            rows: 0,
            columns: 0,
            blank: None,
            variables: Vec::new(),
            colors: BTreeMap::new(),
        };
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| LayoutError::Word(word.to_owned()))?;
            let number = || {
                value
                    .parse()
                    .map_err(|_| LayoutError::Word(format!("{word} {value}")))
            };
            match word {
                "rows" => layout.rows = number()?,
                "columns" => layout.columns = number()?,
                "blank" => layout.blank = Some(value.to_owned()),
                _ => return Err(LayoutError::Word(word.to_owned())),
            }
        }
        layout.check_size()?;
        Ok(layout)
    }

    fn check_size(&self) -> Result<(), LayoutError> {
        let fits = |n: usize| (1..=1000).contains(&n);
        if fits(self.rows) && fits(self.columns) {
            Ok(())
        } else {
            Err(LayoutError::Size)
        }
    }

    /// Check that the layout fits a game with `n_variables` variables.
    ///
    /// # Errors
    /// The layout doesn't fit, or a color is malformed.
    pub fn check(&self, n_variables: usize) -> Result<(), LayoutError> {
        self.check_size()?;
        let places = self.rows * self.columns;
        if !self.variables.is_empty() && self.variables.len() != places {
            return Err(LayoutError::Listed {
                places,
                listed: self.variables.len(),
            });
        }
        let fits = self
            .variables
            .iter()
            .all(|variable| (1..=n_variables).contains(variable));
        if (self.variables.is_empty() && places > n_variables) || !fits {
            return Err(LayoutError::TooFewVariables {
                places,
                variables: n_variables,
            });
        }
        let is_color = |color: &&String| {
            color
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "#(),.% ".contains(c))
        };
        match self.colors.values().find(|color| !is_color(color)) {
            Some(color) => Err(LayoutError::Color(color.clone())),
            None => Ok(()),
        }
    }

    /// The value at a place of the board, from the values of the variables; `None` where it is
    /// empty.
    pub(crate) fn value<'a>(&self, state: &[&'a str], place: usize) -> Option<&'a str> {
        let variable = self
            .variables
            .get(place)
            .map_or(place, |variable| variable.saturating_sub(1));
        let value = state.get(variable).copied()?;
        (self.blank.as_deref() != Some(value)).then_some(value)
    }

    /// Draw a state, given as the values of its variables, as lines of text. Empty places are dots.
    pub fn text(&self, state: &[&str]) -> Vec<String> {
        let value = |place: usize| self.value(state, place).unwrap_or(".");
        let places = 0..self.rows * self.columns;
        let widest = places
            .map(|place| value(place).chars().count())
            .max()
            .unwrap_or(1);
        let row = |row: usize| {
            let values = (0..self.columns)
                .map(|column| format!("{:>widest$}", value(row * self.columns + column)));
            values.collect::<Vec<String>>().join(" ")
        };
        (0..self.rows).map(row).collect()
    }

    /// Draw states as lines of text, as many side by side as `width` columns hold, with a head
    /// above each and an empty line below each row of boards.
    pub fn side_by_side(
        &self,
        states: &[Vec<&str>],
        heads: &[String],
        width: usize,
    ) -> Vec<String> {
        /// What stands between two boards.
        const GAP: &str = "   ";
        let boards: Vec<Vec<String>> = states.iter().map(|state| self.text(state)).collect();
        let lengths = boards.iter().flatten().chain(heads);
        let widest = lengths.map(|line| line.chars().count()).max().unwrap_or(0);
        let abreast = (width / (widest + GAP.len())).max(1);
        let mut lines = Vec::new();
        for (boards, heads) in boards.chunks(abreast).zip(heads.chunks(abreast)) {
            let mut line = |parts: &mut dyn Iterator<Item = &String>| {
                let parts: Vec<String> = parts.map(|part| format!("{part:<widest$}")).collect();
                lines.push(parts.join(GAP).trim_end().to_owned());
            };
            line(&mut heads.iter());
            for row in 0..self.rows {
                line(&mut boards.iter().filter_map(|board| board.get(row)));
            }
            lines.push(String::new());
        }
        lines
    }

    /// The side of a place in a picture.
    pub(crate) fn side(&self, states: &[Vec<&str>]) -> f64 {
        let values = states.iter().flatten().map(|value| width(value));
        (values.fold(0.0, f64::max) * 1.5 + 18.0).clamp(38.0, 120.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_stand_side_by_side_as_far_as_they_fit() {
        let layout = BoardLayout::from_comments("# layout: rows 2 columns 2 blank 0\n");
        let layout = layout.unwrap().unwrap();
        let states = [vec!["0", "1", "2", "3"], vec!["1", "0", "2", "3"]];
        let heads = ["start".to_owned(), "1 L".to_owned()];
        let abreast = layout.side_by_side(&states, &heads, 16);
        assert_eq!(abreast, ["start   1 L", ". 1     1 .", "2 3     2 3", ""]);
        let below = layout.side_by_side(&states, &heads, 15);
        assert_eq!(below[..4], ["start", ". 1", "2 3", ""]);
        assert_eq!(below[4..], ["1 L", "1 .", "2 3", ""]);
    }

    #[test]
    fn layouts_are_declared_in_comments() {
        let declared = |text: &str| BoardLayout::from_comments(text);
        let layout = declared("# a game\n   #layout: columns 4 rows 2\n8\n")
            .unwrap()
            .unwrap();
        assert_eq!(
            (layout.rows, layout.columns, layout.blank.as_deref()),
            (2, 4, None)
        );
        assert!(declared("# the layout: of things\n").is_none());
        assert!(declared("8 8 8\n").is_none());
        for wrong in [
            "rows 3",
            "rows 0 columns 2",
            "rows x columns 2",
            "rows 2 columns",
            "rows 2 columns 2 deep 3",
            "",
        ] {
            assert!(
                declared(&format!("# layout: {wrong}")).unwrap().is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn layouts_must_fit_the_game() {
        let mut layout = BoardLayout::from_words("rows 2 columns 2").unwrap();
        assert_eq!(layout.check(4), Ok(()));
        assert_eq!(
            layout.check(3),
            Err(LayoutError::TooFewVariables {
                places: 4,
                variables: 3
            })
        );
        layout.variables = vec![4, 3, 2, 1];
        assert_eq!(layout.check(4), Ok(()));
        assert_eq!(layout.text(&["a", "b", "c", "dd"]), ["dd  c", " b  a"]);
        layout.variables.pop();
        assert!(layout.check(4).is_err());
        layout.variables.push(0);
        assert!(layout.check(4).is_err());
        layout.variables.clear();
        layout.colors.insert("1".to_owned(), "red;} x{".to_owned());
        assert!(matches!(layout.check(4), Err(LayoutError::Color(_))));
    }
}
