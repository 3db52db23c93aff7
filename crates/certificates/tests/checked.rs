//! What is written is proved by the checker, and says what brute force says.

use std::collections::BTreeMap;

use abstraction::Abstraction;
use budget::{Limits, StopReason, Watch};
use certificates::{CertificateError, CostsToGo, Evidence, PrunedSearch, Text, closed_list};
use checker::CostCertificate;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, RuleId, State, Value};
use search::ValueSums;

fn unlimited() -> Watch {
    Watch::new(Limits::default())
}

fn built_in(name: &str) -> Game {
    let text = domains::generate_reference(name).expect("a built-in game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

fn is_accepted(text: Text) -> bool {
    let text = text.end();
    let certificate = CostCertificate::read(text.as_bytes());
    let certificate = certificate.unwrap_or_else(|error| panic!("{error} in\n{text}"));
    certificate.check(&checker::Limits::default()).is_ok()
}

/// The least cost from each state to a goal, by repeated relaxation.
fn distances(game: &Game) -> BTreeMap<Vec<Value>, u64> {
    let states: Vec<_> = all_states(game).collect();
    let goals = states.iter().filter(|state| game.is_goal(state));
    let mut least: BTreeMap<Vec<Value>, u64> = goals.map(|goal| (goal.to_vec(), 0)).collect();
    loop {
        let before = least.clone();
        for state in &states {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if !rule.applies_to(state) {
                    continue;
                }
                if let Some(rest) = least.get(&*rule.apply(state)).copied() {
                    let cost = least.entry(state.to_vec()).or_insert(u64::MAX);
                    *cost = (*cost).min(rest + rule.cost());
                }
            }
        }
        if least == before {
            return least;
        }
    }
}

/// A bound by a list and by a search is accepted up to the least cost, and rejected beyond it.
fn check_bounds(game: &Game, start: &State, cost: u64, evidence: &Evidence) {
    let search = PrunedSearch::up_to(game, 3, &unlimited()).expect("no limits");
    for (bound, expected) in [(cost, true), (cost + 1, false)] {
        let closed = closed_list(game, start, bound, evidence, &unlimited()).expect("no limits");
        let mut text = Text::new(game).expect("small numbers");
        text.start(start);
        text.bound_by_list(bound, Some(evidence), &closed)
            .expect("small numbers");
        assert_eq!(
            is_accepted(text),
            expected,
            "by list: bound {bound}, cost {cost}"
        );

        let mut text = Text::new(game).expect("small numbers");
        text.start(start);
        text.bound_by_search(bound, Some(evidence), Some(&search))
            .expect("small numbers");
        assert_eq!(
            is_accepted(text),
            expected,
            "by search: bound {bound}, cost {cost}"
        );
    }
}

#[test]
fn least_costs_of_random_games() {
    let mut random = SplitMix64::new(1);
    for seed in 0..cases(300) {
        let game = &random_game(seed, &GameShape::default());
        if game.rules().iter().any(|rule| rule.canonical.cost() == 0) {
            continue;
        }
        let least = distances(game);
        let states: Vec<_> = all_states(game).collect();
        let start = State::new(states[random.below(states.len())].clone());
        match least.get(start.values()) {
            Some(cost) => check_bounds(game, &start, *cost, &Evidence::none()),
            None => {
                let reached = closed_list(game, &start, u64::MAX, &Evidence::none(), &unlimited());
                let mut text = Text::new(game).expect("small numbers");
                text.start(&start);
                text.no_plan(&reached.expect("no limits"))
                    .expect("small numbers");
                assert!(is_accepted(text));
            }
        }
    }
}

/// Where each state that can be reached has a plan, the greatest cost is proved, and no lesser one;
/// else there is no certificate.
#[test]
fn greatest_costs_of_random_games() {
    let mut n_proved = 0;
    for seed in 0..cases(500) {
        let game = random_game(seed, &GameShape::default());
        let least = distances(&game);
        let states = all_states(&game).map(|state| State::new(state.clone()));
        n_proved += states
            .filter(|start| has_greatest_cost(&game, start, &least))
            .count();
    }
    assert!(n_proved > 50, "only {n_proved} greatest costs");
}

/// Whether the greatest cost above 0 of the states that the start leads to was proved.
fn has_greatest_cost(game: &Game, start: &State, least: &BTreeMap<Vec<Value>, u64>) -> bool {
    let reached = closed_list(game, start, u64::MAX, &Evidence::none(), &unlimited());
    let costs = match CostsToGo::compute(game, start, &unlimited()) {
        Ok(costs) => costs,
        Err(error) => {
            let has_free_rule = game.rules().iter().any(|it| it.canonical.cost() == 0);
            assert!(has_free_rule || error.to_string().ends_with("a state has no plan"));
            return false;
        }
    };
    assert_eq!(costs.n_states(), reached.expect("no limits").len());
    let cost = costs.cost(start.values());
    assert_eq!(cost, least[start.values()]);
    let mut text = Text::new(game).expect("small numbers");
    text.start(start);
    text.plan(cost, &costs.plan(game, start))
        .expect("a small number");
    text.everywhere(&costs).expect("small numbers");
    let text = text.end();
    let check = |text: &str| {
        let certificate = CostCertificate::read(text.as_bytes()).expect("a certificate");
        certificate.check(&checker::Limits::default()).is_ok()
    };
    assert!(check(&text), "{text}");
    let greatest = costs.greatest();
    if greatest == 0 {
        return false;
    }
    let claim = |bound: u64| format!("everywhere {bound}");
    assert!(!check(
        &text.replace(&claim(greatest), &claim(greatest - 1))
    ));
    true
}

/// Tables whose costs are shared by the tile that moves, and one for all costs.
#[test]
fn tables_are_proved_and_never_too_high() {
    let game = built_in("sliding-tiles:3:2");
    let least = distances(&game);
    let keeping =
        |kept: &[usize]| Abstraction::keep_values(&game, |_, value| kept.contains(&value.index()));
    let start = game.parse_state("5 4 3 2 1 0").expect("a state");
    for patterns in [
        vec![keeping(&[1, 2]), keeping(&[3, 4, 5])],
        vec![keeping(&[0, 1, 2])],
        vec![keeping(&[0, 1, 2]), keeping(&[0, 3, 4, 5])],
    ] {
        let mut evidence = Evidence::none();
        let is_added = evidence.add_tables(&game, &patterns, &start, 10_000, &unlimited());
        assert!(is_added.expect("no limits"));
        assert!(evidence.estimate(start.values()) > 3);
        for (state, cost) in &least {
            assert!(evidence.estimate(state) <= *cost);
        }
        check_bounds(&game, &start, least[start.values()], &evidence);
    }
}

/// Abstractions that drop variables, and copy them: a tower of Hanoi with a disk for each variable.
#[test]
fn projections_are_proved() {
    let game = built_in("hanoi:3:4");
    let least = distances(&game);
    let start = least.iter().max_by_key(|(_, cost)| **cost).expect("states");
    let (start, cost) = (State::new(start.0.clone()), *start.1);
    let keeping =
        |kept: &[usize]| Abstraction::identity(&game).project(|var| kept.contains(&var.index()));
    for patterns in [
        vec![keeping(&[0, 1])],
        vec![keeping(&[0, 1]), keeping(&[2, 3])],
    ] {
        let mut evidence = Evidence::none();
        let is_added = evidence.add_tables(&game, &patterns, &start, 10_000, &unlimited());
        assert!(is_added.expect("no limits"));
        check_bounds(&game, &start, cost, &evidence);
    }
}

#[test]
fn sums_of_numbers_are_proved() {
    let game = built_in("sliding-tiles:3:2");
    let start = game.parse_state("5 4 3 2 1 0").expect("a state");
    let goal = game.goals()[0].conditions();
    let manhattan = ValueSums::new(&game, |var, value| {
        let home = goal
            .iter()
            .position(|term| term.as_constant() == Some(value));
        let home = home.expect("each value has a place");
        let distance = match game.domain_of(var).value_name(value) {
            "0" => 0,
            _ => (var.index() % 2).abs_diff(home % 2) + (var.index() / 2).abs_diff(home / 2),
        };
        distance as u32
    });
    let mut evidence = Evidence::none();
    evidence.add_value_sums(&game, &manhattan);
    assert!(evidence.estimate(start.values()) > 3);
    check_bounds(&game, &start, distances(&game)[start.values()], &evidence);
}

#[test]
fn limits_end_the_work() {
    let game = built_in("pancake:7");
    let start = game.parse_state("7 1 6 2 5 3 4").expect("a state");
    let few = unlimited().with_nodes(Some(2000));
    let stopped = closed_list(&game, &start, 7, &Evidence::none(), &few).err();
    assert_eq!(stopped, Some(CertificateError::Stopped(StopReason::Nodes)));
    let mut evidence = Evidence::none();
    let whole = [Abstraction::identity(&game)];
    let is_added = evidence.add_tables(&game, &whole, &start, 5000, &unlimited());
    assert!(
        !is_added.expect("no limits"),
        "7! is more than 5000 entries"
    );
}

#[test]
fn a_plan_and_a_bound_in_one_file() {
    let game = built_in("pancake:4");
    let start = game.parse_state("2 1 3 4").expect("a state");
    let mut text = Text::new(&game).expect("small numbers");
    text.start(&start);
    text.plan(1, &[RuleId::from_index(0)])
        .expect("a small number");
    let closed = closed_list(&game, &start, 1, &Evidence::none(), &unlimited());
    text.bound_by_list(1, Some(&Evidence::none()), &closed.expect("no limits"))
        .expect("small numbers");
    let text = text.end();
    assert_eq!(text.matches("claim").count(), 2);
    assert!(text.ends_with("closed\n0 '1023\nend\n"), "{text}");
}
