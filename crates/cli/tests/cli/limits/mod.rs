//! Limits hold from the first byte read to the last byte written: every command that computes, on
//! inputs each of which is nasty in some way, with `--time 1s --memory 100M`.
//!
//! Nothing is compared with the clock, since other programs run too. What counts is the processor
//! time of the command, which has one thread, and the most memory that it held.

mod corpus;
mod usage;

use std::path::Path;

use rayon::prelude::*;

use self::usage::Usage;
use crate::{folder, psvn, split};

/// The limits of each command that has any.
const LIMITS: [&str; 4] = ["--time", "1s", "--memory", "100M"];

/// The processor time that a command may take beyond its limit, in seconds. The parts that only
/// read, translate and print aren't optimized in a test build, which makes them several times as
/// slow, so there it is twice as much.
const MORE_SECONDS: f64 = if cfg!(debug_assertions) { 2.0 } else { 1.0 };

/// The bytes that a command may hold: the limit, and half as much.
const MOST_BYTES: u64 = 150 << 20;

/// Commands with inputs in place of `FILE` and a state of them in place of `START`. `2x` in front
/// says that the time is given twice: for an analysis, and then for a search. An experiment reads
/// the game, makes instances, and then measures.
const PLAIN: [&str; 20] = [
    "check FILE LIMITS",
    "show FILE LIMITS",
    "fmt FILE",
    "import FORMAT FILE LIMITS",
    "compose FILE rule_1 rule_2 LIMITS",
    "apply FILE rule_1 rule_2 --start START LIMITS",
    "check-plan FILE plan.txt --start START LIMITS",
    "verify FILE FILE.fsm LIMITS",
    "fsm FILE.fsm --game FILE --words LIMITS",
    "transfer FILE FILE.fsm FILE LIMITS",
    "analyze FILE -L 4 LIMITS",
    "analyze FILE -L 2 --operators labels LIMITS",
    "2x tree FILE --prune none --depth 5 LIMITS",
    "2x tree FILE --prune 3 --depth 2 LIMITS",
    "explore FILE LIMITS",
    "explore FILE --start START LIMITS",
    "gen-instances FILE --count 2 --steps 20 LIMITS",
    "export c FILE LIMITS",
    "pdb FILE --pattern 'keep 1' LIMITS",
    "abstract FILE --pattern 'keep 1' LIMITS",
];

/// Searches from `START`.
const SEARCHES: [&str; 30] = [
    "-a ida",
    "-a ida-cr",
    "-a bts",
    "-a ida-table",
    "-a wida -w 2",
    "-a dfbnb",
    "-a dfid",
    "-a dfs --depth 9",
    "-a dfs-closed --depth 9",
    "-a bfs",
    "-a bfs --nodes 1",
    "-a ucs",
    "-a bidirectional",
    "-a nbs --heuristic misplaced",
    "-a sma --heuristic misplaced",
    "-a greedy",
    "-a wastar -w 2",
    "-a astar --heuristic manhattan",
    "-a astar --heuristic gap",
    "-a astar --heuristic misplaced",
    "-a astar --heuristic goal-count",
    "-a astar --heuristic linear-conflict",
    "-a astar --heuristic lm-cut",
    "-a astar --heuristic plain-goal-count",
    "-a astar --heuristic auto",
    "-a astar --heuristic 'keep 1'",
    "--heuristic auto",
    "--perimeter 5",
    "--prune 3",
    "--prune 3 --split all",
];

/// Commands for one input only.
const SPECIAL: [&str; 30] = [
    "solve gen:pancake:9 --start '9 2 7 4 1 6 3 8 5' --perimeter 9 LIMITS",
    "solve gen:pancake:9 --start '9 2 7 4 1 6 3 8 5' --perimeter 9 --prune none --nodes 1000 LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR --perimeter 40 LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a ida-table --perimeter 30 --heuristic 'keep 1-5' LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR --prune none LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR --prune 14 LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR --heuristic auto LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR --heuristic 'keep 1-5+keep 6-10+keep 11-15' LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a bfs LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a ucs LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a astar --heuristic manhattan LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a dfs-closed --depth 1000000 LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a bidirectional LIMITS",
    "solve gen:sliding-tiles:4:4 --start FAR -a dfbnb --cost-bound 200 LIMITS",
    "solve gen:rubik:3 --scramble 'R U F L D B R U F L D B' --heuristic auto LIMITS",
    "solve gen:rubik:2 --scramble 'R U F' --prune 2 --split all LIMITS",
    "2x tree gen:rubik:2 --prune 2 --split all --depth 2 LIMITS",
    "analyze gen:rubik:2 -L 2 --split all LIMITS",
    "analyze gen:work-or-golf -L 4 LIMITS",
    "2x tree gen:work-or-golf --prune 5 --depth 2 LIMITS",
    "2x tree gen:topspin:14:3 --prune none --depth 30 LIMITS",
    "analyze gen:topspin:14:3 -L 30 LIMITS",
    "analyze gen:sliding-tiles:4:4 -L 30 LIMITS",
    "analyze gen:sliding-tiles:4:4 -L 30 --operators labels LIMITS",
    "analyze gen:sliding-tiles:4:4 -L 30 --method learner LIMITS",
    "pdb gen:sliding-tiles:4:4 --pattern 'keep 1-7' LIMITS",
    "explore gen:sliding-tiles:4:4 LIMITS",
    "explain gen:sliding-tiles:4:4 'L R L R L R' LIMITS",
    "play gen:connect:7:6:4 --ply 30 LIMITS",
    "play gen:connect:7:6:4 --solve LIMITS",
];

const FAR: &str = "'15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0'";

/// Run a command in a folder. Return its line, and what was wrong.
fn fault(line: &str, folder: &Path) -> Option<String> {
    let (times, line) = match line.split_once("x ") {
        Some((times, line)) if times.len() == 1 => (times.parse().unwrap(), line),
        _ => (1.0, line),
    };
    let line = line
        .replace("LIMITS", &LIMITS.join(" "))
        .replace("FAR", FAR);
    let mut words = split(&line);
    words.extend(["--threads", "1", "-q"].map(str::to_owned));
    let words = Vec::from_iter(words.iter().map(String::as_str));
    let Usage {
        seconds,
        bytes,
        status,
    } = usage::of(psvn(&words).current_dir(folder));
    let most = times + MORE_SECONDS;
    let is_ended = matches!(status, Some(0..=4));
    if seconds <= most && bytes <= MOST_BYTES.max(usage::own_bytes()) && is_ended {
        return None;
    }
    let megabytes = bytes / 1_000_000;
    Some(format!(
        "{seconds:.2} s, {megabytes} MB, status {status:?}: {line}"
    ))
}

/// Check all commands, and report all that go beyond their limits.
fn check(lines: &[String], folder: &Path) {
    let faults = lines.par_iter().filter_map(|line| fault(line, folder));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Replace the names in a command by an input.
fn on(input: &corpus::Input, command: &str) -> String {
    command
        .replace("FILE", input.name)
        .replace("FORMAT", input.name.split_once('.').unwrap().1)
        .replace("START", &format!("'{}'", input.start))
}

/// All commands on all inputs.
fn all_lines(inputs: &[corpus::Input]) -> Vec<String> {
    let mut lines = Vec::new();
    for input in inputs {
        lines.extend(PLAIN.iter().map(|command| on(input, command)));
        let searches = SEARCHES.iter().map(|options| {
            let command = format!("solve FILE --start START {options} LIMITS");
            on(input, &command)
        });
        lines.extend(searches);
        // The limits of an experiment are those of each cell.
        lines.push(on(input, "3x experiment FILE.toml -o FILE.jsonl"));
    }
    lines.extend(SPECIAL.map(str::to_owned));
    lines
}

/// Write what commands on an input read beside it: a plan, a machine and an experiment.
fn prepare(input: &corpus::Input, folder: &Path) {
    std::fs::write(folder.join("plan.txt"), "rule_1 rule_2\n").unwrap();
    let name = input.name;
    let experiment = format!(
        "title = \"limits\"\n\
         limits = {{ time = \"1s\", memory = \"100M\" }}\n\
         [[domain]]\nname = \"d\"\nfile = \"{name}\"\n\
         instances = [{{ walks = 1, steps = 5, seed = 5 }}]\n\
         [[method]]\nname = \"m\"\nprune = 2\n"
    );
    std::fs::write(folder.join(format!("{name}.toml")), experiment).unwrap();
}

/// Some of all commands: other ones than the former faults below.
#[test]
fn some_commands_keep_to_their_limits() {
    let folder = folder();
    let inputs = corpus::write(folder.path());
    for input in &inputs {
        prepare(input, folder.path());
    }
    let some: Vec<String> = all_lines(&inputs).into_iter().step_by(61).collect();
    check(&some, folder.path());
}

#[test]
#[ignore = "takes 10 minutes: 500 commands of a second and more"]
fn manual_every_command_keeps_to_its_limits() {
    let folder = folder();
    let inputs = corpus::write(folder.path());
    for input in &inputs {
        prepare(input, folder.path());
    }
    // The machines that other commands read.
    let machines = inputs.iter().map(|input| {
        let analysis = "analyze FILE -L 2 --split none -o FILE.fsm LIMITS";
        on(input, analysis)
    });
    check(&Vec::from_iter(machines), folder.path());
    check(&all_lines(&inputs), folder.path());
}

/// What was wrong once: each took several times its limits.
#[test]
fn former_faults_stay_mended() {
    let folder = folder();
    for input in corpus::write(folder.path()) {
        prepare(&input, folder.path());
    }
    let machine = "analyze values.psvn -L 2 --split none -o values.psvn.fsm LIMITS";
    check(&[machine.to_owned()], folder.path());
    let lines = [
        "solve gen:pancake:9 --start '9 2 7 4 1 6 3 8 5' --perimeter 9 LIMITS",
        "solve gen:pancake:9 --start '9 2 7 4 1 6 3 8 5' --perimeter 9 --nodes 1000 LIMITS",
        "solve writes.psvn --start '0 0' -a bfs --nodes 1 LIMITS",
        "solve writes.psvn --start '0 0' -a ida --prune none LIMITS",
        "solve swap.psvn --start '2 1' -a ida LIMITS",
        "solve swap.psvn --start '2 1' -a astar --heuristic manhattan LIMITS",
        "solve values.psvn --start '1 2 3' -a ida LIMITS",
        "verify values.psvn values.psvn.fsm LIMITS",
        "experiment conditional.sas.toml -o conditional.jsonl",
    ];
    check(&lines.map(str::to_owned), folder.path());
}
