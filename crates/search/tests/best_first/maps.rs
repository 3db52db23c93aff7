//! Games of thousands of rules, of which a state allows a few.

use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State};
use search::ZeroHeuristic;

use crate::oracle::{answer, from_start, load, places, run, state, to_goal};

/// Two travelers on maps of their own, with roads in random directions and at random costs.
fn two_travelers(seed: u64, n_places: u32, n_roads: usize) -> Game {
    let mut random = SplitMix64::new(seed);
    let roads: Vec<(usize, u32, u32, u64)> = (0..n_roads)
        .map(|road| {
            let mut place = || random.below(n_places as usize) as u32;
            let (from, to) = (place(), place());
            (road % 2, from, to, 1 + random.below(9) as u64)
        })
        .filter(|(_, from, to, _)| from != to)
        .collect();
    places(n_places, 2, roads, 0)
}

#[test]
fn routes_of_two_travelers_are_the_shortest() {
    for seed in 0..4 {
        let game = two_travelers(seed, 48, 1_400);
        assert!(game.rules().len() > 1_024, "sets of rules would be short");
        let start = state([47, 46]);
        let reached = from_start(&game, &start, false);
        let all: Vec<State> = reached.keys().cloned().collect();
        let least = to_goal(&game, &all, false).get(&start).copied();
        let a_star = run(&game).a_star(&start, &ZeroHeuristic).unwrap();
        assert_eq!(answer(&game, &start, &a_star).map(|it| it.0), least);
        let both = run(&game).bidirectional(&start).unwrap();
        assert_eq!(answer(&game, &start, &both).map(|it| it.0), least);
        let explored = run(&game).explore(&start).unwrap();
        let layers = &explored.best_first.as_ref().unwrap().layers;
        assert_eq!(layers.iter().sum::<u64>(), reached.len() as u64);
    }
}

/// Rules without a test for a value are candidates everywhere, in their place among the others.
#[test]
fn rules_without_constants_keep_their_place() {
    let roads = (0..1_100).map(|road| format!("{} - => {} -\n", road % 50, (road * 7 + 3) % 50));
    let (before, after): (Vec<_>, Vec<_>) = roads.enumerate().partition(|(road, _)| road % 3 == 0);
    let text = |roads: &[(usize, String)]| -> String {
        let roads = roads.iter().map(|(_, road)| road.as_str());
        roads.filter(|road| !road.starts_with("40 ")).collect()
    };
    let game = load(&format!(
        "2  50 50\n{}A B => B A\n{}A - => A 0\nGOAL 49 49\n",
        text(&before),
        text(&after)
    ));
    let start = state([1, 2]);
    let reached = from_start(&game, &start, true);
    let explored = run(&game).explore(&start).unwrap();
    let layers = &explored.best_first.as_ref().unwrap().layers;
    let at = |distance: u128| reached.values().filter(|it| **it == distance).count() as u64;
    let expected: Vec<u64> = (0..layers.len() as u128).map(at).collect();
    assert_eq!(*layers, expected);
    assert_eq!(layers.iter().sum::<u64>(), reached.len() as u64);
}
