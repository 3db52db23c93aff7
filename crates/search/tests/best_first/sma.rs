//! SMA* finds least costs in any memory that holds the way there, and says so where it doesn't.

use std::collections::HashMap;

use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, MAX_COST, State};
use search::{
    CompiledGame, Heuristic, Limits, Outcome, Searcher, SolveReport, StopReason, ZeroHeuristic,
};

use crate::allocator::peak_during;
use crate::oracle::{Erratic, answer, counts, from_start, generated, run, state, to_goal};

/// A search that makes more nodes than this in the games of these tests doesn't come to an end.
const MOST_NODES: u64 = 3_000_000;

fn within(memory: usize) -> Limits {
    Limits {
        memory: Some(memory),
        nodes: Some(MOST_NODES),
        ..Limits::default()
    }
}

fn sma(game: &Game, start: &State, heuristic: &dyn Heuristic, memory: usize) -> SolveReport {
    let mut search = run(game).limits(within(memory));
    search.sma_star(start, heuristic).unwrap()
}

fn game_of(seed: u64) -> Game {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [35, 20, 10][seed as usize % 3],
        max_cost: [2, 0, 1, 9, 100_000, MAX_COST][seed as usize / 4 % 6],
        ..GameShape::default()
    };
    random_game(seed, &shape)
}

/// A start in a random game, and the least costs from the states that it reaches to a goal.
struct Subject {
    game: Game,
    start: State,
    costs: HashMap<State, u128>,
    to_goal: HashMap<State, u128>,
    context: String,
}

impl Subject {
    fn random(seed: u64) -> Self {
        let game = game_of(seed);
        let states: Vec<_> = all_states(&game).collect();
        let start = State::new(states[SplitMix64::new(seed).below(states.len())].clone());
        Self::new(game, start, format!("seed {seed}"))
    }

    /// A start in a well-known game, from which all states can be reached that a goal reaches.
    fn generated(name: &str, seed: u64) -> Self {
        let game = generated(name);
        let goal = game.goal_state().unwrap();
        let states = from_start(&game, &goal, false);
        let mut states: Vec<State> = states.into_keys().collect();
        states.sort_unstable();
        let start = states[SplitMix64::new(seed).below(states.len())].clone();
        let context = format!("{name} from {}", game.format_state(start.values()));
        Self::new(game, start, context)
    }

    fn new(game: Game, start: State, context: String) -> Self {
        let costs = from_start(&game, &start, false);
        let reachable: Vec<State> = costs.keys().cloned().collect();
        Self {
            to_goal: to_goal(&game, &reachable, false),
            context,
            game,
            start,
            costs,
        }
    }

    fn least(&self) -> Option<u128> {
        self.to_goal.get(&self.start).copied()
    }

    fn heuristic(&self, seed: u64, percent: [u64; 2]) -> Erratic {
        Erratic {
            table: self.to_goal.clone(),
            seed,
            percent,
        }
    }

    /// Search with room for all states: what is expanded is what A* expands, up to ties.
    fn with_ample_memory(&self, heuristic: &Erratic) {
        let report = sma(&self.game, &self.start, heuristic, 1 << 24);
        let found = answer(&self.game, &self.start, &report).map(|(cost, _)| cost);
        assert_eq!(found, self.least(), "{}", self.context);
        assert_eq!(counts(&report).beyond, 0, "{}", self.context);
        let is_consistent = heuristic.percent[0] == heuristic.percent[1];
        let (true, Some(least)) = (is_consistent, self.least()) else {
            return;
        };
        let totals = self.costs.iter().filter_map(|(state, cost)| {
            self.to_goal.get(state)?;
            let values: Vec<u32> = state.values().iter().map(|value| value.0).collect();
            Some(cost + u128::from(heuristic.estimate(&values)))
        });
        let totals: Vec<u128> = totals.collect();
        let n_below = totals.iter().filter(|total| **total < least).count();
        let n_within = totals.iter().filter(|total| **total <= least).count();
        let reopened = u128::from(counts(&report).reopened);
        let expanded = report.totals.expanded - reopened;
        let may = n_below as u128..=n_within as u128;
        assert!(
            may.contains(&expanded),
            "{}: {expanded} {may:?}",
            self.context
        );
    }

    /// Search in parts of the memory that holds everything. Return in how many of them it forgot
    /// states and found a solution all the same.
    fn with_little_memory(&self, heuristic: &Erratic) -> u64 {
        let whole = sma(&self.game, &self.start, heuristic, 1 << 24);
        let bytes = (0..20).map(|part| counts(&whole).peak_bytes * part / 20);
        bytes
            .map(|memory| u64::from(self.is_forgetful(heuristic, memory)))
            .sum()
    }

    fn is_forgetful(&self, heuristic: &Erratic, memory: usize) -> bool {
        let report = sma(&self.game, &self.start, heuristic, memory);
        let context = format!("{} in {memory} bytes", self.context);
        assert!(counts(&report).peak_bytes <= memory, "{context}");
        if report.outcome == Outcome::Stopped(StopReason::Memory) {
            let bound = report.next_bound.map(u128::from);
            let is_right = self.least().is_none_or(|least| bound <= Some(least));
            assert!(is_right, "{context}: {bound:?}");
            return false;
        }
        let found = answer(&self.game, &self.start, &report).map(|(cost, _)| cost);
        assert_eq!(found, self.least(), "{context}");
        found.is_some() && counts(&report).beyond > 0
    }
}

const PARTS: [[u64; 2]; 5] = [[0, 100], [100, 100], [50, 50], [0, 0], [60, 90]];

#[test]
fn random_games_with_ample_memory() {
    for seed in 0..cases(1_000) {
        let subject = Subject::random(seed);
        for percent in PARTS {
            subject.with_ample_memory(&subject.heuristic(seed, percent));
        }
    }
}

#[test]
fn random_games_in_little_memory() {
    let mut n_forgot = 0;
    for seed in 0..cases(1_000) {
        let subject = Subject::random(seed);
        for percent in PARTS {
            n_forgot += subject.with_little_memory(&subject.heuristic(seed, percent));
        }
    }
    assert!(n_forgot > 50, "{n_forgot}");
}

/// Puzzles of a few hundred states, with paths of equal cost.
#[test]
fn puzzles_in_little_memory() {
    let names = [
        "pancake:5",
        "sliding-tiles:2:3",
        "topspin:5:3",
        "hanoi:3:3",
        "arrow:6",
        "blocks:3",
    ];
    for name in names {
        let mut n_forgot = 0;
        for seed in 0..cases(8) {
            let subject = Subject::generated(name, seed);
            for percent in PARTS {
                let heuristic = subject.heuristic(seed, percent);
                subject.with_ample_memory(&heuristic);
                n_forgot += subject.with_little_memory(&heuristic);
            }
        }
        assert!(n_forgot > 20, "{name}: {n_forgot}");
    }
}

/// What has to fit is the way to the goal with the children of its states: the rest is forgotten
/// and made again.
#[test]
fn a_path_is_all_that_has_to_fit() {
    let game = generated("pancake:6");
    let start = state([2, 0, 4, 1, 5, 3]);
    let least = run(&game).uniform_cost(&start).unwrap();
    let report = sma(&game, &start, &ZeroHeuristic, 4_500);
    let cost = |report| answer(&game, &start, report).map(|(cost, _)| cost);
    assert_eq!(cost(&report), cost(&least));
    let stored = counts(&least).stored.states();
    assert!(counts(&report).stored.states() * 10 < stored, "{report:?}");
}

#[test]
fn the_limit_is_kept() {
    let game = generated("pancake:9");
    let start = state([4, 0, 7, 2, 5, 8, 1, 3, 6]);
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    assert!(searcher.run().bfs(&state(0..9)).unwrap().solved());
    for memory in [0, 10_000, 100_000, 1_000_000, 10_000_000] {
        let mut search = searcher.run().limits(Limits {
            nodes: Some(300_000),
            ..within(memory)
        });
        let (report, peak) = peak_during(|| search.sma_star(&start, &ZeroHeuristic).unwrap());
        let counted = counts(&report).peak_bytes;
        assert!(counted <= memory, "{memory}: {counted}");
        assert!(peak <= counted + 20_000, "{memory}: {peak} {counted}");
        if counts(&report).beyond > 0 && memory >= 100_000 {
            assert!(counted * 10 >= memory * 6, "{memory}: {counted}");
        }
    }
}
