//! States as boards, in text.

use crate::layout::BoardLayout;
use crate::place::{Place, Walker};
use crate::style::width;

/// What a board shows at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown<'a> {
    /// Nothing: the place isn't a part of the board.
    Outside,
    /// An empty place, by this sign in text.
    Empty(&'a str),
    /// Something, by this sign.
    Something(&'a str),
}

/// An empty place in text.
const EMPTY: &str = ".";

impl BoardLayout {
    /// Return what is shown at a place, numbered row by row from 0, after things have fallen if the
    /// layout says so.
    pub fn shown<'a>(&'a self, state: &[&'a str], place: usize) -> Shown<'a> {
        if !self.towers.is_empty() {
            return match self.block_at(state, place) {
                Some(block) => Shown::Something(block),
                None => Shown::Empty(EMPTY),
            };
        }
        if !self.falls {
            return self.stands(state, place);
        }
        let (row, column) = (place / self.columns, place % self.columns);
        let from_below = (0..self.rows).rev().map(|row| row * self.columns + column);
        let mut things = from_below.filter_map(|place| match self.stands(state, place) {
            Shown::Something(sign) => Some(sign),
            Shown::Outside | Shown::Empty(_) => None,
        });
        match things.nth(self.rows - 1 - row) {
            Some(sign) => Shown::Something(sign),
            None => Shown::Empty(EMPTY),
        }
    }

    /// Return the number of the variable, from 1, whose value is shown at a place; `None` where
    /// things fall or are stacked. Neighboring places that show the same variable are one piece.
    pub fn variable_at(&self, state: &[&str], place: usize) -> Option<usize> {
        if self.falls || !self.towers.is_empty() {
            return None;
        }
        let Shown::Something(_) = self.shown(state, place) else {
            return None;
        };
        let is_here = |walker: &&Walker| self.place_of(walker, state) == Some(place);
        if let Some(walker) = self.walkers.iter().find(is_here) {
            return Some(walker.variable);
        }
        match self.places.get(place) {
            Some(Place::Variable { number, .. }) => Some(*number),
            Some(_) => None,
            None => Some(self.variables.get(place).copied().unwrap_or(place + 1)),
        }
    }

    /// The content of a place as the layout lists it.
    fn stands<'a>(&'a self, state: &[&'a str], place: usize) -> Shown<'a> {
        let at = self.places.get(place);
        let is_marked = matches!(
            at,
            Some(Place::Variable {
                is_marked: true,
                ..
            })
        );
        let is_here = |walker: &&Walker| self.place_of(walker, state) == Some(place);
        if let Some(walker) = self.walkers.iter().find(is_here) {
            return Shown::Something(walker.sign.at(is_marked));
        }
        let mut other = None;
        let mut own_sign = None;
        let mut only = None;
        let number = match at {
            Some(Place::Outside) => return Shown::Outside,
            Some(Place::Fixed(sign)) if sign == EMPTY => return Shown::Empty(EMPTY),
            Some(Place::Fixed(sign)) => return Shown::Something(sign),
            Some(Place::Variable {
                number,
                sign,
                only: value,
                behind,
                ..
            }) => {
                own_sign = sign.as_deref();
                only = value.as_deref();
                other = *behind;
                *number
            }
            None if self.open => return Shown::Empty(EMPTY),
            None => self.variables.get(place).copied().unwrap_or(place + 1),
        };
        let value_of = |number: usize| state.get(number.wrapping_sub(1)).copied();
        let is_blank = |value: &&str| self.blank.as_deref() == Some(*value);
        let front = value_of(number);
        let value = match other {
            Some(other) if front.as_ref().is_some_and(is_blank) => value_of(other),
            _ => front,
        };
        let Some(value) = value else {
            return Shown::Empty(EMPTY);
        };
        if only.is_some_and(|only| only != value) {
            return Shown::Empty(EMPTY);
        }
        if let Some(sign) = own_sign.filter(|_| !is_blank(&value)) {
            return Shown::Something(sign);
        }
        let sign = self.show.get(value);
        if self.blank.as_deref() == Some(value) {
            return match sign {
                Some(sign) if is_marked => Shown::Something(sign.at(true)),
                Some(sign) => Shown::Empty(&sign.plain),
                None => Shown::Empty(EMPTY),
            };
        }
        Shown::Something(sign.map_or(value, |sign| sign.at(is_marked)))
    }

    /// The block of a tower at a place. A held block is in the uppermost row, and each tower is in
    /// the column of its lowest block.
    fn block_at<'a>(&'a self, state: &[&'a str], place: usize) -> Option<&'a str> {
        let mut variables = self.towers.iter().map(|word| match word {
            Place::Variable { number, sign, .. } => (*number, sign.as_deref().unwrap_or_default()),
            Place::Outside | Place::Fixed(_) => (0, ""),
        });
        let value_of = |number: usize| state.get(number.wrapping_sub(1)).copied();
        let held = value_of(variables.next()?.0);
        // The block under each block, and its name.
        let blocks: Vec<(Option<&str>, &'a str)> = variables
            .map(|(under, name)| (value_of(under), name))
            .collect();
        let (row, column) = (place / self.columns, place % self.columns);
        let (below, base) = *blocks.get(column)?;
        let is_held = held == Some(base);
        if row == 0 {
            return is_held.then_some(base);
        }
        let stands_on_one = blocks.iter().any(|(_, name)| Some(*name) == below);
        if is_held || stands_on_one {
            return None;
        }
        // Go up once for each block below the place.
        (0..self.rows - 1 - row).try_fold(base, |block, _| {
            let mut above = blocks.iter().filter(|(below, _)| *below == Some(block));
            above.next().map(|(_, name)| *name)
        })
    }

    /// The place of a walker; `None` if its variables name no place of the board.
    fn place_of(&self, walker: &Walker, state: &[&str]) -> Option<usize> {
        let value_of = |number: usize| state.get(number.wrapping_sub(1)).copied();
        let value = value_of(walker.variable)?;
        let Some(column) = walker.column else {
            return self.place_of_name(value);
        };
        let row = value.parse::<usize>().ok()?.checked_add(walker.down)?;
        let column = value_of(column)?.parse::<usize>().ok()?;
        let column = column.checked_add(walker.right)?;
        let is_inside = row < self.rows && column < self.columns;
        is_inside.then(|| row * self.columns + column)
    }

    /// The place with a name such as `r2c3`: second row, third column.
    fn place_of_name(&self, name: &str) -> Option<usize> {
        let (row, column) = name.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
        let [row, column] =
            [row, column].map(|number| number.parse::<usize>().ok()?.checked_sub(1));
        let (row, column) = (row?, column?);
        let is_inside = row < self.rows && column < self.columns;
        is_inside.then(|| row * self.columns + column)
    }

    /// The content of a place of the board, from the values of the variables; `None` if it is empty
    /// or no part of the board.
    pub(crate) fn value<'a>(&'a self, state: &[&'a str], place: usize) -> Option<&'a str> {
        match self.shown(state, place) {
            Shown::Something(sign) => Some(sign),
            Shown::Outside | Shown::Empty(_) => None,
        }
    }

    /// Draw a state, given as the values of its variables, as lines of text of equal width. Empty
    /// places are dots.
    pub fn text(&self, state: &[&str]) -> Vec<String> {
        let value = |place: usize| match self.shown(state, place) {
            Shown::Something(sign) | Shown::Empty(sign) => sign,
            Shown::Outside => "",
        };
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
    /// above each and an empty line between rows of boards.
    pub fn side_by_side(
        &self,
        states: &[Vec<&str>],
        heads: &[String],
        width: usize,
    ) -> Vec<String> {
        /// The gap between two boards.
        const GAP: &str = "   ";
        let boards: Vec<Vec<String>> = states.iter().map(|state| self.text(state)).collect();
        let lengths = boards.iter().flatten().chain(heads);
        let widest = lengths.map(|line| line.chars().count()).max().unwrap_or(0);
        let abreast = (width / (widest + GAP.len())).max(1);
        let mut lines = Vec::new();
        for (boards, heads) in boards.chunks(abreast).zip(heads.chunks(abreast)) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            let mut line = |parts: &mut dyn Iterator<Item = &String>| {
                let parts: Vec<String> = parts.map(|part| format!("{part:<widest$}")).collect();
                lines.push(parts.join(GAP).trim_end().to_owned());
            };
            line(&mut heads.iter());
            for row in 0..self.rows {
                line(&mut boards.iter().filter_map(|board| board.get(row)));
            }
        }
        lines
    }

    /// The side of a place in a picture.
    pub(crate) fn side(&self, states: &[Vec<&str>]) -> f64 {
        let places = 0..self.rows * self.columns;
        let mut widest: f64 = 0.0;
        for state in states {
            let signs = places.clone().filter_map(|place| self.value(state, place));
            widest = signs.map(width).fold(widest, f64::max);
        }
        (widest * 1.5 + 18.0).clamp(38.0, 120.0)
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
        assert_eq!(abreast, ["start   1 L", ". 1     1 .", "2 3     2 3"]);
        let below = layout.side_by_side(&states, &heads, 15);
        assert_eq!(below[..4], ["start", ". 1", "2 3", ""]);
        assert_eq!(below[4..], ["1 L", "1 .", "2 3"]);
    }

    #[test]
    fn towers_stand_on_their_lowest_blocks() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 4 columns 3 blank 0\n# layout: towers 1 2=a 3=b 4=c\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!((layout.check(4), layout.check(3).is_err()), (Ok(()), true));
        let text = |state: [&str; 4]| layout.text(&state);
        // All on the table, all in a tower, one held.
        assert_eq!(text(["0", "0", "0", "0"])[3], "a b c");
        assert_eq!(
            text(["0", "b", "c", "0"]),
            [". . .", ". . a", ". . b", ". . c"]
        );
        assert_eq!(
            text(["b", "c", "0", "0"]),
            [". b .", ". . .", ". . a", ". . c"]
        );
    }

    #[test]
    fn things_fall_and_hidden_values_show() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 3 columns 1 blank . falls\n# layout: places 1/2 3=x 4\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!(layout.check(4), Ok(()));
        assert!(layout.check(3).is_err());
        let text = |state: [&str; 4]| layout.text(&state);
        assert_eq!(text(["a", "b", ".", "."]), [".", ".", "a"]);
        assert_eq!(text([".", "b", "c", "."]), [".", "b", "x"]);
        assert_eq!(text([".", ".", ".", "d"]), [".", ".", "d"]);
    }

    #[test]
    fn walkers_by_row_and_column() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 3 columns 3 walker 1+1,2+1 @\n\
             # layout: places - a b c . . d . .\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!(layout.check(2), Ok(()));
        assert!(layout.check(1).is_err());
        let text = |state: [&str; 2]| layout.text(&state);
        assert_eq!(text(["0", "0"]), ["  a b", "c @ .", "d . ."]);
        assert_eq!(text(["1", "1"]), ["  a b", "c . .", "d . @"]);
        // Beside the board, and no numbers.
        for nowhere in [["2", "0"], ["x", "0"], ["0", "-1"]] {
            assert_eq!(text(nowhere), ["  a b", "c . .", "d . ."]);
        }
    }

    #[test]
    fn values_have_places_of_their_own() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 2 columns 3 blank none\n\
             # layout: places a 1@a=R 2@a=1\n# layout: places b 1@b=R 3\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!((layout.check(3), layout.check(2).is_err()), (Ok(()), true));
        let text = |state: [&str; 3]| layout.text(&state);
        assert_eq!(text(["a", "b", "none"]), ["a R .", "b . ."]);
        assert_eq!(text(["b", "a", "x"]), ["a . 1", "b R x"]);
    }

    #[test]
    fn pieces_are_places_of_one_variable() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 2 columns 3 blank none walker 2 @\n\
             # layout: places 1@a=R 1@a=R 1@b=R\n# layout: places # 3 -\n",
        );
        let layout = layout.unwrap().unwrap();
        let pieces = |state: [&str; 3]| {
            let of = |place| layout.variable_at(&state, place);
            (0..6).map(of).collect::<Vec<_>>()
        };
        let (one, two, three) = (Some(1), Some(2), Some(3));
        assert_eq!(
            pieces(["a", "r2c2", "x"]),
            [one, one, None, None, two, None]
        );
        assert_eq!(
            pieces(["b", "r1c1", "x"]),
            [two, None, one, None, three, None]
        );
        assert_eq!(pieces(["b", "r9c9", "none"])[4], None);
    }

    #[test]
    fn walls_and_walkers() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 2 columns 3 blank 0 show 0 _/o show 1 x/X\n\
             # layout: walker 1 @/+\n# layout: places # 2! 3\n# layout: places - . G\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!(layout.check(3), Ok(()));
        assert!(layout.check(2).is_err());
        let text = |state: [&str; 3]| layout.text(&state);
        assert_eq!(text(["r2c2", "0", "0"]), ["# o _", "  @ G"]);
        assert_eq!(text(["r1c2", "1", "1"]), ["# + x", "  . G"]);
        assert_eq!(text(["r2c3", "1", "0"]), ["# X _", "  . @"]);
        // A value that names no place of the board is not shown.
        assert_eq!(text(["r3c1", "2", "0"]), ["# 2 _", "  . G"]);
        assert_eq!(layout.value(&["r2c2", "0", "0"], 2), None);
        assert_eq!(layout.value(&["r2c2", "0", "0"], 1), Some("o"));
    }
}
