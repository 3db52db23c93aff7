//! Searches with a transposition table: by a plan, by the interpreter, by threads; with any weight,
//! cycle detection, and way to raise bounds.

use fsm::{Dense, WordAutomaton};
use psvn_ir::{Game, State};
use search::{
    CompiledGame, CycleDetection, FirstBound, Limits, Searcher, SolveReport, ValueSums, Weight,
    ZeroHeuristic, replay,
};

use crate::games::{arrow, pancake, sliding_tiles, top_spin};
use crate::threads::walk;

/// Forbid going straight back, and one of each two orders of rules that may change places.
fn pruned(game: &Game) -> Dense {
    let rules: Vec<_> = game
        .rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect();
    let options = move_prune::Options::up_to(3);
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    WordAutomaton::forbidding(rules.len() as u32, &words)
        .and_then(|automaton| automaton.build())
        .unwrap()
}

fn cost(game: &Game, start: &State, report: &SolveReport) -> u128 {
    let solution = report.solution().unwrap();
    let end = replay(game, start, &solution.moves).unwrap();
    assert!(game.is_goal(end.values()));
    solution.cost
}

fn games() -> [(Game, usize); 4] {
    [
        (pancake(6), 20),
        (top_spin(7, 3), 12),
        (arrow(6), 7),
        (sliding_tiles(3, 3), 16),
    ]
}

fn misplaced(game: &Game) -> ValueSums {
    let is_tiles = game.n_variables() == 9;
    ValueSums::new(game, |var, value| {
        u32::from(is_tiles && value.0 != 0 && value.0 != var.0)
    })
}

/// The interpreter looks up and stores at the same nodes as the walk by a plan.
#[test]
fn a_plan_changes_nothing() {
    let mut n_compared = 0;
    for (game, n_moves) in games() {
        let compiled = CompiledGame::new(&game);
        let machine = pruned(&game);
        let search = || Searcher::builder(&compiled).machine(machine.clone());
        let sums = misplaced(&game);
        for (seed, cycles) in [
            (1, CycleDetection::None),
            (2, CycleDetection::Parent),
            (3, CycleDetection::Path),
        ] {
            let start = walk(&compiled, n_moves, seed);
            let plain = search().build().run().ida_star(&start, &sums);
            let least = cost(&game, &start, &plain.unwrap()) as u64;
            let [by_plan, by_book] = [search(), search().interpreted()]
                .map(|builder| builder.cycle_detection(cycles).build());
            for bytes in [0, 1 << 22] {
                let run = |searcher: &Searcher| {
                    let mut run = searcher.run().count_depths(true).transposition_table(bytes);
                    let two = Weight::new(2, 1).unwrap();
                    [
                        run.ida_star(&start, &ZeroHeuristic).unwrap(),
                        run.ida_star(&start, &sums).unwrap(),
                        run.ida_star_cr(&start, &sums, two).unwrap(),
                        run.branch_and_bound(&start, &sums, FirstBound::Cost(least + 2))
                            .unwrap(),
                    ]
                };
                for (by_plan, by_book) in run(&by_plan).into_iter().zip(run(&by_book)) {
                    let cost = |report: &SolveReport| report.solution().map(|it| it.cost);
                    assert_eq!(cost(&by_plan), cost(&by_book));
                    let [one, other] = [&by_plan, &by_book].map(|report| report.table.unwrap());
                    // Which entries are displaced depends on how states are written.
                    if one.replacements + other.replacements > 0 {
                        continue;
                    }
                    assert_eq!(by_plan.outcome, by_book.outcome);
                    // A plan counts the children that the machine forbids for a node at once, the
                    // interpreter one by one.
                    let nodes = |report: &SolveReport| {
                        let totals = report.totals;
                        let iterations = report.iterations.iter();
                        let iterations = iterations.map(|it| (it.bound, it.generated, it.expanded));
                        let levels = report.levels.iter();
                        let levels = levels.map(|it| (it.generated, it.expanded, it.beyond_bound));
                        (
                            totals.pruned_by_cycle,
                            iterations.collect::<Vec<_>>(),
                            levels.collect::<Vec<_>>(),
                        )
                    };
                    assert_eq!(nodes(&by_plan), nodes(&by_book));
                    assert_eq!((one.lookups, one.hits), (other.lookups, other.hits));
                    assert_eq!((one.cutoffs, one.stores), (other.cutoffs, other.stores));
                    n_compared += u32::from(one.cutoffs > 0);
                }
            }
        }
    }
    assert!(n_compared > 10, "{n_compared}");
}

#[test]
fn a_table_spares_nodes_and_costs_nothing() {
    let (mut without, mut with) = (0, 0);
    for (game, n_moves) in games() {
        let compiled = CompiledGame::new(&game);
        let machine = pruned(&game);
        let sums = misplaced(&game);
        for seed in 0..4 {
            let start = walk(&compiled, n_moves, seed);
            for cycles in [
                CycleDetection::None,
                CycleDetection::Parent,
                CycleDetection::Path,
            ] {
                let builder = Searcher::builder(&compiled).machine(machine.clone());
                let searcher = builder.cycle_detection(cycles).build();
                let plain = searcher.run().ida_star(&start, &sums).unwrap();
                let least = cost(&game, &start, &plain);
                without += plain.totals.generated;
                for bytes in [300, 5_000, 1 << 20] {
                    let mut run = searcher.run().transposition_table(bytes);
                    let report = run.ida_star(&start, &sums).unwrap();
                    assert_eq!(cost(&game, &start, &report), least);
                    if bytes == 1 << 20 {
                        with += report.totals.generated;
                    }
                    let [three_halves, two] =
                        [(3, 2), (2, 1)].map(|(n, d)| Weight::new(n, d).unwrap());
                    let weighted = run.wida_star(&start, &sums, three_halves).unwrap();
                    assert!(cost(&game, &start, &weighted) * 2 <= least * 3);
                    for report in [
                        run.ida_star_cr(&start, &sums, two).unwrap(),
                        run.branch_and_bound(&start, &sums, FirstBound::Weighted(two))
                            .unwrap(),
                        run.branch_and_bound(&start, &sums, FirstBound::Cost(least as u64 + 2))
                            .unwrap(),
                    ] {
                        assert_eq!(cost(&game, &start, &report), least);
                    }
                }
            }
        }
    }
    assert!(with < without, "{with} {without}");
}

/// Threads learn from each other, and their solutions cost as little.
#[test]
fn threads_share_a_table() {
    for (game, n_moves) in [
        (pancake(7), 30),
        (top_spin(8, 3), 14),
        (sliding_tiles(3, 3), 40),
    ] {
        let compiled = CompiledGame::new(&game);
        let sums = misplaced(&game);
        let builder = Searcher::builder(&compiled).machine(pruned(&game));
        let searcher = builder.build();
        for seed in 0..3 {
            let start = walk(&compiled, n_moves, seed);
            let solve = |n_threads, bytes| {
                let run = searcher.run().threads(n_threads).threads_above(1_000);
                let limits = Limits {
                    memory: Some(bytes + (1 << 20)),
                    ..Limits::default()
                };
                let mut run = run.transposition_table(bytes).limits(limits);
                let report = run.ida_star(&start, &sums).unwrap();
                (cost(&game, &start, &report), report)
            };
            let (least, alone) = solve(1, 1 << 20);
            for (n_threads, bytes) in [(2, 1 << 20), (4, 3_000), (4, 1 << 20)] {
                let (found, report) = solve(n_threads, bytes);
                assert_eq!(found, least);
                let table = report.table.unwrap();
                if alone.totals.generated > 20_000 {
                    assert!(table.stores > 0 && table.cutoffs > 0, "{table:?}");
                }
            }
        }
    }
}

/// Figure 1 of Burch & Holte 2011: the machine forbids R1 R3 in favor of R2 R3, and R1 comes first
/// in the search. Both lead to the state from which R3 leads to the goal.
#[test]
fn the_only_solution_that_a_machine_allows_is_found() {
    let text = domains::generate_reference("ghi").unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let place = lines.iter().position(|line| line.ends_with("LABEL R2"));
    lines.swap(place.unwrap(), place.unwrap() + 1);
    let game = psvn_ir::load(&lines.join("\n")).game.unwrap();
    assert_eq!(&*game.rule(psvn_ir::RuleId(0)).label, "R1");
    let start = game.parse_state("0 0 0 0").unwrap();
    let compiled = CompiledGame::new(&game);
    let machine = WordAutomaton::forbidding(3, &[vec![0_u32, 2]]).unwrap();
    let machine = machine.build().unwrap();
    for searcher in [
        Searcher::builder(&compiled).machine(machine.clone()),
        Searcher::builder(&compiled).machine(machine).interpreted(),
        Searcher::builder(&compiled),
    ] {
        let mut run = searcher.build().run().transposition_table(1 << 12);
        let report = run.ida_star(&start, &ZeroHeuristic).unwrap();
        assert_eq!(cost(&game, &start, &report), 2);
    }
}
