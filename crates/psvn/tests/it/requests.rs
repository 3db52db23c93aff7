//! Requests: what is refused, limited, reported and cancelled.

use super::*;

#[test]
fn limits_apply_to_one_run_and_to_one_analysis() {
    let env = Environment::default();
    let game = Game::built_in("pancake:9", &env).unwrap();
    let start = game.state("the start", "5 2 7 1 9 8 4 6 3").unwrap();
    let stopped = |algorithm, limits: Limits| {
        let builder = Solver::builder(&game).algorithm(algorithm);
        let solver = builder.starts([start.clone()]).build(&env).unwrap();
        let answer = solver.solve_within(&start, limits).unwrap();
        // The limits are those of this run only.
        let next = solver.solve_within(&start, nodes(1)).unwrap();
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
    let kind = |result: Result<Solver, Error>| result.err().unwrap().kind();
    // A search that detects duplicates by state may not prune moves.
    let astar = || Solver::builder(&game).algorithm(Algorithm::AStar);
    assert_eq!(
        kind(astar().machine(&analysis).build(&env)),
        ErrorKind::Usage
    );
    let pruned = astar().prune(PruneSpec::Length(2)).build(&env);
    assert_eq!(kind(pruned), ErrorKind::Usage);
    // A machine serves the game that it was made for.
    let other = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let foreign = Solver::builder(&other).machine(&analysis).build(&env);
    assert_eq!(kind(foreign), ErrorKind::Input);
    // Depth-first search needs a depth, and the learner operators.
    let dfs = Solver::builder(&game).algorithm(Algorithm::Dfs);
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
    let solver = Solver::builder(&game)
        .machine(&analysis)
        .build(&env)
        .unwrap();
    let near = game.state("a start", "1 0 2 3 4 5 6 7 8").unwrap();
    assert!(solver.solve(&near).unwrap().solution().is_some());
    // Two blanks break an assumption about all states.
    let odd = game.state("a start", "0 0 2 3 4 5 6 7 8").unwrap();
    let error = solver.solve(&odd).err().unwrap();
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
    assert_eq!(warnings(&env.with_lints(psvn::Lints::None)), 0);
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
    let solver = Solver::builder(&game)
        .prune(PruneSpec::None)
        .starts([start.clone()])
        .build(&Environment::default())
        .unwrap();
    assert!(solver.solve(&start).unwrap().solution().is_some());
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

#[test]
fn any_number_of_threads_finds_the_same() {
    let words = |env: &Environment| {
        let game = Game::built_in(EIGHT, env).unwrap();
        let analysis = Pruning::up_to(6).analyze(&game, env).unwrap();
        analysis.summary.redundant_words
    };
    let own = words(&Environment::default());
    for threads in [1, 2] {
        assert_eq!(words(&Environment::default().with_pool_of(threads)), own);
    }
}

#[test]
fn findings_read_like_errors() {
    let finding = Diagnostic::warning("no-inverse", "the rule can't be undone").hint("add one");
    assert_eq!(
        finding.to_string(),
        "warning[no-inverse]: the rule can't be undone (add one)"
    );
}
