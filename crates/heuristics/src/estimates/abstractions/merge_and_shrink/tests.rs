//! Estimates beside the costs of all states of random games.

use std::collections::HashMap;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::testing::{GameShape, cases, random_game};
use psvn_ir::{Game, Value, all_states};
use search::DEAD_END;

use super::MergeAndShrink;
use super::label_reduction;
use super::system::{FactoredSystem, Limits};
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
        let of_state = |state: &Box<[Value]>| if game.is_goal(state) { 0 } else { DEAD_END };
        let mut costs: Vec<u64> = states.iter().map(of_state).collect();
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

fn system(game: &Game) -> FactoredSystem {
    let known = Invariants::none(game);
    let watch = Watch::default();
    FactoredSystem::new(game, &known, &Effort::within(&watch)).expect("a small game")
}

fn merged(game: &Game, limits: &Limits) -> FactoredSystem {
    let mut system = system(game);
    let watch = Watch::default();
    let made = system.merge_all(limits, &Effort::within(&watch));
    made.expect("no limit on time");
    system
}

#[test]
fn without_limits_estimates_are_the_costs() {
    let mut n_costs = [0, 0];
    for seed in 0..cases(600) {
        let game = random_game(seed, &GameShape::default());
        let system = merged(&game, &Limits::default());
        assert!(system.factors.len() <= 1 || system.factors.iter().any(|it| it.n_states() == 0));
        let costs = Costs::of(&game);
        let estimates = costs.estimates(&MergeAndShrink::of(&system.factors));
        assert_eq!(estimates, costs.costs, "seed {seed}");
        for cost in estimates {
            n_costs[usize::from(cost == DEAD_END)] += usize::from(cost > 0);
        }
    }
    assert!(n_costs.iter().all(|n| *n > 1_500), "{n_costs:?}");
}
