//! Tests the implementation against the literal definition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use fsm::Unrestricted;
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, all_states, random_game};
use psvn_ir::{Game, RuleId, State, Value};

use crate::space::Space;
use crate::windows::Windows;
use crate::work::Work;
use crate::{Comparison, Order, Question};

type Values = Box<[Value]>;

/// A sequence as a sort key: its cost if costs count, its length, its rules' ranks.
type Key = (u64, usize, Vec<u32>);

struct Definition<'a> {
    game: &'a Game,
    order: Order,
    ranks: Vec<u32>,
    max_length: usize,
    /// For each state, all sequences that can be carried out, with their ends and costs.
    sequences: HashMap<Values, Vec<(Vec<u32>, Values, u64)>>,
}

impl Definition<'_> {
    fn sequences_at(&mut self, state: &Values) -> &[(Vec<u32>, Values, u64)] {
        self.sequences.entry(state.clone()).or_insert_with(|| {
            let mut all = vec![(Vec::new(), state.clone(), 0)];
            let mut level = all.clone();
            for _ in 0..self.max_length {
                let mut next = Vec::new();
                for (word, end, cost) in &level {
                    for (id, rule) in self.game.rules_with_ids() {
                        if rule.canonical.applies_to(end) {
                            let mut word = word.clone();
                            word.push(id.0);
                            let end = rule.canonical.apply(end);
                            next.push((word, end, cost + rule.canonical.cost()));
                        }
                    }
                }
                all.extend(next.iter().cloned());
                level = next;
            }
            all
        })
    }

    fn key(&self, word: &[u32], cost: u64) -> Key {
        let cost = match self.order {
            Order::LengthLexicographic => 0,
            Order::CostLengthLexicographic => cost,
        };
        let ranks = word.iter().map(|rule| self.ranks[*rule as usize]);
        (cost, word.len(), ranks.collect())
    }

    fn is_least(&mut self, state: &Values, word: &[u32]) -> bool {
        self.sequences_at(state);
        let all = &self.sequences[state];
        let (_, end, cost) = all.iter().find(|(other, ..)| other == word).unwrap();
        let key = self.key(word, *cost);
        all.iter().all(|(other, other_end, other_cost)| {
            other_end != end || other_cost > cost || self.key(other, *other_cost) >= key
        })
    }

    /// Return the nodes by depth.
    fn nodes(&mut self, start: &Values, depth: usize) -> Vec<u128> {
        let mut level: Vec<(Vec<u32>, Vec<Values>)> = vec![(Vec::new(), vec![start.clone()])];
        let mut nodes = vec![1];
        for _ in 0..depth {
            let mut next = Vec::new();
            for (word, states) in &level {
                let end = &states[states.len() - 1];
                for (id, rule) in self.game.rules_with_ids() {
                    if !rule.canonical.applies_to(end) {
                        continue;
                    }
                    let mut word = word.clone();
                    word.push(id.0);
                    let mut parts = 1..=self.max_length.min(word.len());
                    let is_in = |length: usize| {
                        let from = word.len() - length;
                        self.is_least(&states[from], &word[from..])
                    };
                    if parts.all(is_in) {
                        let mut states = states.clone();
                        states.push(rule.canonical.apply(end));
                        next.push((word, states));
                    }
                }
            }
            nodes.push(next.len() as u128);
            level = next;
        }
        nodes
    }
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::LengthLexicographic),
        Just(Order::CostLengthLexicographic)
    ]
}

fn shape() -> GameShape {
    GameShape {
        max_cost: 3,
        ..GameShape::default()
    }
}

fn start_of(game: &Game, number: usize) -> Values {
    let n_states = all_states(game).count();
    all_states(game).nth(number % n_states).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_is_that_of_the_definition(
        seed in any::<u64>(),
        order in orders(),
        max_length in 1_usize..=3,
        number in any::<usize>(),
        is_reversed in any::<bool>(),
    ) {
        let game = random_game(seed, &shape());
        let start = start_of(&game, number);
        let n_rules = game.rules().len();
        let mut rule_order: Vec<RuleId> = (0..n_rules).map(RuleId::from_index).collect();
        if is_reversed {
            rule_order.reverse();
        }
        let mut ranks = vec![0; n_rules];
        for (rank, rule) in rule_order.iter().enumerate() {
            ranks[rule.index()] = rank as u32;
        }
        let question = Question {
            max_length,
            depth: 5,
            order,
            rule_order: Some(&rule_order),
            most_differences: 100,
            growth: true,
        };
        let state = State::new(start.clone());
        let compared =
            Comparison::make(&game, &state, &Unrestricted, &question, &Default::default()).unwrap();
        let mut definition = Definition {
            game: &game,
            order,
            ranks,
            max_length,
            sequences: HashMap::new(),
        };
        prop_assert_eq!(&compared.ideal.nodes, &definition.nodes(&start, 5));
        for found in &compared.differences {
            let word: Vec<u32> = found.word.iter().map(|rule| rule.0).collect();
            let state: Values = found.state.values().into();
            prop_assert!(!definition.is_least(&state, &word));
            let replacement: Vec<u32> = found.replacement.iter().map(|rule| rule.0).collect();
            prop_assert!(definition.is_least(&state, &replacement));
            prop_assert!(found.missing.iter().all(|it| it.holds_in(&state)));
        }
    }

    /// The theorem: nothing is lost.
    #[test]
    fn every_state_is_reached_at_its_least_cost(
        seed in any::<u64>(),
        order in orders(),
        max_length in 1_usize..=4,
        number in any::<usize>(),
    ) {
        let game = random_game(seed, &shape());
        let start = State::new(start_of(&game, number));
        let work = &Work::new(Default::default(), u64::MAX);
        let space = Space::around(&game, &start, None, 1_000, work).unwrap();
        let windows = Windows::of(&space, space.len(), order, max_length, work).unwrap();
        let step = |state: u32| space.edges(state).iter().map(|it| (it.rule, it.target));
        let all = least_costs(&space, 0, |it| it, |state| step(state).collect());
        let root = windows.root(0).unwrap();
        let kept = least_costs(
            &space,
            root,
            |node| windows.end(node),
            |node| windows.next(node).map(|(rule, next)| (rule, next.unwrap())).collect(),
        );
        prop_assert_eq!(all, kept);
    }
}

/// Return the least cost at which each state is reached.
fn least_costs(
    space: &Space,
    root: u32,
    state_of: impl Fn(u32) -> u32,
    next: impl Fn(u32) -> Vec<(u32, u32)>,
) -> Vec<u64> {
    let mut costs: HashMap<u32, u64> = HashMap::from([(root, 0)]);
    let mut best = vec![u64::MAX; space.len()];
    best[state_of(root) as usize] = 0;
    let mut frontier = vec![(root, 0)];
    while let Some((node, cost)) = frontier.pop() {
        if costs[&node] < cost {
            continue;
        }
        for (rule, target) in next(node) {
            let cost = cost + space.cost(rule);
            let known = costs.entry(target).or_insert(u64::MAX);
            if cost < *known {
                *known = cost;
                let best = &mut best[state_of(target) as usize];
                *best = cost.min(*best);
                frontier.push((target, cost));
            }
        }
    }
    best
}
