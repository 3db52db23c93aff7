//! Tables of pieces that rules move as wholes.

use abstraction::{Abstraction, PieceOrbit, PieceSystem, Symmetry};
use pattern_databases::{PatternDatabase, Sizes};
use psvn_ir::VarId;

use super::partition::{Apart, Closeness, groups};
use super::{Candidate, Collector, Kind, MOST_OF_MAXIMUM};

/// The maximum number of symmetries that are used.
const MOST_SYMMETRIES: usize = 128;
/// The maximum number of sets from which pieces are chosen, each mapped to itself by some
/// symmetries.
const MOST_SETS: usize = 1 << 12;
/// The number of images that are looked up for pieces that are close together, and for those that
/// many symmetries map to themselves, whose tables are small.
const IMAGES_OF_CLOSE: usize = 1;
const IMAGES_OF_SYMMETRIC: usize = 3;

/// A table of some pieces of one orbit.
struct Choice {
    n_pieces: usize,
    pattern: Abstraction,
    sizes: Sizes,
}

/// The ways to choose the pieces of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Closeness,
    Symmetry,
}

/// Return the effects of a game's symmetries on the blocks of an orbit, as permutations.
fn permutations(orbit: &PieceOrbit, symmetries: &[Symmetry]) -> Vec<Vec<usize>> {
    let of_symmetry = |symmetry: &Symmetry| {
        let image = |block: &Vec<VarId>| {
            let there = symmetry.variable(block[0]);
            orbit.blocks.iter().position(|other| other.contains(&there))
        };
        orbit.blocks.iter().map(image).collect::<Option<Vec<_>>>()
    };
    let mut found: Vec<Vec<usize>> = symmetries.iter().filter_map(of_symmetry).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Return the classes of blocks that two symmetries map to each other, each as a set of bits.
fn classes(one: &[usize], other: &[usize]) -> Vec<u64> {
    let mut classes = Vec::new();
    let mut seen = 0_u64;
    for first in 0..one.len() {
        let (mut class, mut new) = (0_u64, 1_u64 << first);
        if seen & new != 0 {
            continue;
        }
        while class != class | new {
            class |= new;
            new = image(one, class) | image(other, class);
        }
        seen |= class;
        classes.push(class);
    }
    classes.sort_unstable();
    classes
}

fn image(permutation: &[usize], set: u64) -> u64 {
    let members = (0..permutation.len()).filter(|i| set >> i & 1 != 0);
    members.fold(0, |image, i| image | 1 << permutation[i])
}

/// Return, for each number of blocks, the set of this size that the most symmetries map to itself.
/// Of several such sets, return one whose blocks are close together. Sets are unions of classes of
/// two symmetries.
fn symmetric_sets(permutations: &[Vec<usize>], closeness: &Closeness, homes: &[usize]) -> Vec<u64> {
    let n = homes.len();
    let mut divisions: Vec<Vec<u64>> = Vec::new();
    for (number, one) in permutations.iter().enumerate() {
        let others = permutations[..=number].iter();
        divisions.extend(others.map(|other| classes(one, other)));
    }
    divisions.sort_unstable();
    divisions.dedup();
    let mut sets: Vec<u64> = Vec::new();
    // The fewer classes, the more symmetries.
    divisions.sort_by_key(Vec::len);
    for classes in divisions {
        let unions = 1_usize << classes.len().min(usize::BITS as usize - 1);
        if sets.len() + unions > MOST_SETS {
            continue;
        }
        let members = |union: usize| {
            let chosen = classes.iter().enumerate();
            chosen.fold(0, |set, (i, class)| set | (class * (union as u64 >> i & 1)))
        };
        sets.extend((1..unions).map(members));
    }
    sets.sort_unstable();
    sets.dedup();
    let n_symmetries = |set: u64| {
        permutations
            .iter()
            .filter(|it| image(it, set) == set)
            .count()
    };
    let within = |set: u64| -> usize {
        let members = || (0..n).filter(|i| set >> i & 1 != 0);
        let between = |i: usize| move |j: usize| closeness.between(homes[i], homes[j]);
        members().flat_map(|i| members().map(between(i))).sum()
    };
    let best = |size: u32| {
        let of_size = sets.iter().copied().filter(|set| set.count_ones() == size);
        of_size.max_by_key(|set| (n_symmetries(*set), std::cmp::Reverse(within(*set))))
    };
    (1..=n as u32).filter_map(best).collect()
}

impl Collector<'_> {
    /// Add, for each set of pieces that take each other's places, a table of some of them, with
    /// about equally many ranks: of pieces that are close together, and of those that many
    /// symmetries map to each other, which make the table small.
    pub(super) fn by_piece(&mut self) {
        let Some(system) = PieceSystem::find(self.game) else {
            return;
        };
        if system.orbits().is_empty() || system.orbits().len() > MOST_OF_MAXIMUM {
            return;
        }
        let symmetries = Symmetry::group(self.game, MOST_SYMMETRIES).unwrap_or_default();
        let closeness = Closeness::new(self.game);
        for (by, n_images) in [
            (By::Closeness, IMAGES_OF_CLOSE),
            (By::Symmetry, IMAGES_OF_SYMMETRIC),
        ] {
            if by == By::Symmetry && symmetries.len() < 2 {
                return;
            }
            // For each orbit, tables with increasing ranks.
            let orbits = system.orbits().iter();
            let choices = orbits.map(|orbit| self.choices(orbit, by, &symmetries, &closeness));
            let choices: Vec<Vec<Choice>> = choices.collect();
            if choices.iter().all(|choices| !choices.is_empty()) {
                self.together(&choices, n_images);
            }
        }
    }

    /// Return the tables of pieces of one orbit that fit, ordered by their ranks.
    fn choices(
        &self,
        orbit: &PieceOrbit,
        by: By,
        symmetries: &[Symmetry],
        closeness: &Closeness,
    ) -> Vec<Choice> {
        let homes: Vec<usize> = orbit.blocks.iter().map(|block| block[0].index()).collect();
        let sets: Vec<Vec<usize>> = match by {
            By::Closeness => {
                let far = Apart::far(closeness, &homes);
                let first = |size| groups(&far, size).swap_remove(0);
                (1..=homes.len()).map(first).collect()
            }
            By::Symmetry => {
                let permutations = permutations(orbit, symmetries);
                let members = |set: u64| (0..homes.len()).filter(move |i| set >> i & 1 != 0);
                let sets = symmetric_sets(&permutations, closeness, &homes).into_iter();
                sets.map(|set| members(set).collect()).collect()
            }
        };
        let mut choices: Vec<Choice> = Vec::new();
        for members in sets {
            if self.options.should_stop() {
                return Vec::new();
            }
            let vars = members.iter().map(|i| VarId::from_index(homes[*i]));
            let vars: Vec<VarId> = vars.collect();
            let Ok(pattern) = Abstraction::identity(self.game).keep_pieces(self.game, &vars) else {
                return Vec::new();
            };
            match PatternDatabase::sizes(self.game, &pattern, self.options) {
                Ok(sizes) if sizes.building_bytes <= self.memory => {
                    // More pieces give better estimates, and may still have fewer ranks.
                    choices.retain(|other| other.sizes.ranks < sizes.ranks);
                    choices.push(Choice {
                        n_pieces: members.len(),
                        pattern,
                        sizes,
                    });
                }
                _ => {}
            }
        }
        choices
    }

    /// Add candidates with a table for each orbit.
    fn together(&mut self, orbits: &[Vec<Choice>], n_images: usize) {
        let mut candidates = Vec::new();
        let mut ranks: Vec<u128> = orbits.iter().flatten().map(|it| it.sizes.ranks).collect();
        ranks.sort_unstable();
        for most in ranks {
            // The minimum over the orbits, if all of them have more.
            let largest = orbits.iter().map(|choices| {
                let fitting = choices.iter().rev().find(|it| it.sizes.ranks <= most);
                fitting.unwrap_or(&choices[0])
            });
            let chosen: Vec<&Choice> = largest.collect();
            let numbers: Vec<String> = chosen.iter().map(|it| it.n_pieces.to_string()).collect();
            let words = format!("tables of {} pieces", numbers.join(" and "));
            let patterns = chosen.iter().map(|it| it.pattern.clone()).collect();
            let sizes: Vec<Sizes> = chosen.iter().map(|it| it.sizes.clone()).collect();
            let candidate = Candidate::sized(Kind::Pieces(n_images), patterns, words, &sizes);
            if !self.add_sized(&mut candidates, candidate) {
                break;
            }
        }
        self.end(candidates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_sets_of_edges_and_corners() {
        let text = domains::generate("rubik", &["3"]).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let system = PieceSystem::find(&game).expect("pieces");
        let symmetries = Symmetry::group(&game, MOST_SYMMETRIES).expect("a group");
        let closeness = Closeness::new(&game);
        for orbit in system.orbits() {
            let homes: Vec<usize> = orbit.blocks.iter().map(|block| block[0].index()).collect();
            let permutations = permutations(orbit, &symmetries);
            let sets = symmetric_sets(&permutations, &closeness, &homes);
            let n_symmetries = |set: &u64| {
                permutations
                    .iter()
                    .filter(|it| image(it, *set) == *set)
                    .count()
            };
            let found: Vec<(u32, usize)> = sets
                .iter()
                .map(|set| (set.count_ones(), n_symmetries(set)))
                .collect();
            // A tetrahedron of corners, six edges as far as possible from two opposite corners, and
            // all edges except those of a slice.
            let expected = match homes.len() {
                8 => [(4, 24), (6, 12), (8, 48)].as_slice(),
                _ => [(4, 16), (6, 12), (8, 16), (12, 48)].as_slice(),
            };
            assert!(expected.iter().all(|it| found.contains(it)), "{found:?}");
        }
    }
}
