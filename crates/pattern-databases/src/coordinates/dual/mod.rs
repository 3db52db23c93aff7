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

use self::contents::Contents;
use self::keys::{Keys, MOST_KEYS};
use super::build::{self, Steps, UNREACHED};
use super::classes::Classes;
use super::layout::Layout;
use super::lookup::memo::MOST_AXES;
use super::lookup::{self, Lookup};
use super::moves::Moves;
use super::pattern::CoordinatePattern;
use crate::progress::{BuildError, Options, Reporter};

/// The number of coarse distances in a word, and the greatest: it stands for all greater ones, too.
const DISTANCES_PER_WORD: u64 = build::DISTANCES_PER_WORD;

/// The look-up of dual states.
#[derive(Debug)]
pub(super) struct DualLookup {
    contents: Contents,
    keys: Keys,
    /// The numbers of the coarse table's entries.
    coarse: Lookup,
    /// By entry of the coarse table: its distance.
    distances: Vec<u64>,
    /// By coordinate of the coarse table and of the table itself: the number of its key.
    of_coarse: Vec<usize>,
    of_fine: Vec<usize>,
    /// Whether the coarse table is the table itself.
    is_exact: bool,
}

/// Find the coordinates of the coarser table; `None` if it would tell no states apart.
fn coarse_layout(
    moves: &Moves,
    pattern: &CoordinatePattern,
    options: &Options<'_>,
) -> Result<Option<Layout>, BuildError> {
    match Layout::new(moves, &pattern.coarse(), options) {
        Ok(layout) => Ok(Some(layout)),
        Err(BuildError::NoCoordinates(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl DualLookup {
    /// Return `None` if the game's pieces can't be read quickly enough, there are too many
    /// coordinates, or the coarser table would tell no states apart. `n_bytes` are the bytes of the
    /// table itself.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        pattern: &CoordinatePattern,
        n_bytes: u64,
        options: &Options<'_>,
    ) -> Result<Option<Self>, BuildError> {
        let _span = tracing::info_span!("distances of dual look-ups").entered();
        let Some(contents) = Contents::new(moves) else {
            return Ok(None);
        };
        let Some(coarse) = coarse_layout(moves, pattern, options)? else {
            return Ok(None);
        };
        let sizes = super::sizes(moves, &coarse);
        // While distances are found, the entries of two bits are there, too.
        let bytes = sizes.bytes * 3 + sizes.coordinate_bytes;
        options.check_memory(u128::from(n_bytes) + bytes)?;
        let axes = &layout.axes[..lookup::n_axes(layout)];
        let both = coarse.coordinates.iter().chain(&layout.coordinates);
        let Some((keys, numbers)) = Keys::new(moves, &contents, axes, both) else {
            return Ok(None);
        };
        let classes = Classes::new(moves, &coarse, options)?;
        let steps = Steps::new(moves, &coarse, &classes);
        let total = classes.first.len() as u64 * coarse.n_digits();
        let reporter = Reporter::new(options, moves.unit, total);
        let goal = classes.index(&coarse, &lookup::goal_values(moves, &coarse));
        let distances = build::distances(&steps, goal, &reporter)?;
        let (of_coarse, of_fine) = numbers.split_at(coarse.coordinates.len());
        Ok(Some(Self {
            contents,
            keys,
            coarse: Lookup::new(moves, &coarse, &classes, Vec::new()),
            distances,
            of_coarse: of_coarse.to_vec(),
            of_fine: of_fine.to_vec(),
            is_exact: pattern.apart.is_none(),
        }))
    }

    pub(super) fn n_bytes(&self) -> u64 {
        8 * self.distances.len() as u64 + self.coarse.n_bytes() + self.keys.n_bytes()
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
            fine.fetch_entry(found.fine);
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
        let coarse = self.coarse.index(&of_keys(values, &self.of_coarse))?;
        let fine = match self.is_exact {
            true => coarse,
            false => fine.index(&of_keys(values, &self.of_fine))?,
        };
        Some(Entries { coarse, fine })
    }

    /// Return the distance of an image, or a lower bound.
    #[inline(always)]
    fn of_entries(&self, fine: &Lookup, at: Entries) -> u64 {
        let word = self.distances[(at.coarse / DISTANCES_PER_WORD) as usize];
        let least = word >> (at.coarse % DISTANCES_PER_WORD * 4) & 15;
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

/// Return the values of a table's coordinates, given the numbers of their keys.
#[inline(always)]
fn of_keys(values: &[u32; MOST_KEYS], numbers: &[usize]) -> [u32; MOST_KEYS] {
    let mut of_table = [0; MOST_KEYS];
    for (to, number) in of_table.iter_mut().zip(numbers) {
        *to = values[*number];
    }
    of_table
}
