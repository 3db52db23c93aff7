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

use std::iter::zip;
use std::time::Instant;

use self::contents::Contents;
use self::keys::{Keys, MOST_KEYS};
use super::build::{self, DISTANCES_PER_WORD, MOST_DISTANCE, Steps};
use super::classes::Classes;
use super::file::distances::KeptDistances;
use super::layout::coordinate::Coordinate;
use super::layout::{Digit, Layout};
use super::lookup::memo::{MOST_AXES, MOST_COORDINATES, has_room_for_duals};
use super::lookup::{self, Lookup};
use super::moves::{Image, Moves};
use crate::progress::{BuildError, Options, Reporter};
use crate::table::prefetch::prefetch;

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
    /// By rule: the images of which it doesn't change the dual, as bits; none if a node has no
    /// room for the distances of its duals.
    unchanged: Vec<u8>,
    /// Whether nodes keep the distances of their duals.
    pub(super) are_kept: bool,
}

/// The values of the duals of a state's images, but for those that are known, and their places
/// among the classes.
#[derive(Clone, Copy)]
pub(super) struct DualValues {
    known: u8,
    /// By image: the value of each key.
    keys: [[u32; MOST_KEYS]; MOST_AXES],
    classes: [usize; MOST_AXES],
}

/// The entries in which the duals of a state's images are looked up.
#[derive(Clone, Copy, Default)]
pub(super) struct DualEntries([Entries; MOST_AXES]);

/// The numbers of the coarse table's entries.
#[derive(Debug)]
enum Coarse {
    /// There is none: the table's entries are distances.
    None,
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
    Some(Coarse::Nested {
        per_class: fine.per_class,
        per_coarse_class: coarse.per_class,
        fan: fine.fan_over(coarse)?,
    })
}

/// Return whether there is room in the data of a node for the distances of its duals.
fn are_kept(layout: &Layout) -> bool {
    has_room_for_duals(lookup::n_axes(layout) * layout.coordinates.len())
}

/// Return, by rule, the images of which it doesn't change the dual. There the rule exchanges only
/// positions of one color: in the dual, contents of one color.
fn unchanged(moves: &Moves, layout: &Layout) -> Vec<u8> {
    let n_axes = lookup::n_axes(layout);
    if !are_kept(layout) {
        return vec![0; moves.permutations.len()];
    }
    let keeps = |permutation: &Vec<usize>, image: &Image| {
        layout.coordinates.iter().all(|coordinate| {
            let color = |position: usize| coordinate.coloring.color(image.positions[position]);
            let mut moved = permutation.iter().enumerate();
            moved.all(|(from, to)| color(from) == color(*to))
        })
    };
    let axes = layout.axes[..n_axes].iter().enumerate();
    let of_rule = |permutation| {
        let kept = axes.clone().filter(|(_, image)| keeps(permutation, image));
        kept.fold(0, |bits, (axis, _)| bits | 1 << axis)
    };
    moves.permutations.iter().map(of_rule).collect()
}

/// Find the distance of each entry, in four bits, or read them from the store.
pub(super) fn distances(
    moves: &Moves,
    layout: &Layout,
    kept: &KeptDistances<'_>,
    options: &Options<'_>,
) -> Result<Vec<u64>, BuildError> {
    let classes = Classes::new(moves, layout, options)?;
    distances_of(moves, layout, &classes, kept, options)
}

fn distances_of(
    moves: &Moves,
    layout: &Layout,
    classes: &Classes,
    kept: &KeptDistances<'_>,
    options: &Options<'_>,
) -> Result<Vec<u64>, BuildError> {
    let started = Instant::now();
    let n_words = classes.first.len() as u64 * layout.per_class / DISTANCES_PER_WORD;
    if let Some(distances) = kept.find(n_words, options)? {
        return Ok(distances);
    }
    let steps = Steps::new(moves, layout, classes);
    let total = classes.first.len() as u64 * layout.n_digits();
    let reporter = Reporter::new(options, moves.unit, total);
    let goal = classes.index(layout, &lookup::goal_values(moves, layout));
    let distances = build::distances(&steps, goal, &reporter)?;
    kept.keep(&distances, started.elapsed(), options);
    Ok(distances)
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
        let distances = distances_of(moves, coarse, &classes, kept, options)?;
        let coarse = nested.unwrap_or_else(|| Coarse::Other {
            lookup: Box::new(Lookup::new(moves, coarse, &classes, None, Vec::new())),
            sources: others.1.into_iter().map(|it| it.after(n_own)).collect(),
        });
        Ok(Some(Self {
            contents,
            keys,
            sources,
            coarse,
            distances,
            unchanged: unchanged(moves, layout),
            are_kept: are_kept(layout),
        }))
    }

    /// Make the look-up for a table whose entries are distances. `None` as above.
    pub(super) fn of_parts(moves: &Moves, layout: &Layout) -> Option<Self> {
        let contents = Contents::new(moves)?;
        let axes = &layout.axes[..lookup::n_axes(layout)];
        let (coordinates, sources) = independent(layout);
        Some(Self {
            keys: Keys::new(moves, &contents, axes, &coordinates)?,
            contents,
            sources,
            coarse: Coarse::None,
            distances: Vec::new(),
            unchanged: unchanged(moves, layout),
            are_kept: are_kept(layout),
        })
    }

    /// Return how the coarse table's entries are found.
    #[cfg(test)]
    pub(super) fn way(&self) -> &'static str {
        match self.coarse {
            Coarse::None => "none",
            Coarse::Same => "same",
            Coarse::Nested { .. } => "nested",
            Coarse::Other { .. } => "other",
        }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let coarse = match &self.coarse {
            Coarse::None | Coarse::Same | Coarse::Nested { .. } => 0,
            Coarse::Other { lookup, .. } => lookup.n_bytes(),
        };
        8 * self.distances.len() as u64 + coarse + self.keys.n_bytes()
    }

    /// Return the images of whose duals a rule changes nothing, as bits.
    #[inline(always)]
    pub(super) fn unchanged(&self, rule: usize) -> u8 {
        self.unchanged[rule]
    }

    /// Return the greatest distance of the duals that a rule doesn't change, given all of those of
    /// the parent.
    #[inline(always)]
    pub(super) fn greatest_unchanged(&self, rule: usize, parent: &[u8; MOST_AXES]) -> u64 {
        let mut axes = self.unchanged[rule];
        let mut greatest = 0;
        while axes != 0 {
            greatest = greatest.max(parent[axes.trailing_zeros() as usize]);
            axes &= axes - 1;
        }
        u64::from(greatest)
    }

    /// Find the values of the duals of a state's images, but for those in `known`. `None` if the
    /// state isn't an arrangement of the goal's pieces. `fine` has the table's entries.
    #[inline(always)]
    pub(super) fn find(
        &self,
        fine: &Lookup,
        value: impl Fn(usize) -> usize,
        known: u8,
    ) -> Option<DualValues> {
        let mut duals = DualValues {
            known,
            keys: [[0; MOST_KEYS]; MOST_AXES],
            classes: [0; MOST_AXES],
        };
        if known.count_ones() as usize == self.keys.n_axes() {
            return Some(duals);
        }
        let rows = self.contents.rows(value)?;
        for axis in 0..self.keys.n_axes() {
            if known >> axis & 1 == 0 {
                duals.keys[axis] = self.keys.values(axis, &rows)?;
                let values = of_keys(&duals.keys[axis], &self.sources);
                duals.classes[axis] = fine.find_class(&values);
            }
        }
        Some(duals)
    }

    /// Return the entries of the duals' values, and prefetch them.
    #[inline(always)]
    pub(super) fn fetch(&self, fine: &Lookup, duals: &DualValues) -> Option<DualEntries> {
        let mut images = DualEntries::default();
        for axis in 0..self.keys.n_axes() {
            if duals.known >> axis & 1 != 0 {
                continue;
            }
            let found = self.entries(fine, duals.classes[axis], &duals.keys[axis])?;
            images.0[axis] = found;
            if !matches!(self.coarse, Coarse::Same) {
                fine.fetch_entry(found.fine);
            }
            if !matches!(self.coarse, Coarse::None) {
                let word = found.coarse / DISTANCES_PER_WORD;
                prefetch(&self.distances, word as usize);
            }
        }
        Some(images)
    }

    /// Look up the distances of duals, but for those in `known`, which are in `distances`, and
    /// return the greatest, or the first one above `most`.
    #[inline]
    pub(super) fn look_up(
        &self,
        fine: &Lookup,
        images: &DualEntries,
        known: u8,
        most: u64,
        distances: &mut [u8; MOST_AXES],
    ) -> u64 {
        let mut greatest = 0;
        let images = images.0[..self.keys.n_axes()].iter();
        for (axis, (entries, distance)) in images.zip(distances).enumerate() {
            if known >> axis & 1 == 0 {
                // It is at most two greater than one of four bits.
                *distance = self.of_entries(fine, *entries) as u8;
            }
            greatest = greatest.max(u64::from(*distance));
            if greatest > most {
                break;
            }
        }
        greatest
    }

    /// Return the entries for the value of each key, given their place among the classes.
    #[inline(always)]
    fn entries(&self, fine: &Lookup, class: usize, values: &[u32; MOST_KEYS]) -> Option<Entries> {
        let number = fine.index_of_class(class, &of_keys(values, &self.sources))?;
        let coarse = match &self.coarse {
            Coarse::None | Coarse::Same => number,
            Coarse::Nested {
                per_class,
                per_coarse_class,
                fan,
            } => number / per_class * per_coarse_class + number % per_class / fan,
            Coarse::Other { lookup, sources } => {
                let values = of_keys(values, sources);
                lookup.index_of_class(lookup.find_class(&values), &values)?
            }
        };
        Some(Entries {
            coarse,
            fine: number,
        })
    }

    /// Return the distance of an image, or a lower bound.
    #[inline(always)]
    fn of_entries(&self, fine: &Lookup, at: Entries) -> u64 {
        if matches!(self.coarse, Coarse::None) {
            return fine.at_least(at.fine, 0);
        }
        let word = self.distances[(at.coarse / DISTANCES_PER_WORD) as usize];
        let least = word >> (at.coarse % DISTANCES_PER_WORD * 4) & 15;
        // The entry itself would only say the same.
        if matches!(self.coarse, Coarse::Same) && least < MOST_DISTANCE {
            return least;
        }
        fine.at_least(at.fine, least)
    }
}

/// The number of the entry of an image in the coarse table, and its place in the table itself.
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
    for (to, source) in zip(&mut of_table, sources) {
        let value = values[source.key];
        *to = match source.divisor {
            1 => value,
            divisor => value / divisor,
        };
    }
    of_table
}
