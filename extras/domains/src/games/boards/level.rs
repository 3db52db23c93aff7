//! Levels of Sokoban: their contents, and whether they are valid games.

use std::collections::VecDeque;

use crate::games::boards::picture::{DIRECTIONS, Picture, Place, place_name};

/// The characters of a level: wall, floor (also `-` and `_`), goal, box, box on a goal, keeper,
/// keeper on a goal.
pub(super) const CHARACTERS: &str = "# -_.$*@+";

/// A level with its pieces.
pub(super) struct Level {
    pub(super) picture: Picture,
    pub(super) keeper: Place,
    /// The squares that the keeper could reach if there were no boxes, row by row.
    pub(super) squares: Vec<Place>,
}

impl Level {
    pub(super) fn is_box(&self, place: Place) -> bool {
        matches!(self.picture.at(place), Some('$' | '*'))
    }

    pub(super) fn is_goal(&self, place: Place) -> bool {
        matches!(self.picture.at(place), Some('.' | '*' | '+'))
    }

    /// The number of a square among those that can be reached.
    pub(super) fn number(&self, place: Place) -> Option<usize> {
        self.squares.binary_search(&place).ok()
    }

    /// The number of the square next to another.
    pub(super) fn beside(
        &self,
        place: Place,
        (_, down, right): (char, isize, isize),
    ) -> Option<usize> {
        self.number(Picture::step(place, down, right)?)
    }

    /// Read a level.
    pub(super) fn read(picture: Picture) -> Result<Self, Wrong> {
        let keepers = picture.places_of("@+");
        let [keeper] = keepers[..] else {
            return Err(Wrong {
                place: keepers.get(1).copied(),
                found: format!("{} keepers", keepers.len()),
                expected: "one keeper, `@` or `+`",
            });
        };
        let squares = inside(&picture, keeper).map_err(|place| Wrong {
            place: Some(place),
            found: "an open level".to_owned(),
            expected: "walls `#` all around the keeper",
        })?;
        let level = Self {
            picture,
            keeper,
            squares,
        };
        // A box on a goal that the keeper can't come to stays there: it is a piece of the wall.
        let counts =
            |place: &Place| level.number(*place).is_some() || level.picture.at(*place) != Some('*');
        let of = |characters| -> Vec<Place> {
            let places = level.picture.places_of(characters).into_iter();
            places.filter(counts).collect()
        };
        let (boxes, goals) = (of("$*"), of(".*+"));
        if boxes.is_empty() || boxes.len() != goals.len() {
            // The first one that is too many.
            let (more, less) = if boxes.len() > goals.len() {
                (&boxes, &goals)
            } else {
                (&goals, &boxes)
            };
            return Err(Wrong {
                place: more.get(less.len()).copied(),
                found: format!("{} boxes and {} goals", boxes.len(), goals.len()),
                expected: "as many boxes as goals, and at least one",
            });
        }
        let outside = |place: &&Place| level.number(**place).is_none();
        match boxes.iter().chain(&goals).find(outside) {
            Some(place) => Err(Wrong {
                place: Some(*place),
                found: format!("a box or goal at {}", place_name(*place)),
                expected: "all boxes and goals on the keeper's side of the walls",
            }),
            None => Ok(level),
        }
    }
}

/// Why a picture isn't a level.
pub(super) struct Wrong {
    /// The place, if it is at one.
    pub(super) place: Option<Place>,
    pub(super) found: String,
    pub(super) expected: &'static str,
}

/// The squares that can be reached from one, or the square from which the keeper could leave the
/// picture.
fn inside(picture: &Picture, start: Place) -> Result<Vec<Place>, Place> {
    let mut squares = vec![start];
    let mut queue = VecDeque::from([start]);
    let mut seen = std::collections::HashSet::from([start]);
    while let Some(place) = queue.pop_front() {
        for (_, down, right) in DIRECTIONS {
            let next = Picture::step(place, down, right).ok_or(place)?;
            if picture.at(next).ok_or(place)? != '#' && seen.insert(next) {
                squares.push(next);
                queue.push_back(next);
            }
        }
    }
    squares.sort_unstable();
    Ok(squares)
}
