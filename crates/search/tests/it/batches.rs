//! Searches that estimate the children of a node together, compared with those that estimate each
//! alone: nodes, bounds, counts and stops are the same.

use std::time::Duration;

use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Game, State, Value};
use search::{
    Cell, CompiledGame, CycleDetection, DEAD_END, Estimated, FirstBound, Heuristic, Limits, Memo,
    PathNode, Properties, Searcher, Sibling, SolveReport, Weight,
};

use crate::games::{all_states, sliding_tiles, state};

const ALL_CYCLES: [CycleDetection; 3] = [
    CycleDetection::None,
    CycleDetection::Parent,
    CycleDetection::Path,
];

/// The number of variables that a memo has room for.
const MOST_VARIABLES: usize = 16;

/// A heuristic that says something irregular about each state and sometimes leaves a child out by
/// its parent alone. A memo is the state.
struct Irregular<'g> {
    game: &'g Game,
    seed: u64,
    has_batches: bool,
}

impl Irregular<'_> {
    fn of(&self, values: &[Value]) -> u64 {
        if self.game.is_goal(values) {
            return 0;
        }
        let mix = values.iter().fold(self.seed, |mix, value| {
            (mix ^ u64::from(value.0))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23)
        });
        match mix % 23 {
            0 => DEAD_END,
            1 => DEAD_END - 1,
            mix => mix % 5,
        }
    }
}

fn values<C: Cell>(cells: &[C]) -> Vec<Value> {
    cells.iter().map(|cell| cell.value()).collect()
}

/// The memo of a state.
fn kept(state: &[u8]) -> [u8; MOST_VARIABLES] {
    let mut kept = [0; MOST_VARIABLES];
    kept[..state.len()].copy_from_slice(state);
    kept
}

impl Heuristic for Irregular<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.of(&values(state))
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        memo.write(kept(state));
        self.of(&values(state))
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let width = node.state.len();
        assert_eq!(*node.memo.read::<[u8; MOST_VARIABLES]>(), kept(node.state));
        assert!(self.has_batches || siblings.len() == 1);
        assert_eq!(states.len(), siblings.len() * width);
        assert_eq!(estimated.len(), siblings.len());
        // In another order than they are asked for.
        for (number, estimated) in estimated.iter_mut().enumerate().rev() {
            let child = &states[number * width..][..width];
            estimated.estimate = self.of(&values(child));
            estimated.memo.write(kept(child));
        }
    }

    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        let parent = &memo.read::<[u8; MOST_VARIABLES]>()[..self.game.n_variables()];
        for (sibling, rejected) in siblings.iter().zip(rejected) {
            let rule = &self.game.rule(sibling.rule).canonical;
            let estimate = self.of(&rule.apply(&values(parent)));
            let is_rejected = estimate > sibling.cutoff && !estimate.is_multiple_of(3);
            *rejected = is_rejected.then_some(estimate);
        }
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            has_batches: self.has_batches,
            has_rejection: self.seed.is_multiple_of(2),
            ..Properties::default()
        }
    }
}

fn comparable(mut report: SolveReport) -> SolveReport {
    report.preparation = Duration::ZERO;
    report.elapsed = Duration::ZERO;
    report
}

/// Search in all ways, and return the number of nodes.
fn compare(game: &Game, start: &State, seed: u64) -> u128 {
    let compiled = CompiledGame::new(game);
    let mut n_nodes = 0;
    let searchers = ALL_CYCLES.map(|cycles| {
        let search = Searcher::builder(&compiled).cycle_detection(cycles);
        search.build()
    });
    let reports = |has_batches: bool, searcher: &Searcher, nodes, levels: bool| {
        let heuristic = Irregular {
            game,
            seed,
            has_batches,
        };
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut run = searcher.run().limits(limits).threads(1);
        if levels {
            run = run.count_depths(true);
        }
        let five_halves: Weight = "5/2".parse().unwrap();
        let all = [
            run.ida_star(start, &heuristic),
            run.wida_star(start, &heuristic, five_halves),
            run.ida_star_cr(start, &heuristic, five_halves),
            run.branch_and_bound(start, &heuristic, FirstBound::Cost(9)),
        ];
        all.map(|report| comparable(report.unwrap()))
    };
    for (searcher, cycles) in searchers.iter().zip(ALL_CYCLES) {
        for (nodes, levels) in [(10_000, false), (10_000, true), (137, true)] {
            let (alone, together) = (
                reports(false, searcher, nodes, levels),
                reports(true, searcher, nodes, levels),
            );
            for (alone, together) in alone.iter().zip(&together) {
                assert_eq!(alone, together, "seed {seed}, {cycles:?}, {nodes}");
                n_nodes += alone.totals.generated;
            }
        }
    }
    n_nodes
}

#[test]
fn random_games() {
    let mut n_nodes = 0;
    for seed in 0..cases(60) {
        let mut random = SplitMix64::new(seed);
        let shape = GameShape {
            n_rules: 2..=80,
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let states = all_states(&game);
        let start = &states[random.below(states.len())];
        n_nodes += compare(&game, start, seed);
    }
    assert!(n_nodes > 100_000, "{n_nodes}");
}

#[test]
fn a_puzzle() {
    let game = sliding_tiles(3, 3);
    let start = state([1, 2, 5, 3, 0, 4, 6, 7, 8]);
    // One that leaves children out by their parents alone, and one that doesn't.
    for seed in 0..4 {
        assert!(compare(&game, &start, seed) > 1_000);
    }
}
