//! Groups of values whose places in the goal are close together.

use std::collections::VecDeque;

use psvn_ir::Game;

/// How many steps a value takes from one variable to another, by rules that move it.
#[derive(Clone, Debug)]
pub(super) struct Closeness {
    distance: Vec<Vec<u32>>,
}

impl Closeness {
    /// Time and memory grow with the square of the number of variables.
    pub(super) fn new(game: &Game) -> Self {
        let n = game.n_variables();
        let mut neighbors = vec![vec![false; n]; n];
        for rule in game.rules() {
            let (before, after) = (rule.canonical.preconditions(), rule.canonical.actions());
            for from in (0..n).filter(|i| before[*i] != after[*i]) {
                for to in (0..n).filter(|i| *i != from && after[*i] == before[from]) {
                    if before[to] != after[to] && game.variables()[from] == game.variables()[to] {
                        neighbors[from][to] = true;
                    }
                }
            }
        }
        let walk = |start: usize| {
            // What can't be reached is further than anything that can.
            let mut distance = vec![n as u32; n];
            distance[start] = 0;
            let mut queue = VecDeque::from([start]);
            while let Some(at) = queue.pop_front() {
                for next in (0..n).filter(|next| neighbors[at][*next]) {
                    if distance[next] == n as u32 {
                        distance[next] = distance[at] + 1;
                        queue.push_back(next);
                    }
                }
            }
            distance
        };
        Self {
            distance: (0..n).map(walk).collect(),
        }
    }

    fn between(&self, one: usize, other: usize) -> u32 {
        // Rules need not lead both ways.
        self.distance[one][other].min(self.distance[other][one])
    }
}

/// Divides places into groups of `size` and a rest, so that those of a group are close together: greedily, and then by
/// exchanges as long as these make the sum of distances within groups smaller. Groups hold numbers of `places`.
///
/// # Panics
/// When `size` is 0.
pub(super) fn groups(closeness: &Closeness, places: &[usize], size: usize) -> Vec<Vec<usize>> {
    let n = places.len();
    let far = |one: usize, other: usize| u64::from(closeness.between(places[one], places[other]));
    let mut left: Vec<usize> = (0..n).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    while !left.is_empty() {
        // Begin at the edge, so that no corner is left over.
        let remoteness = |i: &usize| (0..n).map(|other| far(*i, other)).sum::<u64>();
        let first = left
            .iter()
            .copied()
            .min_by_key(|i| (std::cmp::Reverse(remoteness(i)), *i));
        let mut group = Vec::new();
        let mut next = first;
        while let Some(taken) = next.filter(|_| group.len() < size) {
            group.push(taken);
            left.retain(|i| *i != taken);
            let to_group = |i: &usize| group.iter().map(|other| far(*i, *other)).sum::<u64>();
            let nearest = |i: &usize| (to_group(i), std::cmp::Reverse(remoteness(i)), *i);
            next = left.iter().copied().min_by_key(nearest);
        }
        groups.push(group);
    }
    exchange(&mut groups, far);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

fn exchange(groups: &mut [Vec<usize>], far: impl Fn(usize, usize) -> u64) {
    let within = |group: &[usize], without: usize, i: usize| -> u64 {
        let others = group.iter().filter(|other| **other != without);
        others.map(|other| far(i, *other)).sum()
    };
    loop {
        let mut changed = false;
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                for i in 0..groups[a].len() {
                    for j in 0..groups[b].len() {
                        let (x, y) = (groups[a][i], groups[b][j]);
                        let now = within(&groups[a], x, x) + within(&groups[b], y, y);
                        let then = within(&groups[a], x, y) + within(&groups[b], y, x);
                        if then < now {
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
                assert_eq!(closeness.between(one, other) as usize, expected);
            }
        }
    }

    #[test]
    fn groups_have_their_sizes_and_are_connected() {
        let closeness = Closeness::new(&tiles());
        let places: Vec<usize> = (1..16).collect();
        for (size, sizes) in [(5, vec![5, 5, 5]), (6, vec![6, 6, 3]), (7, vec![7, 7, 1])] {
            let groups = groups(&closeness, &places, size);
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
