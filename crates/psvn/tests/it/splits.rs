//! Rules split by values, from the analysis to the plan.

use std::path::Path;

use psvn::analysis::{IdealRequest, SplitChoice, compare_with_ideal, root_of_ideal};
use psvn::machine::verify;
use psvn::solve::{Cycles, TreeReport, TreeRequest, goal_state};
use psvn::{
    Algorithm, Environment, Game, Limits, Outcome, PruneSpec, Pruning, SearchOptions, Solver,
};
use psvn_ir::{RuleId, State};

fn split_up_to(max_length: usize) -> Pruning {
    Pruning {
        split: Some(SplitChoice::Auto),
        ..Pruning::up_to(max_length)
    }
}

/// Follow a plan in the rules of the file. Return its end and its cost.
fn follow(game: &Game, start: &State, moves: &[RuleId]) -> (State, u128) {
    let mut state = start.clone();
    let mut cost = 0;
    for rule in moves {
        let rule = &game.ir().rule(*rule).canonical;
        assert!(rule.applies_to(state.values()));
        cost += u128::from(rule.cost());
        state = State::new(rule.apply(state.values()));
    }
    (state, cost)
}

/// The nodes by depth of a tree with the machine of a file, and of the ideal one.
fn trees(reference: &str, max_length: usize, depth: usize, folder: &Path) -> [Vec<u128>; 2] {
    let env = Environment::default();
    let game = Game::built_in(reference, &env).unwrap();
    let (request, analysis) = split_up_to(max_length)
        .analyze_with_request(&game, Path::new(reference), &env)
        .unwrap();
    let wanted = IdealRequest {
        depth,
        most_differences: 0,
        start: root_of_ideal(&game, None).unwrap(),
    };
    let limits = Limits::default();
    let ideal = compare_with_ideal(game.ir(), &request, &analysis, &wanted, &limits, &env).unwrap();
    let path = folder.join("machine.fsm");
    std::fs::write(&path, analysis.machine.as_ref().unwrap().to_bytes()).unwrap();
    let verified = verify(&game, &path, &env).unwrap();
    assert!(verified.valid, "{reference}: {verified:?}");
    let request = TreeRequest {
        machines: vec![path],
        lengths: vec![max_length],
        split: Some(SplitChoice::Auto),
        ..TreeRequest::to_depth(depth as u64)
    };
    let report = TreeReport::count(&game, &goal_state(&game).unwrap(), &request, &env).unwrap();
    let nodes = |column: usize| -> Vec<u128> {
        let nodes = &report.columns[column].nodes;
        nodes.iter().map(|nodes| nodes.0).collect()
    };
    assert_eq!(nodes(0), nodes(1), "{reference}");
    let split = |at: &psvn::analysis::IdealDepth| at.split.unwrap_or(at.machine);
    assert_eq!(nodes(0), ideal.depths.iter().map(split).collect::<Vec<_>>());
    [nodes(0), ideal.depths.iter().map(|at| at.ideal).collect()]
}

#[test]
fn machines_over_parts_leave_the_ideal_tree() {
    let folder = tempfile::tempdir().unwrap();
    let games = [("slide-jump:2", 4), ("gripper:3", 5), ("slide-jump:3", 4)];
    for (reference, max_length) in games {
        let [machine, ideal] = trees(reference, max_length, 10, folder.path());
        assert_eq!(machine, ideal, "{reference}");
    }
}

#[test]
fn plans_are_of_the_rules_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let env = Environment::default();
    let games = [
        ("slide-jump:2", 3, "x x o _ o"),
        ("slide-jump:3", 4, "x x x _ o o o"),
    ];
    for (reference, max_length, start) in games {
        let game = Game::built_in(reference, &env).unwrap();
        let start = game.state("the start", start).unwrap();
        let goal = goal_state(&game).unwrap();
        let solve = |options: SearchOptions| {
            let solver = Solver::builder(&game)
                .options(options)
                .starts([start.clone()])
                .build(&env)
                .unwrap();
            let answer = solver.solve(&start).unwrap();
            let solution = answer.solution().cloned();
            if let Outcome::Solved(solution) = &answer.outcome {
                let end = follow(&game, &start, &solution.moves);
                assert_eq!(end, (goal.clone(), solution.cost));
            }
            (solution.map(|it| it.cost), answer.generated)
        };
        let (least, _) = solve(SearchOptions {
            algorithm: Algorithm::Bfs,
            ..SearchOptions::default()
        });
        assert!(least.is_some(), "{reference}");
        let path = folder.path().join("machine.fsm");
        let analysis = split_up_to(max_length).analyze(&game, &env).unwrap();
        let machine = analysis.machine.as_ref().unwrap();
        assert!(!machine.parts.is_empty(), "{reference}");
        std::fs::write(&path, machine.to_bytes()).unwrap();
        for algorithm in [
            Algorithm::Ida,
            Algorithm::Dfid,
            Algorithm::IdaTable,
            Algorithm::BranchAndBound,
        ] {
            let options = |prune: PruneSpec, split: SplitChoice| SearchOptions {
                algorithm,
                prune: Some(prune),
                split,
                heuristic: match algorithm {
                    Algorithm::Dfid => psvn::HeuristicSpec::zero(),
                    _ => "goal-count".parse().unwrap(),
                },
                ..SearchOptions::default()
            };
            let file = || PruneSpec::File(path.clone());
            let length = || PruneSpec::Length(max_length);
            let by_file = solve(options(file(), SplitChoice::None));
            let by_length = solve(options(length(), SplitChoice::Auto));
            let whole = solve(options(length(), SplitChoice::None));
            assert_eq!(by_file, by_length, "{reference}, {algorithm:?}");
            assert_eq!((by_file.0, whole.0), (least, least), "{reference}");
            if algorithm != Algorithm::IdaTable {
                assert!(by_file.1 < whole.1, "{reference}, {algorithm:?}");
            }
        }
        let cycles = SearchOptions {
            cycles: Cycles::Path,
            prune: Some(PruneSpec::File(path.clone())),
            ..SearchOptions::default()
        };
        assert_eq!(solve(cycles).0, least);
    }
}

/// Faults planted in the parts of a file are refused before its words are checked.
#[test]
fn planted_faults_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.fsm");
    let env = Environment::default();
    let game = Game::built_in("slide-jump:2", &env).unwrap();
    let analysis = split_up_to(4).analyze(&game, &env).unwrap();
    let honest = analysis.machine.clone().unwrap();
    let split = honest.parts.iter().position(|parts| parts.len() > 1);
    let split = split.unwrap();
    let flaw = |file: &fsm::MachineFile| {
        std::fs::write(&path, file.to_bytes()).unwrap();
        let verified = verify(&game, &path, &env).unwrap();
        assert!(!verified.valid);
        verified.parts_flaw
    };
    // The same number of letters, but one is a wrong part.
    let mut file = honest.clone();
    file.parts[split][1] = file.parts[split][0].clone();
    assert!(flaw(&file).is_some());
    // A part without its conditions overlaps the others.
    let mut file = honest.clone();
    file.parts[split][0].conditions.clear();
    assert!(flaw(&file).is_some());
    // Parts of other rules: of the rule before, of the next one.
    let mut file = honest.clone();
    let moved = file.parts[split].remove(0);
    let other = if split == 0 { 1 } else { split - 1 };
    file.parts[other].push(moved);
    assert!(flaw(&file).is_some());
    // Parts in another order are right, but the words then name other parts.
    let mut file = honest.clone();
    file.parts[split].reverse();
    assert_eq!(flaw(&file), None);
    std::fs::write(&path, honest.to_bytes()).unwrap();
    assert!(verify(&game, &path, &env).unwrap().valid);
}

#[test]
fn searches_continue_with_parts_once_longer_sequences_are_compared() {
    let env = Environment::default();
    let game = Game::built_in("slide-jump:3", &env).unwrap();
    let start = game.state("the start", "x x x _ o o o").unwrap();
    let solve = |split: SplitChoice| {
        let options = SearchOptions {
            split,
            heuristic: psvn::HeuristicSpec::zero(),
            ..SearchOptions::default()
        };
        assert_eq!(options.prune, None);
        let solver = Solver::builder(&game)
            .options(options)
            .starts([start.clone()])
            .build(&env)
            .unwrap();
        let answer = solver.solve(&start).unwrap();
        let solution = answer.solution().unwrap();
        let end = follow(&game, &start, &solution.moves);
        assert_eq!(end, (goal_state(&game).unwrap(), solution.cost));
        (solution.cost, answer.generated)
    };
    let (least, whole) = solve(SplitChoice::None);
    let (cost, of_parts) = solve(SplitChoice::All);
    assert_eq!((least, cost), (15, 15));
    // The first bounds are searched with whole rules.
    assert!(
        of_parts < whole && of_parts > whole / 10,
        "{of_parts} of {whole}"
    );
    assert_eq!(solve(SplitChoice::Auto).0, 15);
}
