//! Tables of coordinates: distances where positions look alike that some rules exchange, in two
//! bits for all states that symmetries of the game map to each other.
//!
//! In a game whose rules only permute positions, any coloring of the goal's positions merges states
//! into those of an abstract game: the content of a position has the color of its position in the
//! goal. The colorings here come from subsets of the rules: positions that the subset exchanges
//! have one color ([`CoordinatePattern`]). On a cube, the half turns and the turns of two opposite
//! faces keep the twists of corners, the flips of edges and the places of four edges: Kociemba's
//! coordinates.
//!
//! # Numbers
//! The colors of one orbit of positions are a *coordinate*: a number with a table of moves. Some
//! coordinates together are *reduced* by the symmetries of the game that keep the coloring: a table
//! gives the class of their values, and a symmetry that leads to the first value of the class. The
//! symmetry is applied to the other coordinates, the *digits*. If a class's first value is
//! symmetric to itself, several entries are one state; all of them are filled, and one is read.
//!
//! # Entries
//! Since rules cost the same and can be undone, a rule changes the distance by at most one. So the
//! distance modulo 3 is enough where the distance of a neighbor is known (Cooperman & Finkelstein
//! 1992, "New methods for using Cayley graphs in interconnection networks"). The distance of a
//! first state is counted along a path to the goal.
//!
//! # Parts
//! A pattern that tells some pieces apart has many times the entries of the coarser one without
//! that. Tables between these two are made by minimum (Felner et al. 2007, "Compressed pattern
//! databases"). Entries that differ only in the last digit are *finer* entries of a coarser one,
//! and divided into *parts*. The least of their distances is kept in full, and for each part a bit:
//! whether all its entries are farther. So a bit adds one only where each entry of the part is
//! farther by one or more: a lower bound. All bits are in the cache line of the distance. The parts
//! of neighbors don't match, so the estimates aren't consistent: nothing is known from a parent's
//! distance, and nothing needs to be.

mod build;
mod candidates;
mod classes;
mod dual;
mod file;
mod heuristic;
mod layout;
mod lookup;
mod moves;
mod pattern;
#[cfg(test)]
mod tests;

use std::time::Instant;

use psvn_ir::{ContentHash, Game};

pub use self::lookup::CoordinateMemo;
pub use self::pattern::{CoordinatePattern, CoordinatePatternError};

use self::build::Steps;
use self::build::parts::Sources;
use self::classes::Classes;
use self::dual::DualLookup;
use self::file::distances::KeptDistances;
use self::layout::Layout;
use self::layout::parts::PartsLayout;
use self::lookup::Lookup;
use self::moves::Moves;
use crate::progress::{BuildError, Options, Reporter};

/// The bits of an entry.
const ENTRY_BITS: u128 = 2;
/// The time to reach an entry, in steps of a nanosecond.
const WORK_PER_ENTRY: u128 = 25;
/// The same to divide it into parts with others.
const WORK_PER_DIVIDED: u128 = 5;
/// The same for each image of a class's first value, and for each move of a coordinate's value.
const WORK_PER_IMAGE: u128 = 100;
const WORK_PER_MOVE: u128 = 60;

/// A table of the distances of colored states, looked up for all images of a state under the game's
/// symmetries whose look-ups differ, as many as there is room for.
///
/// As a [`Heuristic`](search::Heuristic), the greatest of these distances: admissible, and
/// consistent if the pattern has no parts and no duals are looked up.
#[derive(Debug)]
pub struct CoordinateTable {
    game: ContentHash,
    pattern: CoordinatePattern,
    moves: Moves,
    layout: Layout,
    lookup: Lookup,
    /// The number of entries by distance.
    levels: Vec<u64>,
    dual: Option<Box<DualLookup>>,
}

/// The size of a table of coordinates before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinateSizes {
    /// The entries.
    pub entries: u128,
    /// The bytes of the entries.
    pub bytes: u128,
    /// The bytes of the coordinates and classes, at most.
    pub coordinate_bytes: u128,
    /// The bytes of all that is there while the table is built.
    pub building_bytes: u128,
    /// The approximate time to build on one core, in steps of a nanosecond.
    pub work: u128,
    /// The number of images that are looked up.
    pub n_lookups: usize,
    /// A short description of the numbering of entries.
    pub numbering: String,
}

/// The size of what look-ups of duals need beside a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualSizes {
    /// The bytes of the distances.
    pub bytes: u128,
    /// The bytes that are needed while the distances are found.
    pub peak_bytes: u128,
    /// The approximate time to find them on one core, in steps of a nanosecond.
    pub work: u128,
}

/// The data of a table that are known before its entries.
struct Prepared {
    moves: Moves,
    layout: Layout,
}

impl Prepared {
    fn new(
        game: &Game,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let moves = Moves::of(game)?;
        let layout = Layout::new(&moves, pattern, options)?;
        Ok(Self { moves, layout })
    }

    fn sizes(&self) -> CoordinateSizes {
        sizes(&self.moves, &self.layout)
    }
}

/// Return the layout of the pattern that distinguishes no pieces, if its entries follow from those
/// of the pattern's own layout by division.
fn nested(
    moves: &Moves,
    fine: &Layout,
    pattern: &CoordinatePattern,
    options: &Options<'_>,
) -> Result<Option<Layout>, BuildError> {
    if pattern.apart.is_none() {
        return Ok(None);
    }
    match Layout::new(moves, &pattern.coarse(), options) {
        Ok(coarse) => Ok(fine.fan_over(&coarse).is_some().then_some(coarse)),
        // It would distinguish no states.
        Err(BuildError::NoCoordinates(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Return how large the table of a layout is.
fn sizes(moves: &Moves, layout: &Layout) -> CoordinateSizes {
    let n_symmetries = layout.symmetries.len() as u128;
    // This is a tenth more than if no value were symmetric to itself.
    let n_classes = layout.n_raw as u128 * 11 / 10 / n_symmetries + n_symmetries;
    let n_classes = n_classes.min(layout.n_raw as u128);
    let coordinate_bytes = layout.bytes(moves.permutations.len()) + layout.n_raw as u128 * 6;
    let entries = n_classes * u128::from(layout.per_class);
    let values = layout.coordinates.iter().map(|it| it.n as u128);
    let n_rules = moves.permutations.len() as u128;
    CoordinateSizes {
        entries,
        bytes: entries * ENTRY_BITS / 8,
        coordinate_bytes,
        building_bytes: entries * ENTRY_BITS / 8 + coordinate_bytes,
        work: entries * WORK_PER_ENTRY
            + layout.n_raw as u128 * WORK_PER_IMAGE
            + values.sum::<u128>() * n_rules * WORK_PER_MOVE,
        n_lookups: lookup::n_axes(layout),
        numbering: layout.describe(),
    }
}

/// Return the peak of the bytes for full distances: while they are found, the entries of two bits
/// are there, too.
fn bytes_with_distances(sizes: &CoordinateSizes) -> u128 {
    sizes.bytes * 3 + sizes.coordinate_bytes
}

impl CoordinateTable {
    /// Return how large a table would be.
    ///
    /// # Errors
    /// If the game has no coordinates, or there are too many states.
    pub fn sizes(
        game: &Game,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<CoordinateSizes, BuildError> {
        let prepared = Prepared::new(game, pattern, options)?;
        let fine = prepared.sizes();
        let Prepared { moves, layout } = &prepared;
        let Some(n_parts) = pattern.parts else {
            return Ok(fine);
        };
        let n_classes = fine.entries / u128::from(layout.per_class);
        let parts = PartsLayout::new(layout, n_classes as u64, n_parts)?;
        let bytes = u128::from(parts.n_words()) * 8;
        let coarse = nested(moves, layout, pattern, options)?;
        let (finding_bytes, work) = match &coarse {
            None => (bytes_with_distances(&fine), fine.work),
            Some(coarse) => {
                let coarse = sizes(moves, coarse);
                let bytes = fine.bytes + fine.coordinate_bytes + bytes_with_distances(&coarse);
                (bytes, fine.work + coarse.work)
            }
        };
        Ok(CoordinateSizes {
            entries: u128::from(parts.n_coarse()) * u128::from(parts.n_parts),
            bytes,
            building_bytes: finding_bytes + bytes,
            // Entries are compared to divide them.
            work: work + fine.entries * WORK_PER_DIVIDED,
            numbering: parts.describe(&fine.numbering),
            ..fine
        })
    }

    /// Return what look-ups of duals would need beside a table.
    ///
    /// # Errors
    /// If the game has no coordinates for it, or there are too many states.
    pub fn dual_sizes(
        game: &Game,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<DualSizes, BuildError> {
        if pattern.parts.is_some() {
            // Its entries are distances.
            return Ok(DualSizes {
                bytes: 0,
                peak_bytes: 0,
                work: 0,
            });
        }
        let sizes = Self::sizes(game, &pattern.coarse(), options)?;
        Ok(DualSizes {
            bytes: sizes.bytes * 2,
            peak_bytes: bytes_with_distances(&sizes),
            work: sizes.work,
        })
    }

    /// Build the table of a pattern, or read it from the store of the options.
    ///
    /// # Errors
    /// If the game's rules do more than permute positions, cost different amounts or can't be
    /// undone, if the goal isn't one state whose pieces can be told apart, or if a limit is
    /// reached.
    pub fn build(
        game: &Game,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let _span = tracing::info_span!("table of coordinates").entered();
        let started = Instant::now();
        let prepared = Prepared::new(game, pattern, options)?;
        let sizes = match pattern.parts {
            None => prepared.sizes(),
            Some(_) => Self::sizes(game, pattern, options)?,
        };
        options.check_memory(sizes.bytes + sizes.coordinate_bytes)?;
        if let Some(kept) = Self::kept(game, pattern, options)? {
            return Ok(kept);
        }
        options.check_memory(sizes.building_bytes)?;
        let classes = Classes::new(&prepared.moves, &prepared.layout, options)?;
        let table = Self::from_classes(game, pattern, prepared, &classes, options)?;
        table.keep(game, started.elapsed(), options);
        Ok(table)
    }

    fn from_classes(
        game: &Game,
        pattern: &CoordinatePattern,
        Prepared { moves, layout }: Prepared,
        classes: &Classes,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let steps = Steps::new(&moves, &layout, classes);
        let total = classes.first.len() as u64 * layout.n_digits();
        let reporter = Reporter::new(options, moves.unit, total);
        let goal = classes.index(&layout, &lookup::goal_values(&moves, &layout));
        let n_classes = classes.first.len() as u64;
        let parts = match pattern.parts {
            None => None,
            Some(n_parts) => Some(PartsLayout::new(&layout, n_classes, n_parts)?),
        };
        let coarse = match parts {
            None => None,
            Some(_) => nested(&moves, &layout, pattern, options)?,
        };
        let (words, levels) = match (parts, &coarse) {
            (None, _) => build::fill(&steps, goal, &reporter)?,
            (Some(parts), None) => {
                let sources = Sources {
                    fine: &layout,
                    distances: &build::distances(&steps, goal, &reporter)?,
                    nested: None,
                };
                sources.divide(parts, options)?
            }
            (Some(parts), Some(coarse)) => {
                let kept = KeptDistances {
                    game,
                    pattern: &pattern.coarse(),
                };
                let (words, _) = build::fill(&steps, goal, &reporter)?;
                let sources = Sources {
                    fine: &layout,
                    distances: &dual::distances(&moves, coarse, &kept, options)?,
                    nested: Some((coarse, &words)),
                };
                sources.divide(parts, options)?
            }
        };
        Ok(Self {
            game: game.content_hash(),
            pattern: pattern.clone(),
            lookup: Lookup::new(&moves, &layout, classes, parts, words),
            moves,
            layout,
            levels,
            dual: None,
        })
    }

    /// Look up duals of states, too, if that can be done quickly. Distances of duals are lower
    /// bounds, and the estimates are no longer consistent. What this needs beside the table comes
    /// from the store of the options, if that has it. `game` is the table's.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn with_duals(mut self, game: &Game, options: &Options<'_>) -> Result<Self, BuildError> {
        self.add_duals(game, options)?;
        Ok(self)
    }

    /// The same in place: after an error, duals are not looked up.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn add_duals(&mut self, game: &Game, options: &Options<'_>) -> Result<(), BuildError> {
        if self.lookup.has_parts() {
            self.dual = DualLookup::of_parts(&self.moves, &self.layout).map(Box::new);
            return Ok(());
        }
        let finer = self.pattern.apart.is_some();
        let pattern = self.pattern.coarse();
        let coarse = match finer.then(|| Layout::new(&self.moves, &pattern, options)) {
            None => None,
            Some(Ok(layout)) => Some(layout),
            // It would distinguish no states.
            Some(Err(BuildError::NoCoordinates(_))) => return Ok(()),
            Some(Err(error)) => return Err(error),
        };
        let sizes = sizes(&self.moves, coarse.as_ref().unwrap_or(&self.layout));
        options.check_memory(u128::from(self.n_bytes()) + bytes_with_distances(&sizes))?;
        let kept = KeptDistances {
            game,
            pattern: &pattern,
        };
        let dual = DualLookup::new(&self.moves, &self.layout, coarse.as_ref(), &kept, options)?;
        self.dual = dual.map(Box::new);
        Ok(())
    }

    /// Return whether duals of states are looked up, too.
    pub fn has_duals(&self) -> bool {
        self.dual.is_some()
    }

    /// Return the pattern.
    pub fn pattern(&self) -> &CoordinatePattern {
        &self.pattern
    }

    /// Return whether estimates are consistent: whether those of neighbors never differ by more
    /// than the cost of a step.
    pub fn is_consistent(&self) -> bool {
        !self.has_duals() && !self.lookup.has_parts()
    }

    /// Describe the numbering of entries in a few words.
    pub fn numbering(&self) -> String {
        let layout = self.layout.describe();
        self.lookup
            .parts()
            .map_or(layout.clone(), |parts| parts.describe(&layout))
    }

    /// Return the bits of an entry.
    pub fn bits_per_entry(&self) -> u32 {
        if self.lookup.has_parts() {
            1
        } else {
            ENTRY_BITS as u32
        }
    }

    /// Return the cost of a step.
    pub fn unit(&self) -> u64 {
        self.moves.unit
    }

    /// Return the game's content hash.
    pub fn game(&self) -> ContentHash {
        self.game
    }

    /// Return the number of entries by distance, in steps. Several entries of one state are all
    /// counted.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Return the number of entries, including those that aren't reached.
    pub fn n_entries(&self) -> u64 {
        self.lookup.n_entries()
    }

    /// Return the bytes of the entries.
    pub fn n_entry_bytes(&self) -> u64 {
        8 * self.lookup.words().len() as u64
    }

    /// Return the number of look-ups for a state.
    pub fn n_lookups(&self) -> usize {
        self.lookup.n_axes()
    }

    /// Return the bytes of the table, and of the coordinates and classes that look-ups need.
    pub fn n_bytes(&self) -> u64 {
        self.lookup.n_bytes() + self.dual.as_ref().map_or(0, |dual| dual.n_bytes())
    }
}
