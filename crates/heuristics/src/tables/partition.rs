//! Groups of values with goal places close together.

use psvn_ir::Game;

use crate::structure::board::distances;

/// The number of steps a value takes from one variable to another, by rules that move it.
#[derive(Clone, Debug)]
pub(super) struct Closeness {
    distance: Vec<Vec<usize>>,
}

impl Closeness {
    /// Time and memory grow with the square of the number of variables.
    pub(super) fn new(game: &Game) -> Self {
        let n = game.n_variables();
        let mut neighbors = vec![Vec::new(); n];
        for rule in game.rules() {
            let (before, after) = (rule.canonical.preconditions(), rule.canonical.actions());
            for from in (0..n).filter(|i| before[*i] != after[*i]) {
                for to in (0..n).filter(|i| *i != from && after[*i] == before[from]) {
                    if before[to] != after[to]
                        && game.variables()[from] == game.variables()[to]
                        && !neighbors[from].contains(&to)
                    {
                        neighbors[from].push(to);
                    }
                }
            }
        }
        // Unreachable places have the number of places as distance, further than any reachable one.
        let distances = |from| distances(&neighbors, from);
        Self {
            distance: (0..n).map(distances).collect(),
        }
    }

    pub(super) fn between(&self, one: usize, other: usize) -> usize {
        // Rules need not lead in both directions.
        self.distance[one][other].min(self.distance[other][one])
    }
}

/// The distances between any two of some items. Items with a large distance don't belong together.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    apart: Vec<Vec<f64>>,
}

impl Apart {
    /// Make it for `n` items.
    pub(super) fn new(n: usize, between: impl Fn(usize, usize) -> f64) -> Self {
        let row = |i| (0..n).map(|j| between(i, j)).collect();
        Self {
            apart: (0..n).map(row).collect(),
        }
    }

    /// Use the distance between places.
    pub(super) fn far(closeness: &Closeness, places: &[usize]) -> Self {
        Self::new(places.len(), |i, j| {
            closeness.between(places[i], places[j]) as f64
        })
    }

    /// Return the number of items.
    pub(super) fn len(&self) -> usize {
        self.apart.len()
    }

    fn to_group(&self, one: usize, group: &[usize]) -> f64 {
        group.iter().map(|other| self.apart[one][*other]).sum()
    }

    /// Return the sum over all pairs within groups.
    fn within(&self, groups: &[Vec<usize>]) -> f64 {
        let of_group = |group: &Vec<usize>| -> f64 {
            group.iter().map(|one| self.to_group(*one, group)).sum()
        };
        groups.iter().map(of_group).sum()
    }
}

/// The maximum number of items from each of which a division begins once.
const MOST_TRIED_ALL: usize = 40;
/// Otherwise, divisions begin from this number of them.
const FIRSTS_OF_MANY: usize = 4;

/// The minimum gain of an exchange, above rounding errors of the sums.
const LEAST_GAIN: f64 = 1e-6;

/// Divide items into groups of `size` and a rest, so that those of a group belong together:
/// greedily from each item on, and then by exchanges as long as these make the sum within groups
/// smaller; return the best division.
///
/// # Panics
/// If `size` is 0.
pub(super) fn groups(apart: &Apart, size: usize) -> Vec<Vec<usize>> {
    let n = apart.apart.len();
    let all: Vec<usize> = (0..n).collect();
    // Begin at the edge, so that no corner is left over.
    let remoteness = |i: usize| apart.to_group(i, &all);
    let mut firsts = all.clone();
    firsts.sort_by(|one, other| remoteness(*other).total_cmp(&remoteness(*one)));
    let mut best: Option<(f64, Vec<Vec<usize>>)> = None;
    // Of many items, begin from a few of the most remote ones: time would grow with the fourth
    // power of their number.
    let n_firsts = if n > MOST_TRIED_ALL {
        FIRSTS_OF_MANY
    } else {
        n
    };
    for first in firsts.into_iter().take(n_firsts) {
        let mut groups = greedy(apart, size, first);
        exchange(apart, &mut groups);
        let within = apart.within(&groups);
        if best
            .as_ref()
            .is_none_or(|(least, _)| within + LEAST_GAIN < *least)
        {
            best = Some((within, groups));
        }
    }
    let mut groups = best.map_or(Vec::new(), |(_, groups)| groups);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

fn greedy(apart: &Apart, size: usize, first: usize) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..apart.apart.len()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut first = Some(first);
    while !left.is_empty() {
        let remotest = |left: &[usize]| {
            let remoteness = |i: &usize| apart.to_group(*i, left);
            let all = left.iter().copied();
            all.max_by(|one, other| remoteness(one).total_cmp(&remoteness(other)))
        };
        let mut group = Vec::new();
        let mut next = first.take().or_else(|| remotest(&left));
        while let Some(taken) = next.filter(|_| group.len() < size) {
            group.push(taken);
            left.retain(|i| *i != taken);
            let to_group = |i: &usize| apart.to_group(*i, &group);
            let all = left.iter().copied();
            next = all.min_by(|one, other| to_group(one).total_cmp(&to_group(other)));
        }
        groups.push(group);
    }
    groups
}

fn exchange(apart: &Apart, groups: &mut [Vec<usize>]) {
    let to_others = |group: &[usize], without: usize, i: usize| {
        apart.to_group(i, group) - apart.apart[i][without]
    };
    loop {
        let mut changed = false;
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                for i in 0..groups[a].len() {
                    for j in 0..groups[b].len() {
                        let (x, y) = (groups[a][i], groups[b][j]);
                        let now = to_others(&groups[a], x, x) + to_others(&groups[b], y, y);
                        let then = to_others(&groups[a], x, y) + to_others(&groups[b], y, x);
                        if then + LEAST_GAIN < now {
                            groups[a][i] = y;
                            groups[b][j] = x;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles() -> Game {
        let text = domains::generate("sliding-tiles", &["4", "4"]).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game without errors")
    }

    #[test]
    fn places_of_a_board_are_as_far_as_rows_and_columns_say() {
        let closeness = Closeness::new(&tiles());
        for one in 0..16_usize {
            for other in 0..16_usize {
                let expected = (one / 4).abs_diff(other / 4) + (one % 4).abs_diff(other % 4);
                assert_eq!(closeness.between(one, other), expected);
            }
        }
    }

    #[test]
    fn groups_have_their_sizes_and_are_connected() {
        let closeness = Closeness::new(&tiles());
        let places: Vec<usize> = (1..16).collect();
        for (size, sizes) in [(5, vec![5, 5, 5]), (6, vec![6, 6, 3]), (7, vec![7, 7, 1])] {
            let groups = groups(&Apart::far(&closeness, &places), size);
            let found: Vec<usize> = groups.iter().map(Vec::len).collect();
            assert_eq!(found, sizes);
            let mut all: Vec<usize> = groups.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..15).collect::<Vec<_>>());
            for group in &groups {
                let mut reached = vec![group[0]];
                while let Some(next) = group.iter().find(|i| {
                    let near = |it: &usize| closeness.between(places[*it], places[**i]) == 1;
                    !reached.contains(i) && reached.iter().any(near)
                }) {
                    reached.push(*next);
                }
                assert_eq!(reached.len(), group.len(), "{groups:?}");
            }
        }
    }
}
