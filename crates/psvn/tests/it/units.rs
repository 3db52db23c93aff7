//! Searches and counts in units, compared with those of one process.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use psvn::instance::Instance;
use psvn::solve::units::{
    OpenUnits, Prepared, Rounds, Splitting, WorkedUnit, options_for_units, work,
};
use psvn::solve::{TreeReport, TreeRequest};
use psvn::text::Source;
use psvn::{
    Answer, Bound, Environment, Error, Game, Limits, Outcome, SearchOptions, Solver, State,
    StopReason,
};

/// The rules of a game, with costs by the number of the rule.
fn with_costs(text: &str, cost: impl Fn(usize) -> usize) -> String {
    let mut number = 0;
    let lines = text.lines().map(|line| {
        if !line.contains("=>") {
            return format!("{line}\n");
        }
        number += 1;
        let cost = cost(number);
        match line.split_once(" LABEL") {
            Some((rule, label)) => format!("{rule} COST {cost} LABEL{label}\n"),
            None => format!("{line} COST {cost}\n"),
        }
    });
    lines.collect()
}

fn generated(name: &str, parameters: &[&str]) -> String {
    domains::generate(name, parameters).expect("a known game")
}

fn options(named: &[(&str, &str)]) -> SearchOptions {
    let mut options = SearchOptions::default();
    for (name, value) in named {
        options.set(name, value).expect("an option");
    }
    options_for_units(&options).expect("a search that can be split")
}

/// A search, and how it is split.
struct Case {
    source: Source,
    start: String,
    options: SearchOptions,
    units: u64,
    after: Duration,
}

impl Case {
    fn new(text: &str, start: &str, named: &[(&str, &str)], units: u64) -> Self {
        Self {
            source: Source::new("a-game.psvn", text),
            start: start.to_owned(),
            options: options(named),
            units,
            after: Duration::ZERO,
        }
    }

    fn solver(&self, env: &Environment) -> (Solver, State) {
        let game = Game::from_source(self.source.clone(), env).expect("a game");
        let start = game.state("the start", &self.start).expect("a state");
        let solver = Solver::builder(&game)
            .options(self.options.clone())
            .starts([start.clone()])
            .build(env)
            .expect("a search");
        (solver, start)
    }

    /// The answer of one process.
    fn alone(&self) -> Answer {
        let (solver, start) = self.solver(&Environment::default());
        solver.solve(&start).expect("an answer")
    }

    fn plan(&self, folder: &Path) -> Result<(Answer, Option<OpenUnits>), Error> {
        let env = Environment::default();
        let (solver, start) = self.solver(&env);
        let splitting = Splitting {
            folder,
            units: self.units,
            after: self.after,
        };
        let instance = Instance::new("1".to_owned(), start.clone(), None);
        let (rounds, solver) =
            Rounds::of_search(&splitting, &self.source, solver, &instance, &env)?;
        let answer = solver.solve_handed_out(&start, &rounds)?;
        Ok((answer, rounds.end()?.0))
    }

    /// The answer of units, which are done by `work_on`.
    fn in_units(&self, folder: &Path, work_on: &mut dyn FnMut(Vec<PathBuf>)) -> Answer {
        let (mut answer, mut open) = self.plan(folder).expect("a plan");
        while open.is_some() {
            work_on(units(folder));
            (answer, open) = join(folder).expect("all units are done");
            assert!(open.as_ref().is_none_or(|open| open.is_new), "{open:?}");
        }
        answer
    }
}

/// The units in a folder, in order.
fn units(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let mut units: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|end| end == "unit"))
        .collect();
    units.sort();
    units
}

fn join(folder: &Path) -> Result<(Answer, Option<OpenUnits>), Error> {
    let env = Environment::default();
    let (rounds, prepared) = Rounds::join(folder, &Limits::default(), &env)?;
    let Prepared::Search { judged, solver, .. } = prepared else {
        panic!("a search");
    };
    let start = &judged.instances[0].state;
    let answer = solver.solve_handed_out(start, &rounds)?;
    Ok((answer, rounds.end()?.0))
}

fn done(unit: &Path) -> WorkedUnit {
    let worked = work(unit, &Limits::default(), &Environment::default()).expect("it is done");
    assert!(worked.complete, "{worked:?}");
    worked
}

/// The outcome with its cost, and the counts of each bound, the last one only where all of it was
/// searched.
fn of_answer(answer: &Answer) -> String {
    let cost = answer.solution().map(|solution| solution.cost);
    let mut bounds = answer.iterations.clone();
    if cost.is_some() {
        bounds.pop();
    }
    // Counts by depth are sums over all bounds, the last one included.
    let depths = answer.levels.len().min(10);
    format!(
        "{} {cost:?} {bounds:?} {:?} {depths}",
        answer.outcome.code(),
        answer.cycle_detection
    )
}

/// A game whose rules lead upward only.
fn counters() -> String {
    let row = |place: usize, value: &str| {
        let words = (0..6).map(|other| if other == place { value } else { "-" });
        words.collect::<Vec<_>>().join(" ")
    };
    let rules = (0..6).flat_map(|place| {
        [("0", "1"), ("1", "2")].map(|(from, to)| {
            let (from, to) = (row(place, from), row(place, to));
            format!("{from} => {to}\n")
        })
    });
    let rules: String = rules.collect();
    format!("6  3 3 3 3 3 3\n{rules}GOAL 2 2 2 2 2 1\n")
}

const TILES: &str = "8 7 6 5 4 3 2 1 0";

/// Games with starts: rules of the same cost and of other ones, with and without a solution.
fn cases() -> Vec<Case> {
    let pancakes = generated("pancake", &["8"]);
    let weighted = with_costs(&pancakes, |number| 1 + number % 3);
    let start = "5 3 4 1 2 8 7 6";
    let mut cases = Vec::new();
    for prune in ["none", "parent", "2", "3"] {
        let prune = ("prune", prune);
        cases.push(Case::new(&pancakes, start, &[prune], 7));
        cases.push(Case::new(&weighted, start, &[prune], 5));
        // Trees bounded by depth are cut further down.
        let far = "8 3 5 1 7 2 6 4";
        cases.push(Case::new(
            &pancakes,
            far,
            &[prune, ("algorithm", "dfid")],
            3,
        ));
    }
    let more_tiles = generated("sliding-tiles", &["3", "4"]);
    let hard = "10 8 11 6 9 7 5 0 4 2 3 1";
    // Each unit builds its tables.
    let by_table = [("heuristic", "manhattan,keep 0-2"), ("prune", "2")];
    cases.push(Case::new(&more_tiles, hard, &by_table, 2));
    for heuristic in ["manhattan", "linear-conflict"] {
        let named = [("heuristic", heuristic), ("prune", "2")];
        cases.push(Case::new(&more_tiles, hard, &named, 9));
        let wida = [named[0], named[1], ("algorithm", "wida"), ("weight", "9/8")];
        cases.push(Case::new(&more_tiles, hard, &wida, 2));
    }
    let weighted_by_h = [("heuristic", "misplaced"), ("prune", "2")];
    cases.push(Case::new(&weighted, start, &weighted_by_h, 9));
    let counted = [("heuristic", "manhattan"), ("stats", "true")];
    cases.push(Case::new(&more_tiles, hard, &counted, 9));
    // Five counters up to 2, and one that must go back.
    for start in ["0 0 0 0 0 2", "0 0 0 0 0 1"] {
        cases.push(Case::new(&counters(), start, &[("prune", "none")], 6));
    }
    // The goal itself, and its neighbor.
    cases.push(Case::new(&pancakes, "1 2 3 4 5 6 7 8", &[], 7));
    cases.push(Case::new(&pancakes, "2 1 3 4 5 6 7 8", &[], 7));
    cases
}

#[test]
fn units_find_what_one_process_finds() {
    for case in cases() {
        let expected = of_answer(&case.alone());
        let folder = tempfile::tempdir().expect("a folder");
        let mut rounds = 0;
        let answer = case.in_units(folder.path(), &mut |units| {
            rounds += 1;
            for unit in units {
                done(&unit);
            }
        });
        let name = format!("{} {:?}", case.start, case.options.named());
        assert_eq!(of_answer(&answer), expected, "{name}");
        let is_goal = answer.solution().is_some_and(|it| it.moves.len() < 2);
        assert!(rounds > 0 || is_goal, "nothing was split: {name}");
        // What is finished has its answer in the plan.
        let (again, open) = join(folder.path()).expect("it is finished");
        assert_eq!((of_answer(&again), open), (expected, None), "{name}");
        assert_eq!(units(folder.path()), Vec::<PathBuf>::new());
    }
}

/// The solution, too.
fn with_moves(answer: &Answer) -> (String, String) {
    (
        of_answer(answer),
        format!("{:?} {:?}", answer.solution(), answer.iterations),
    )
}

#[test]
fn neither_order_nor_number_nor_repetition_of_units_matters() {
    let far = "8 0 6 5 4 7 2 3 1";
    let tiles = generated("sliding-tiles", &["3", "3"]);
    let named = [("heuristic", "manhattan"), ("prune", "2")];
    let mut expected = None;
    for n_units in [1, 5, 40] {
        for way in 0..4 {
            let case = Case::new(&tiles, far, &named, n_units);
            let folder = tempfile::tempdir().expect("a folder");
            let answer = case.in_units(folder.path(), &mut |mut units| match way {
                0 => units.iter().for_each(|unit| drop(done(unit))),
                1 => units.iter().rev().for_each(|unit| drop(done(unit))),
                // Twice at the same time.
                2 => std::thread::scope(|scope| {
                    for _ in 0..2 {
                        scope.spawn(|| units.iter().for_each(|unit| drop(done(unit))));
                    }
                }),
                _ => {
                    units.extend_from_within(..);
                    units.rotate_left(n_units as usize / 2);
                    units.iter().for_each(|unit| drop(done(unit)));
                }
            });
            // One process has the same cost, but may find another one of the solutions.
            assert_eq!(of_answer(&answer), of_answer(&case.alone()));
            let found = with_moves(&answer);
            let first = expected.get_or_insert_with(|| found.clone());
            assert_eq!(found.0, first.0);
        }
    }
}

#[test]
fn the_same_solution_is_found_in_any_order() {
    let tiles = generated("sliding-tiles", &["3", "3"]);
    let named = [("heuristic", "manhattan"), ("prune", "2")];
    let case = Case::new(&tiles, TILES, &named, 6);
    let solutions = [false, true].map(|is_backward| {
        let folder = tempfile::tempdir().expect("a folder");
        let answer = case.in_units(folder.path(), &mut |mut units| {
            if is_backward {
                units.reverse();
            }
            units.iter().for_each(|unit| drop(done(unit)));
        });
        with_moves(&answer)
    });
    assert_eq!(solutions[0], solutions[1]);
}

#[test]
fn a_unit_continues_after_a_limit() {
    let tiles = generated("sliding-tiles", &["3", "3"]);
    let named = [("heuristic", "misplaced"), ("prune", "2")];
    let case = Case::new(&tiles, TILES, &named, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits {
        nodes: Some(1000),
        ..Limits::default()
    };
    let mut stops = 0;
    let answer = case.in_units(folder.path(), &mut |units| {
        for unit in units {
            let mut before = 0;
            let env = Environment::default();
            loop {
                let worked = work(&unit, &limits, &env).expect("a unit");
                assert!(worked.known >= before);
                before = worked.known + worked.searched;
                // The nodes that it makes to come to its round count, too.
                assert!(worked.generated <= 1000, "{worked:?}");
                if worked.complete {
                    break;
                }
                assert_eq!(worked.stopped, Some(StopReason::Nodes));
                stops += 1;
                if worked.searched == 0 {
                    // One of its subtrees is larger than that.
                    done(&unit);
                    break;
                }
            }
            let again = done(&unit);
            assert_eq!((again.searched, again.generated), (0, 0));
        }
    });
    assert!(stops > 3, "{stops}");
    assert_eq!(of_answer(&answer), of_answer(&case.alone()));
    // A cancelled unit keeps what it has, too.
    let folder = tempfile::tempdir().expect("a folder");
    case.plan(folder.path()).expect("a plan");
    let env = Environment::default();
    env.cancellation().store(true, Ordering::Relaxed);
    let first = &units(folder.path())[0];
    match work(first, &Limits::default(), &env) {
        Ok(worked) => assert_eq!(worked.stopped, Some(StopReason::Interrupted)),
        Err(error) => assert_eq!(error.kind(), psvn::ErrorKind::Interrupted, "{error}"),
    }
    done(first);
}

/// A folder in which the first round of a search is split.
fn split_folder(case: &Case) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (answer, open) = case.plan(folder.path()).expect("a plan");
    assert!(matches!(answer.outcome, Outcome::Stopped(_)));
    assert!(open.is_some());
    folder
}

fn pancakes(start: &str) -> Case {
    Case::new(&generated("pancake", &["8"]), start, &[("prune", "2")], 3)
}

#[test]
fn what_is_missing_is_said_and_made_again() {
    let case = pancakes("8 3 5 1 7 2 6 4");
    let folder = split_folder(&case);
    let all = units(folder.path());
    done(&all[1]);
    let open = |folder: &Path| join(folder).expect("it is joined").1.expect("it is open");
    assert_eq!(
        (open(folder.path()).done, open(folder.path()).missing),
        (1, vec![1, 3])
    );
    let bytes = std::fs::read(&all[0]).expect("a unit");
    std::fs::remove_file(&all[0]).expect("it is removed");
    std::fs::write(&all[2], "nonsense").expect("it is written");
    assert_eq!(open(folder.path()).missing, [1, 3]);
    assert_eq!(std::fs::read(&all[0]).expect("it is back"), bytes);
    done(&all[2]);
    done(&all[0]);
    assert_ne!(
        join(folder.path())
            .expect("it is joined")
            .1
            .map(|open| open.is_new),
        Some(false)
    );
    // The same plan continues as well, and another one doesn't take its place.
    let again = case.plan(folder.path()).expect("the same search");
    assert!(again.1.is_some());
    let error = pancakes("1 3 2 4 5 6 7 8").plan(folder.path()).err();
    let error = error.expect("another search").to_string();
    assert!(error.contains("has the units of another search"), "{error}");
    let error = join(&folder.path().join("nowhere"))
        .err()
        .expect("nothing there")
        .to_string();
    assert!(error.contains("isn't a folder of units"), "{error}");
}

fn rejected(unit: &Path) -> String {
    let worked = work(unit, &Limits::default(), &Environment::default());
    worked.expect_err("it is rejected").to_string()
}

#[test]
fn files_of_something_else_are_rejected() {
    let case = pancakes("8 3 5 1 7 2 6 4");
    let folder = split_folder(&case);
    let other = split_folder(&pancakes("7 1 5 3 8 2 6 4"));
    let unit = &units(folder.path())[0];
    let result = unit.with_extension("result");
    done(unit);
    let other_unit = &units(other.path())[0];
    done(other_unit);
    // A result of another search, and of another unit.
    for foreign in [
        other_unit.with_extension("result"),
        units(folder.path())[1].with_extension("result"),
    ] {
        done(&units(folder.path())[1]);
        let own = std::fs::read(&result).expect("a result");
        std::fs::copy(&foreign, &result).expect("it is copied");
        assert!(rejected(unit).contains("is the result of another search"));
        let error = join(folder.path())
            .err()
            .expect("it is rejected")
            .to_string();
        assert!(error.contains("is the result of another search"), "{error}");
        std::fs::write(&result, own).expect("it is back");
    }
    let whole = std::fs::read(unit).expect("a unit");
    for (bytes, why) in [
        (&b"6  3 3 3\n"[..], "it isn't a unit"),
        (&whole[..whole.len() / 2], "it is damaged"),
        (&[], "it isn't a unit"),
    ] {
        std::fs::write(unit, bytes).expect("it is written");
        let error = rejected(unit);
        assert!(error.contains(why), "{error}");
    }
    std::fs::write(unit, &whole).expect("it is back");
    std::fs::write(&result, &whole).expect("it is written");
    assert!(rejected(unit).contains("it isn't the result of a unit"));
    std::fs::write(folder.path().join("plan"), &whole).expect("it is written");
    let error = join(folder.path())
        .err()
        .expect("it is rejected")
        .to_string();
    assert!(
        error.contains("it isn't the plan of a folder of units"),
        "{error}"
    );
}

#[test]
fn another_game_or_table_is_noticed() {
    let place = tempfile::tempdir().expect("a folder");
    // A game that is too long to be copied, so that its file is read again.
    let text = generated("sliding-tiles", &["3", "3"]) + &"# a comment\n".repeat(6000);
    let file = place.path().join("game.psvn");
    std::fs::write(&file, &text).expect("it is written");
    let mut case = Case::new(&text, TILES, &[("heuristic", "misplaced")], 3);
    case.source.name = file.display().to_string();
    let folder = split_folder(&case);
    let all = units(folder.path());
    assert!(std::fs::metadata(&all[0]).expect("a unit").len() < 40_000);
    done(&all[0]);
    let other = with_costs(&text, |_| 2);
    std::fs::write(&file, other).expect("it is written");
    let error = rejected(&all[1]);
    assert!(
        error.contains("is no longer the game that was split"),
        "{error}"
    );
    // A machine file.
    let env = Environment::default();
    let game = Game::from_source(Source::new("short", generated("pancake", &["7"])), &env);
    let game = game.expect("a game");
    let machine = place.path().join("machine.fsm");
    for (length, is_refused) in [(2, false), (3, true)] {
        let analysis = psvn::Pruning::up_to(length)
            .analyze(&game, &env)
            .expect("an analysis");
        std::fs::write(
            &machine,
            analysis.machine.as_ref().expect("a machine").to_bytes(),
        )
        .expect("it is written");
        if is_refused {
            let error = rejected(&units(folder_of_machine(&place))[1]);
            assert!(
                error.contains("is no longer the file of this search"),
                "{error}"
            );
            continue;
        }
        let prune = machine.display().to_string();
        let text = generated("pancake", &["7"]);
        let case = Case::new(&text, "5 2 7 1 4 6 3", &[("prune", &prune)], 3);
        let (_, open) = case.plan(folder_of_machine(&place)).expect("a plan");
        assert!(open.is_some());
        done(&units(folder_of_machine(&place))[0]);
    }
}

fn folder_of_machine(place: &tempfile::TempDir) -> &Path {
    Box::leak(place.path().join("units").into_boxed_path())
}

#[test]
fn what_cannot_be_split_is_refused() {
    let refused = |named: &[(&str, &str)]| {
        let mut options = SearchOptions::default();
        for (name, value) in named {
            options.set(name, value).expect("an option");
        }
        options_for_units(&options)
            .expect_err("it is refused")
            .to_string()
    };
    let error = refused(&[("algorithm", "astar")]);
    assert!(error.contains("A* can't be split into units"), "{error}");
    assert!(refused(&[("table", "4M")]).contains("no transposition table"));
    assert!(refused(&[("cycles", "path")]).contains("cycle detection along the path"));
    // Rules that cost nothing.
    let free = with_costs(&generated("pancake", &["6"]), |number| number % 2);
    let case = Case::new(&free, "6 2 5 1 4 3", &[], 2);
    let folder = tempfile::tempdir().expect("a folder");
    let error = case
        .plan(folder.path())
        .err()
        .expect("it is refused")
        .to_string();
    assert!(error.contains("rules that cost nothing"), "{error}");
    // Bounded by moves, they can be.
    let case = Case::new(&free, "6 2 5 1 4 3", &[("algorithm", "dfid")], 2);
    let answer = case.in_units(folder.path(), &mut |units| {
        units.iter().for_each(|unit| drop(done(unit)));
    });
    assert_eq!(of_answer(&answer), of_answer(&case.alone()));
}

#[test]
fn bounds_are_split_only_once_they_take_long() {
    let mut case = pancakes("8 3 5 1 7 2 6 4");
    case.after = Duration::from_secs(100);
    let folder = tempfile::tempdir().expect("a folder");
    let (answer, open) = case.plan(folder.path()).expect("an answer");
    assert_eq!((of_answer(&answer), open), (of_answer(&case.alone()), None));
    let (again, open) = join(folder.path()).expect("the answer");
    assert_eq!((with_moves(&again), open), (with_moves(&answer), None));
}

#[test]
fn a_chosen_heuristic_is_named() {
    let tiles = generated("sliding-tiles", &["3", "3"]);
    let mut case = Case::new(&tiles, TILES, &[], 3);
    case.options.heuristic = "auto".parse().expect("a heuristic");
    let env = Environment::default();
    let (solver, start) = case.solver(&env);
    if solver.found(&start).is_some() {
        // It is solved while it is chosen.
        let folder = tempfile::tempdir().expect("a folder");
        let answer = case.in_units(folder.path(), &mut |units| {
            units.iter().for_each(|unit| drop(done(unit)));
        });
        assert_eq!(answer.solution().map(|it| it.cost), Some(28));
    }
}

/// The counts of a tree, by column.
fn counts(report: &TreeReport) -> String {
    let columns = report.columns.iter();
    let columns =
        columns.map(|it| format!("{} {:?} {:?}", it.prune, it.nodes, it.goals_in_last_ply));
    columns.collect::<Vec<_>>().join("\n")
}

#[test]
fn trees_are_counted_in_units() {
    let env = Environment::default();
    let weighted = with_costs(&generated("pancake", &["7"]), |number| 1 + number % 3);
    for (text, bound, lengths) in [
        (generated("pancake", &["7"]), Bound::Depth(9), vec![0, 2]),
        (
            generated("sliding-tiles", &["3", "3"]),
            Bound::Depth(21),
            vec![2],
        ),
        (weighted, Bound::Cost(14), vec![2, 0]),
    ] {
        let source = Source::new("a game", text);
        let game = Game::from_source(source.clone(), &env).expect("a game");
        let start = game.ir().goal_state().expect("one goal");
        let mut request = TreeRequest {
            bound,
            lengths: lengths.clone(),
            parents: true,
            ..TreeRequest::to_depth(0)
        };
        let expected = TreeReport::count(&game, &start, &request, &env).expect("a count");
        let folder = tempfile::tempdir().expect("a folder");
        let splitting = Splitting {
            folder: folder.path(),
            units: 5,
            after: Duration::ZERO,
        };
        let oriented = psvn::solve::units::Oriented {
            game: &game,
            backward: false,
        };
        let rounds = Rounds::of_tree(
            &splitting,
            &source,
            oriented,
            &start,
            &mut request,
            vec![],
            &env,
        );
        let rounds = rounds.expect("a plan");
        let count = |rounds: &Rounds, request: &TreeRequest| {
            let report = TreeReport::count_handed_out(&game, &start, request, rounds, &env);
            (report.expect("a count"), rounds.end().expect("an end").0)
        };
        let (mut report, mut open) = count(&rounds, &request);
        let mut n_rounds = 0;
        while open.is_some() {
            n_rounds += 1;
            units(folder.path())
                .iter()
                .for_each(|unit| drop(done(unit)));
            let joined = Rounds::join(folder.path(), &Limits::default(), &env);
            let (rounds, Prepared::Tree { request, .. }) = joined.expect("a plan") else {
                panic!("a tree");
            };
            (report, open) = count(&rounds, &request);
        }
        assert!(n_rounds > lengths.len(), "{bound:?}: {n_rounds}");
        assert_eq!(counts(&report), counts(&expected));
        assert!(report.complete);
    }
}
