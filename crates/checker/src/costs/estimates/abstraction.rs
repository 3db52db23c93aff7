//! Abstract games: some variables are left out, and values of others are merged.
//!
//! A rule becomes one or several abstract rules that lead from the image of each state to the image
//! of its successor. Where an action copies a value that the abstract state doesn't show, the rule
//! is first split: one rule for each value.

use crate::costs::setting::moves::{Move, Source, Test};

/// For each variable the abstract value of each of its values; `None` if the variable is left out.
/// A value that a map doesn't name becomes 0.
pub(crate) type Maps = Vec<Option<Vec<u32>>>;

/// The abstract value of a value.
pub(crate) fn mapped(map: &[u32], value: u32) -> u32 {
    map.get(value as usize).copied().unwrap_or(0)
}

/// Put the image of a state into a vector.
pub(crate) fn image(maps: &Maps, state: &[u32], image: &mut Vec<u32>) {
    image.clear();
    image.extend(kept(maps, state).map(|(map, value)| mapped(map, *value)));
}

/// What belongs to kept variables, with their maps.
fn kept<'a, T>(maps: &'a Maps, items: &'a [T]) -> impl Iterator<Item = (&'a Vec<u32>, &'a T)> {
    let pairs = maps.iter().zip(items);
    pairs.filter_map(|(map, item)| Some((map.as_ref()?, item)))
}

/// The place in abstract states of a variable that is kept with the same map.
fn place(maps: &Maps, variable: usize, map: &[u32]) -> Option<usize> {
    let same = maps[variable].as_ref().is_some_and(|other| other == map);
    same.then(|| maps[..variable].iter().flatten().count())
}

/// The tests that each image of a state passes that passes these tests.
pub(crate) fn abstract_tests(maps: &Maps, tests: &[Test]) -> Vec<Test> {
    let test = |(map, test): (&Vec<u32>, &Test)| match *test {
        Test::Any => Test::Any,
        Test::Is(value) => Test::Is(mapped(map, value)),
        Test::Same(other) => place(maps, other, map).map_or(Test::Any, Test::Same),
    };
    kept(maps, tests).map(test).collect()
}

/// The abstract source; `None` if the abstract state doesn't show the value.
fn abstract_source(maps: &Maps, map: &[u32], source: Source) -> Option<Source> {
    Some(match source {
        Source::Keep => Source::Keep,
        Source::Put(value) => Source::Put(mapped(map, value)),
        Source::From(other) => Source::From(place(maps, other, map)?),
    })
}

/// The move with the value of a variable fixed; `None` if it tests for another value.
fn fixed(it: &Move, variable: usize, value: u32) -> Option<Move> {
    if matches!(it.tests[variable], Test::Is(wanted) if wanted != value) {
        return None;
    }
    let mut it = it.clone();
    it.tests[variable] = Test::Is(value);
    for source in &mut it.sources {
        if *source == Source::From(variable) {
            *source = Source::Put(value);
        }
    }
    Some(it)
}

/// The moves that a move becomes if it is split by the values of a variable, each with the value.
pub(crate) fn split(it: &Move, variable: usize, size: u32) -> impl Iterator<Item = (u32, Move)> {
    (0..size).filter_map(move |value| Some((value, fixed(it, variable, value)?)))
}

/// The abstract moves of a move, each at the cost `charge`.
pub(crate) fn abstract_moves(domains: &[u32], maps: &Maps, it: &Move, charge: u64) -> Vec<Move> {
    let not_shown = kept(maps, &it.sources).filter_map(|(map, source)| match *source {
        Source::From(other) if place(maps, other, map).is_none() => Some(other),
        _ => None,
    });
    let mut moves = vec![it.clone()];
    for variable in not_shown {
        let parts = |it: &Move| -> Vec<Move> {
            let parts = split(it, variable, domains[variable]);
            parts.map(|(_, part)| part).collect()
        };
        moves = moves.iter().flat_map(parts).collect();
    }
    let abstracted = |it: Move| Move {
        tests: abstract_tests(maps, &it.tests),
        sources: kept(maps, &it.sources)
            .map(|(map, source)| {
                abstract_source(maps, map, *source).expect("what isn't shown was fixed")
            })
            .collect(),
        cost: charge,
    };
    moves.into_iter().map(abstracted).collect()
}
