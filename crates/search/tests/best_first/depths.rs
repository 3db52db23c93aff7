//! Counts by depth.

use psvn_ir::State;
use psvn_ir::testing::{GameShape, all_states, cases, random_game};
use search::{LevelCount, Outcome, Run, SolveReport, Ties, ZeroHeuristic};

use crate::oracle::{from_start, generated, load, run};

type Search = fn(&mut Run<'_>, &State) -> SolveReport;

/// All searches from one side, and those from both.
const SEARCHES: &[(&str, Search)] = &[
    ("explore", |run, start| run.explore(start).unwrap()),
    ("bfs", |run, start| run.bfs(start).unwrap()),
    ("uniform cost", |run, start| {
        run.uniform_cost(start).unwrap()
    }),
    ("A*", |run, start| {
        run.a_star(start, &ZeroHeuristic).unwrap()
    }),
    ("greedy", |run, start| {
        run.greedy(start, &ZeroHeuristic).unwrap()
    }),
    ("closed", |run, start| run.dfs_closed(start, 8).unwrap()),
    ("both", |run, start| run.bidirectional(start).unwrap()),
];

fn sums(levels: &[LevelCount]) -> (u128, u128) {
    let sum = |of: fn(&LevelCount) -> u64| levels.iter().map(|it| u128::from(of(it))).sum();
    (sum(|it| it.generated), sum(|it| it.expanded))
}

#[test]
fn counts_by_depth_add_up_to_the_totals() {
    for seed in 0..cases(60) {
        let game = random_game(seed, &GameShape::default());
        for start in all_states(&game).step_by(5).take(6).map(State::new) {
            for (name, search) in SEARCHES {
                for ties in [Ties::default(), Ties::Nutshell] {
                    let plain = search(&mut run(&game).ties(ties), &start);
                    assert!(plain.levels.is_empty(), "{name}, seed {seed}");
                    let counted = search(&mut run(&game).ties(ties).count_depths(true), &start);
                    assert_eq!(counted.outcome, plain.outcome, "{name}, seed {seed}");
                    assert_eq!(counted.totals, plain.totals, "{name}, seed {seed}");
                    let (generated, expanded) = sums(&counted.levels);
                    let n_roots = u128::from(counted.levels.first().map_or(0, |it| it.generated));
                    let children = generated - n_roots;
                    assert_eq!(children, counted.totals.generated, "{name}, seed {seed}");
                    assert_eq!(expanded, counted.totals.expanded, "{name}, seed {seed}");
                }
            }
        }
    }
}

/// Brute force gives the states expanded at a depth: all states at that number of moves.
#[test]
fn whole_spaces_are_expanded_depth_by_depth() {
    let game = generated("sliding-tiles:2:3");
    // An odd permutation: no goal is reachable from it.
    let start = game.parse_state("0 2 1 3 4 5").unwrap();
    let by_moves = from_start(&game, &start, true);
    let deepest = *by_moves.values().max().unwrap() as usize;
    let mut expected = vec![LevelCount::default(); deepest + 2];
    expected[0].generated = 1;
    #[expect(clippy::iter_over_hash_type, reason = "sums don't depend on the order")]
    for (state, depth) in &by_moves {
        let depth = *depth as usize;
        let rules = game.rules().iter();
        let applicable = rules.filter(|rule| rule.canonical.applies_to(state.values()));
        expected[depth].expanded += 1;
        expected[depth + 1].generated += applicable.count() as u64;
    }
    let by_layers: [(&str, Search); 4] = [
        ("explore", |run, start| run.explore(start).unwrap()),
        ("bfs", |run, start| run.bfs(start).unwrap()),
        ("A*", |run, start| {
            run.a_star(start, &ZeroHeuristic).unwrap()
        }),
        ("uniform cost", |run, start| {
            run.uniform_cost(start).unwrap()
        }),
    ];
    for (name, search) in by_layers {
        let report = search(&mut run(&game).count_depths(true), &start);
        assert_eq!(report.outcome, Outcome::NoSolution, "{name}");
        assert_eq!(report.levels, expected, "{name}");
    }
}

/// A state reached again at less cost is expanded again, at the depth of the new path.
#[test]
fn the_depth_is_that_of_the_way_that_counts() {
    // From 0 straight to 2 at cost 9, or through 1 at cost 2; 3 lies behind 2.
    let game = load("1  5\n0 => 2 COST 9\n0 => 1\n1 => 2\n2 => 3 COST 20\n3 => 4\nGOAL 4\n");
    let start = game.parse_state("0").unwrap();
    let report = run(&game).count_depths(true).uniform_cost(&start).unwrap();
    let expanded: Vec<u64> = report.levels.iter().map(|level| level.expanded).collect();
    assert_eq!(expanded, [1, 1, 1, 1, 0]);
    let generated: Vec<u64> = report.levels.iter().map(|level| level.generated).collect();
    assert_eq!(generated, [1, 2, 1, 1, 1]);
}
