//! The guarantee of NBS, against the least that any search must expand.

use std::cell::RefCell;
use std::collections::HashMap;

use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State, Value};

use super::*;
use crate::best_first::budget::Budget;
use crate::best_first::space::goal_states::GoalStates;
use crate::game::cell::Cell;
use crate::run::limits::{Limits, Watch};

/// A choice that records the bound at each expansion.
struct Recorded<'r, C> {
    choice: C,
    bounds: &'r RefCell<Vec<u128>>,
}

impl<C: Choice> Choice for Recorded<'_, C> {
    fn push(&mut self, side: usize, node: Reached, budget: &mut Budget) -> Result<(), StopReason> {
        self.choice.push(side, node, budget)
    }

    fn bound(
        &mut self,
        nodes: [&Nodes; 2],
        budget: &mut Budget,
    ) -> Result<Option<u128>, StopReason> {
        let bound = self.choice.bound(nodes, budget)?;
        self.bounds.borrow_mut().extend(bound);
        Ok(bound)
    }

    fn pop(&mut self, nodes: [&Nodes; 2]) -> Option<(usize, u32)> {
        self.choice.pop(nodes)
    }

    fn bytes(&self, side: usize) -> usize {
        self.choice.bytes(side)
    }
}

/// A part of the true costs: a consistent heuristic.
struct Part {
    costs: HashMap<State, u64>,
    percent: u64,
}

impl Part {
    fn of(&self, state: &State) -> u64 {
        let cost = self.costs.get(state);
        cost.map_or(DEAD_END, |cost| cost * self.percent / 100)
    }
}

impl Heuristic for Part {
    fn estimate(&self, cells: &[u32]) -> u64 {
        let state = State::new(cells.iter().map(|cell| cell.value()).collect::<Box<[_]>>());
        self.of(&state)
    }
}

/// Return the least costs between the roots and all states, by rounds over all edges.
fn least_costs(
    edges: &[(State, State, u64)],
    roots: impl IntoIterator<Item = State>,
    is_backward: bool,
) -> HashMap<State, u64> {
    let mut costs: HashMap<State, u64> = roots.into_iter().map(|root| (root, 0)).collect();
    loop {
        let mut has_changed = false;
        for (from, to, cost) in edges {
            let (from, to) = if is_backward { (to, from) } else { (from, to) };
            let Some(total) = costs.get(from).map(|it| it + cost) else {
                continue;
            };
            if costs.get(to).is_none_or(|it| *it > total) {
                costs.insert(to.clone(), total);
                has_changed = true;
            }
        }
        if !has_changed {
            return costs;
        }
    }
}

/// Return the size of the greatest matching, which is that of the least vertex cover (Kőnig).
fn greatest_matching(neighbors: &[Vec<usize>], n_right: usize) -> usize {
    fn augment(
        left: usize,
        neighbors: &[Vec<usize>],
        partner: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for &right in &neighbors[left] {
            if !std::mem::replace(&mut seen[right], true)
                && partner[right].is_none_or(|it| augment(it, neighbors, partner, seen))
            {
                partner[right] = Some(left);
                return true;
            }
        }
        false
    }
    let mut partner = vec![None; n_right];
    let lefts = 0..neighbors.len();
    let matched = lefts.filter(|left| {
        let mut seen = vec![false; n_right];
        augment(*left, neighbors, &mut partner, &mut seen)
    });
    matched.count()
}

/// A game, a start, and two consistent heuristics.
struct Subject<'g> {
    game: &'g Game,
    start: State,
    /// Of the costs to a goal, and from the start.
    parts: [Part; 2],
}

impl<'g> Subject<'g> {
    fn new(game: &'g Game, start: &State, percent: [u64; 2]) -> Self {
        let states = || all_states(game).map(State::new);
        let mut edges = Vec::new();
        for state in states() {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if rule.applies_to(state.values()) {
                    let child = State::new(rule.apply(state.values()));
                    edges.push((state.clone(), child, rule.cost()));
                }
            }
        }
        let goals = states().filter(|state| game.is_goal(state.values()));
        let part = |costs, percent| Part { costs, percent };
        Self {
            game,
            start: start.clone(),
            parts: [
                part(least_costs(&edges, goals, true), percent[0]),
                part(least_costs(&edges, [start.clone()], false), percent[1]),
            ],
        }
    }

    /// Return the least number of nodes that cover all pairs with a bound below the least cost:
    /// one of each pair must be expanded.
    fn least_expansions(&self, least: u64) -> usize {
        let [to_goal, from_start] = &self.parts;
        let rules = self.game.rules().iter();
        let least_rule = rules.map(|rule| rule.canonical.cost()).min().unwrap_or(0);
        let below = |costs: &Part, estimates: &Part| -> Vec<u64> {
            let costs = costs.costs.iter();
            let below = costs.filter(|(state, cost)| {
                let total = cost.checked_add(estimates.of(state));
                total.is_some_and(|total| total < least)
            });
            below.map(|(_, cost)| *cost).collect()
        };
        let (forward, backward) = (below(from_start, to_goal), below(to_goal, from_start));
        let neighbors: Vec<Vec<usize>> = forward
            .iter()
            .map(|g| {
                let pairs = 0..backward.len();
                let pairs = pairs.filter(|other| g + backward[*other] + least_rule < least);
                pairs.collect()
            })
            .collect();
        greatest_matching(&neighbors, backward.len())
    }

    /// Search by NBS, and return the outcome, the number of expansions before the bound reached a
    /// cost, and that of states that were reopened.
    fn search(&self, least: u64) -> (Outcome, usize, u64) {
        let space = Space::new(self.game, &[]);
        let watch = Watch::new(&Limits::default(), None);
        let work = Work::new(&space, watch, false);
        let mut goals = Goals {
            states: GoalStates::of(self.game),
            filter: None,
            too_many: false,
        };
        let bounds = RefCell::default();
        let choice = Recorded {
            choice: Pairs::new(&space),
            bounds: &bounds,
        };
        let start = space.pack(&self.start).expect("a state of the game");
        let method = Method::Pairs([&self.parts[0], &self.parts[1]]);
        let report = by_choice(work, &start, &mut goals, method, choice);
        let bounds = bounds.borrow();
        assert!(bounds.is_sorted());
        let n_before = bounds.iter().filter(|it| **it < least.into()).count();
        let counts = report.best_first.expect("counts");
        (report.outcome, n_before, counts.reopened)
    }
}

#[test]
fn nbs_expands_at_most_twice_as_many_nodes_as_it_must() {
    let mut n_compared = 0;
    for seed in 0..cases(300) {
        let shape = GameShape {
            max_cost: [1, 0, 2, 9, 40][seed as usize % 5],
            lost_values: seed % 3 != 2,
            n_rules: 4..=12,
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let states: Vec<Box<[Value]>> = all_states(&game).collect();
        let mut random = SplitMix64::new(seed);
        let start = State::new(states[random.below(states.len())].clone());
        for percent in [[0, 0], [50, 50], [100, 30], [90, 90]] {
            let subject = Subject::new(&game, &start, percent);
            let least = subject.parts[0].costs.get(&start).copied();
            let (outcome, n_before, n_reopened) = subject.search(least.unwrap_or(0));
            let found = match outcome {
                Outcome::Solved(solution) => Some(solution.cost),
                _ => None,
            };
            let context = format!("seed {seed}, {percent:?}");
            assert_eq!(found, least.map(u128::from), "{context}");
            assert_eq!(n_reopened, 0, "{context}");
            if let Some(least) = least {
                let must = subject.least_expansions(least);
                assert!(n_before <= 2 * must, "{context}: {n_before}, {must}");
                n_compared += usize::from(must > 2);
            }
        }
    }
    assert!(n_compared > 50, "{n_compared}");
}
