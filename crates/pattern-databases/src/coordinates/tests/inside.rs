//! What the tests see of a table, and the faults that they plant in one.

use psvn_ir::{Game, State};

use crate::coordinates::classes::{self, Classes};
use crate::coordinates::{CoordinateMemo, CoordinatePattern, CoordinateTable, Prepared};
use crate::progress::{BuildError, Options};

/// The moves behind a table, and how it looks states up.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// By rule: where the value of each position goes.
    pub(super) permutations: Vec<Vec<usize>>,
    /// The positions that rules exchange, in blocks that move as wholes.
    pub(super) orbits: Vec<Vec<Vec<usize>>>,
    /// By image that is looked up: by position, its image.
    pub(super) images: Vec<Vec<usize>>,
    /// The number of symmetries that reduce the table.
    pub(super) n_symmetries: usize,
    /// How the coarser table's entries are found for duals.
    pub(super) way_of_duals: Option<&'static str>,
    /// By rule: whether it leaves some dual as it was.
    pub(super) keeps_a_dual: Vec<bool>,
}

impl Inside {
    /// Look into a table.
    pub(super) fn of(table: &CoordinateTable) -> Self {
        let (moves, layout) = (&table.moves, &table.layout);
        let axes = layout.axes[..table.n_lookups()].iter();
        let dual = table.dual.as_ref();
        let rules = 0..moves.permutations.len();
        let unchanged = rules.map(|rule| dual.is_some_and(|dual| dual.unchanged(rule) != 0));
        Self {
            permutations: moves.permutations.clone(),
            orbits: moves.orbits.iter().map(|it| it.blocks.clone()).collect(),
            images: axes.map(|image| image.positions.clone()).collect(),
            n_symmetries: layout.symmetries.len(),
            way_of_duals: dual.map(|dual| dual.way()),
            keeps_a_dual: unchanged.collect(),
        }
    }
}

/// Return, by position, the position of its content in the goal.
pub(super) fn homes(table: &CoordinateTable, state: &State) -> Option<Vec<usize>> {
    table.moves.homes(state.values())
}

/// Return the distances of all images, as looked up.
pub(super) fn distances(memo: &CoordinateMemo) -> &[u8] {
    &memo.distances
}

/// Make a pattern of rules and positions by their numbers.
pub(super) fn pattern(
    alike: Vec<usize>,
    apart: Option<(Vec<usize>, Vec<usize>)>,
) -> CoordinatePattern {
    CoordinatePattern::new(alike, apart)
}

/// Rules that tell pieces apart, with the positions of these.
pub(super) type Apart<'p> = Option<(&'p [usize], &'p [usize])>;

/// Return the rules of a pattern, and those that tell pieces apart.
pub(super) fn rules(pattern: &CoordinatePattern) -> (&[usize], Apart<'_>) {
    let apart = pattern.apart.as_ref();
    let apart = apart.map(|(rules, vars)| (&rules[..], &vars[..]));
    (&pattern.alike, apart)
}

/// Return the pattern that tells no pieces apart.
pub(super) fn coarse(pattern: &CoordinatePattern) -> CoordinatePattern {
    pattern.coarse()
}

/// What is wrong in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing.
    None,
    /// Each value is led to the first one of its class by the symmetry after the right one.
    Symmetry,
    /// A digit's addends of two symmetries are exchanged.
    Digit,
}

/// Build a table with a fault.
pub(super) fn build_with(
    game: &Game,
    pattern: &CoordinatePattern,
    fault: Fault,
) -> Result<CoordinateTable, BuildError> {
    let options = Options::default();
    let prepared = Prepared::new(game, pattern, &options)?;
    let mut classes = Classes::new(&prepared.moves, &prepared.layout, &options)?;
    let n = prepared.layout.symmetries.len();
    match fault {
        Fault::None => (),
        Fault::Symmetry => {
            for entry in classes.entries.iter_mut().filter(|it| **it != u32::MAX) {
                let (class, symmetry) = classes::split(*entry);
                *entry = (class << 8) | ((symmetry as u32 + 1) % n as u32);
            }
        }
        Fault::Digit => {
            for images in classes.addends[0].chunks_mut(n) {
                images.swap(n - 1, n - 2);
            }
        }
    }
    CoordinateTable::from_classes(game, pattern, prepared, &classes, &options)
}
