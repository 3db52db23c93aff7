//! Goals on the way from start states, compared with a search by hand.

use std::collections::HashSet;
use std::sync::Mutex;

use explore::{ExploreError, Layer, Options, Origin, Storage, explore};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State};

use super::{built_in, folder};

/// Return the number of states and of goals at each distance.
fn by_hand(game: &Game, starts: &[State]) -> Vec<(u64, u64)> {
    let mut seen: HashSet<State> = starts.iter().cloned().collect();
    let mut layer: Vec<State> = seen.iter().cloned().collect();
    let mut counts = Vec::new();
    while !layer.is_empty() {
        let goals = layer.iter().filter(|state| game.is_goal(state.values()));
        counts.push((layer.len() as u64, goals.count() as u64));
        let mut next = Vec::new();
        for state in &layer {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if rule.applies_to(state.values()) {
                    let child = State::new(rule.apply(state.values()));
                    if seen.insert(child.clone()) {
                        next.push(child);
                    }
                }
            }
        }
        layer = next;
    }
    counts
}

/// Return the same by an exploration, and whether it says that it has found all states.
fn explored(game: &Game, starts: &[State], depth: Option<u64>) -> (Vec<(u64, u64)>, bool) {
    let layers = Mutex::new(Vec::new());
    let on_layer = |layer: &Layer| {
        let goals = layer.goals.expect("goals are counted");
        layers.lock().unwrap().push((layer.states, goals));
    };
    let options = Options {
        depth,
        seeks_goals: true,
        on_layer: Some(&on_layer),
        ..Options::default()
    };
    let report = explore(game, &Origin::States(starts.to_vec()), &options).unwrap();
    (layers.into_inner().unwrap(), report.is_whole)
}

#[test]
fn goals_are_counted_up_to_the_first() {
    let (mut n_near, mut n_none) = (0, 0);
    for seed in 0..cases(500) {
        let game = random_game(seed, &GameShape::default());
        let states: Vec<_> = all_states(&game).collect();
        let mut random = SplitMix64::new(seed);
        let n_starts = 1 + random.below(4);
        let starts: Vec<State> = (0..n_starts)
            .map(|_| State::new(states[random.below(states.len())].clone()))
            .collect();
        let all = by_hand(&game, &starts);
        let (layers, is_whole) = explored(&game, &starts, None);
        match all.iter().position(|(_, goals)| *goals > 0) {
            Some(nearest) => {
                assert_eq!(layers, all[..=nearest], "seed {seed}");
                n_near += u64::from(nearest > 0);
            }
            None => {
                assert_eq!((layers, is_whole), (all.clone(), true), "seed {seed}");
                n_none += 1;
            }
        }
        assert_eq!(explored(&game, &starts, Some(1_000)).0, all, "seed {seed}");
    }
    assert!(n_near > 50 && n_none > 20, "{n_near}, {n_none}");
}

#[test]
fn goals_are_looked_for_only_in_memory() {
    let game = built_in("sliding-tiles:2:2");
    let start = game.goal_state().unwrap();
    let folder = folder();
    let options = || Options {
        seeks_goals: true,
        ..Options::default()
    };
    let refused = [
        (Origin::Goals, options()),
        (
            Origin::States(vec![start.clone()]),
            Options {
                storage: Storage::Ranked,
                ..options()
            },
        ),
        (
            Origin::States(vec![start.clone()]),
            Options {
                storage: Storage::Disk(folder.path().join("layers")),
                ..options()
            },
        ),
        (
            Origin::States(vec![start]),
            Options {
                symmetries: true,
                ..options()
            },
        ),
    ];
    for (origin, options) in refused {
        let error = explore(&game, &origin, &options).unwrap_err();
        assert!(
            matches!(error, ExploreError::GoalsNotCounted),
            "{options:?}"
        );
    }
}
