//! Results are data: written as JSON, they are read back unchanged.

use std::path::Path;
use std::time::Duration;

use psvn::analysis::{
    AnalysisReport, Composition, ExplainOptions, IdealRequest, Letters, OperatorsExplained,
    RulesExplained, SplitChoice, Summary, compare_with_ideal, explain, explain_operators,
    root_of_ideal,
};
use psvn::heuristic::{
    AbstractedGame, Pattern, PatternTables, TableOptions, TableSize, TablesReport,
};
use psvn::instance::{Instance, Judged, RandomWalks, WalkEnd};
use psvn::machine::{MachineDescription, Verification, file, verify};
use psvn::solve::plan::{PlanChecker, PlanRecord, parse};
use psvn::solve::{RecordContext, Series, SolveRecord, TreeReport, TreeRequest};
use psvn::{Analysis, Environment, Game, GameDescription, Limits, Pruning, Solver, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::nodes;

/// Write a result, read it, and write it again: nothing is lost, and nothing is refused.
fn survives<T: Serialize + DeserializeOwned>(result: T) {
    let written = serde_json::to_string(&Versioned::new(&result)).unwrap();
    let read: Versioned<T> = serde_json::from_str(&written)
        .unwrap_or_else(|error| panic!("{}: {error}: {written}", std::any::type_name::<T>()));
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
}

#[test]
fn reports_on_games_and_analyses_are_read_back() {
    let env = Environment::default();
    let game = Game::built_in("topspin:6:3", &env).unwrap();
    survives(GameDescription::of(&game));
    let pruning = Pruning {
        split: Some(SplitChoice::Auto),
        ..Pruning::up_to(3)
    };
    let file = Path::new(game.name());
    let (request, analysis) = pruning.analyze_with_request(&game, file, &env).unwrap();
    survives::<Summary>(analysis.summary.clone());
    let elapsed = Duration::from_millis(1500);
    let mut report = AnalysisReport::of(game.named(), &request, &analysis, elapsed).unwrap();
    let wanted = IdealRequest {
        depth: 4,
        most_differences: 3,
        start: root_of_ideal(&game, None).unwrap(),
    };
    let limits = Limits::default();
    let ideal = compare_with_ideal(game.ir(), &request, &analysis, &wanted, &limits, &env);
    report.ideal = Some(ideal.unwrap());
    assert!(report.splits.is_some());
    survives::<AnalysisReport>(report);
}

#[test]
fn explanations_and_proofs_are_read_back() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiles.fsm");
    let analysis = Pruning::up_to(3).analyze(&game, &env).unwrap();
    let mut machine = analysis.machine.clone().unwrap();
    std::fs::write(&path, machine.to_bytes()).unwrap();
    let opened = file::open(&path).unwrap();
    survives::<MachineDescription>(
        MachineDescription::of(&path, &opened, Some(game.ir()), &env).unwrap(),
    );
    survives::<Verification>(verify(&game, &path, &env).unwrap());
    // One that is wrong, with its flaws.
    machine.words.pop();
    machine.words[0].replacements = vec![[0, 0, 0].into()];
    let wrong = folder.path().join("wrong.fsm");
    std::fs::write(&wrong, machine.to_bytes()).unwrap();
    let refuted = verify(&game, &wrong, &env).unwrap();
    assert!(refuted.machine_flaw.is_some() && !refuted.failures.is_empty());
    survives::<Verification>(refuted);

    let options = ExplainOptions {
        trace: true,
        machine: Some(&path),
        ..ExplainOptions::default()
    };
    for words in [["R#1", "L#1"], ["R#1", "D#1"], ["R#1", "R#1"]] {
        let words = words.map(str::to_owned);
        let word = game.rule_names().resolve_all(&words).unwrap();
        survives::<RulesExplained>(explain(&game, &word, &options, &env).unwrap());
        survives::<Composition>(Composition::of(game.ir(), &word, true));
    }
    let labels = ["R", "L"].map(str::to_owned);
    let name = Path::new("gen:sliding-tiles:2:3");
    let options = ExplainOptions::default();
    survives::<OperatorsExplained>(
        explain_operators(&game, &labels, name, &options, &env).unwrap(),
    );
    let by_labels = Pruning {
        letters: Some(Letters::Labels),
        ..Pruning::up_to(3)
    };
    let analysis = by_labels.analyze(&game, &env).unwrap();
    survives::<Summary>(analysis.summary.clone());
}

#[test]
fn answers_plans_and_trees_are_read_back() {
    let env = Environment::default();
    let game = Game::built_in("pancake:5", &env).unwrap();
    let walks = RandomWalks {
        count: 2,
        steps: 4,
        start: None,
        backward: true,
    };
    let ends = walks.walk(&game, &env).unwrap();
    survives::<WalkEnd>(ends[0].clone());
    let state = game.state("an end", &ends[0].state).unwrap();
    let solver = Solver::builder(&game)
        .starts([state.clone()])
        .build(&env)
        .unwrap();
    let answer = solver.solve(&state).unwrap();
    let instance = Instance::new("1".to_owned(), state.clone(), Some(4));
    let context = RecordContext {
        solver: Some(&solver),
        with_states: true,
        ..RecordContext::default()
    };
    let record = SolveRecord::of(&game, &instance, &answer, context);
    let plans = parse(&serde_json::to_string(&record).unwrap(), "the answer").unwrap();
    survives::<SolveRecord>(record);
    let stopped = solver.solve_within(&state, nodes(1)).unwrap();
    survives::<SolveRecord>(SolveRecord::of(&game, &instance, &stopped, context));
    let checker = PlanChecker::new(&game);
    let report = checker.check(&plans[0], 0, 1, "the answer").unwrap();
    survives::<PlanRecord>(report.record(&game, true));
    let request = TreeRequest {
        lengths: vec![0, 2],
        parents: true,
        ..TreeRequest::to_depth(4)
    };
    survives::<TreeReport>(TreeReport::count(&game, &state, &request, &env).unwrap());
}

#[test]
fn a_series_adds_up() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let instance = |name: &str, text: &str, known| {
        let state = game.state("a start", text).unwrap();
        Instance::new(name.to_owned(), state, known)
    };
    let instances = vec![
        instance("near", "1 0 2 3 4 5", Some(1)),
        instance("odd", "0 1 2 3 5 4", None),
        instance("wrong", "1 2 0 3 4 5", Some(1)),
    ];
    let states = instances.iter().map(|it| &it.state);
    let refutations = psvn::instance::refutations(states, &game, &|| false);
    let judged = Judged {
        instances,
        refutations,
    };
    let starts = judged.open_starts();
    assert_eq!(starts.len(), 2);
    let solver = Solver::builder(&game).starts(starts).build(&env).unwrap();
    let mut series = Series::new(&game, &judged, Some(&solver));
    let mut costs = Vec::new();
    while let Some(solved) = series.next() {
        let solved = solved.unwrap();
        let record = series.record(&solved, true, None);
        costs.push(record.cost.map(|cost| cost.0));
        assert_eq!(solved.problem.is_some(), solved.instance.id == "wrong");
    }
    assert_eq!(costs, [Some(1), None, Some(2)]);
    let totals = series.totals();
    assert_eq!((totals.done, totals.solved), (3, 2));
    assert!(totals.preparation >= solver.made_in());
}

#[test]
fn figures_of_tables_are_read_back() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let pattern = Pattern::parse(game.ir(), "keep 0 1 2").unwrap();
    survives::<AbstractedGame>(AbstractedGame::of(&pattern, &game).unwrap());
    let options = TableOptions::default();
    let sizes = PatternTables::sizes(
        game.named(),
        std::slice::from_ref(&pattern),
        options.clone(),
    )
    .unwrap();
    survives::<TableSize>(sizes[0].clone());
    let tables = PatternTables::build(game.named(), &[pattern], None, options, &env).unwrap();
    survives::<TablesReport>(tables.report(game.named(), true, true, &env).unwrap());
}

#[test]
fn what_is_prepared_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Solver>();
    shared::<Game>();
    shared::<Analysis>();
    shared::<Environment>();
}
