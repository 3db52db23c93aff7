//! Analyses and machines: kept, proved, explained, and deepened while searches run.

use super::*;

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
    let explained = explain(&game, &word, &options, &env).unwrap();
    assert_eq!(explained.verdict, WordVerdict::Redundant);
    assert!(explained.certificate.unwrap().replacement.word.is_empty());
    assert!(Composition::of(game.ir(), &word, false).valid);

    let request = TreeRequest {
        lengths: vec![0, 2],
        parents: true,
        ..TreeRequest::to_depth(4)
    };
    let start = game.state("the start", FAR).unwrap();
    let report = TreeReport::count(&game, &start, &request, &env).unwrap();
    let totals: Vec<u128> = report.columns.iter().map(|column| column.total).collect();
    assert!(report.complete && totals[0] > totals[1] && totals[1] == totals[2]);
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
    let solver = |prune: PruneSpec| {
        let builder = Solver::builder(&game).prune(prune);
        builder.starts([start.clone()]).build(&env).unwrap()
    };
    let fixed = solver(PruneSpec::Length(2)).solve(&start).unwrap();
    assert!(notes.lock().unwrap().is_empty());
    let auto = solver(PruneSpec::Auto);
    let answer = auto.solve(&start).unwrap();
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
    for again in [&auto, &solver(PruneSpec::Auto)] {
        assert_eq!(again.solve(&start).unwrap().generated, answer.generated);
    }
    // A limit holds for all parts together.
    let most = u64::try_from(answer.generated / 2).unwrap();
    let stopped = auto.solve_within(&start, nodes(most)).unwrap();
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
        let builder = Solver::builder(&game).prune(PruneSpec::Auto);
        let solver = builder.starts([start.clone()]).build(env).unwrap();
        let answer = solver.solve(&start).unwrap();
        (solver.pruning().sequences.clone().unwrap(), answer)
    };
    let cost = |answer: &psvn::Answer| answer.solution().unwrap().cost;
    let (first, cold) = solved(&env);
    assert_eq!(first, psvn::solve::PrunedSequences::up_to(2));
    let (again, warm) = solved(&env);
    assert!(again.from_earlier_run, "{again:?}");
    assert_eq!(cold.pruning.as_ref().unwrap().sequences[0], first);
    assert_eq!(warm.pruning.as_ref().unwrap().sequences[0], again);
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
        let mut builder = Solver::builder(&game).starts([start.clone()]);
        if let Some(prune) = prune {
            builder = builder.prune(prune);
        }
        builder
            .build(&env)
            .unwrap()
            .solve(&start)
            .unwrap()
            .generated
    });
    assert!(nodes.iter().all(|n| *n == nodes[0]), "{nodes:?}");
    // Searches that keep states prune nothing.
    let builder = Solver::builder(&game).prune(PruneSpec::Auto);
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
    let list = WordList::of_analysis(machine, game.ir()).unwrap();
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
    let table = TransitionTable::of(&file, Some(game.ir())).unwrap();
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
