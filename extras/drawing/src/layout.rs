//! Layouts: the row and column of a game's variables on a board, and how their values are shown.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::place::{Place, Sign, Walker};

/// A layout: how a board shows a state.
///
/// ```
/// use drawing::BoardLayout;
///
/// let layout = BoardLayout::from_comments("# layout: rows 2 columns 3 blank 0\n6\n...").unwrap()?;
/// let state = ["1", "4", "2", "3", "0", "5"];
/// assert_eq!(layout.text(&state), ["1 4 2", "3 . 5"]);
/// # Ok::<(), drawing::LayoutError>(())
/// ```
///
/// Boards with walls list their places, each row on its own line. A walker's value is the name of
/// its place, `r2c3` in the second row and third column.
///
/// ```
/// use drawing::BoardLayout;
///
/// let text = "# layout: rows 1 columns 5 blank _ show box $/* show _ _/. walker 1 @/+
/// ## layout: places # 2! 3 4 #
/// 4";
/// let layout = BoardLayout::from_comments(text).unwrap()?;
/// assert_eq!(layout.text(&["r1c4", "_", "box", "_"]), ["# . $ @ #"]);
/// assert_eq!(layout.text(&["r1c3", "box", "_", "_"]), ["# * @ _ #"]);
/// # Ok::<(), drawing::LayoutError>(())
/// ```
///
/// Two variables may hold the row and the column of a walker, and a value may be shown at a
/// separate place: here a ball is in the west, in the east, or in a boat between them.
///
/// ```
/// use drawing::BoardLayout;
///
/// let open = BoardLayout::from_comments("# layout: rows 2 columns 3 open walker 1,2 @").unwrap()?;
/// assert_eq!(open.text(&["1", "2"]), [". . .", ". . @"]);
/// let text = "# layout: rows 1 columns 3\n# layout: places 1@west=o 1@boat=o 1@east=o";
/// let lake = BoardLayout::from_comments(text).unwrap()?;
/// assert_eq!(lake.text(&["boat"]), [". o ."]);
/// # Ok::<(), drawing::LayoutError>(())
/// ```
///
/// Stacked things fall down: here disk 1 and disk 2, each with a variable for each of two pegs.
///
/// ```
/// use drawing::BoardLayout;
///
/// let text = "# layout: rows 2 columns 2 blank 0 falls\n# layout: places 1=1 2=1 3=2 4=2\n4";
/// let layout = BoardLayout::from_comments(text).unwrap()?;
/// assert_eq!(layout.text(&["1", "0", "1", "0"]), ["1 .", "2 ."]);
/// assert_eq!(layout.text(&["1", "0", "0", "1"]), [". .", "1 2"]);
/// # Ok::<(), drawing::LayoutError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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
    /// The content of each place, row by row, if places are not one variable each.
    #[serde(default)]
    pub places: Vec<Place>,
    /// The things that move about on the board.
    #[serde(default)]
    pub walkers: Vec<Walker>,
    /// Whether all places without walkers are empty.
    #[serde(default)]
    pub open: bool,
    /// Whether the contents of a column fall down to the lowest free places.
    #[serde(default)]
    pub falls: bool,
    /// Whether the board is an unfolded cube, which pictures fold again: in the first row of faces
    /// the second one is up, in the middle row are left, front, right and back, and in the last row
    /// the second one is down.
    #[serde(default)]
    pub cube: bool,
    /// Towers of blocks: the variable for a held block, then for each block the variable for the
    /// block under it, with the block's value: `1 3=a 5=b`.
    #[serde(default)]
    pub towers: Vec<Place>,
    /// How values are shown, if not by their names.
    #[serde(default)]
    pub show: BTreeMap<String, Sign>,
    /// Colors of values or of their signs, as CSS writes them.
    #[serde(default)]
    pub colors: BTreeMap<String, String>,
}

/// Why a layout is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A word without meaning here, or with a missing argument.
    #[error(
        "a layout is `rows N columns N`, perhaps with `blank VALUE`, `show VALUE SIGN`, `color VALUE \
         COLOR`, `walker VARIABLE SIGN`, `open`, `falls`, `cube`, `towers ..` or `places ..`; `{0}` means nothing \
         there"
    )]
    Word(String),
    /// Rows or columns are missing or zero.
    #[error("a layout needs a number of rows and of columns, each from 1 to 1000")]
    Size,
    /// A cube doesn't unfold to a board of this size.
    #[error("a cube of n layers is unfolded on 3n rows and 4n columns")]
    Cube,
    /// The game has fewer variables.
    #[error("the board has {places} places, and the game has {variables} variables")]
    TooFewVariables {
        /// The places of the board.
        places: usize,
        /// The variables of the game.
        variables: usize,
    },
    /// The layout names a variable that the game doesn't have.
    #[error("the layout names variable {found}, and the game has {variables}")]
    Variable {
        /// The number of the variable.
        found: usize,
        /// The variables of the game.
        variables: usize,
    },
    /// The number of listed variables differs from that of places.
    #[error("the board has {places} places, and {listed} are listed")]
    Listed {
        /// The places of the board.
        places: usize,
        /// The places that are listed.
        listed: usize,
    },
    /// A color has characters that no CSS color has.
    #[error("`{0}` isn't a color: write a name, #RRGGBB or rgb(R,G,B)")]
    Color(String),
}

impl BoardLayout {
    /// Find the layout that comment lines of a game declare, such as
    /// `# layout: rows 3 columns 3 blank 0`. Several such lines are one layout.
    pub fn from_comments(text: &str) -> Option<Result<Self, LayoutError>> {
        let comments = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix('#'));
        let mut declared = comments
            .filter_map(|comment| comment.trim().strip_prefix("layout:"))
            .peekable();
        declared.peek()?;
        Some(Self::from_lines(declared))
    }

    fn from_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Self, LayoutError> {
        let mut layout = Self::default();
        for line in lines {
            layout.read(&mut line.split_whitespace())?;
        }
        layout.check_size()?;
        Ok(layout)
    }

    /// Add the declarations of a line.
    fn read<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Result<(), LayoutError> {
        while let Some(word) = words.next() {
            if word == "places" {
                self.places.extend(words.by_ref().map(Place::read));
                return Ok(());
            }
            if word == "falls" {
                self.falls = true;
                continue;
            }
            if word == "open" {
                self.open = true;
                continue;
            }
            if word == "cube" {
                self.cube = true;
                continue;
            }
            if word == "towers" {
                self.towers.extend(words.by_ref().map(Place::read));
                return Ok(());
            }
            let mut next = || {
                let next = words.next();
                next.ok_or_else(|| LayoutError::Word(word.to_owned()))
            };
            let value = next()?;
            let number = || {
                let wrong = |_| LayoutError::Word(format!("{word} {value}"));
                value.parse::<usize>().map_err(wrong)
            };
            match word {
                "rows" => self.rows = number()?,
                "columns" => self.columns = number()?,
                "blank" => self.blank = Some(value.to_owned()),
                "show" => {
                    let sign = Sign::from(next()?.to_owned());
                    self.show.insert(value.to_owned(), sign);
                }
                "color" => {
                    self.colors.insert(value.to_owned(), next()?.to_owned());
                }
                "walker" => {
                    let sign = Sign::from(next()?.to_owned());
                    let wrong = || LayoutError::Word(format!("{word} {value}"));
                    let walker = Walker::read(value, sign).ok_or_else(wrong)?;
                    self.walkers.push(walker);
                }
                _ => return Err(LayoutError::Word(word.to_owned())),
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), LayoutError> {
        let fits = |n: usize| (1..=1000).contains(&n);
        if !fits(self.rows) || !fits(self.columns) {
            return Err(LayoutError::Size);
        }
        let unfolds = self.rows.is_multiple_of(3) && self.rows / 3 * 4 == self.columns;
        if self.cube && !unfolds {
            Err(LayoutError::Cube)
        } else {
            Ok(())
        }
    }

    /// Check that the layout fits a game with `n_variables` variables.
    ///
    /// # Errors
    /// The layout doesn't fit, or a color is malformed.
    pub fn check(&self, n_variables: usize) -> Result<(), LayoutError> {
        self.check_size()?;
        let places = self.rows * self.columns;
        for listed in [self.variables.len(), self.places.len()] {
            if listed > 0 && listed != places {
                return Err(LayoutError::Listed { places, listed });
            }
        }
        let is_listed =
            !(self.variables.is_empty() && self.places.is_empty() && self.towers.is_empty());
        let is_plain = !is_listed && !self.open;
        if is_plain && places > n_variables {
            return Err(LayoutError::TooFewVariables {
                places,
                variables: n_variables,
            });
        }
        let listed = self.places.iter().chain(&self.towers);
        let at_places = listed.flat_map(|place| match place {
            Place::Variable { number, behind, .. } => [Some(*number), *behind],
            _ => [None, None],
        });
        let at_places = at_places.flatten();
        let walkers = self.walkers.iter();
        let walkers = walkers.flat_map(|walker| [Some(walker.variable), walker.column]);
        let walkers = walkers.flatten();
        let mut named = at_places
            .chain(walkers)
            .chain(self.variables.iter().copied());
        if let Some(found) = named.find(|number| !(1..=n_variables).contains(number)) {
            return Err(LayoutError::Variable {
                found,
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "rows 3 columns 3 cube",
            "rows 4 columns 4 cube",
            "rows 2 columns 2 show box",
            "rows 2 columns 2 walker x @",
            "rows 2 columns 2 walker 1,x @",
            "rows 2 columns 2 walker 1+,2 @",
            "places 1 2",
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
        let mut layout = BoardLayout::from_lines(["rows 2 columns 2"].into_iter()).unwrap();
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
