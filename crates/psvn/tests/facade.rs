//! The facade, as other programs use it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

/// An example that is run: its assertions check what it shows.
#[path = "../examples/lost_solution.rs"]
mod lost_solution;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use psvn_syntax::Diagnostic;

use psvn::analysis::{
    Assume, Composition, ExplainOptions, Letters, MachineKind, Method, RuleOrderChoice,
    RulesExplained, WordVerdict,
};
use psvn::heuristic::{Pattern, PatternTables, TableOptions};
use psvn::instance::{Instance, InstanceFormat, RandomWalks};
use psvn::machine::{MachineFlaw, TransitionTable, WordFilter, WordList, verify};
use psvn::solve::plan::{self, PlanChecker};
use psvn::solve::{Cycles, RecordContext, SolveRecord, TreeReport, TreeRequest, draw_tree};
use psvn::text::Choice;
use psvn::{
    Algorithm, Answer, Cache, Environment, Error, ErrorKind, Event, Game, HeuristicSpec, Limits,
    Outcome, PruneSpec, Pruning, SearchOptions, Searcher, StopReason, Versioned, check_moves,
};

const EIGHT: &str = "sliding-tiles:3:3";
const FAR: &str = "8 7 6 5 4 3 2 1 0";

fn shared_by_threads<T: Send + Sync>(_: &T) {}

#[test]
fn a_search_is_prepared_once_and_shared_by_threads() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let starts: Vec<_> = [FAR, "1 0 2 3 4 5 6 7 8", "3 1 2 0 4 5 6 7 8"]
        .iter()
        .map(|text| game.state("a start", text).unwrap())
        .collect();
    let analysis = Pruning::up_to(4).analyze(&game, &env).unwrap();
    let searcher = Searcher::builder(&game)
        .machine(&analysis)
        .heuristic("manhattan".parse().unwrap())
        .starts(starts.clone())
        .build(&env)
        .unwrap();
    shared_by_threads(&searcher);
    let costs = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for start in &starts {
            let (searcher, costs, game) = (&searcher, &costs, &game);
            scope.spawn(move || {
                let answer = searcher.run(start).solve().unwrap();
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
        let builder = Searcher::builder(&game).algorithm(algorithm);
        let searcher = builder.starts([start.clone()]).build(&env).unwrap();
        let answer = searcher.run(&start).solve().unwrap();
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
    ] {
        assert_eq!(cost(algorithm), least, "{}", algorithm.name());
    }
    let searcher = Searcher::builder(&game)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    let answer = searcher.run(&start).max_nodes(10).solve().unwrap();
    assert!(matches!(answer.outcome, Outcome::Stopped(_)));
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
        let builder = Searcher::builder(&game).options(options);
        let searcher = builder.starts([start.clone()]).build(&env)?;
        searcher.run(&start).solve()
    };
    let table = Some(1 << 20);
    let cost = |answer: &Answer| answer.solution().unwrap().cost;
    let plain = solve(Algorithm::Ida, None, &[("prune", "2")]).unwrap();
    assert!(plain.table.is_none() && cost(&plain) > 3);
    let by_name = solve(Algorithm::IdaTable, None, &[("memory", "1M")]).unwrap();
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
}

#[test]
fn limits_apply_to_one_run_and_to_one_analysis() {
    let env = Environment::default();
    let game = Game::built_in("pancake:9", &env).unwrap();
    let start = game.state("the start", "5 2 7 1 9 8 4 6 3").unwrap();
    let stopped = |algorithm, limits: Limits| {
        let builder = Searcher::builder(&game).algorithm(algorithm);
        let searcher = builder.starts([start.clone()]).build(&env).unwrap();
        let answer = searcher.run(&start).limits(limits).solve().unwrap();
        // The limits are those of this run only.
        let next = searcher.run(&start).max_nodes(1).solve().unwrap();
        assert!(matches!(next.outcome, Outcome::Stopped(StopReason::Nodes)));
        match answer.outcome {
            Outcome::Stopped(reason) => Some(reason),
            _ => None,
        }
    };
    let none = Limits::default;
    let nodes = Limits {
        nodes: Some(100),
        ..none()
    };
    let memory = Limits {
        memory: Some(1),
        ..none()
    };
    let time = Limits {
        time: Some(Duration::ZERO),
        ..none()
    };
    let flag = Arc::new(AtomicBool::new(true));
    let interrupt = Limits {
        interrupt: Some(flag),
        ..none()
    };
    assert_eq!(
        stopped(Algorithm::Ida, nodes.clone()),
        Some(StopReason::Nodes)
    );
    assert_eq!(stopped(Algorithm::Bfs, nodes), Some(StopReason::Nodes));
    assert_eq!(
        stopped(Algorithm::Bfs, memory.clone()),
        Some(StopReason::Memory)
    );
    assert_eq!(
        stopped(Algorithm::Ida, time.clone()),
        Some(StopReason::Time)
    );
    assert_eq!(
        stopped(Algorithm::Ida, interrupt),
        Some(StopReason::Interrupted)
    );
    let levels = |pruning: Pruning| {
        let analysis = pruning.analyze(&game, &env).unwrap();
        (analysis.summary.levels.len(), analysis.summary.stopped)
    };
    let (all, stopped) = levels(Pruning::up_to(4));
    assert_eq!(stopped, None);
    for (limits, reason) in [(time, StopReason::Time), (memory, StopReason::Memory)] {
        let (some, stopped) = levels(Pruning::up_to(4).limits(limits));
        assert_eq!(stopped, Some(reason));
        assert!(some < all, "{some} of {all}");
    }
}

#[test]
fn unsafe_and_contradictory_requests_are_refused() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let analysis = Pruning::up_to(2).analyze(&game, &env).unwrap();
    let kind = |result: Result<Searcher, Error>| result.err().unwrap().kind();
    // A search that detects duplicates by state may not prune moves.
    let astar = || Searcher::builder(&game).algorithm(Algorithm::AStar);
    assert_eq!(
        kind(astar().machine(&analysis).build(&env)),
        ErrorKind::Usage
    );
    let pruned = astar().prune(PruneSpec::Length(2)).build(&env);
    assert_eq!(kind(pruned), ErrorKind::Usage);
    // A machine serves the game that it was made for.
    let other = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let foreign = Searcher::builder(&other).machine(&analysis).build(&env);
    assert_eq!(kind(foreign), ErrorKind::Input);
    // Depth-first search needs a depth, and the learner operators.
    let dfs = Searcher::builder(&game).algorithm(Algorithm::Dfs);
    assert_eq!(kind(dfs.build(&env)), ErrorKind::Usage);
    let wrong = Pruning {
        method: Method::Learner,
        letters: Some(Letters::Rules),
        ..Pruning::up_to(2)
    };
    let error = wrong.analyze(&game, &env).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.hint().is_some());
}

#[test]
fn starts_that_were_not_announced_are_checked() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let analysis = Pruning::up_to(2).analyze(&game, &env).unwrap();
    let searcher = Searcher::builder(&game)
        .machine(&analysis)
        .build(&env)
        .unwrap();
    let near = game.state("a start", "1 0 2 3 4 5 6 7 8").unwrap();
    assert!(searcher.run(&near).ida_star().unwrap().solution().is_some());
    // Two blanks break an assumption about all states.
    let odd = game.state("a start", "0 0 2 3 4 5 6 7 8").unwrap();
    let error = searcher.run(&odd).ida_star().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
}

#[test]
fn texts_with_errors_come_back_with_places() {
    let env = Environment::default();
    let error = Game::parse("two.psvn", "2\n3 3\n0 X => X\n", &env).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().starts_with("two.psvn:3:"), "{error}");
    let Error::Text(errors) = error else {
        panic!("not an error of a text")
    };
    assert!(
        !errors.text.diagnostics.is_empty()
            && errors.text.diagnostics.iter().all(Diagnostic::is_error)
    );
    let missing = Game::open("no such file", &env).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Input);
    let unknown = Game::built_in("no-such-game", &env).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Usage);
    // Warnings are looked for only if requested. `of` is taken for a variable symbol, and looks
    // like the value `off`.
    let text = "DOMAIN lamp 2 off on\n2\nlamp lamp\noff - => on -\non - => off -\n\
                - of => - on\n- on => - off\nGOAL on on\n";
    let warnings = |env: &Environment| {
        let game = Game::parse("lamps.psvn", text, env).unwrap();
        game.diagnostics().len()
    };
    assert!(warnings(&env) > 0);
    assert_eq!(warnings(&env.with_lints(false)), 0);
}

#[test]
fn work_is_reported_by_events_and_ends_when_it_is_cancelled() {
    let (began, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&began), Arc::clone(&ended));
    let env = Environment::default().with_listener(move |event| {
        match event {
            Event::Began(_) => counts.0.fetch_add(1, Ordering::Relaxed),
            Event::Ended(_) => counts.1.fetch_add(1, Ordering::Relaxed),
            Event::Progress(at) => at.message().len(),
            _ => 0,
        };
    });
    let game = Game::built_in("topspin:10:3", &env).unwrap();
    Pruning::up_to(3).analyze(&game, &env).unwrap();
    assert!(began.load(Ordering::Relaxed) > 0);
    assert_eq!(began.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
    env.cancellation().store(true, Ordering::Relaxed);
    let analysis = Pruning::up_to(9).analyze(&game, &env).unwrap();
    assert_eq!(analysis.summary.stopped, Some(StopReason::Interrupted));
    let start = game.ir().goal_state().unwrap();
    let searcher = Searcher::builder(&game)
        .prune(PruneSpec::None)
        .starts([start.clone()])
        .build(&Environment::default())
        .unwrap();
    assert!(searcher.run(&start).solve().unwrap().solution().is_some());
}

#[test]
fn a_kept_analysis_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    let env = Environment::default().with_cache(cache);
    let game = Game::built_in("topspin:14:3", &env).unwrap();
    let found = Pruning::up_to(3).analyze(&game, &env).unwrap();
    let kept = Pruning::up_to(3).analyze(&game, &env).unwrap();
    assert!(!found.from_cache && kept.from_cache);
    assert_eq!(found.machine, kept.machine);
    assert_eq!(kept.summary.redundant_words, 145);
}

#[test]
fn heuristics_are_chosen_and_solve_what_they_are_tried_on() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("the start", FAR).unwrap();
    let searcher = Searcher::builder(&game)
        .heuristic(HeuristicSpec::Auto)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    assert!(searcher.heuristic().reason.is_some() && searcher.is_optimal());
    let answer = searcher.run(&start).ida_star().unwrap();
    assert_eq!(answer.solution().map(|it| it.cost), Some(28));
    let (found, _) = searcher.found(&start).unwrap();
    assert_eq!(found.solution().map(|it| it.cost), Some(28));
}

#[test]
fn choices_are_found_by_their_names() {
    fn all<T: Choice + std::fmt::Debug>() {
        for choice in T::ALL {
            assert_eq!(T::from_name(choice.name()), Some(*choice));
            assert!(!choice.summary().is_empty());
        }
        assert_eq!(T::from_name(""), None);
    }
    all::<MachineKind>();
    all::<RuleOrderChoice>();
    all::<Letters>();
    all::<Method>();
    all::<Assume>();
    all::<Cycles>();
    all::<InstanceFormat>();
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

#[test]
fn patterns_come_from_texts_and_from_blocks_of_the_game() {
    let env = Environment::default();
    let game = Game::parse("blocks.psvn", BLOCKS, &env).unwrap();
    assert_eq!(game.abstraction_names(), ["the front", "2"]);
    let front = Pattern::named(&game, Path::new("The Front"), &env).unwrap();
    let text = Pattern::parse(&game, "project 1-3").unwrap();
    assert_eq!(front.abstraction, text.abstraction);
    let missing = Pattern::named(&game, Path::new("the back"), &env).unwrap_err();
    let hint = "the game has abstractions of its own: the front, 2";
    assert_eq!(
        missing.hint().map(ToString::to_string).as_deref(),
        Some(hint)
    );

    let options = TableOptions::default();
    let sizes = PatternTables::sizes(&game, &[front, text], options).unwrap();
    assert_eq!(sizes[0].entries, sizes[1].entries);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("back.pdb");
    let back = Pattern::named(&game, Path::new("2"), &env).unwrap();
    let built = PatternTables::build(&game, &[back], Some(&path), options, &env).unwrap();
    let built = built.report(&game, true, true, &env).unwrap();
    let opened = PatternTables::open(&game, &[path], options, &env).unwrap();
    let opened = opened.report(&game, true, false, &env).unwrap();
    assert_eq!(built.tables[0].distribution, opened.tables[0].distribution);
    assert_eq!(built.written.written.len(), 1);
    assert_eq!(built.checked.unwrap().mistake, None);
}

#[test]
fn a_machine_file_is_proved_again() {
    let env = Environment::default();
    let game = Game::built_in("topspin:9:3", &env).unwrap();
    let analysis = Pruning::up_to(3).analyze(&game, &env).unwrap();
    let mut file = analysis.machine.clone().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("topspin.fsm");
    std::fs::write(&path, file.to_bytes()).unwrap();
    let proved = verify(&game, &path, &env).unwrap();
    assert!(proved.valid && proved.failures.is_empty());
    assert_eq!(proved.certificates, analysis.summary.redundant_words);
    // A word that is no longer listed is still forbidden by the machine.
    file.words.pop();
    std::fs::write(&path, file.to_bytes()).unwrap();
    let refuted = verify(&game, &path, &env).unwrap();
    assert!(!refuted.valid);
    assert!(matches!(
        refuted.machine_flaw,
        Some(MachineFlaw::ForbidsTooMuch(_))
    ));
}

#[test]
fn sequences_are_explained_and_trees_counted() {
    let env = Environment::default();
    let game = Game::built_in(EIGHT, &env).unwrap();
    let word = ["R#1".to_owned(), "L#1".to_owned()];
    let word = game.rule_names().resolve_all(&word).unwrap();
    let options = ExplainOptions {
        trace: true,
        ..ExplainOptions::default()
    };
    let explained = RulesExplained::find(&game, &word, options, &env).unwrap();
    assert_eq!(explained.verdict, WordVerdict::Redundant);
    assert!(explained.certificate.unwrap().replacement.word.is_empty());
    assert!(Composition::of(&game, &word, false).valid);

    let request = TreeRequest {
        lengths: vec![0, 2],
        parents: true,
        ..TreeRequest::to_depth(4)
    };
    let start = game.state("the start", FAR).unwrap();
    let report = TreeReport::count(&game, &start, &request, &env).unwrap();
    let totals: Vec<u128> = report.columns.iter().map(|column| column.total).collect();
    assert!(report.complete && totals[0] > totals[1] && totals[1] == totals[2]);
    let drawn = TreeRequest {
        lengths: vec![2],
        ..TreeRequest::to_depth(2)
    };
    let tree = draw_tree(&game, &start, &drawn, None, &env).unwrap();
    assert!(tree.svg().unwrap().starts_with("<svg"));
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
    let searcher = Searcher::builder(&game).starts(starts).build(&env).unwrap();
    let checker = PlanChecker::new(&game).instances(instances.clone());
    for instance in &instances {
        let answer = searcher.run(&instance.state).solve().unwrap();
        let context = RecordContext {
            searcher: Some(&searcher),
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
fn threads_are_handed_in_or_made() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = Arc::new(pool.unwrap());
    let words = |env: &Environment| {
        let game = Game::built_in(EIGHT, env).unwrap();
        let analysis = Pruning::up_to(6).analyze(&game, env).unwrap();
        analysis.summary.redundant_words
    };
    let own = words(&Environment::default());
    assert_eq!(words(&Environment::default().with_pool(pool)), own);
    assert_eq!(words(&Environment::default().with_pool_of(1)), own);
}

#[test]
fn findings_read_like_errors() {
    let finding = Diagnostic::warning("no-inverse", "the rule can't be undone").hint("add one");
    assert_eq!(
        finding.to_string(),
        "warning[no-inverse]: the rule can't be undone (add one)"
    );
}

#[test]
fn longer_sequences_are_pruned_once_that_pays() {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&notes);
    let env = Environment::default().with_listener(move |event| {
        // Short searches report analyses as details.
        if let Event::Note(text) | Event::Detail(text) = event
            && text.contains("the tree grows")
        {
            heard.lock().unwrap().push((*text).to_owned());
        }
    });
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("the start", FAR).unwrap();
    let searcher = |prune: PruneSpec| {
        let builder = Searcher::builder(&game).prune(prune);
        builder.starts([start.clone()]).build(&env).unwrap()
    };
    let fixed = searcher(PruneSpec::Length(2)).run(&start).solve().unwrap();
    assert!(notes.lock().unwrap().is_empty());
    let auto = searcher(PruneSpec::Auto);
    let answer = auto.run(&start).solve().unwrap();
    let said = std::mem::take(&mut *notes.lock().unwrap());
    assert!(
        !said.is_empty() && said[0].contains("redundant sequences up to length"),
        "{said:?}"
    );
    let cost = |answer: &psvn::Answer| answer.solution().unwrap().cost;
    assert_eq!(cost(&answer), cost(&fixed));
    check_moves(&game, &start, &answer.solution().unwrap().moves).unwrap();
    // The bounds are the same, and fewer nodes.
    let bounds = |answer: &psvn::Answer| -> Vec<u64> {
        answer
            .iterations
            .iter()
            .map(|iteration| iteration.bound)
            .collect()
    };
    assert_eq!(bounds(&answer), bounds(&fixed));
    assert!(
        answer.generated < fixed.generated * 9 / 10,
        "{}",
        answer.generated
    );
    let sum: u128 = answer
        .iterations
        .iter()
        .map(|it| u128::from(it.generated))
        .sum();
    assert_eq!(sum, answer.generated);
    // A repeated run and another search give the same result.
    for again in [&auto, &searcher(PruneSpec::Auto)] {
        assert_eq!(
            again.run(&start).solve().unwrap().generated,
            answer.generated
        );
    }
    // A limit holds for all parts together.
    let most = u64::try_from(answer.generated / 2).unwrap();
    let stopped = auto.run(&start).max_nodes(most).solve().unwrap();
    assert!(matches!(
        stopped.outcome,
        Outcome::Stopped(StopReason::Nodes)
    ));
    assert!(stopped.generated <= u128::from(most) + u128::from(most) / 10);
}

#[test]
fn auto_begins_with_what_an_earlier_run_kept() {
    let folder = tempfile::tempdir().unwrap();
    let env = Environment::default().with_cache(psvn::Cache::in_folder(folder.path()));
    let game = Game::built_in(EIGHT, &env).unwrap();
    let start = game.state("the start", FAR).unwrap();
    let solved = |env: &Environment| {
        let builder = Searcher::builder(&game).prune(PruneSpec::Auto);
        let searcher = builder.starts([start.clone()]).build(env).unwrap();
        let answer = searcher.run(&start).solve().unwrap();
        (searcher.pruning().description.clone(), answer)
    };
    let cost = |answer: &psvn::Answer| answer.solution().unwrap().cost;
    let (first, cold) = solved(&env);
    assert_eq!(first, "redundant sequences up to length 2 pruned");
    let (again, warm) = solved(&env);
    assert!(
        again.ends_with("pruned, as an earlier run found them"),
        "{again}"
    );
    assert_eq!(cost(&warm), cost(&cold));
    assert!(warm.generated < cold.generated, "{}", warm.generated);
    check_moves(&game, &start, &warm.solution().unwrap().moves).unwrap();
    // Without the cache, nothing depends on it.
    let (_, without) = solved(&Environment::default());
    assert_eq!(without.generated, cold.generated);
    // What is damaged is found anew, once it is worth it.
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::write(entry.unwrap().path(), "damaged").unwrap();
    }
    let (anew, mended) = solved(&env);
    assert_eq!(anew, first);
    assert_eq!(cost(&mended), cost(&cold));
    assert!(mended.generated <= cold.generated, "{}", mended.generated);
}

#[test]
fn short_searches_are_the_same_with_and_without_auto() {
    let env = Environment::default();
    let game = Game::built_in("pancake:5", &env).unwrap();
    let start = game.state("the start", "3 5 1 4 2").unwrap();
    let nodes = [None, Some(PruneSpec::Auto), Some(PruneSpec::Length(2))].map(|prune| {
        let mut builder = Searcher::builder(&game).starts([start.clone()]);
        if let Some(prune) = prune {
            builder = builder.prune(prune);
        }
        builder
            .build(&env)
            .unwrap()
            .run(&start)
            .solve()
            .unwrap()
            .generated
    });
    assert!(nodes.iter().all(|n| *n == nodes[0]), "{nodes:?}");
    // Searches that keep states prune nothing.
    let builder = Searcher::builder(&game).prune(PruneSpec::Auto);
    let a_star = builder.algorithm(Algorithm::AStar).starts([start.clone()]);
    assert!(a_star.build(&env).unwrap().pruning().machine.is_none());
}

/// The words of an analysis are listed with the facts that they rest on.
#[test]
fn listed_words_name_their_assumptions() {
    let env = Environment::default();
    let game = Game::built_in("hanoi:4:2", &env).unwrap();
    let analysis = Pruning::up_to(3).analyze(&game, &env).unwrap();
    let machine = analysis.machine.as_ref().unwrap();
    let list = WordList::of_analysis(machine, &game).unwrap();
    let filter = WordFilter::default();
    let words = machine.words.iter().cloned().map(Ok);
    let listed: Vec<_> = list.explain(words, &filter).map(Result::unwrap).collect();
    assert_eq!(listed.len(), analysis.summary.redundant_words);
    // Fewer words are redundant in all states: some of these need an invariant, but not all do.
    let needs = listed.iter().filter(|word| !word.invariants.is_empty());
    let n_needs = needs.clone().count();
    assert!(0 < n_needs && n_needs < listed.len(), "{n_needs}");
    for word in needs {
        assert!(!word.implied.is_empty());
        let is_assumed = |line: &String| machine.assumptions.contains(line);
        assert!(word.invariants.iter().all(is_assumed));
    }
    let wrong = WordFilter::new(None, &["nobody".to_owned()], list.names());
    assert!(wrong.is_err());
}

/// The goal of Figure 1's game can't be left: its invariants say nothing about states on the way to
/// it.
#[test]
fn nothing_is_assumed_from_a_goal_without_a_way_back() {
    let env = Environment::default();
    let game = Game::built_in("ghi", &env).unwrap();
    let analysis = Pruning::up_to(2).analyze(&game, &env).unwrap();
    assert_eq!(analysis.summary.redundant_words, 1);
    let by_goal = Pruning {
        invariants: Some(Assume::Goal),
        ..Pruning::up_to(2)
    };
    let analysis = by_goal.analyze(&game, &env).unwrap();
    assert_eq!(analysis.summary.redundant_words, 0);
    assert_eq!(analysis.summary.levels[0].unreachable, 3);
}

/// A row of the table gives the next state of each letter, from the state that its word leads to.
#[test]
fn tables_list_the_transitions() {
    let env = Environment::default();
    let game = Game::built_in("topspin:6:3", &env).unwrap();
    let analysis = Pruning::up_to(3).analyze(&game, &env).unwrap();
    let machine = analysis.machine.as_ref().unwrap();
    let file = fsm::OpenFile::from_bytes(machine.to_bytes()).unwrap();
    let table = TransitionTable::of(&file, Some(&game)).unwrap();
    let rows: Vec<_> = table.rows().collect();
    let letters = table.letters();
    assert_eq!(letters.len(), game.ir().rules().len());
    assert_eq!(rows[0].state, table.start());
    let row_of = |state: usize| rows.iter().find(|row| row.state == state).unwrap();
    for row in &rows {
        let mut at = table.start();
        for letter in row.word.as_ref().unwrap() {
            let place = letters.iter().position(|name| name == letter).unwrap();
            at = row_of(at).next[place];
        }
        assert_eq!(at, row.state);
    }
    for word in &machine.words {
        let mut at = table.start();
        for letter in &*word.word {
            assert_ne!(at, 0);
            at = row_of(at).next[*letter as usize];
        }
        assert_eq!(at, 0);
    }
}

#[test]
fn pruning_beside_a_closed_list_loses_the_solution() {
    lost_solution::main().unwrap();
}
