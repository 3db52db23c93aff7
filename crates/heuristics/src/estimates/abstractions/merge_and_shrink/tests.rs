//! Estimates beside the costs of all states of random games.

use std::collections::{BTreeSet, HashMap};
use std::iter::zip;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::random::SplitMix64;
use psvn_ir::testing::{GameShape, cases, random_game};
use psvn_ir::{Cell, Game, GameBuilder, State, SymbolId, Value, all_states};
use search::{DEAD_END, Heuristic};

use super::factor::Factor;
use super::product::Pairs;
use super::system::{FactoredSystem, Limits, Shrinking};
use super::{MergeAndShrink, bisimulation, label_reduction};
use crate::cells::cells;
use crate::effort::Effort;

/// The states of a game with what a goal costs from each of them.
struct Costs {
    states: Vec<Box<[Value]>>,
    costs: Vec<u64>,
    /// The steps between states, with their costs.
    steps: Vec<(usize, usize, u64)>,
}

impl Costs {
    fn of(game: &Game) -> Self {
        let states: Vec<Box<[Value]>> = all_states(game).collect();
        let numbers: HashMap<&[Value], usize> = states.iter().map(|it| &**it).zip(0..).collect();
        let mut steps = Vec::new();
        for (from, state) in states.iter().enumerate() {
            for rule in game.rules() {
                if rule.canonical.applies_to(state) {
                    let to = numbers[&*rule.canonical.apply(state)];
                    steps.push((from, to, rule.canonical.cost()));
                }
            }
        }
        let are_goals = states.iter().map(|state| game.is_goal(state));
        let costs = are_goals.map(|is_goal| if is_goal { 0 } else { DEAD_END });
        let mut costs: Vec<u64> = costs.collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (from, to, cost) in &steps {
                let through = costs[*to].saturating_add(*cost);
                is_changed |= through < costs[*from];
                costs[*from] = through.min(costs[*from]);
            }
        }
        Self {
            states,
            costs,
            steps,
        }
    }

    fn estimates(&self, heuristic: &MergeAndShrink) -> Vec<u64> {
        let states = self.states.iter();
        states.map(|it| heuristic.estimate(&cells(it))).collect()
    }
}

/// A random game with up to three goals, in which symbols may be repeated.
fn with_random_goals(seed: u64) -> Game {
    let game = random_game(seed, &GameShape::default());
    let mut random = SplitMix64::new(seed);
    let mut builder = GameBuilder::new();
    let domain = builder.domain(game.domains()[0].clone());
    for _ in game.variables() {
        builder.variable(domain);
    }
    for rule in game.source_rules() {
        builder.rule(None, rule.lhs.to_vec(), rule.rhs.to_vec(), rule.cost);
    }
    for _ in 0..1 + random.below(3) {
        let mut cell = || match random.below(5) {
            0 => Cell::DASH,
            1 | 2 => Cell::symbol(SymbolId::from_index(random.below(2))),
            _ => Cell::constant(Value::from_index(random.below(game.domains()[0].size()))),
        };
        builder.goal(game.variables().iter().map(|_| cell()).collect());
    }
    builder.build().expect("entries fit")
}

fn system(game: &Game, known: &Invariants) -> FactoredSystem {
    let watch = Watch::default();
    let states = all_states(game).map(|state| cells(&state));
    let starts: Vec<Vec<u32>> = states.step_by(7).take(2).collect();
    let made = FactoredSystem::new(game, known, &starts, &Effort::within(&watch));
    made.expect("a small game")
}

fn merged(game: &Game, known: &Invariants, limits: &Limits) -> FactoredSystem {
    let mut system = system(game, known);
    let watch = Watch::default();
    let made = system.merge_all(Shrinking::Lossy, limits, &Effort::within(&watch));
    made.expect("no limit on time");
    system
}

/// Whether all factors became one, unless one of them has no way to a goal, or all states are
/// goals.
fn is_merged(system: &FactoredSystem) -> bool {
    let mut factors = system.factors.iter();
    system.factors.len() == 1
        || factors.clone().any(|it| it.n_states() == 0)
        || factors.all(|it| !it.has_aim())
}

/// Check that estimates are the costs of all states of games. Return how many costs, above 0, and
/// how many dead ends there are.
fn without_limits(games: impl Iterator<Item = Game>) -> [usize; 2] {
    let mut n_costs = [0, 0];
    for (number, game) in games.enumerate() {
        let system = merged(&game, &Invariants::none(&game), &Limits::default());
        assert!(is_merged(&system) && system.is_exact, "game {number}");
        let costs = Costs::of(&game);
        let estimates = costs.estimates(&MergeAndShrink::of(&system.factors));
        assert_eq!(estimates, costs.costs, "game {number}");
        for cost in estimates {
            n_costs[usize::from(cost == DEAD_END)] += usize::from(cost > 0);
        }
    }
    n_costs
}

#[test]
fn without_limits_estimates_are_the_costs() {
    let games = (0..cases(600)).map(|seed| random_game(seed, &GameShape::default()));
    let n_costs = without_limits(games);
    assert!(n_costs.iter().all(|n| *n > 1_500), "{n_costs:?}");
}

#[test]
fn several_goals_and_equal_values_are_exact() {
    let n_costs = without_limits((0..cases(600)).map(with_random_goals));
    assert!(n_costs.iter().all(|n| *n > 1_500), "{n_costs:?}");
}

#[test]
fn states_that_break_invariants_are_left_out() {
    // Rules only move values, so that counts of them remain.
    let shape = GameShape {
        n_variables: 4..=5,
        constants: 20,
        lost_values: false,
        ..GameShape::default()
    };
    let (mut n_left_out, mut n_known) = (0, 0);
    for seed in 0..cases(400) {
        let game = random_game(seed, &shape);
        let start = all_states(&game).nth(seed as usize % 16).expect("a state");
        let known = Invariants::from_states(&game, &[State::new(start)]);
        let system = merged(&game, &known, &Limits::default());
        assert!(is_merged(&system) && system.is_exact, "seed {seed}");
        let costs = Costs::of(&game);
        let estimates = costs.estimates(&MergeAndShrink::of(&system.factors));
        for (state, (estimate, cost)) in zip(&costs.states, zip(estimates, &costs.costs)) {
            if known.check_state(&game, &State::new(state.clone())).is_ok() {
                assert_eq!(estimate, *cost, "seed {seed}");
                n_known += 1;
            } else {
                n_left_out += usize::from(estimate == DEAD_END && *cost != DEAD_END);
            }
        }
    }
    assert!(
        n_left_out > 500 && n_known > 2_000,
        "{n_left_out}, {n_known}"
    );
}

#[test]
fn limits_make_lower_bounds() {
    let mut n_lower = [0; 5];
    for seed in 0..cases(500) {
        let game = with_random_goals(seed);
        let costs = Costs::of(&game);
        let usual = Limits::default();
        let all_limits = [
            Limits { states: 1, ..usual },
            Limits { states: 4, ..usual },
            Limits { states: 9, ..usual },
            Limits {
                transitions: 12,
                ..usual
            },
            Limits {
                visits: 200,
                ..usual
            },
        ];
        for (limits, n_lower) in zip(all_limits, &mut n_lower) {
            let system = merged(&game, &Invariants::none(&game), &limits);
            for factor in &system.factors {
                let is_merged = factor.n_states() > game.domains()[0].size();
                assert!(
                    !is_merged || factor.n_states() <= limits.states,
                    "seed {seed}"
                );
                let transitions = factor.groups.iter().map(|group| group.transitions.len());
                assert!(!is_merged || transitions.sum::<usize>() <= limits.transitions);
            }
            let estimates = costs.estimates(&MergeAndShrink::of(&system.factors));
            for (estimate, cost) in zip(&estimates, &costs.costs) {
                assert!(estimate <= cost, "seed {seed}, {limits:?}");
                *n_lower += usize::from(estimate < cost);
            }
            for (from, to, cost) in &costs.steps {
                let after = estimates[*to].saturating_add(*cost);
                assert!(estimates[*from] <= after, "seed {seed}, {limits:?}");
            }
        }
    }
    assert!(n_lower.iter().all(|n| *n > 500), "{n_lower:?}");
}

/// Merge all factors in a random order, nothing shrunk, with fewer labels or with all of them.
fn unshrunk(game: &Game, seed: u64, reduces: bool) -> (Vec<u64>, usize) {
    let mut system = system(game, &Invariants::none(game));
    let mut random = SplitMix64::new(seed);
    let mut n_gone = 0;
    while system.factors.len() > 1 {
        if reduces {
            n_gone += label_reduction::reduce(&mut system.factors, &system.costs);
        }
        let other = 1 + random.below(system.factors.len() - 1);
        let one = random.below(other);
        let factors = [one, other].map(|number: usize| &system.factors[number]);
        let pairs = Pairs::new(&system.known, factors[0], factors[1]);
        let product = pairs.product(usize::MAX, &system.costs);
        let product = product.expect("no limit");
        system.factors.remove(other);
        system.factors.remove(one);
        system.factors.push(product);
    }
    let estimates = Costs::of(game).estimates(&MergeAndShrink::of(&system.factors));
    (estimates, n_gone)
}

#[test]
fn fewer_labels_leave_the_distances() {
    let mut n_gone = 0;
    for seed in 0..cases(300) {
        let game = with_random_goals(seed);
        let (with_all, none_gone) = unshrunk(&game, seed, false);
        let (with_fewer, gone) = unshrunk(&game, seed, true);
        assert_eq!(none_gone, 0);
        assert_eq!(with_all, with_fewer, "seed {seed}");
        n_gone += gone;
    }
    assert!(n_gone > 1_500, "{n_gone}");
}

/// The number of classes of the coarsest bisimulation, by splitting all classes again and again.
fn n_bisimilar(factor: &Factor) -> usize {
    let mut class_of: Vec<usize> = vec![0; factor.n_states()];
    let mut n_classes = 0;
    loop {
        let signature = |state: usize| {
            let groups = zip(0.., &factor.groups);
            let targets = groups.flat_map(|(number, group)| {
                let from_here = group.transitions.iter();
                let from_here = from_here.filter(move |it| it.0 as usize == state);
                from_here.map(move |it| (number, it.1))
            });
            let targets: BTreeSet<(u32, usize)> = targets
                .map(|(number, target)| (number, class_of[target as usize]))
                .collect();
            (
                factor.distances[state],
                factor.goals[state],
                class_of[state],
                targets,
            )
        };
        let signatures: Vec<_> = (0..factor.n_states()).map(signature).collect();
        let classes: BTreeSet<_> = signatures.iter().collect();
        let classes: Vec<_> = classes.into_iter().collect();
        if classes.len() == n_classes {
            return n_classes;
        }
        n_classes = classes.len();
        let class = |it| classes.binary_search(&it).expect("one of them");
        let new: Vec<usize> = signatures.iter().map(class).collect();
        class_of = new;
    }
}

#[test]
fn classes_are_the_coarsest_bisimulation() {
    let mut n_united = 0;
    for seed in 0..cases(300) {
        let game = with_random_goals(seed);
        let mut system = system(&game, &Invariants::none(&game));
        let usual = Limits::default();
        let watch = Watch::default();
        let mut visits = usual.visits;
        for _ in 0..2 {
            label_reduction::reduce(&mut system.factors, &system.costs);
            let made = system.merge(
                (0, 1),
                Shrinking::Exact,
                &usual,
                &mut visits,
                &Effort::within(&watch),
            );
            assert_eq!(made, Ok(true));
        }
        for factor in &system.factors {
            let classes = bisimulation::classes(factor, usize::MAX, &system.costs).0;
            assert_eq!(classes.n_classes, n_bisimilar(factor), "seed {seed}");
            n_united += factor.n_states() - classes.n_classes;
            // With fewer classes, distances are kept as long as there are classes for them.
            let lengths = factor.lengths(&system.costs);
            let kinds = zip(lengths, zip(&factor.distances, &factor.goals));
            let kinds: BTreeSet<_> = kinds.collect();
            for most in kinds.len().max(1)..classes.n_classes {
                let classes = bisimulation::classes(factor, most, &system.costs).0;
                let mut shrunk = factor.clone();
                shrunk.shrink(&classes, &system.costs);
                assert_eq!(classes.n_classes, most, "seed {seed}");
                for (state, class) in classes.of_states.iter().enumerate() {
                    assert_eq!(shrunk.distances[*class as usize], factor.distances[state]);
                }
            }
        }
    }
    assert!(n_united > 250, "{n_united}");
}
