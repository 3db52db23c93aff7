//! Every concrete step has an abstract image of no greater cost, whatever the abstraction.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use abstraction::{AbstractGame, Abstraction, Charge, CostPartition, Share, to_psvn};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{DomainId, Game, Value};

fn random_abstraction(game: &Game, random: &mut SplitMix64) -> Abstraction {
    let mut abstraction = Abstraction::identity(game);
    for (id, domain) in game.domains().iter().enumerate() {
        let images: Vec<Value> = (0..domain.size())
            .map(|value| {
                if random.chance(50) {
                    Value::from_index(random.below(domain.size()))
                } else {
                    Value::from_index(value)
                }
            })
            .collect();
        abstraction = abstraction.with_images(DomainId::from_index(id), &images);
    }
    abstraction.project(|_| random.chance(70))
}

/// Check all steps; `cost` returns the minimum cost of a concrete rule in the abstract game.
fn check_steps(
    game: &Game,
    abstract_game: &AbstractGame,
    cost: impl Fn(psvn_ir::RuleId, &[Value]) -> u64,
    context: &str,
) {
    // The least cost of an abstract step.
    type Step = (Box<[Value]>, Box<[Value]>);
    let mut steps: HashMap<Step, u64> = HashMap::new();
    for state in all_states(abstract_game.game()) {
        for rule in abstract_game.game().rules() {
            if rule.canonical.applies_to(&state) {
                let to = rule.canonical.apply(&state);
                let cost = rule.canonical.cost();
                let least = steps.entry((state.clone(), to)).or_insert(cost);
                *least = cost.min(*least);
            }
        }
    }
    for state in all_states(game) {
        for (id, rule) in game.rules_with_ids() {
            if !rule.canonical.applies_to(&state) {
                continue;
            }
            let to = rule.canonical.apply(&state);
            let (from, to) = (
                abstract_game.abstract_state(&state),
                abstract_game.abstract_state(&to),
            );
            if from != to {
                let least = steps.get(&(from, to)).copied().expect(context);
                assert!(
                    least <= cost(id, &state),
                    "{context}: rule {id:?} in {state:?}"
                );
            }
        }
        assert!(
            !game.is_goal(&state)
                || abstract_game
                    .game()
                    .is_goal(&abstract_game.abstract_state(&state)),
            "{context}"
        );
    }
}

fn shapes() -> Vec<GameShape> {
    let base = GameShape::default();
    vec![
        base.clone(),
        GameShape {
            several_domains: true,
            ..base.clone()
        },
        GameShape {
            n_values: 3..=4,
            n_variables: 3..=3,
            constants: 10,
            ..base
        },
    ]
}

#[test]
fn every_step_has_an_image_of_no_greater_cost() {
    for (s, shape) in shapes().iter().enumerate() {
        for seed in 0..cases(150) {
            let game = random_game(seed, shape);
            let mut random = SplitMix64::new(seed + 1000);
            for round in 0..3 {
                let abstraction = random_abstraction(&game, &mut random);
                let abstract_game = AbstractGame::new(&game, &abstraction).unwrap();
                let full = |id, _: &[Value]| game.rule(id).canonical.cost();
                check_steps(
                    &game,
                    &abstract_game,
                    full,
                    &format!("shape {s} seed {seed} round {round}"),
                );
            }
        }
    }
}

#[test]
fn charged_costs_add_up_to_no_more_than_the_rule_costs() {
    let mut n_checked = 0;
    for (s, shape) in shapes().iter().enumerate() {
        for seed in 0..cases(150) {
            let game = random_game(seed, shape);
            let charges = CostPartition::of(&game);
            // Value 0 to the first pattern, the others to the second one.
            let patterns = [
                Abstraction::keep_values(&game, |_, value| value.0 == 0),
                Abstraction::keep_values(&game, |_, value| value.0 > 0),
            ];
            // Merging a single value merges nothing, so it is in both patterns: this is refused,
            // unless no rule is charged to it.
            let Ok(Charge::ByValue(charged_values)) = charges.split(&game, &patterns) else {
                continue;
            };
            n_checked += 1;
            for (pattern, charged_values) in charged_values.iter().enumerate() {
                let abstraction = charges.tracking(&game, charged_values);
                let share = Share::Charged {
                    partition: &charges,
                    charged_values,
                };
                let abstract_game =
                    AbstractGame::with_share(&game, &abstraction, &share, 10_000).unwrap();
                let paid = |id, state: &[Value]| {
                    let position = charges.position(id)?;
                    let domain = game.variables()[position.index()].index();
                    let pays = charged_values[domain][state[position.index()].index()];
                    pays.then(|| game.rule(id).canonical.cost())
                };
                let cost = |id, state: &[Value]| paid(id, state).unwrap_or(0);
                check_steps(
                    &game,
                    &abstract_game,
                    cost,
                    &format!("shape {s} seed {seed} pattern {pattern}"),
                );
            }
        }
    }
    assert!(n_checked > 100, "{n_checked} games have such a partition");
}

#[test]
fn an_abstract_game_is_written_and_read_back() {
    for (s, shape) in shapes().iter().enumerate() {
        for seed in 0..cases(100) {
            let game = random_game(seed, shape);
            let abstraction = random_abstraction(&game, &mut SplitMix64::new(seed));
            let abstract_game = AbstractGame::new(&game, &abstraction).unwrap();
            if abstract_game.variables().is_empty() {
                continue;
            }
            let text = to_psvn(abstract_game.game());
            let loaded = psvn_ir::load(&text);
            let read = loaded
                .game
                .unwrap_or_else(|| panic!("{s} {seed}: {:?}\n{text}", loaded.diagnostics));
            assert_eq!(
                read.rules(),
                abstract_game.game().rules(),
                "{s} {seed}\n{text}"
            );
            let conditions = |game: &Game| {
                let goals = game.goals().iter();
                goals
                    .map(|goal| goal.conditions().to_vec())
                    .collect::<Vec<_>>()
            };
            assert_eq!(conditions(&read), conditions(abstract_game.game()));
        }
    }
}

fn domain(reference: &str) -> Game {
    psvn_ir::load(&domains::generate_reference(reference).unwrap())
        .game
        .unwrap()
}

#[test]
fn rules_list_the_concrete_rules_they_stand_for() {
    let game = domain("sliding-tiles:3:3");
    let pattern = Abstraction::from_pattern(&game, "keep 1-3").unwrap();
    let abstract_game = AbstractGame::new(&game, &pattern).unwrap();
    // The blank looks like a tile: the two ways to exchange neighbors differ in which of them looks
    // like it.
    assert_eq!(abstract_game.game().rules().len(), 24);
    for (id, rule) in abstract_game.game().rules_with_ids() {
        let concrete = abstract_game.concrete_rules(id);
        assert_eq!(concrete.len(), 1);
        assert_eq!(game.rule(concrete[0]).label, rule.label);
    }
    // Only the number of steps counts if no value is kept; no rule changes anything.
    let nothing = AbstractGame::new(&game, &Abstraction::keep_values(&game, |_, _| false)).unwrap();
    assert_eq!(
        (nothing.game().n_variables(), nothing.game().rules().len()),
        (0, 0)
    );
}

#[test]
fn a_rule_that_reads_a_dropped_position_may_write_anything() {
    let game = psvn_ir::load("DOMAIN d 3 a b c\n3 d d d\nX Y Z => Y Z X LABEL TURN\nGOAL a b c")
        .game
        .unwrap();
    let abstraction = Abstraction::from_pattern(&game, "project 1-2").unwrap();
    let abstract_game = AbstractGame::new(&game, &abstraction).unwrap();
    let rules: Vec<String> = abstract_game
        .game()
        .rules()
        .iter()
        .map(|rule| abstract_game.game().format_rule(&rule.canonical))
        .collect();
    assert_eq!(
        rules,
        [
            "<x1 x2> -> <x2 a>",
            "<x1 x2> -> <x2 b>",
            "<x1 x2> -> <x2 c>"
        ]
    );
    let abstraction = abstraction.project(|var| var.0 == 0);
    let abstract_game = AbstractGame::new(&game, &abstraction).unwrap();
    assert_eq!(abstract_game.game().rules().len(), 3);
}

#[test]
fn sums_are_proved_or_refused() {
    let game = domain("sliding-tiles:3:3");
    let charges = CostPartition::of(&game);
    assert!(charges.is_tested(DomainId(0), Value(0)) && !charges.is_tested(DomainId(0), Value(1)));
    let pattern = |text: &str| Abstraction::from_pattern(&game, text).unwrap();
    let split = charges
        .split(&game, &[pattern("keep 0 1-3"), pattern("keep 0 4-7")])
        .unwrap();
    assert_eq!(charges.uncovered(&game, &split), ["8"]);
    let error = charges
        .split(&game, &[pattern("keep 1-3"), pattern("keep 3-5")])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "value `3` is in patterns 1 and 2, so steps that move it would be paid for twice"
    );
    // Each rule that changes variables of both patterns names the blank's old and new place, and is
    // charged to one of them.
    let shared = [pattern("project 1-3"), pattern("project 4-6")];
    let Ok(Charge::ByRule(pays)) = charges.split(&game, &shared) else {
        panic!("rules that name what they change are charged to one pattern");
    };
    for id in 0..game.rules().len() {
        assert!(pays.iter().filter(|charged| charged[id]).count() <= 1);
    }
    let error = charges
        .split(&game, &[pattern("project 1-3"), pattern("keep 1")])
        .unwrap_err();
    assert!(error.to_string().contains("drops variables"), "{error}");
    // Pancakes have rules that name no value, so a rule would be paid for twice.
    let pancakes = domain("pancake:4");
    let pattern = |text: &str| Abstraction::from_pattern(&pancakes, text).unwrap();
    let error = CostPartition::of(&pancakes)
        .split(&pancakes, &[pattern("project 1-2"), pattern("project 3-4")])
        .unwrap_err();
    assert!(
        error.to_string().starts_with("rule `flip3` costs 1"),
        "{error}"
    );
    let hanoi = domain("hanoi:3:4");
    let pattern = |text: &str| Abstraction::from_pattern(&hanoi, text).unwrap();
    let split =
        CostPartition::of(&hanoi).split(&hanoi, &[pattern("project 1-6"), pattern("project 7-12")]);
    assert_eq!(split, Ok(Charge::ByVariable));
}

#[test]
fn rules_are_counted_without_being_made() {
    let mut multiplied = 0;
    for seed in 0..cases(400) {
        let mut random = SplitMix64::new(seed);
        let game = random_game(seed, &GameShape::default());
        let abstraction = random_abstraction(&game, &mut random);
        let counts = AbstractGame::count_rules(&game, &abstraction).unwrap();
        let abstract_game = AbstractGame::new(&game, &abstraction).unwrap();
        let without = AbstractGame::without_rules(&game, &abstraction).unwrap();
        assert!(
            abstract_game.game().rules().len() as u128 <= counts.forward,
            "{seed}"
        );
        let backward = abstract_game.game().backward_rules(1 << 20).unwrap();
        assert!(backward.len() as u128 <= counts.backward, "{seed}");
        assert!(counts.are_multiplied || counts.forward == game.rules().len() as u128);
        multiplied += usize::from(counts.are_multiplied);
        assert_eq!(without.variables(), abstract_game.variables());
        assert!(without.game().rules().is_empty());
        assert_eq!(without.game().goals(), abstract_game.game().goals());
        for var in (0..abstract_game.variables().len()).map(psvn_ir::VarId::from_index) {
            assert_eq!(without.values(var), abstract_game.values(var));
        }
    }
    assert!((50..350).contains(&multiplied), "{multiplied}");
    // Nine stickers of a cube: rules that move others there become millions.
    let cube = domain("rubik:3");
    let last = Abstraction::from_pattern(&cube, "project 40-48").unwrap();
    let counts = AbstractGame::count_rules(&cube, &last).unwrap();
    assert!(
        counts.are_multiplied && counts.backward > 1_000_000,
        "{counts:?}"
    );
}

#[test]
fn patterns_are_written_as_they_are_read() {
    for (reference, patterns) in [
        (
            "sliding-tiles:3:3",
            &[
                "keep 0 1 2 5",
                "project 1-3 5",
                "keep 1 2 project 2-9",
                "project 1-9",
            ][..],
        ),
        ("rubik:3", &["pieces 1 3 5", "project 40-48"]),
        ("hanoi:3:4", &["project 1-6", "project 1 3 5-7 12"]),
    ] {
        let game = domain(reference);
        for text in patterns {
            let pattern = Abstraction::from_pattern(&game, text).unwrap();
            let written = pattern.to_pattern(&game).unwrap();
            assert_eq!(
                Abstraction::from_pattern(&game, &written).as_ref(),
                Ok(&pattern)
            );
            assert_eq!(
                written.split(' ').next(),
                text.split(' ').next(),
                "{written}"
            );
        }
    }
    // Values that are merged in groups have no pattern.
    let game = domain("sliding-tiles:2:2");
    let pairs = [0, 0, 2, 2].map(Value);
    let pattern = Abstraction::identity(&game).with_images(DomainId(0), &pairs);
    assert_eq!(pattern.to_pattern(&game), None);
}
