//! Distances in abstract games, found breadth-first from the goal over written-out states.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use ahash::AHashMap;

use super::inside::{self, Inside};
use crate::CoordinatePattern;

/// The distance of each state: the color at each position.
pub(super) type Distances = AHashMap<Box<[u8]>, u64>;

/// The most states of any abstract game in the tests.
const MOST: usize = 300_000;

/// The permutations of an abstract game, and the goal's colors.
type Key = (Vec<Vec<usize>>, Box<[u8]>);

/// The distances of a game, once they are found. `None` where there are too many states.
type Found = Arc<OnceLock<Option<Distances>>>;

/// What was found before: several tests ask for the distances of the same games.
static KNOWN: LazyLock<Mutex<AHashMap<Key, Found>>> = LazyLock::new(Mutex::default);

/// The abstract game of a pattern: the positions that look alike, and all distances.
pub(super) struct Oracle {
    /// By position: its color.
    colors: Box<[u8]>,
    distances: Found,
}

/// Return, by position, the least position that rules exchange with it.
fn least(inside: &Inside, rules: &[usize]) -> Vec<usize> {
    let mut least: Vec<usize> = (0..inside.permutations[0].len()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for rule in rules {
            for (from, to) in inside.permutations[*rule].iter().enumerate() {
                let less = least[from].min(least[*to]);
                changed |= least[from] != less || least[*to] != less;
                (least[from], least[*to]) = (less, less);
            }
        }
    }
    least
}

/// Return the color of each position under a pattern.
fn colors(inside: &Inside, pattern: &CoordinatePattern) -> Box<[u8]> {
    let (alike, apart) = inside::rules(pattern);
    let alike = least(inside, alike);
    let apart = apart.map(|(rules, vars)| (least(inside, rules), vars));
    let content = |block: &[usize], colors: &[usize]| {
        let mut content: Vec<usize> = block.iter().map(|i| colors[*i]).collect();
        content.sort_unstable();
        content
    };
    let mut keys: Vec<(usize, Option<Vec<usize>>)> = Vec::new();
    for i in 0..alike.len() {
        let blocks = inside.orbits.iter().flatten();
        let block_of = |i: usize| blocks.clone().find(|block| block.contains(&i));
        let Some(block) = block_of(i) else {
            keys.push((alike[i], None));
            continue;
        };
        let looks = content(block, &alike);
        let fine = apart.as_ref().filter(|(_, vars)| {
            let looks_so =
                |var: &&usize| block_of(**var).is_some_and(|it| content(it, &alike) == looks);
            // In the same orbit.
            vars.iter().filter(looks_so).any(|var| {
                let has =
                    |orbit: &&Vec<Vec<usize>>, i| orbit.iter().any(|block| block.contains(&i));
                let orbit = inside.orbits.iter().find(|orbit| has(orbit, *var));
                orbit.is_some_and(|orbit| has(&orbit, i))
            })
        });
        keys.push((alike[i], fine.map(|(apart, _)| content(block, apart))));
    }
    let color = |key| {
        let first = keys.iter().position(|other| other == key);
        u8::try_from(first.expect("it is there")).expect("few positions")
    };
    keys.iter().map(color).collect()
}

/// Find all distances, from a goal. Return `None` if there are too many states.
fn search(permutations: &[Vec<usize>], goal: &[u8]) -> Option<Distances> {
    let mut distances = Distances::from_iter([(goal.into(), 0)]);
    let mut waiting: VecDeque<(Box<[u8]>, u64)> = VecDeque::from([(goal.into(), 0)]);
    let mut next: Box<[u8]> = goal.into();
    while let Some((state, distance)) = waiting.pop_front() {
        for permutation in permutations {
            for (from, to) in permutation.iter().enumerate() {
                next[*to] = state[from];
            }
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distance + 1);
                waiting.push_back((next.clone(), distance + 1));
            }
        }
        if distances.len() > MOST {
            return None;
        }
    }
    Some(distances)
}

impl Oracle {
    /// Return `None` if there are more states than `most`.
    pub(super) fn new(inside: &Inside, pattern: &CoordinatePattern, most: usize) -> Option<Self> {
        assert!(most <= MOST);
        let colors = colors(inside, pattern);
        let key = (inside.permutations.clone(), colors.clone());
        let distances = {
            let mut known = KNOWN.lock().expect("nothing panics with it");
            Arc::clone(known.entry(key).or_default())
        };
        let found = distances.get_or_init(|| search(&inside.permutations, &colors));
        let is_small = found.as_ref().is_some_and(|it| it.len() <= most);
        is_small.then_some(Self { colors, distances })
    }

    /// Return all states with their distances.
    pub(super) fn distances(&self) -> &Distances {
        let found = self.distances.get();
        found.and_then(Option::as_ref).expect("they were found")
    }

    pub(super) fn distance(&self, homes: &[usize]) -> u64 {
        let state: Box<[u8]> = homes.iter().map(|home| self.colors[*home]).collect();
        self.distances()[&state]
    }
}
