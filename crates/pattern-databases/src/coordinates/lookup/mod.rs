//! Look-ups along a path: coordinates change by tables, and an entry gives the difference of the
//! distance from the parent's.

mod entries;
pub(super) mod memo;
mod tables;

use search::{Sibling, count_lookups};

use self::entries::{Entries, Parts, Remainders};
pub use self::memo::CoordinateMemo;
use self::memo::{MOST_AXES, MOST_COORDINATES, MOST_VALUES};
use self::tables::Tables;
use super::build::{MOST_LEVELS, UNREACHED};
use super::classes::Classes;
use super::layout::parts::PartsLayout;
use super::layout::{ALIGNED, Layout};
use super::moves::Moves;

/// The bytes of entries up to which they aren't prefetched, since they stay in the processor's
/// caches.
pub(super) const LEAST_FETCHED: u64 = 8 << 20;

/// Tables for look-ups, in two bytes for each number where that is enough.
#[derive(Debug)]
pub(super) enum Lookup {
    Short(Tables<u16, Remainders>),
    Long(Tables<u32, Remainders>),
    ShortOfParts(Tables<u16, Parts>),
    LongOfParts(Tables<u32, Parts>),
}

/// Run code with the tables of a look-up.
macro_rules! with_any {
    ($lookup:expr, $tables:ident => $body:expr) => {
        match $lookup {
            Lookup::Short($tables) => $body,
            Lookup::Long($tables) => $body,
            Lookup::ShortOfParts($tables) => $body,
            Lookup::LongOfParts($tables) => $body,
        }
    };
}

/// Run code with the tables of a look-up, and its numbers of coordinates and of reduced ones as
/// constants, so that loops over coordinates are unrolled and look-ups take fewer instructions. The
/// maximum number of coordinates stands for any other number, and 0 for any number of reduced ones.
macro_rules! with_tables {
    ($lookup:expr, $tables:ident, $n:ident, $r:ident => $body:expr) => {
        with_any!($lookup, $tables => with_coordinates!($tables, $n, $r => $body))
    };
}

macro_rules! with_coordinates {
    ($tables:ident, $n:ident, $r:ident => $body:expr) => {
        match ($tables.n_coordinates, $tables.n_reduced) {
            (1, 1) => with_coordinates!(1, 1, $n, $r => $body),
            (2, 1) => with_coordinates!(2, 1, $n, $r => $body),
            (3, 1) => with_coordinates!(3, 1, $n, $r => $body),
            (3, 2) => with_coordinates!(3, 2, $n, $r => $body),
            (4, 2) => with_coordinates!(4, 2, $n, $r => $body),
            (2, _) => with_coordinates!(2, 0, $n, $r => $body),
            (3, _) => with_coordinates!(3, 0, $n, $r => $body),
            (4, _) => with_coordinates!(4, 0, $n, $r => $body),
            (5, _) => with_coordinates!(5, 0, $n, $r => $body),
            _ => with_coordinates!(MOST_COORDINATES, 0, $n, $r => $body),
        }
    };
    ($number:expr, $reduced:literal, $n:ident, $r:ident => $body:expr) => {{
        const $n: usize = $number;
        const $r: usize = $reduced;
        $body
    }};
}

/// Return the number of images that are looked up.
pub(super) fn n_axes(layout: &Layout) -> usize {
    let most = MOST_VALUES / layout.coordinates.len().max(1);
    layout.axes.len().min(most).min(MOST_AXES)
}

impl Lookup {
    /// Make tables for these entries, with parts if there is a numbering of them.
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        classes: &Classes,
        parts: Option<PartsLayout>,
        words: Vec<u64>,
    ) -> Self {
        match parts {
            None => {
                let entries = Remainders::new(layout, words);
                Self::of(moves, layout, classes, entries, Self::Short, Self::Long)
            }
            Some(parts) => {
                let entries = Parts::new(parts, words);
                let (short, long) = (Self::ShortOfParts, Self::LongOfParts);
                Self::of(moves, layout, classes, entries, short, long)
            }
        }
    }

    /// Make tables in two bytes for each number if that is enough, else in four.
    fn of<E: Entries + std::fmt::Debug>(
        moves: &Moves,
        layout: &Layout,
        classes: &Classes,
        entries: E,
        short: fn(Tables<u16, E>) -> Self,
        long: fn(Tables<u32, E>) -> Self,
    ) -> Self {
        let n_axes = n_axes(layout);
        match Tables::new(moves, layout, classes, n_axes, entries) {
            Ok(tables) => short(tables),
            Err(entries) => {
                let tables = Tables::new(moves, layout, classes, n_axes, entries);
                long(tables.expect("all numbers fit 32 bits"))
            }
        }
    }

    /// Return whether a distance follows from an entry alone.
    pub(super) fn has_parts(&self) -> bool {
        self.parts().is_some()
    }

    /// Return the numbering of parts.
    pub(super) fn parts(&self) -> Option<PartsLayout> {
        match self {
            Self::Short(_) | Self::Long(_) => None,
            Self::ShortOfParts(tables) => Some(tables.entries.layout()),
            Self::LongOfParts(tables) => Some(tables.entries.layout()),
        }
    }

    pub(super) fn words(&self) -> &[u64] {
        with_any!(self, tables => tables.entries.words())
    }

    pub(super) fn n_entries(&self) -> u64 {
        match self.parts() {
            None => self.words().len() as u64 * ALIGNED,
            Some(parts) => parts.n_coarse() * parts.n_parts,
        }
    }

    pub(super) fn n_axes(&self) -> usize {
        with_any!(self, tables => tables.n_axes)
    }

    pub(super) fn n_bytes(&self) -> u64 {
        with_any!(self, tables => tables.n_bytes())
    }

    /// Return the place of the coordinates' values, which come first, among the classes, and
    /// prefetch it.
    #[inline(always)]
    pub(super) fn find_class(&self, values: &[u32; MOST_COORDINATES]) -> usize {
        with_any!(self, tables => tables.find_class::<0>(values))
    }

    /// Return the place of the entry of these values, given their place among the classes.
    #[inline(never)]
    pub(super) fn index_of_class(
        &self,
        place: usize,
        values: &[u32; MOST_COORDINATES],
    ) -> Option<u64> {
        with_tables!(self, tables, N, R =>
            tables.index_of_class::<R>(place, &values[..tables.n::<N>()]))
    }

    /// Return the distance of an entry, or a lower bound, given another lower bound.
    #[inline(always)]
    pub(super) fn at_least(&self, place: u64, least: u64) -> u64 {
        count_lookups(1);
        with_any!(self, tables => tables.entries.at_least(place, least))
    }

    /// Prefetch an entry.
    #[inline(always)]
    pub(super) fn fetch_entry(&self, place: u64) {
        with_any!(self, tables => tables.entries.fetch(place));
    }

    /// Return the distance of values without those of a parent: by a path to the goal, if entries
    /// are only remainders.
    pub(super) fn distance(&self, values: &[u32], goal: &[u32]) -> Option<u8> {
        match self {
            Self::Short(tables) => distance(tables, values, goal),
            Self::Long(tables) => distance(tables, values, goal),
            Self::ShortOfParts(_) | Self::LongOfParts(_) => {
                let mut all = [0; MOST_COORDINATES];
                all[..values.len()].copy_from_slice(values);
                let place = self.index_of_class(self.find_class(&all), &all)?;
                Some(self.at_least(place, 0) as u8)
            }
        }
    }

    #[inline(never)]
    pub(super) fn after(
        &self,
        rule: usize,
        memo: &CoordinateMemo,
        cutoff: u64,
        child: &mut CoordinateMemo,
    ) -> u64 {
        with_tables!(self, tables, N, R => tables.after::<N, R>(rule, memo, cutoff, child))
    }

    #[inline(never)]
    pub(super) fn rejects_all(
        &self,
        siblings: &[Sibling],
        memo: &CoordinateMemo,
        found: &mut [Option<u64>],
    ) {
        with_tables!(self, tables, N, R => tables.rejects_all::<N, R>(siblings, memo, found));
    }
}

/// Return the distance of values by a path to the goal; `None` if there is none.
fn distance<T: Copy + Into<u32> + TryFrom<u32>>(
    tables: &Tables<T, Remainders>,
    values: &[u32],
    goal: &[u32],
) -> Option<u8> {
    let n = tables.n_coordinates;
    let entry = |index: u64| {
        count_lookups(1);
        tables.entries.entry(index)
    };
    let index = |values: &[u32]| {
        let index = tables.index::<0>(values);
        index.filter(|index| entry(*index) != UNREACHED)
    };
    let mut at = [0; MOST_COORDINATES];
    at[..n].copy_from_slice(values);
    let mut here = index(&at[..n])?;
    let goal = index(goal)?;
    let mut distance = 0;
    while here != goal {
        if u64::from(distance) == MOST_LEVELS {
            return None;
        }
        let wanted = (entry(here) + 2) % 3;
        // The first image is the state itself.
        let steps = (0..tables.n_rules).map(|rule| tables.step(0, rule, &at));
        let mut steps = steps.filter_map(|there| Some((there, index(&there[..n])?)));
        (at, here) = steps.find(|(_, index)| entry(*index) == wanted)?;
        distance += 1;
    }
    Some(distance)
}

/// Return the value of each coordinate of a state, given by the home of each position's content.
pub(super) fn values(layout: &Layout, homes: &[usize]) -> Option<Vec<u32>> {
    layout
        .coordinates
        .iter()
        .map(|it| it.of_homes(homes))
        .collect()
}

/// Return the values of the goal.
pub(super) fn goal_values(moves: &Moves, layout: &Layout) -> Vec<u32> {
    let homes: Vec<usize> = (0..moves.n_positions).collect();
    values(layout, &homes).expect("each coordinate has the goal's value")
}
