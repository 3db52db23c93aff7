//! Patterns of coordinates that are worth trying: found from the rules and their symmetries.

use std::collections::{BTreeSet, HashSet};

use psvn_ir::{DisjointSets, Game};

use super::layout::coloring::Coloring;
use super::layout::{Layout, TOO_MANY};
use super::moves::{Image, Moves, inverse, orbit_numbers};
use super::{CoordinatePattern, CoordinateSizes, Prepared};
use crate::progress::{BuildError, Options};

/// The maximum number of classes of rules of which all unions are tried.
const MOST_CLASSES: usize = 8;
/// The maximum number of values of a candidate's coordinate, and of all candidates' coordinates
/// together: they are enumerated to find their number.
const MOST_VALUES: usize = 1 << 15;
const MOST_ENUMERATED: usize = 1 << 19;
/// The minimum size of a table: smaller ones give weak estimates.
const LEAST_ENTRIES: u128 = 1 << 16;

impl CoordinatePattern {
    /// Return patterns that need at most `memory` bytes, with their sizes, the smallest first.
    ///
    /// The rules that exchange what looks alike are classes under the symmetries that map some
    /// rules to each other, or unions of classes. In further patterns the pieces of one class can
    /// be told apart, all of them or those that a few rules don't exchange. Of patterns that
    /// symmetries map to each other, only one is returned.
    pub fn candidates(
        game: &Game,
        options: &Options<'_>,
        memory: u128,
    ) -> Vec<(Self, CoordinateSizes)> {
        let Ok(moves) = Moves::of(game) else {
            return Vec::new();
        };
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut left = MOST_ENUMERATED;
        let blocks = blocks(&moves);
        let images = images(&moves, &blocks);
        for alike in subsets(&moves, &blocks) {
            if options.should_stop() || left == 0 {
                break;
            }
            let numbers = orbit_numbers(
                moves.n_positions,
                alike.iter().map(|rule| &moves.permutations[*rule]),
            );
            let coloring = Coloring::of(numbers);
            let least = coloring.least_image(moves.images.iter().map(|image| &image.positions));
            if !seen.insert(least) || !may_fit(&moves, &coloring, None) {
                continue;
            }
            let base = Self::new(alike, None);
            let mut patterns = vec![base.clone()];
            for var in representatives(&moves, &coloring) {
                if !may_fit(&moves, &coloring, Some(var)) {
                    continue;
                }
                let apart = |rules| Self {
                    apart: Some((rules, vec![var])),
                    ..base.clone()
                };
                patterns.push(apart(Vec::new()));
                // Some of these pieces still look alike: tables between these two.
                let some = images.iter().filter(|block| {
                    block.len() < base.alike.len()
                        && block.iter().all(|rule| base.alike.contains(rule))
                });
                patterns.extend(some.map(|block| apart(block.clone())));
            }
            let mut seen_layouts = HashSet::new();
            for pattern in patterns {
                let most = MOST_VALUES.min(left);
                let layout = match Layout::within(&moves, &pattern, most, options) {
                    Ok(layout) => layout,
                    Err(error) => {
                        let is_costly = matches!(error, BuildError::NoCoordinates(TOO_MANY));
                        left -= if is_costly { most } else { 0 };
                        if is_costly && pattern.apart.is_none() {
                            // The further patterns have more values.
                            break;
                        }
                        continue;
                    }
                };
                if !seen_layouts.insert(layout.least_coloring(&moves)) {
                    continue;
                }
                let enumerated: usize = layout.coordinates.iter().map(|it| it.n).sum();
                left = left.saturating_sub(enumerated);
                let sizes = Prepared {
                    moves: moves.clone(),
                    layout,
                }
                .sizes();
                let fits = sizes.bytes + sizes.coordinate_bytes <= memory;
                if fits && sizes.entries >= LEAST_ENTRIES {
                    found.push((pattern, sizes));
                }
            }
        }
        found.sort_by_key(|(_, sizes)| sizes.entries);
        found
    }
}

/// Return sets of rules, closed under inverses, that some symmetries map to themselves.
fn subsets(moves: &Moves, blocks: &BTreeSet<Vec<usize>>) -> Vec<Vec<usize>> {
    let n = moves.permutations.len();
    let undone = |rule: usize| {
        let back = inverse(&moves.permutations[rule]);
        moves.permutations.iter().position(|it| *it == back)
    };
    let undone: Vec<usize> = (0..n).map(|rule| undone(rule).unwrap_or(rule)).collect();
    let mut divisions: Vec<Vec<usize>> = Vec::new();
    for block in blocks {
        let keeps = |image: &&Image| block.iter().all(|rule| block.contains(&image.rules[*rule]));
        let keeping: Vec<&Image> = moves.images.iter().filter(keeps).collect();
        let rules = keeping.iter().map(|image| &image.rules).chain([&undone]);
        let division = orbit_numbers(n, rules);
        if !divisions.contains(&division) {
            divisions.push(division);
        }
    }
    let mut found = Vec::new();
    for division in divisions {
        let n_classes = division.iter().max().map_or(0, |most| most + 1);
        if n_classes > MOST_CLASSES {
            continue;
        }
        for union in 1..(1_usize << n_classes) - 1 {
            let rules = (0..n).filter(|rule| union >> division[*rule] & 1 != 0);
            found.push(rules.collect());
        }
    }
    found
}

/// Return sets of rules that each symmetry maps to the set itself or to rules outside it: for each
/// pair of rules that symmetries map to each other, the smallest such set with both.
fn blocks(moves: &Moves) -> BTreeSet<Vec<usize>> {
    let n = moves.permutations.len();
    let orbits = orbit_numbers(n, moves.images.iter().map(|image| &image.rules));
    let mut blocks = BTreeSet::new();
    for first in 0..n {
        if orbits[..first].contains(&orbits[first]) {
            continue;
        }
        for other in (0..n).filter(|other| orbits[*other] == orbits[first]) {
            let mut union = DisjointSets::new(n);
            union.join(first, other);
            let mut changed = true;
            while changed {
                changed = false;
                for image in &moves.images {
                    for rule in 0..n {
                        let root = union.root(rule);
                        changed |= union.join(image.rules[rule], image.rules[root]);
                    }
                }
            }
            let block = (0..n).filter(|rule| union.root(*rule) == union.root(first));
            blocks.insert(block.collect());
        }
    }
    blocks
}

/// Return all images of sets of rules under the symmetries.
fn images(moves: &Moves, blocks: &BTreeSet<Vec<usize>>) -> BTreeSet<Vec<usize>> {
    let image = |image: &Image, block: &Vec<usize>| {
        let mut rules: Vec<usize> = block.iter().map(|rule| image.rules[*rule]).collect();
        rules.sort_unstable();
        rules
    };
    let of_block = |block| moves.images.iter().map(move |it| image(it, block));
    blocks.iter().flat_map(of_block).collect()
}

/// Return the colors of each block of an orbit, ascending.
fn classes(blocks: &[Vec<usize>], coloring: &Coloring) -> Vec<Vec<u16>> {
    let class = |block: &Vec<usize>| {
        let mut colors: Vec<u16> = block.iter().map(|i| coloring.color(*i)).collect();
        colors.sort_unstable();
        colors
    };
    blocks.iter().map(class).collect()
}

/// Return whether the coordinates of a coloring may have few enough values, also if the pieces that
/// look like the one at a position can be told apart. The number of ways to arrange blocks is about
/// right unless the group of the moves is small.
fn may_fit(moves: &Moves, coloring: &Coloring, apart: Option<usize>) -> bool {
    moves.orbits.iter().all(|orbit| {
        let classes = classes(&orbit.blocks, coloring);
        let apart =
            apart.and_then(|var| orbit.blocks.iter().position(|block| block.contains(&var)));
        let (mut ways, mut n_before) = (1.0, 0.0);
        for (i, class) in classes.iter().enumerate() {
            n_before += 1.0;
            let n_alike = classes[..=i].iter().filter(|other| *other == class).count();
            let is_apart = apart.is_some_and(|apart| classes[apart] == *class);
            ways *= if is_apart {
                n_before
            } else {
                n_before / n_alike as f64
            };
        }
        ways <= 2.0 * MOST_VALUES as f64
    })
}

/// Return a position of each class of several blocks.
fn representatives(moves: &Moves, coloring: &Coloring) -> Vec<usize> {
    let mut found = Vec::new();
    for orbit in &moves.orbits {
        let classes = classes(&orbit.blocks, coloring);
        for (i, class) in classes.iter().enumerate() {
            let is_first = !classes[..i].contains(class);
            if is_first && classes[i + 1..].contains(class) {
                found.push(orbit.blocks[i][0]);
            }
        }
    }
    found
}
