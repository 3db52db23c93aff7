//! Boards given as pictures: one character for each square, rows divided by `/` or line breaks.

use crate::arguments::Arguments;
use crate::error::GenerateError;

/// A place on a picture: row and column, both from 0 at the top left.
pub(super) type Place = (usize, usize);

/// The four directions in which a piece may go: letter, rows down, columns to the right.
pub(super) const DIRECTIONS: [(char, isize, isize); 4] =
    [('u', -1, 0), ('r', 0, 1), ('d', 1, 0), ('l', 0, -1)];

/// The most rows and columns of a board that is shown.
const MOST_SHOWN: usize = 1000;

/// A board of characters.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    rows: Vec<Vec<char>>,
}

impl Picture {
    /// Read a picture. `known` are the characters that may occur.
    pub(super) fn read(
        args: &Arguments<'_>,
        argument: &'static str,
        text: &str,
        known: &str,
    ) -> Result<Self, GenerateError> {
        let rows = text
            .split(['/', '\n'])
            .map(|row| row.trim_end_matches('\r'));
        let mut rows: Vec<Vec<char>> = rows.map(|row| row.chars().collect()).collect();
        while rows.last().is_some_and(|row| row.iter().all(|c| *c == ' ')) {
            rows.pop();
        }
        let unknown = rows.iter().flatten().find(|c| !known.contains(**c));
        if let Some(unknown) = unknown {
            let expected = format!("rows of the characters `{known}`, divided by `/`");
            return Err(args.invalid(argument, unknown, expected));
        }
        Ok(Self { rows })
    }

    /// A picture of these rows.
    pub(super) fn of_rows(rows: &[&str]) -> Self {
        let rows = rows.iter().map(|row| row.chars().collect());
        Self {
            rows: rows.collect(),
        }
    }

    /// The character at a place; `None` outside the picture.
    pub(super) fn at(&self, (row, column): Place) -> Option<char> {
        self.rows.get(row)?.get(column).copied()
    }

    /// The neighbor of a place, if its row and column are not negative.
    pub(super) fn step((row, column): Place, down: isize, right: isize) -> Option<Place> {
        Some((
            row.checked_add_signed(down)?,
            column.checked_add_signed(right)?,
        ))
    }

    /// All places of the picture, row by row.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let row_of = |(row, line): (usize, &Vec<char>)| {
            let n_columns = line.len();
            (0..n_columns).map(move |column| (row, column))
        };
        self.rows.iter().enumerate().flat_map(row_of)
    }

    /// The places with one of some characters, row by row.
    pub(super) fn places_of(&self, characters: &str) -> Vec<Place> {
        let is_one = |place: &Place| self.at(*place).is_some_and(|c| characters.contains(c));
        self.places().filter(is_one).collect()
    }

    /// The layout comment: `options`, and then the rows with the result of `sign` for each place.
    /// Empty for boards that are too large to show.
    pub(super) fn layout(
        &self,
        options: &str,
        sign: impl Fn(Place, char) -> String,
    ) -> Option<String> {
        let n_columns = self.rows.iter().map(Vec::len).max()?;
        if self.rows.len() > MOST_SHOWN || n_columns > MOST_SHOWN {
            return None;
        }
        let mut lines = format!(
            "layout: rows {} columns {n_columns} {options}",
            self.rows.len()
        );
        for row in 0..self.rows.len() {
            let signs = (0..n_columns).map(|column| {
                let place = (row, column);
                self.at(place).map_or("-".to_owned(), |c| sign(place, c))
            });
            let signs: Vec<String> = signs.collect();
            lines.push_str("\nlayout: places ");
            lines.push_str(&signs.join(" "));
        }
        Some(lines)
    }

    /// The rows, for a comment.
    pub(super) fn to_lines(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        rows.join("\n")
    }
}

/// The name of a place: `r2c3` is the third square of the second row.
pub(super) fn place_name((row, column): Place) -> String {
    format!("r{}c{}", row + 1, column + 1)
}
