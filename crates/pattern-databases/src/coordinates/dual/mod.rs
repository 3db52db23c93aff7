//! Look-ups of the dual of a state: of its inverse, as a permutation of the goal.
//!
//! A state and its dual are equally far from the goal (see [`Dual`](crate::Dual)), but their
//! distances in a table are nearly independent. The dual of a child differs from its parent's by a
//! move at the other end, so its coordinates aren't changed by the tables of moves: they are
//! computed from the state. This takes longer, so the dual is looked up where the state's own
//! look-ups leave a child in.
//!
//! Entries modulo 3 give a distance only if it is nearly known. For that, the distances of a
//! coarser table are kept in full: where the pattern keeps some pieces apart, those without that.
//! Few distances are larger than the coarser ones by three or more; for these, the least number
//! with the same remainder is taken, which is a lower bound.

mod contents;
mod keys;

use std::time::Instant;

use self::contents::Contents;
use self::keys::{Keys, MOST_KEYS};
use super::build::{self, DISTANCES_PER_WORD, MOST_DISTANCE, Steps, UNREACHED};
use super::classes::Classes;
use super::file::distances::KeptDistances;
use super::layout::coordinate::Coordinate;
use super::layout::{Digit, Layout};
use super::lookup::memo::{MOST_AXES, MOST_COORDINATES};
use super::lookup::{self, Lookup};
use super::moves::Moves;
use crate::progress::{BuildError, Options, Reporter};

/// The look-up of dual states.
#[derive(Debug)]
pub(super) struct DualLookup {
    contents: Contents,
    keys: Keys,
    /// By coordinate of the table: where its value comes from.
    sources: Vec<Source>,
    coarse: Coarse,
    /// By entry of the coarse table: its distance.
    distances: Vec<u64>,
}

/// The numbers of the coarse table's entries.
#[derive(Debug)]
enum Coarse {
    /// The coarse table is the table itself.
    Same,
    /// The table has one more digit, which comes last and has `fan` values.
    Nested {
        per_class: u64,
        per_coarse_class: u64,
        fan: u64,
    },
    Other {
        lookup: Box<Lookup>,
        sources: Vec<Source>,
    },
}

/// The value of a coordinate, from the value of a key: that of a finer coordinate, divided by the
/// number of its values for each value of the coarser one.
#[derive(Clone, Copy, Debug)]
struct Source {
    key: usize,
    divisor: u32,
}

/// Return the layout's coordinates from which the others follow, and by coordinate the number of
/// the former and the divisor.
fn independent(layout: &Layout) -> (Vec<&Coordinate>, Vec<Source>) {
    let finer = |number: usize| {
        let is_finer = |digit: &&Digit| digit.parent == Some(number);
        layout.digits.iter().find(is_finer)
    };
    let n = layout.coordinates.len();
    let own: Vec<usize> = (0..n).filter(|number| finer(*number).is_none()).collect();
    let key = |number: usize| own.iter().position(|it| *it == number);
    let source = |number: usize| match finer(number) {
        None => key(number).map(|key| Source { key, divisor: 1 }),
        Some(digit) => key(digit.coordinate).map(|key| Source {
            key,
            divisor: digit.n as u32,
        }),
    };
    let sources = (0..n).map(|number| source(number).expect("finer coordinates have none finer"));
    let sources = sources.collect();
    let own = own.into_iter().map(|number| &layout.coordinates[number]);
    (own.collect(), sources)
}

/// Return how entries of a coarse table are found from those of a finer one, if that is a division.
fn nested(coarse: &Layout, fine: &Layout) -> Option<Coarse> {
    let (last, digits) = fine.digits.split_last()?;
    let (_, coordinates) = fine.coordinates.split_last()?;
    let are_same = |one: &Digit, other: &Digit| {
        (one.coordinate, one.n, one.parent) == (other.coordinate, other.n, other.parent)
    };
    let is_nested = last.parent.is_some()
        && last.coordinate == coordinates.len()
        && coarse.reduced == fine.reduced
        && coarse.symmetries == fine.symmetries
        && coarse.digits.len() == digits.len()
        && coarse
            .digits
            .iter()
            .zip(digits)
            .all(|(one, other)| are_same(one, other))
        && coarse.coordinates.len() == coordinates.len()
        && (coarse.coordinates.iter().zip(coordinates))
            .all(|(one, other)| one.has_same_values(other));
    is_nested.then_some(Coarse::Nested {
        per_class: fine.per_class,
        per_coarse_class: coarse.per_class,
        fan: last.n as u64,
    })
}

/// Find the distance of each entry.
fn distances(
    moves: &Moves,
    layout: &Layout,
    classes: &Classes,
    options: &Options<'_>,
) -> Result<Vec<u64>, BuildError> {
    let steps = Steps::new(moves, layout, classes);
    let total = classes.first.len() as u64 * layout.n_digits();
    let reporter = Reporter::new(options, moves.unit, total);
    let goal = classes.index(layout, &lookup::goal_values(moves, layout));
    build::distances(&steps, goal, &reporter)
}

impl DualLookup {
    /// Make the look-up for a table with this layout. `coarse` is that of a coarser table, if the
    /// pattern keeps pieces apart; `kept` has the distances of the coarser pattern. `None` if the
    /// game's pieces can't be read quickly enough, or there are too many coordinates.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        coarse: Option<&Layout>,
        kept: &KeptDistances<'_>,
        options: &Options<'_>,
    ) -> Result<Option<Self>, BuildError> {
        let started = Instant::now();
        let _span = tracing::info_span!("distances of dual look-ups").entered();
        let Some(contents) = Contents::new(moves) else {
            return Ok(None);
        };
        let axes = &layout.axes[..lookup::n_axes(layout)];
        let nested = match coarse {
            None => Some(Coarse::Same),
            Some(coarse) => nested(coarse, layout),
        };
        let coarse = coarse.unwrap_or(layout);
        let (mut coordinates, sources) = independent(layout);
        let n_own = coordinates.len();
        let others = independent(coarse);
        if nested.is_none() {
            coordinates.extend(&others.0);
        }
        let Some(keys) = Keys::new(moves, &contents, axes, &coordinates) else {
            return Ok(None);
        };
        let classes = Classes::new(moves, coarse, options)?;
        let n_words = classes.first.len() as u64 * coarse.per_class / DISTANCES_PER_WORD;
        let distances = match kept.find(n_words, options)? {
            Some(distances) => distances,
            None => {
                let distances = distances(moves, coarse, &classes, options)?;
                kept.keep(&distances, started.elapsed(), options);
                distances
            }
        };
        let coarse = nested.unwrap_or_else(|| Coarse::Other {
            lookup: Box::new(Lookup::new(moves, coarse, &classes, Vec::new())),
            sources: others.1.into_iter().map(|it| it.after(n_own)).collect(),
        });
        Ok(Some(Self {
            contents,
            keys,
            sources,
            coarse,
            distances,
        }))
    }

    /// Return how the coarse table's entries are found.
    #[cfg(test)]
    pub(super) fn way(&self) -> &'static str {
        match self.coarse {
            Coarse::Same => "same",
            Coarse::Nested { .. } => "nested",
            Coarse::Other { .. } => "other",
        }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let coarse = match &self.coarse {
            Coarse::Same | Coarse::Nested { .. } => 0,
            Coarse::Other { lookup, .. } => lookup.n_bytes(),
        };
        8 * self.distances.len() as u64 + coarse + self.keys.n_bytes()
    }

    /// Return the greatest distance of the images of a state's dual, or the first one above
    /// `most`; 0 if the state isn't an arrangement of the goal's pieces. `fine` has the table's
    /// entries.
    #[inline]
    pub(super) fn distance(&self, fine: &Lookup, value: impl Fn(usize) -> usize, most: u64) -> u64 {
        let Some(rows) = self.contents.rows(value) else {
            return 0;
        };
        // All entries are on their way before one is used.
        let mut images = [Entries::default(); MOST_AXES];
        let images = &mut images[..self.keys.n_axes()];
        for (axis, entries) in images.iter_mut().enumerate() {
            let found = self.keys.values(axis, &rows);
            let Some(found) = found.and_then(|values| self.entries(fine, &values)) else {
                return 0;
            };
            *entries = found;
            if !matches!(self.coarse, Coarse::Same) {
                fine.fetch_entry(found.fine);
            }
            lookup::fetch(
                &self.distances,
                (found.coarse / DISTANCES_PER_WORD) as usize,
            );
        }
        let mut greatest = 0;
        for entries in images {
            greatest = greatest.max(self.of_entries(fine, *entries));
            if greatest > most {
                break;
            }
        }
        greatest
    }

    /// Return the entries for the value of each key.
    #[inline(always)]
    fn entries(&self, fine: &Lookup, values: &[u32; MOST_KEYS]) -> Option<Entries> {
        let number = fine.index(&of_keys(values, &self.sources))?;
        let coarse = match &self.coarse {
            Coarse::Same => number,
            Coarse::Nested {
                per_class,
                per_coarse_class,
                fan,
            } => number / per_class * per_coarse_class + number % per_class / fan,
            Coarse::Other { lookup, sources } => lookup.index(&of_keys(values, sources))?,
        };
        Some(Entries {
            coarse,
            fine: number,
        })
    }

    /// Return the distance of an image, or a lower bound.
    #[inline(always)]
    fn of_entries(&self, fine: &Lookup, at: Entries) -> u64 {
        let word = self.distances[(at.coarse / DISTANCES_PER_WORD) as usize];
        let least = word >> (at.coarse % DISTANCES_PER_WORD * 4) & 15;
        // The entry itself would only say the same.
        if matches!(self.coarse, Coarse::Same) && least < MOST_DISTANCE {
            return least;
        }
        match fine.entry(at.fine) {
            UNREACHED => least,
            entry => least + (entry + 3 - least % 3) % 3,
        }
    }
}

/// The numbers of the entries of an image, in the coarse table and in the table itself.
#[derive(Clone, Copy, Default)]
struct Entries {
    coarse: u64,
    fine: u64,
}

impl Source {
    fn after(self, n: usize) -> Self {
        Self {
            key: self.key + n,
            ..self
        }
    }
}

/// Return the values of a table's coordinates.
#[inline(always)]
fn of_keys(values: &[u32; MOST_KEYS], sources: &[Source]) -> [u32; MOST_COORDINATES] {
    let mut of_table = [0; MOST_COORDINATES];
    for (to, source) in of_table.iter_mut().zip(sources) {
        let value = values[source.key];
        *to = match source.divisor {
            1 => value,
            divisor => value / divisor,
        };
    }
    of_table
}
