//! Estimates never exceed the distance, and equal it where nothing is left out.

use abstraction::Abstraction;
use pattern_databases::{Options, PatternDatabase};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{DomainId, Game, State, Value};
use search::{DEAD_END, Heuristic};

use crate::support::{cells, distances};

pub(crate) fn shapes() -> Vec<GameShape> {
    let base = GameShape::default();
    vec![
        base.clone(),
        GameShape {
            several_domains: true,
            max_cost: 5,
            ..base.clone()
        },
        GameShape {
            constants: 0,
            repeated_symbols: false,
            lost_values: false,
            n_values: 3..=4,
            ..base.clone()
        },
        GameShape {
            max_cost: 300,
            ..base
        },
    ]
}

pub(crate) fn random_abstraction(game: &Game, random: &mut SplitMix64) -> Abstraction {
    let mut abstraction = Abstraction::identity(game);
    for (id, domain) in game.domains().iter().enumerate() {
        let images: Vec<Value> = (0..domain.size())
            .map(|value| {
                if random.chance(40) {
                    Value::from_index(random.below(domain.size()))
                } else {
                    Value::from_index(value)
                }
            })
            .collect();
        abstraction = abstraction.with_images(DomainId::from_index(id), &images);
    }
    abstraction.project(|_| random.chance(75))
}

#[test]
fn the_whole_game_has_its_distances() {
    for (s, shape) in shapes().iter().enumerate() {
        for seed in 0..cases(100) {
            let game = random_game(seed, shape);
            let table =
                PatternDatabase::build(&game, &Abstraction::identity(&game), &Options::default())
                    .unwrap();
            assert!(!table.is_saturated());
            let exact = distances(&game);
            for state in all_states(&game) {
                if table
                    .check_start(&game, &State::new(state.clone()))
                    .is_err()
                {
                    continue;
                }
                let distance = exact.get(&state).copied().unwrap_or(DEAD_END);
                assert_eq!(
                    table.estimate(&cells(&state)),
                    distance,
                    "{s} {seed} {state:?}"
                );
            }
        }
    }
}

#[test]
fn abstractions_are_admissible_and_consistent() {
    for (s, shape) in shapes().iter().enumerate() {
        for seed in 0..cases(100) {
            let game = random_game(seed, shape);
            let exact = distances(&game);
            let mut random = SplitMix64::new(seed + 77);
            for round in 0..3 {
                let abstraction = random_abstraction(&game, &mut random);
                let table =
                    PatternDatabase::build(&game, &abstraction, &Options::default()).unwrap();
                for state in all_states(&game) {
                    if table
                        .check_start(&game, &State::new(state.clone()))
                        .is_err()
                    {
                        continue;
                    }
                    let context = format!("{s} {seed} {round} {state:?}");
                    let estimate = table.estimate(&cells(&state));
                    let distance = exact.get(&state).copied().unwrap_or(DEAD_END);
                    assert!(estimate <= distance, "{context}");
                    for rule in game.rules().iter().map(|rule| &rule.canonical) {
                        if rule.applies_to(&state) {
                            let next = table.estimate(&cells(&rule.apply(&state)));
                            assert!(estimate <= next.saturating_add(rule.cost()), "{context}");
                        }
                    }
                }
            }
        }
    }
}
