//! Searches, heuristics, tables and plans.

use heuristics::{Name, Named};
use invariants::Invariants;

use super::*;

#[test]
fn a_search_is_prepared_once_and_shared_by_threads() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let starts: Vec<_> = [FAR, "1 0 2 3 4 5 6 7 8", "3 1 2 0 4 5 6 7 8"]
        .iter()
        .map(|text| game.state("a start", text).unwrap())
        .collect();
    let analysis = Pruning::up_to(4).analyze(&game, &env).unwrap();
    let solver = Solver::builder(&game)
        .machine(&analysis)
        .heuristic("manhattan".parse().unwrap())
        .starts(starts.clone())
        .build(&env)
        .unwrap();
    shared_by_threads(&solver);
    let costs = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for start in &starts {
            let (solver, costs, game) = (&solver, &costs, &game);
            scope.spawn(move || {
                let answer = solver.solve(start).unwrap();
                let solution = answer.solution().unwrap();
                let checked = check_moves(game, start, &solution.moves).unwrap();
                assert_eq!(checked.cost, solution.cost);
                costs.lock().unwrap().push(solution.cost);
            });
        }
    });
    let mut costs = costs.into_inner().unwrap();
    costs.sort_unstable();
    assert_eq!(costs, [1, 1, 28]);
}

#[test]
fn algorithms_agree_and_limits_stop_them() {
    let env = Environment::default();
    let game = Game::built_in("pancake:6", &env).unwrap();
    let start = game.state("the start", "6 3 1 5 2 4").unwrap();
    let cost = |algorithm| {
        let builder = Solver::builder(&game).algorithm(algorithm);
        let solver = builder.starts([start.clone()]).build(&env).unwrap();
        let answer = solver.solve(&start).unwrap();
        answer.solution().map(|solution| solution.cost)
    };
    let least = cost(Algorithm::Ida);
    assert!(least.is_some());
    for algorithm in [
        Algorithm::Dfid,
        Algorithm::Bfs,
        Algorithm::AStar,
        Algorithm::IdaTable,
        Algorithm::UniformCost,
        Algorithm::Bidirectional,
        Algorithm::BaeStar,
        Algorithm::Nbs,
        Algorithm::Sma,
    ] {
        assert_eq!(cost(algorithm), least, "{}", algorithm.name());
    }
    let solver = Solver::builder(&game)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    let answer = solver.solve_within(&start, nodes(10)).unwrap();
    assert!(matches!(answer.outcome, Outcome::Stopped(_)));
}

#[test]
fn estimates_from_both_ends_lead_to_the_least_cost() {
    let env = Environment::default();
    // Games with one goal state and with many, whose rules can be undone or not.
    let games = [
        ("sliding-tiles:3:3", "8 0 6 5 4 7 2 3 1"),
        ("pancake:6", "3 1 5 2 6 4"),
        ("topspin:8:4", "4 2 1 3 0 6 5"),
        ("gripper:2", "usual"),
        ("hanoi:3:3", "usual"),
        ("slide-jump:2", "usual"),
        ("blocks:3", "usual"),
    ];
    let heuristics = [
        "zero",
        "misplaced",
        "goal-count",
        "manhattan",
        "gap",
        "h-max",
        "cartesian",
        "projections",
        "potentials",
        "keep 1-2",
        "project 1-2",
    ];
    let mut n_compared = 0;
    for (name, start) in games {
        let game = Game::built_in(name, &env).unwrap();
        let start = game.state("the start", start).unwrap();
        let cost = |algorithm, heuristic: &str| {
            let solver = Solver::builder(&game)
                .algorithm(algorithm)
                .heuristic(heuristic.parse().unwrap())
                .starts([start.clone()])
                .build(&env);
            let answer = solver.and_then(|solver| solver.solve(&start));
            Some(answer.ok()?.solution().map(|solution| solution.cost))
        };
        let least = cost(Algorithm::UniformCost, "zero").unwrap();
        for heuristic in heuristics {
            for algorithm in [Algorithm::BaeStar, Algorithm::Nbs] {
                if let Some(found) = cost(algorithm, heuristic) {
                    assert_eq!(found, least, "{name} by {heuristic}, {algorithm:?}");
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 60, "{n_compared}");
}

#[test]
fn searches_bounded_by_cost_take_a_table() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("the start", "8 0 6 5 4 7 2 3 1").unwrap();
    let solve = |algorithm, table, set: &[(&str, &str)]| {
        let mut options = SearchOptions {
            algorithm,
            table,
            heuristic: "manhattan".parse().unwrap(),
            ..SearchOptions::default()
        };
        for (name, value) in set {
            options.set(name, value).unwrap();
        }
        let builder = Solver::builder(&game).options(options);
        let solver = builder.starts([start.clone()]).build(&env)?;
        solver.solve(&start)
    };
    let table = Some(TranspositionTable::Bytes(1 << 20));
    let cost = |answer: &Answer| answer.solution().unwrap().cost;
    let plain = solve(Algorithm::Ida, None, &[("prune", "2")]).unwrap();
    assert!(plain.table.is_none() && cost(&plain) > 3);
    // The memory is for the table and the heuristic.
    let manhattan = Named::new(game.ir(), &Invariants::none(game.ir()), &[Name::Manhattan]);
    let memory = format!("{}B", (1 << 20) + manhattan.unwrap().n_bytes());
    let by_name = solve(Algorithm::IdaTable, None, &[("memory", &memory)]).unwrap();
    let by_option = solve(Algorithm::Ida, table, &[("prune", "auto")]).unwrap();
    assert!(by_option.table.as_ref().unwrap().cutoffs > 0);
    assert!(by_option.generated < plain.generated);
    let figures = |answer: &Answer| {
        let table = answer.table.as_ref().unwrap();
        (answer.generated, table.lookups, table.cutoffs)
    };
    assert_eq!(figures(&by_option), figures(&by_name));
    assert_eq!(by_option.solution(), by_name.solution());
    for algorithm in [Algorithm::IdaCr, Algorithm::BranchAndBound] {
        let answer = solve(algorithm, table, &[]).unwrap();
        assert!(answer.table.as_ref().unwrap().lookups > 0, "{algorithm:?}");
        assert_eq!(cost(&answer), cost(&plain), "{algorithm:?}");
    }
    for weight in ["1", "3/2", "3"] {
        let answer = solve(Algorithm::Wida, table, &[("weight", weight)]).unwrap();
        assert!(answer.table.as_ref().unwrap().lookups > 0);
        let most = match weight {
            "1" => cost(&plain),
            "3/2" => cost(&plain) * 3 / 2,
            _ => cost(&plain) * 3,
        };
        assert!(cost(&answer) <= most && cost(&answer) >= cost(&plain));
    }
    // Others have no use for one, and a table is part of the memory.
    for (algorithm, set) in [
        (Algorithm::Bfs, ("nodes", "9")),
        (Algorithm::Dfid, ("nodes", "9")),
        (Algorithm::Ida, ("memory", "4K")),
    ] {
        let error = solve(algorithm, table, &[set]).err().unwrap();
        assert!(error.to_string().contains("table"), "{error}");
    }
    // Only IDA* with one decides between bounds; `ida-table` has one.
    for (algorithm, table) in [
        (Algorithm::IdaCr, TranspositionTable::Auto),
        (Algorithm::IdaTable, TranspositionTable::None),
    ] {
        let error = solve(algorithm, Some(table), &[]).err().unwrap();
        assert!(error.to_string().contains("table"), "{error}");
    }
}

/// Many orders of moves lead to the same tower states. Whatever prunes them, the costs are the
/// same.
#[test]
fn a_table_is_used_from_the_bound_on_from_which_it_pays() {
    let env = Environment::default();
    let game = Game::built_in("blocks:7", &env).unwrap();
    let start = game
        .state("the start", "0 0 6 5 0 0 0 6 7 0 2 1 4 4 0")
        .unwrap();
    let solve = |table, prune: &str, threads| {
        let env = Environment::default().with_pool_of(threads);
        let mut options = SearchOptions {
            heuristic: "misplaced".parse().unwrap(),
            table,
            ..SearchOptions::default()
        };
        options.set("prune", prune).unwrap();
        let solver = Solver::builder(&game)
            .options(options)
            .starts([start.clone()])
            .build(&env)
            .unwrap();
        solver.solve(&start).unwrap()
    };
    let plain = solve(None, "2", 1);
    assert!(plain.table.is_none());
    let ways = [("2", 2), ("auto", 1), ("2", 1), ("none", 1)];
    for (prune, threads) in ways {
        let answer = solve(Some(TranspositionTable::Auto), prune, threads);
        let table = answer.table.as_ref().expect("a table pays");
        assert!(table.lookups > 0);
        assert!(answer.generated < plain.generated, "{prune}");
        let (solution, expected) = (answer.solution().unwrap(), plain.solution().unwrap());
        assert_eq!(solution.cost, expected.cost, "{prune}");
        let bounds =
            |answer: &Answer| -> Vec<u64> { answer.iterations.iter().map(|it| it.bound).collect() };
        assert_eq!(bounds(&answer), bounds(&plain), "each bound once");
    }
    let without = solve(Some(TranspositionTable::None), "2", 1);
    assert_eq!(without.generated, plain.generated);
}

#[test]
fn heuristics_are_chosen_and_solve_what_they_are_tried_on() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("the start", FAR).unwrap();
    let solver = Solver::builder(&game)
        .heuristic(HeuristicSpec::Auto)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    assert!(solver.heuristic().reason.is_some() && solver.is_optimal());
    let answer = solver.solve(&start).unwrap();
    assert_eq!(answer.solution().map(|it| it.cost), Some(28));
    let (found, _) = solver.found(&start).unwrap();
    assert_eq!(found.solution().map(|it| it.cost), Some(28));
}

/// The 8-puzzle's upper half, with two abstraction blocks.
const BLOCKS: &str = "\
6
2 2 2 2 2 2
0 1 - - - - => 1 0 - - - - LABEL swap
- 0 1 - - - => - 1 0 - - - LABEL swap
- - 0 1 - - => - - 1 0 - - LABEL swap
- - - 0 1 - => - - - 1 0 - LABEL swap
- - - - 0 1 => - - - - 1 0 LABEL swap
GOAL 1 1 1 0 0 0
# abstraction: the front
abstraction {
projection { K K K P P P }
}

abstraction { projection { P P P K K K } }
";

/// A move takes one tile to another place, which one of two tables has: it is read once for each
/// child. Both are read for a start, and, in searches that keep states, for each child.
#[test]
fn look_ups_are_counted() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let texts = [FAR, "1 0 2 3 4 5 6 7 8", "3 1 2 0 4 5 6 7 8"];
    let instances = texts.iter().zip(["far", "near", "nearer"]);
    let instance = |(text, name): (&&str, &str)| {
        let state = game.state("a start", text).unwrap();
        Instance::new(name.to_owned(), state, None)
    };
    let judged = Judged {
        instances: instances.map(instance).collect(),
        refutations: texts.iter().map(|_| None).collect(),
    };
    for (algorithm, of_child) in [(Algorithm::Ida, 1), (Algorithm::AStar, 2)] {
        let series_of = |counts| {
            let options = SearchOptions {
                algorithm,
                count_depths: counts,
                ..SearchOptions::default()
            };
            Solver::builder(&game)
                .options(options)
                .heuristic("keep 1-4+keep 5-8".parse().unwrap())
                .starts(judged.open_starts())
                .build(&env)
                .unwrap()
        };
        let solver = series_of(true);
        let mut series = Series::new(&game, &judged, Some(&solver));
        let mut sum = 0;
        while let Some(solved) = series.next() {
            let mut solved = solved.unwrap();
            assert!(solved.answer.cache_misses.is_some());
            solved.answer.cache_misses = None;
            let answer = &solved.answer;
            let lookups = answer.lookups.unwrap();
            // Both tables for a start, once or for each bound; a child that was seen before is not
            // estimated.
            let most = of_child * answer.generated + 2 * (answer.iterations.len() as u128 + 1);
            let estimated = answer
                .kept
                .as_ref()
                .map_or(answer.generated, |it| u128::from(it.states) - 1);
            let of_starts = u128::from(lookups) - of_child * estimated;
            assert!(of_starts >= 2 && of_starts.is_multiple_of(2));
            assert!(u128::from(lookups) <= most, "{lookups} of at most {most}");
            let kept = answer.kept.as_ref();
            let kept = kept.map_or(0.0, |it| it.bytes_per_state * it.states as f64);
            let bytes = 64.0 * lookups as f64 + kept;
            let is_near = |one: f64, other: f64| (one - other).abs() < 1e-6 * other;
            assert!(is_near(
                answer.bytes_per_node().unwrap() * answer.generated as f64,
                bytes
            ));
            sum += lookups;
            let record = series.record(&solved, false, None);
            assert_eq!(record.lookups, Some(lookups));
            assert!(record.bytes_per_node.is_some() && record.lookups_per_node.is_some());
            assert_eq!(record.cache_misses.flatten(), None);
        }
        assert_eq!(series.totals().lookups, Some(sum));

        let solver = series_of(false);
        let mut series = Series::new(&game, &judged, Some(&solver));
        let solved = series.next().unwrap().unwrap();
        let record = series.record(&solved, false, None);
        assert_eq!(record.lookups, None);
        assert_eq!(record.bytes_per_node, None);
    }
}

#[test]
fn cache_misses_are_counted_or_there_is_a_reason() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("a start", "1 0 2 3 4 5 6 7 8").unwrap();
    let judged = |n: usize| Judged {
        instances: (0..n)
            .map(|id| Instance::new(id.to_string(), start.clone(), None))
            .collect(),
        refutations: (0..n).map(|_| None).collect(),
    };
    let options = |count_depths| SearchOptions {
        count_depths,
        ..SearchOptions::default()
    };
    let solver = Solver::builder(&game)
        .options(options(true))
        .build(&env)
        .unwrap();
    let written = |misses| {
        let judged = judged(1);
        let mut series = Series::new(&game, &judged, Some(&solver));
        let mut solved = series.next().unwrap().unwrap();
        assert!(solved.answer.cache_misses.is_some());
        solved.answer.cache_misses = misses;
        solved.answer.generated = 8;
        let record = series.record(&solved, false, None);
        let json = serde_json::to_string(&record).unwrap();
        let read: SolveRecord = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
        json
    };
    let json = written(Some(Ok(2_002)));
    let expected = r#""cache_misses":2002,"cache_misses_per_node":250.25"#;
    assert!(json.contains(expected), "{json}");
    let json = written(Some(Err(NotCounted::NoCounter)));
    let expected = r#""cache_misses":null,"cache_misses_per_node":null"#;
    assert!(json.contains(expected), "{json}");
    assert!(!written(None).contains("cache_"));

    // Nothing is counted unless that was requested.
    let plain = Solver::builder(&game)
        .options(options(false))
        .build(&env)
        .unwrap();
    assert_eq!(plain.solve(&start).unwrap().cache_misses, None);

    // The sum of several searches, or the reason.
    let judged = judged(3);
    let mut series = Series::new(&game, &judged, Some(&solver));
    let mut each = Vec::new();
    for solved in series.by_ref() {
        let solved = solved.unwrap();
        each.push(solved.answer.cache_misses.unwrap());
    }
    let sum: Result<Vec<u64>, NotCounted> = each.into_iter().collect();
    let sum = sum.map(|each| each.iter().sum());
    assert_eq!(series.totals().cache_misses, Some(sum));
}

#[test]
fn patterns_come_from_texts_and_from_blocks_of_the_game() {
    let env = Environment::default();
    let game = Game::parse("blocks.psvn", BLOCKS, &env).unwrap();
    assert_eq!(game.abstraction_names(), ["the front", "2"]);
    let front = named_pattern(&game, Path::new("The Front"), &env).unwrap();
    let text = Pattern::parse(game.ir(), "project 1-3").unwrap();
    assert_eq!(front.abstraction, text.abstraction);
    let missing = named_pattern(&game, Path::new("the back"), &env).unwrap_err();
    let hint = "the game has abstractions of its own: the front, 2";
    assert_eq!(
        missing.hint().map(ToString::to_string).as_deref(),
        Some(hint)
    );

    let options = TableOptions::default();
    let sizes = PatternTables::sizes(game.named(), &[front, text], options.clone()).unwrap();
    assert_eq!(sizes[0].entries, sizes[1].entries);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("back.pdb");
    let back = named_pattern(&game, Path::new("2"), &env).unwrap();
    let built =
        PatternTables::build(game.named(), &[back], Some(&path), options.clone(), &env).unwrap();
    let built = built.report(game.named(), true, true, &env).unwrap();
    let opened = PatternTables::open(game.named(), &[path], options, &env).unwrap();
    let opened = opened.report(game.named(), true, false, &env).unwrap();
    assert_eq!(built.tables[0].distribution, opened.tables[0].distribution);
    assert_eq!(built.written.written.len(), 1);
    assert_eq!(built.checked.unwrap().mistake, None);
}

#[test]
fn walks_and_plans_are_made_and_checked() {
    let env = Environment::default();
    let game = Game::built_in("pancake:5", &env).unwrap();
    let walks = RandomWalks {
        count: 5,
        steps: 4,
        start: None,
        backward: true,
    };
    let ends = walks.walk(&game, &env).unwrap();
    assert_eq!(ends.len(), 5);
    let again = walks.walk(&game, &env).unwrap();
    assert!(
        ends.iter()
            .zip(&again)
            .all(|(one, other)| one.state == other.state)
    );
    let instances: Vec<Instance> = ends
        .iter()
        .map(|end| {
            let state = game.state("an end", &end.state).unwrap();
            Instance::new(
                end.instance.clone(),
                state,
                end.cost_of_walk.map(u128::from),
            )
        })
        .collect();
    let starts = instances.iter().map(|instance| instance.state.clone());
    let solver = Solver::builder(&game).starts(starts).build(&env).unwrap();
    let checker = PlanChecker::new(&game).instances(instances.clone());
    for instance in &instances {
        let answer = solver.solve(&instance.state).unwrap();
        let context = RecordContext {
            solver: Some(&solver),
            ..RecordContext::default()
        };
        let record = SolveRecord::of(&game, instance, &answer, context);
        let json = serde_json::to_string(&Versioned::new(&record)).unwrap();
        assert!(json.starts_with("{\"version\":1,"), "{json}");
        let plans = plan::parse(&serde_json::to_string(&record).unwrap(), "the answers").unwrap();
        let report = checker.check(&plans[0], 0, 1, "the answers").unwrap();
        assert_eq!((report.word(), report.problems.len()), ("right", 0));
    }
}

#[test]
fn pruning_beside_a_closed_list_loses_the_solution() {
    lost_solution::main().unwrap();
}

#[test]
fn a_heuristic_of_ones_own_needs_no_other_crate() {
    own_heuristic::main().unwrap();
}

/// What the tries of a choice have proved stays proved, also where the search that follows is
/// stopped at once, as Ctrl-C may stop it.
#[test]
fn the_bounds_of_tries_are_kept() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:4:4", &env).unwrap();
    let text = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let start = game.state("the start", text).unwrap();
    let options = SearchOptions {
        heuristic: HeuristicSpec::Auto,
        heuristic_memory: 1 << 20,
        limits: Limits {
            nodes: Some(200_000),
            ..Limits::default()
        },
        ..SearchOptions::default()
    };
    let solver = Solver::builder(&game)
        .options(options)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    let answer = solver.solve_within(&start, nodes(1)).unwrap();
    assert!(answer.generated <= 1 && answer.generated_in_tries > 100_000);
    // The first bound is the estimate, 43; the least cost is 57.
    assert_eq!(answer.heuristic_start, Some(43));
    let Some(psvn::solve::Proved::CostsAtLeast(cost)) = answer.proved else {
        panic!("{:?}", answer.proved);
    };
    assert!((51..=57).contains(&cost), "{cost}");
}
