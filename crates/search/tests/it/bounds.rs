//! Searches that raise their bound in other ways than IDA\*: their solutions still cost least.

use fsm::{Dense, WordAutomaton};
use move_prune::{Options, Order, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Game, MAX_COST, State};
use search::{
    CompiledGame, CycleDetection, FirstBound, Heuristic, Limits, Outcome, Searcher, SolveReport,
    StopReason, ValueSums, Weight, ZeroHeuristic, replay,
};

use crate::games::{all_states, constant, game, least_goal_cost, sliding_tiles, state};

/// Return a safe machine for words of at most 3 rules.
fn machine(game: &Game, order: Order) -> Dense {
    let rules: Vec<_> = game.rules().iter().map(|r| r.canonical.clone()).collect();
    let options = Options {
        order,
        ..Options::up_to(3)
    };
    let analysis = analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(rules.len() as u32, &words).unwrap();
    automaton.build().unwrap()
}

/// Irregularly varying parts of the true cost; dead ends are not marked.
struct Part {
    table: std::collections::HashMap<State, Option<u64>>,
    seed: u64,
}

impl Heuristic for Part {
    fn estimate(&self, cells: &[u32]) -> u64 {
        let state = State::new(
            cells
                .iter()
                .copied()
                .map(psvn_ir::Value)
                .collect::<Box<[_]>>(),
        );
        let mix = state.values().iter().fold(self.seed, |mix, value| {
            (mix ^ u64::from(value.0))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23)
        });
        self.table[&state].map_or(0, |cost| {
            (u128::from(cost) * u128::from(mix % 101) / 100) as u64
        })
    }
}

fn cost_of(game: &Game, start: &State, report: &SolveReport) -> Option<u64> {
    let solution = report.solution()?;
    let end = replay(game, start, &solution.moves).unwrap();
    assert!(game.is_goal(end.values()));
    let costs = solution
        .moves
        .iter()
        .map(|id| game.rule(*id).canonical.cost());
    assert_eq!(costs.map(u128::from).sum::<u128>(), solution.cost);
    Some(u64::try_from(solution.cost).unwrap())
}

/// Check all searches from one start. Return how many were solved.
fn check(game: &Game, start: &State, seed: u64) -> u64 {
    let compiled = CompiledGame::new(game);
    let least = least_goal_cost(game, start, |id| game.rule(id).canonical.cost());
    let table = all_states(game).into_iter().map(|state| {
        let cost = least_goal_cost(game, &state, |id| game.rule(id).canonical.cost());
        (state, cost)
    });
    let part = Part {
        table: table.collect(),
        seed,
    };
    let order = [Order::LengthLexicographic, Order::CostLengthLexicographic][seed as usize % 2];
    let machine = machine(game, order);
    let cycles = [
        CycleDetection::None,
        CycleDetection::Parent,
        CycleDetection::Path,
    ][seed as usize / 2 % 3];
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let mut n_solved = 0;
    for (plans, pruned) in [(true, true), (true, false), (false, true)] {
        let search = Searcher::builder(&compiled).cycle_detection(cycles);
        let search = if plans { search } else { search.interpreted() };
        let search = if pruned {
            search.machine(machine.clone())
        } else {
            search
        };
        let mut search = search.build().run().limits(limits.clone());
        let mut expect = |report: SolveReport| match (&report.outcome, least) {
            (Outcome::Solved(_), Some(least)) => {
                assert_eq!(
                    cost_of(game, start, &report),
                    Some(least),
                    "seed {seed}, {report:?}"
                );
                assert_eq!(report.best_so_far, None);
                n_solved += 1;
            }
            (Outcome::NoSolution, None) | (Outcome::Stopped(StopReason::Nodes), _) => {}
            other => panic!("seed {seed}: {other:?}"),
        };
        for growth in ["0", "1.1", "2", "100"] {
            let growth: Weight = growth.parse().unwrap();
            expect(search.ida_star_cr(start, &ZeroHeuristic, growth).unwrap());
            expect(search.ida_star_cr(start, &part, growth).unwrap());
        }
        expect(search.budgeted_tree_search(start, &ZeroHeuristic).unwrap());
        expect(search.budgeted_tree_search(start, &part).unwrap());
        for weight in ["0", "1", "5/2"] {
            let first = FirstBound::Weighted(weight.parse().unwrap());
            expect(search.branch_and_bound(start, &part, first).unwrap());
        }
        // Bounds at, below and above the least cost.
        let near = least.unwrap_or(5);
        for bound in [near, near.saturating_add(7), near.saturating_mul(3)] {
            let report = search
                .branch_and_bound(start, &part, FirstBound::Cost(bound))
                .unwrap();
            match least {
                Some(_) => expect(report),
                None => assert!(!report.solved()),
            }
        }
        if let Some(below) = near.checked_sub(1) {
            let report = search
                .branch_and_bound(start, &part, FirstBound::Cost(below))
                .unwrap();
            let limited = report.outcome == Outcome::Stopped(StopReason::Nodes);
            assert!(limited || !report.solved(), "seed {seed}");
            if least.is_some() {
                assert!(
                    limited || report.outcome == Outcome::NotWithinCost,
                    "seed {seed}"
                );
            }
        }
    }
    n_solved
}

#[test]
fn random_games_are_solved_with_least_cost() {
    let mut n_solved = 0;
    for seed in 0..cases(240) {
        let shape = GameShape {
            max_cost: [3, 0, 1, 50, 1_000_000, MAX_COST][seed as usize % 6],
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let states = all_states(&game);
        let mut random = SplitMix64::new(seed);
        let start = &states[random.below(states.len())];
        n_solved += check(&game, start, seed);
    }
    assert!(n_solved > 2_000, "only {n_solved} were solved");
}

/// Build sliding tiles whose moves cost the tile's number or more: many distinct totals.
fn weighted_tiles() -> (Game, State, ValueSums) {
    let tiles = sliding_tiles(3, 3);
    let rules: Vec<_> = tiles.rules().iter().collect();
    let mut builder = psvn_ir::GameBuilder::new();
    let domain = crate::games::domain(&mut builder, 9);
    for _ in 0..9 {
        builder.variable(domain);
    }
    // One rule for each tile that moves.
    for rule in rules {
        for tile in 1..9_u32 {
            let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
            let moved = p
                .iter()
                .zip(a)
                .position(|(p, a)| p.as_variable().is_some() && p != a)
                .unwrap();
            let blank = p.iter().position(|p| p.as_constant().is_some()).unwrap();
            let mut lhs = vec![psvn_ir::Cell::DASH; 9];
            let mut rhs = lhs.clone();
            (lhs[moved], lhs[blank]) = (constant(tile), constant(0));
            (rhs[moved], rhs[blank]) = (constant(0), constant(tile));
            builder.rule(None, lhs, rhs, 100 + u64::from(tile) * u64::from(tile) * 7);
        }
    }
    builder.goal((0..9).map(constant).collect());
    let game = builder.build().unwrap();
    let sums = ValueSums::new(&game, |var, value| {
        let (tile, place) = (value.0, var.index() as u32);
        let distance = (tile / 3).abs_diff(place / 3) + (tile % 3).abs_diff(place % 3);
        if tile == 0 {
            0
        } else {
            distance * (100 + tile * tile * 7)
        }
    });
    (game, state([1, 0, 5, 3, 7, 2, 6, 4, 8]), sums)
}

#[test]
fn controlled_bounds_spare_iterations() {
    let (game, start, sums) = weighted_tiles();
    let compiled = CompiledGame::new(&game);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Parent)
        .build()
        .run();
    let ida = search.ida_star(&start, &sums).unwrap();
    let least = cost_of(&game, &start, &ida).unwrap();
    let cr = search
        .ida_star_cr(&start, &sums, "2".parse().unwrap())
        .unwrap();
    assert_eq!(cost_of(&game, &start, &cr), Some(least));
    let bnb = search
        .branch_and_bound(&start, &sums, FirstBound::Weighted("1.5".parse().unwrap()))
        .unwrap();
    assert_eq!(cost_of(&game, &start, &bnb), Some(least));
    let known = search
        .branch_and_bound(&start, &sums, FirstBound::Cost(least))
        .unwrap();
    assert_eq!(cost_of(&game, &start, &known), Some(least));
    let bounds = |report: &SolveReport| report.iterations.len();
    assert!(
        bounds(&cr) * 4 < bounds(&ida),
        "{} {}",
        bounds(&cr),
        bounds(&ida)
    );
    assert!(
        cr.totals.generated * 2 < ida.totals.generated,
        "{:?} {:?}",
        cr.totals,
        ida.totals
    );
    assert!(known.totals.generated < bnb.totals.generated);
    assert!(cr.iterations.is_sorted_by(|a, b| a.bound < b.bound));
    // A search that is stopped in its last round has a solution, if not the best.
    let wide = FirstBound::Cost(least + least / 4);
    let all = search.branch_and_bound(&start, &sums, wide).unwrap();
    assert_eq!(cost_of(&game, &start, &all), Some(least));
    let mut costs = Vec::new();
    for nodes in (1..20).map(|part| all.totals.generated as u64 * part / 20) {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut search = Searcher::builder(&compiled)
            .cycle_detection(CycleDetection::Parent)
            .build()
            .run()
            .limits(limits);
        let report = search.branch_and_bound(&start, &sums, wide).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
        assert_eq!(report.totals.generated, u128::from(nodes));
        if let Some(best) = &report.best_so_far {
            let end = replay(&game, &start, &best.moves).unwrap();
            assert!(game.is_goal(end.values()) && best.cost >= u128::from(least));
            costs.push(best.cost);
        }
    }
    assert!(
        !costs.is_empty() && costs.is_sorted_by(|a, b| a >= b),
        "{costs:?}"
    );
}

#[test]
fn budgets_bound_all_iterations_together() {
    let (game, start, sums) = weighted_tiles();
    let compiled = CompiledGame::new(&game);
    let searcher = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Parent)
        .build();
    let ida = searcher.run().ida_star(&start, &sums).unwrap();
    let least = cost_of(&game, &start, &ida).unwrap();
    let report = searcher.run().budgeted_tree_search(&start, &sums).unwrap();
    assert_eq!(cost_of(&game, &start, &report), Some(least));
    assert!(
        report.totals.generated * 2 < ida.totals.generated,
        "{:?} {:?}",
        report.totals,
        ida.totals
    );
    let last = ida.iterations.last().unwrap().generated;
    let log = 64 - least.leading_zeros();
    assert!(report.totals.generated < u128::from(last) * u128::from(log) * 8);
    // A limit ends the search wherever it is reached, and loses no solution that it found.
    let mut n_found = 0;
    for nodes in (1..40).map(|part| report.totals.generated as u64 * part / 40) {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut run = searcher.run().limits(limits);
        let stopped = run.budgeted_tree_search(&start, &sums).unwrap();
        assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Nodes));
        assert_eq!(stopped.totals.generated, u128::from(nodes));
        assert!(stopped.next_bound.is_some_and(|bound| bound <= least));
        if let Some(best) = &stopped.best_so_far {
            let end = replay(&game, &start, &best.moves).unwrap();
            assert!(game.is_goal(end.values()) && best.cost >= u128::from(least));
            n_found += 1;
        }
    }
    assert!(n_found > 0, "no search was stopped behind a solution");
}

/// Behind a long way with one choice there are three for each move: steps that are doubled on the
/// way lead too far.
#[test]
fn a_bound_that_is_too_great_is_given_up() {
    let mut text = String::from("4\n21 8 8 8\n");
    for at in 0..20 {
        text.push_str(&format!("{at} - - - => {} - - -\n", at + 1));
    }
    for at in 0..7 {
        let next = at + 1;
        text.push_str(&format!("20 {at} - - => - {next} - -\n"));
        text.push_str(&format!("20 - {at} - => - - {next} -\n"));
        text.push_str(&format!("20 - - {at} => - - - {next}\n"));
    }
    text.push_str("GOAL 20 4 3 2\n");
    let game = psvn_ir::load(&text).game.unwrap();
    let start = state([0, 0, 0, 0]);
    let compiled = CompiledGame::new(&game);
    for searcher in [
        Searcher::builder(&compiled).build(),
        Searcher::builder(&compiled).interpreted().build(),
    ] {
        let report = searcher.run().budgeted_tree_search(&start, &ZeroHeuristic);
        let report = report.unwrap();
        assert_eq!(cost_of(&game, &start, &report), Some(29));
        let generated: Vec<u64> = report.iterations.iter().map(|it| it.generated).collect();
        let too_great = report
            .iterations
            .windows(2)
            .position(|pair| pair[1].bound < pair[0].bound);
        let too_great = too_great.expect("a bound that was too great");
        let most = generated[..too_great].iter().max().unwrap() * 8;
        assert!(generated[too_great] <= most, "{:?}", report.iterations);
        let sum: u64 = generated.iter().sum();
        assert_eq!(u128::from(sum), report.totals.generated);
    }
}

#[test]
fn counts_by_depth_add_up() {
    let (game, start, sums) = weighted_tiles();
    let compiled = CompiledGame::new(&game);
    for cycles in [CycleDetection::Parent, CycleDetection::Path] {
        let mut search = Searcher::builder(&compiled)
            .cycle_detection(cycles)
            .build()
            .run()
            .count_depths(true);
        let report = search
            .ida_star_cr(&start, &sums, "2".parse().unwrap())
            .unwrap();
        let sum = |part: fn(&search::LevelCount) -> u64| {
            report
                .levels
                .iter()
                .map(|level| u128::from(part(level)))
                .sum::<u128>()
        };
        let n_roots = report.iterations.len() as u128;
        assert_eq!(report.levels[0].generated as u128, n_roots);
        assert_eq!(
            sum(|level| level.generated),
            report.totals.generated + n_roots
        );
        assert_eq!(sum(|level| level.expanded), report.totals.expanded);
        assert_eq!(
            sum(|level| level.pruned_by_cycle),
            report.totals.pruned_by_cycle
        );
        // Each node was expanded, or beyond the bound, or a goal.
        let goals = report.totals.generated + n_roots
            - report.totals.expanded
            - sum(|level| level.beyond_bound);
        assert!((1..10).contains(&goals), "{goals}");
    }
    // An impossible goal proves that the whole space was searched.
    let closed = game_without_way_out();
    let compiled = CompiledGame::new(&closed);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Path)
        .build()
        .run();
    for report in [
        search
            .ida_star_cr(&state([0]), &ZeroHeuristic, Weight::ONE)
            .unwrap(),
        search
            .budgeted_tree_search(&state([0]), &ZeroHeuristic)
            .unwrap(),
        search
            .branch_and_bound(&state([0]), &ZeroHeuristic, FirstBound::Cost(u64::MAX))
            .unwrap(),
        search
            .branch_and_bound(
                &state([0]),
                &ZeroHeuristic,
                FirstBound::Weighted(Weight::ONE),
            )
            .unwrap(),
    ] {
        assert_eq!(report.outcome, Outcome::NoSolution);
    }
    let within = FirstBound::Cost(1);
    let report = search
        .branch_and_bound(&state([0]), &ZeroHeuristic, within)
        .unwrap();
    assert_eq!(report.outcome, Outcome::NotWithinCost);
}

/// A ring of four values, and a goal outside it.
fn game_without_way_out() -> Game {
    let rules: Vec<_> = (0..4)
        .map(|i| (vec![constant(i)], vec![constant((i + 1) % 4)], 2))
        .collect();
    game(1, 5, &rules, &[vec![constant(4)]])
}
