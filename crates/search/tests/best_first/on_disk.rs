//! Searches on a disk, whose states leave the memory all the time.

use std::collections::HashMap;
use std::path::Path;

use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State};
use search::{
    Cell, CompiledGame, DEAD_END, FileError, Heuristic, Limits, OnDiskError, Outcome, Run,
    Searcher, SolveReport, StopReason, ZeroHeuristic, replay,
};

fn run<'p>(game: &Game) -> Run<'p> {
    Searcher::builder(&CompiledGame::new(game)).build().run()
}

/// Search on a disk with two threads, where almost all states go to files, a few at a time.
fn tiny<'p>(game: &Game) -> Run<'p> {
    run(game).tiny_room().threads(2)
}

/// An admissible heuristic that isn't consistent: some part of the least cost, which varies
/// irregularly from state to state. States that reach no goal are dead ends.
struct Erratic {
    least: HashMap<Vec<u32>, u64>,
    seed: u64,
    /// The least and the greatest part in percent.
    percent: [u64; 2],
}

impl Heuristic for Erratic {
    fn estimate(&self, state: &[u32]) -> u64 {
        let values: Vec<u32> = state.iter().map(|cell| cell.value().0).collect();
        let Some(least) = self.least.get(&values) else {
            return DEAD_END;
        };
        let mixed = values.iter().fold(self.seed, |mixed, value| {
            psvn_ir::random::mixed(mixed ^ u64::from(*value))
        });
        let [low, high] = self.percent;
        least * (low + mixed % (high - low + 1)) / 100
    }
}

/// Return the least costs to a goal by relaxing all edges until nothing changes.
fn least_costs(game: &Game) -> HashMap<Vec<u32>, u64> {
    let numbers = |values: &[psvn_ir::Value]| values.iter().map(|it| it.0).collect::<Vec<u32>>();
    let mut edges = Vec::new();
    let mut least = HashMap::new();
    for state in all_states(game) {
        if game.is_goal(&state) {
            least.insert(numbers(&state), 0);
        }
        for rule in game.rules().iter().map(|rule| &rule.canonical) {
            if rule.applies_to(&state) {
                edges.push((numbers(&state), rule.cost(), numbers(&rule.apply(&state))));
            }
        }
    }
    loop {
        let mut changes = false;
        for (from, cost, to) in &edges {
            let Some(rest) = least.get(to) else { continue };
            let total = cost + rest;
            if least.get(from).is_none_or(|known| *known > total) {
                least.insert(from.clone(), total);
                changes = true;
            }
        }
        if !changes {
            return least;
        }
    }
}

/// Check a report against the least cost, and its counts.
fn check(game: &Game, start: &State, report: &SolveReport, least: Option<u64>, context: &str) {
    let counts = report.best_first.as_ref().expect("states were stored");
    match (&report.outcome, least) {
        (Outcome::Solved(solution), Some(least)) => {
            assert_eq!(solution.cost, least.into(), "{context}");
            let end = replay(game, start, &solution.moves).expect("the rules apply");
            assert!(game.is_goal(end.values()), "{context}");
        }
        (Outcome::NoSolution, None) => {}
        other => panic!("{context}: {other:?}"),
    }
    let stored = counts.stored;
    assert_eq!(
        report.totals.generated + u128::from(stored.states().min(1)),
        u128::from(counts.duplicates + counts.dead_ends + stored.states()),
        "{context}: {report:?}"
    );
    let by_bound: u64 = report.iterations.iter().map(|it| it.generated).sum();
    assert_eq!(report.totals.generated, by_bound.into(), "{context}");
}

#[test]
fn random_games_have_the_least_costs() {
    let folder = crate::folder();
    let (mut written, mut solved, mut unsolved) = (0, 0, 0);
    // Each game makes and removes thousands of files.
    for seed in 0..cases(150) {
        let shape = GameShape {
            n_variables: 4..=5,
            n_values: 2..=4,
            n_rules: 6..=10,
            several_domains: seed % 4 == 1,
            lost_values: seed % 3 != 2,
            constants: [35, 20, 10][seed as usize % 3],
            max_cost: [3, 0, 1, 9][seed as usize / 4 % 4],
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let least = least_costs(&game);
        let states: Vec<_> = all_states(&game).collect();
        let start = State::new(states[SplitMix64::new(seed).below(states.len())].clone());
        let values: Vec<u32> = start.values().iter().map(|value| value.0).collect();
        let wanted = least.get(&values).copied();
        let mut search = tiny(&game);
        let report = search.a_star_on_disk(&start, &ZeroHeuristic, folder.path());
        let report = report.expect("no file fails");
        check(&game, &start, &report, wanted, &format!("seed {seed}"));
        for percent in [[0, 100], [100, 100], [60, 90]] {
            let heuristic = Erratic {
                least: least.clone(),
                seed,
                percent,
            };
            let report = search.a_star_on_disk(&start, &heuristic, folder.path());
            let report = report.expect("no file fails");
            let context = format!("seed {seed}, {percent:?}");
            if wanted.is_some() || report.heuristic_start != DEAD_END {
                check(&game, &start, &report, wanted, &context);
            }
            let counts = report.best_first.expect("states were stored");
            written += counts.on_disk.expect("a disk").written;
            match report.outcome {
                Outcome::Solved(_) => solved += 1,
                _ => unsolved += 1,
            }
        }
        let left = std::fs::read_dir(folder.path()).expect("the folder is there");
        assert_eq!(left.count(), 0, "seed {seed}");
    }
    let all = (written, solved, unsolved);
    assert!(written > 900 && solved > 50 && unsolved > 50, "{all:?}");
}

/// Many ways to each state, by rules that cost from 0 to 3.
#[test]
fn random_graphs_have_the_least_costs() {
    let folder = crate::folder();
    let (mut reopened, mut written) = (0, 0);
    for seed in 0..cases(100) {
        let mut random = SplitMix64::new(seed);
        let mut text = String::from("1 50\n");
        for _ in 0..150 {
            let [from, to] = [(); 2].map(|()| random.below(50));
            text += &format!("{from} => {to} COST {}\n", random.below(4));
        }
        text += "GOAL 49";
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let start = game.parse_state("0").expect("a state");
        let least = least_costs(&game);
        let wanted = least.get(&vec![0]).copied();
        for percent in [[0, 100], [60, 90]] {
            let heuristic = Erratic {
                least: least.clone(),
                seed,
                percent,
            };
            let report = tiny(&game).a_star_on_disk(&start, &heuristic, folder.path());
            let report = report.expect("no file fails");
            check(
                &game,
                &start,
                &report,
                wanted,
                &format!("seed {seed}, {percent:?}"),
            );
            let counts = report.best_first.expect("states were stored");
            reopened += counts.reopened;
            written += counts.on_disk.expect("a disk").written;
        }
    }
    assert!(reopened > 10 && written > 1000, "{reopened}, {written}");
}

#[test]
fn a_state_is_expanded_again_when_it_is_reached_at_less_cost() {
    // 0 -1-> 1 -1-> 2 -3-> 3, and 0 -3-> 2 directly; the estimate of 1 makes the search prefer the
    // direct path, though it is admissible.
    struct Table([u64; 4]);
    impl Heuristic for Table {
        fn estimate(&self, state: &[u32]) -> u64 {
            self.0[state[0].index()]
        }
    }
    let text = "1 4
         0 => 1 COST 1
         1 => 2 COST 1
         0 => 2 COST 3
         2 => 3 COST 3
         GOAL 3";
    let game = psvn_ir::load(text).game.expect("a game without errors");
    let start = game.parse_state("0").expect("a state");
    let folder = tempfile::tempdir().expect("a folder");
    let heuristic = Table([0, 4, 0, 0]);
    let report = tiny(&game).a_star_on_disk(&start, &heuristic, folder.path());
    let report = report.expect("no file fails");
    check(&game, &start, &report, Some(5), "again");
    let counts = report.best_first.expect("states were stored");
    assert_eq!((counts.reopened, report.totals.expanded), (1, 4));
}

/// A rule that sets all variables leads to a state from more states than can be tried, so the way
/// back is found by expanding closed states again.
#[test]
fn the_way_back_is_found_where_a_state_has_countless_predecessors() {
    const N: usize = 8;
    let mut text = format!("{N}\n{}\n", "10 ".repeat(N));
    text += &format!(
        "{}=> {}LABEL reset COST 2\n",
        "- ".repeat(N),
        "0 ".repeat(N)
    );
    for place in 0..N {
        let mut cells = ["-"; N];
        cells[place] = "0";
        let before = cells.join(" ");
        cells[place] = "1";
        text += &format!("{before} => {}\n", cells.join(" "));
    }
    text += &format!("GOAL {}\n", "1 ".repeat(N));
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let start = game.parse_state(&"9 ".repeat(N)).expect("a state");
    let folder = tempfile::tempdir().expect("a folder");
    let report = tiny(&game).a_star_on_disk(&start, &ZeroHeuristic, folder.path());
    let report = report.expect("no file fails");
    check(&game, &start, &report, Some(2 + N as u64), "reset");
    let solution = report.solution().expect("a solution");
    assert_eq!(solution.moves.len(), 1 + N);
}

fn pancakes() -> (Game, State) {
    stack_of("pancake:8", "7 3 1 5 2 8 6 4")
}

fn stack_of(reference: &str, start: &str) -> (Game, State) {
    let text = domains::generate_reference(reference).expect("the generator is there");
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let start = game.parse_state(start).expect("a state");
    (game, start)
}

/// Every state of the cheapest paths is written and read, by two threads.
#[test]
fn runs_are_merged_many_times() {
    // Most of the time is spent opening files.
    let (game, start) = stack_of("pancake:7", "7 3 1 5 2 6 4");
    let least = run(&game)
        .uniform_cost(&start)
        .expect("it begins")
        .solution()
        .map(|solution| solution.cost as u64);
    let folder = crate::folder();
    let report = tiny(&game).a_star_on_disk(&start, &ZeroHeuristic, folder.path());
    let report = report.expect("no file fails");
    check(&game, &start, &report, least, "pancakes");
    let on_disk = report.best_first.as_ref().and_then(|counts| counts.on_disk);
    let on_disk = on_disk.expect("a disk");
    // Each generated state is written at least once.
    assert!(
        u128::from(on_disk.written) > 8 * report.totals.generated,
        "{on_disk:?}"
    );
    assert!(on_disk.peak_bytes > on_disk.bytes / 2, "{on_disk:?}");
}

#[test]
fn limits_stop_the_search_and_leave_nothing() {
    let (game, start) = pancakes();
    let folder = crate::folder();
    let stopped = |limits: Limits| {
        let mut search = tiny(&game).limits(limits);
        let report = search.a_star_on_disk(&start, &ZeroHeuristic, folder.path());
        let report = report.expect("no file fails");
        let left = std::fs::read_dir(folder.path()).expect("the folder is there");
        assert_eq!(left.count(), 0);
        report
    };
    let report = stopped(Limits {
        nodes: Some(20_000),
        ..Limits::default()
    });
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
    assert!(report.totals.generated <= 20_000 && report.totals.generated > 10_000);
    assert!(report.iterations.len() > 2);
    let report = stopped(Limits {
        time: Some(std::time::Duration::ZERO),
        ..Limits::default()
    });
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let report = stopped(Limits {
        interrupt: Some(flag),
        ..Limits::default()
    });
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
}

#[test]
fn files_keep_to_the_limit_on_the_disk() {
    let (game, start) = stack_of("pancake:7", "7 3 1 5 2 6 4");
    let folder = crate::folder();
    let run_with = |most: Option<u64>| {
        let mut search = tiny(&game);
        if let Some(most) = most {
            search = search.disk_memory(most);
        }
        let report = search.a_star_on_disk(&start, &ZeroHeuristic, folder.path());
        let report = report.expect("no file fails");
        let left = std::fs::read_dir(folder.path()).expect("the folder is there");
        assert_eq!(left.count(), 0);
        let on_disk = report.best_first.as_ref().and_then(|counts| counts.on_disk);
        (report.outcome, on_disk.expect("a disk").peak_bytes)
    };
    let (outcome, peak) = run_with(None);
    assert!(matches!(outcome, Outcome::Solved(_)));
    for most in [0, 1000, peak / 2] {
        let (outcome, used) = run_with(Some(most));
        assert_eq!(outcome, Outcome::Stopped(StopReason::Disk));
        assert!(used <= most && most - used < 1000, "{used} of {most}");
    }
    // Threads may have more files at once than in the other run.
    let (outcome, _) = run_with(Some(2 * peak));
    assert!(matches!(outcome, Outcome::Solved(_)));
}

#[test]
fn too_little_memory_for_buffers_is_refused() {
    let (game, start) = pancakes();
    let folder = tempfile::tempdir().expect("a folder");
    let mut search = run(&game).limits(Limits {
        memory: Some(10_000),
        ..Limits::default()
    });
    let report = search.uniform_cost_on_disk(&start, folder.path());
    let report = report.expect("no file fails");
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
}

/// A search within a limit of memory holds no more, and writes what doesn't fit.
#[test]
fn the_memory_is_limited() {
    let (game, start) = pancakes();
    let folder = crate::folder();
    for (memory, writes) in [(1 << 18, true), (1 << 20, false), (64 << 20, false)] {
        for n_threads in [1, 2] {
            let limits = Limits {
                memory: Some(memory),
                ..Limits::default()
            };
            let mut search = run(&game).limits(limits).threads(n_threads);
            let report = search.uniform_cost_on_disk(&start, folder.path());
            let report = report.expect("no file fails");
            assert!(report.solved(), "{report:?}");
            let counts = report.best_first.expect("states were stored");
            assert!(
                counts.peak_bytes <= memory,
                "{memory}: {}",
                counts.peak_bytes
            );
            let written = counts.on_disk.expect("a disk").written;
            assert!(!writes || written > 0, "{memory}: {written}");
            assert!(memory < 64 << 20 || written == 0, "{memory}: {written}");
        }
    }
}

/// Return the error of a search whose estimates do something to the files of a folder.
fn error_after(damage: impl Fn(&Path) + Sync) -> String {
    struct Damaging<D>(D, std::path::PathBuf);
    impl<D: Fn(&Path) + Sync> Heuristic for Damaging<D> {
        fn estimate(&self, state: &[u32]) -> u64 {
            // Only now and then: the damage goes through all files.
            if state[0].index() == 3 && state[1].index() == 6 && state[2].index() == 1 {
                for folder in std::fs::read_dir(&self.1).into_iter().flatten().flatten() {
                    let files = std::fs::read_dir(folder.path()).into_iter().flatten();
                    let files = files.flatten().map(|file| file.path());
                    let is_states = |path: &std::path::PathBuf| {
                        path.extension().is_some_and(|it| it == "states")
                    };
                    files.filter(is_states).for_each(|path| (self.0)(&path));
                }
            }
            0
        }
    }
    let (game, start) = pancakes();
    let folder = tempfile::tempdir().expect("a folder");
    let heuristic = Damaging(damage, folder.path().to_owned());
    let result = tiny(&game).a_star_on_disk(&start, &heuristic, folder.path());
    let error = result.expect_err("files are damaged");
    let left = std::fs::read_dir(folder.path()).expect("the folder is there");
    assert_eq!(left.count(), 0);
    let text = error.to_string();
    assert!(text.contains("a-star-"), "{text}");
    text
}

#[test]
fn damaged_files_are_errors() {
    let text = error_after(|path| {
        if let Ok(file) = std::fs::OpenOptions::new().write(true).open(path) {
            let length = file.metadata().map_or(0, |it| it.len());
            file.set_len(length.saturating_sub(1)).ok();
        }
    });
    assert!(
        text.contains("shorter") || text.contains("checksum"),
        "{text}"
    );
    let text = error_after(|path| {
        if let Ok(mut bytes) = std::fs::read(path)
            && let Some(byte) = bytes.last_mut()
        {
            *byte ^= 1;
            std::fs::write(path, bytes).ok();
        }
    });
    assert!(text.contains("checksum"), "{text}");
    let text = error_after(|path| {
        std::fs::remove_file(path).ok();
    });
    assert!(
        text.contains("No such file") || text.contains("os error"),
        "{text}"
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let (game, start) = pancakes();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let result = run(&game).uniform_cost_on_disk(&start, &file.path().join("inside"));
    assert!(
        matches!(result, Err(OnDiskError::Files(FileError::Io { .. }))),
        "{result:?}"
    );
}

/// A folder that a search made is removed, one that was there stays. Folders of searches that were
/// killed are removed if they are old, and other files never.
#[test]
fn folders_are_cleaned() {
    let (game, start) = pancakes();
    let around = tempfile::tempdir().expect("a folder");
    let new = around.path().join("new");
    assert!(run(&game).uniform_cost_on_disk(&start, &new).is_ok());
    assert!(!new.exists());
    let [old, young] = ["a-star-1-0", "a-star-1-1"].map(|name| around.path().join(name));
    for folder in [&old, &young] {
        std::fs::create_dir(folder).expect("a folder");
        std::fs::write(folder.join("5.states"), [0; 8]).expect("a file");
        std::fs::File::create(folder.join("lock")).expect("a file");
    }
    std::fs::write(around.path().join("other"), "text").expect("a file");
    let an_hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let lock = std::fs::OpenOptions::new()
        .write(true)
        .open(old.join("lock"));
    let lock = lock.expect("the lock");
    lock.set_modified(an_hour_ago).expect("a time");
    lock.lock().expect("a lock");
    assert!(
        run(&game)
            .uniform_cost_on_disk(&start, around.path())
            .is_ok()
    );
    assert!(old.exists(), "its search runs");
    drop(lock);
    assert!(
        run(&game)
            .uniform_cost_on_disk(&start, around.path())
            .is_ok()
    );
    assert!(!old.exists() && young.exists() && around.path().join("other").exists());
}
