//! Korf's instances of the 15-puzzle and the 24-puzzle: IDA* and WIDA*, beside machines of two
//! lengths.
//!
//! Prints a table for each section. `cargo bench -p psvn-benches --bench korf` runs all of them,
//! which takes 36,302,807,931 nodes for the first section alone; `-- hand tables 1-20 threads=2`
//! only some sections and instances, on two threads.
//!
//! Each row of a table prepares one search, which all its instances share. Speeds are by processor
//! time of each search's thread, without that preparation.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench reports on the standard output, and tells of its progress beside it"
)]

mod manhattan;

use std::ops::RangeInclusive;

use abstraction::Abstraction;
use fsm::Dense;
use heuristics::{Name, Named};
use invariants::Invariants;
use pattern_databases::{AdditiveSet, Options, Patterns};
use psvn_ir::{Game, State, Term};
use psvn_toolkit::{analyze, analyze_reachable, built_in, load, machine};
use rayon::prelude::*;
use search::{CompiledGame, Heuristic, Searcher, Weight};

use manhattan::{Board, solve_fifteen};
use psvn_benches::clock::processor_time;

const FIFTEEN: &str = include_str!("../extras/domains/instances/korf15.txt");
const TWENTY_FOUR: &str = include_str!("../extras/domains/instances/korf24.txt");

/// The length of the deep machine of the 15-puzzle, unless `deep=` sets another one.
const DEEP: usize = 14;
/// The length of the deep machine of the 24-puzzle.
const DEEP_24: usize = 12;

/// An instance of a file: `NUMBER: STATE = COST  # NODES`.
struct Instance {
    number: usize,
    start: State,
    least_cost: u128,
    nodes: Option<u64>,
}

fn instances(game: &Game, text: &str) -> Vec<Instance> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| -> Option<Instance> {
        let (number, rest) = line.split_once(':')?;
        let (state, rest) = rest.split_once('=')?;
        let (cost, nodes) = rest.split_once('#').unwrap_or((rest, ""));
        Some(Instance {
            number: number.trim().parse().ok()?,
            start: game.parse_state(state).ok()?,
            least_cost: cost.trim().parse().ok()?,
            nodes: nodes.trim().parse().ok(),
        })
    };
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("no instance: {line}")))
        .collect()
}

/// The options.
struct Wanted {
    sections: Vec<String>,
    numbers: RangeInclusive<usize>,
    n_threads: usize,
    /// The length of the deep machine of the 15-puzzle.
    deep: usize,
}

impl Wanted {
    fn from_arguments() -> Self {
        let mut this = Self {
            sections: Vec::new(),
            numbers: 1..=usize::MAX,
            n_threads: 1,
            deep: DEEP,
        };
        for word in std::env::args()
            .skip(1)
            .filter(|word| !word.starts_with('-'))
        {
            let range = word
                .split_once('-')
                .and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
            let threads = word.strip_prefix("threads=").and_then(|n| n.parse().ok());
            let deep = word.strip_prefix("deep=").and_then(|n| n.parse().ok());
            match (range, threads, deep) {
                (Some(range), ..) => this.numbers = range,
                (_, Some(n), _) => this.n_threads = n,
                (.., Some(length)) => this.deep = length,
                _ => this.sections.push(word),
            }
        }
        this
    }

    fn section(&self, name: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|it| it == name)
    }
}

/// One search.
struct Done {
    number: usize,
    length: usize,
    least_cost: u128,
    generated: u128,
    published: Option<u64>,
    seconds: f64,
}

/// The invariants of all instances.
fn known(game: &Game, instances: &[Instance]) -> Invariants {
    let starts: Vec<State> = instances.iter().map(|it| it.start.clone()).collect();
    Invariants::from_states(game, &starts)
}

/// Solve instances with one prepared search.
fn search<H: Heuristic>(
    wanted: &Wanted,
    game: &Game,
    machine: &Dense,
    heuristic: &H,
    weight: Weight,
    instances: &[Instance],
) -> Vec<Done> {
    let known = known(game, instances);
    let searcher = Searcher::builder(&CompiledGame::new(game))
        .machine(machine.clone())
        .invariants(move |preconditions: &[Term]| known.admits(preconditions))
        .build();
    // The first run makes the plan that all runs use.
    if let Some(goal) = game.goal_state() {
        let report = searcher.run().wida_star(&goal, heuristic, weight);
        report.unwrap_or_else(|error| panic!("{error}"));
    }
    each(wanted, instances, |instance| {
        search_one(&searcher, heuristic, weight, instance)
    })
}

/// Solve one instance.
fn search_one<H: Heuristic>(
    searcher: &Searcher,
    heuristic: &H,
    weight: Weight,
    instance: &Instance,
) -> Done {
    let mut search = searcher.run().count_forbidden(false);
    let started = processor_time();
    let report = search
        .wida_star(&instance.start, heuristic, weight)
        .unwrap_or_else(|error| panic!("{error}"));
    let seconds = (processor_time() - started).as_secs_f64();
    let Some(solution) = report.solution() else {
        panic!("instance {}: {:?}", instance.number, report.outcome)
    };
    if weight == Weight::ONE {
        let number = instance.number;
        assert_eq!(solution.cost, instance.least_cost, "instance {number}");
    }
    Done {
        number: instance.number,
        length: solution.length(),
        least_cost: instance.least_cost,
        generated: report.totals.generated,
        published: instance.nodes,
        seconds,
    }
}

/// Solve instances with a heuristic that has a name.
fn solve(
    wanted: &Wanted,
    game: &Game,
    machine: &Dense,
    name: Name,
    weight: Weight,
    instances: &[Instance],
) -> Vec<Done> {
    let heuristic = Named::new(game, &known(game, instances), &[name]);
    let heuristic = heuristic.unwrap_or_else(|error| panic!("{error}"));
    search(wanted, game, machine, &heuristic, weight, instances)
}

/// Manhattan distance by the program that is written for the 15-puzzle alone.
fn by_hand(wanted: &Wanted, instances: &[Instance]) -> Vec<Done> {
    each(wanted, instances, |instance| {
        let values = instance.start.values();
        let board: Board = std::array::from_fn(|i| values[i].0 as u8);
        let started = processor_time();
        let solved = solve_fifteen(&board);
        let seconds = (processor_time() - started).as_secs_f64();
        assert_eq!(u128::from(solved.length), instance.least_cost);
        Done {
            number: instance.number,
            length: solved.length as usize,
            least_cost: instance.least_cost,
            generated: u128::from(solved.generated),
            published: instance.nodes,
            seconds,
        }
    })
}

/// Tables of six, six and three tiles, the sum looked up for the board and its reflection. Also
/// return the seconds in which one thread builds them.
fn tables(game: &Game) -> (Patterns, f64) {
    let parts = ["keep 1-6", "keep 8 9 10 12 13 14", "keep 7 11 15"];
    let pattern = |text: &&str| Abstraction::from_pattern(game, text);
    let build = || -> Result<(Patterns, f64), Box<dyn std::error::Error + Send + Sync>> {
        let patterns = parts.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
        let started = processor_time();
        let set = AdditiveSet::build(game, &patterns, &Options::default())?;
        let sum = Patterns::sum(game, set)?.with_further_lookups(game, 1, false);
        Ok((sum, (processor_time() - started).as_secs_f64()))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let built = pool
        .map_err(Into::into)
        .and_then(|pool| pool.install(build));
    built.unwrap_or_else(|error| panic!("{error}"))
}

/// Solve instances, several at a time.
fn each(
    wanted: &Wanted,
    instances: &[Instance],
    one: impl Fn(&Instance) -> Done + Sync,
) -> Vec<Done> {
    let one = |instance: &Instance| {
        let done = one(instance);
        let Done {
            number,
            generated,
            seconds,
            ..
        } = done;
        eprintln!("{number}: {generated} in {seconds:.1} s");
        done
    };
    let chosen: Vec<&Instance> = instances
        .iter()
        .filter(|it| wanted.numbers.contains(&it.number))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(wanted.n_threads)
        .build();
    match pool {
        Ok(pool) => pool.install(|| {
            chosen
                .par_iter()
                .with_max_len(1)
                .map(|it| one(it))
                .collect()
        }),
        Err(error) => panic!("{error}"),
    }
}

/// The last row of a table.
fn means(title: &str, done: &[Done]) {
    let n = done.len().max(1) as f64;
    let generated: u128 = done.iter().map(|it| it.generated).sum();
    let lengths: usize = done.iter().map(|it| it.length).sum();
    let least: u128 = done.iter().map(|it| it.least_cost).sum();
    let seconds: f64 = done.iter().map(|it| it.seconds).sum();
    println!(
        "| {title} | {} | {generated} | {:.0} | {:.2} | {:.2} | {seconds:.1} | {:.1} |",
        done.len(),
        generated as f64 / n,
        lengths as f64 / n,
        least as f64 / n,
        generated as f64 / seconds / 1e6,
    );
}

const HEAD: &str = "| search | instances | nodes | mean | mean length | mean least | seconds | million/s |\n\
    |---|---:|---:|---:|---:|---:|---:|---:|";

/// The 15-puzzle with its rules in the order of the published counts: up, left, right, down.
fn fifteen_in_published_order() -> Game {
    let text = match domains::generate_reference("sliding-tiles:4:4") {
        Ok(text) => text,
        Err(error) => panic!("{error}"),
    };
    let is_rule = |line: &&str| line.contains("=>");
    let rule_lines: Vec<&str> = text.lines().filter(is_rule).collect();
    let first = text.lines().position(|line| is_rule(&line)).unwrap_or(0);
    let mut lines: Vec<&str> = text.lines().filter(|line| !is_rule(line)).collect();
    let by_label = ["U", "L", "R", "D"].into_iter().flat_map(|label| {
        rule_lines
            .iter()
            .filter(move |line| line.ends_with(&format!("LABEL {label}")))
            .copied()
    });
    let ordered: Vec<&str> = by_label.collect();
    assert_eq!(
        ordered.len(),
        rule_lines.len(),
        "every rule has one of the labels"
    );
    lines.splice(first..first, ordered);
    load(&lines.join("\n"))
}

fn main() {
    let wanted = Wanted::from_arguments();
    let fifteen = built_in("sliding-tiles:4:4");
    let of_fifteen = instances(&fifteen, FIFTEEN);
    let weight = |w| Weight::new(w, 1).unwrap_or(Weight::ONE);
    println!("{HEAD}");
    if wanted.section("ida") {
        let game = fifteen_in_published_order();
        let short = machine(&analyze(&game, 2));
        let done = solve(
            &wanted,
            &game,
            &short,
            Name::Manhattan,
            Weight::ONE,
            &of_fifteen,
        );
        means("15-puzzle, IDA*, Manhattan, length 2", &done);
        // The published counts include the start.
        let differs = |it: &&Done| it.published.map(u128::from) != Some(it.generated + 1);
        let different: Vec<usize> = done.iter().filter(differs).map(|it| it.number).collect();
        let published: u64 = done.iter().filter_map(|it| it.published).sum();
        println!("\npublished: {published}; other counts in instances {different:?}\n");
    }
    if wanted.section("hand") {
        let done = by_hand(&wanted, &of_fifteen);
        means(
            "15-puzzle, by hand, Manhattan, no move undone at once",
            &done,
        );
    }
    if wanted.section("tables") {
        let (heuristic, seconds) = tables(&fifteen);
        let machine = machine(&analyze(&fifteen, 2));
        let (weight, instances) = (Weight::ONE, &of_fifteen);
        let done = search(&wanted, &fifteen, &machine, &heuristic, weight, instances);
        means("15-puzzle, IDA*, 6-6-3 and its reflection, length 2", &done);
        println!("\nits tables were built in {seconds:.1} s\n");
    }
    let deep = || machine(&analyze_reachable(&fifteen, wanted.deep));
    if wanted.section("deep") {
        let done = solve(
            &wanted,
            &fifteen,
            &deep(),
            Name::Manhattan,
            Weight::ONE,
            &of_fifteen,
        );
        means(
            &format!("15-puzzle, IDA*, Manhattan, length {}", wanted.deep),
            &done,
        );
    }
    let short = || machine(&analyze(&fifteen, 2));
    if wanted.section("linear") {
        let name = Name::LinearConflict;
        let done = solve(&wanted, &fifteen, &short(), name, Weight::ONE, &of_fifteen);
        means("15-puzzle, IDA*, linear conflict, length 2", &done);
        let done = solve(&wanted, &fifteen, &deep(), name, Weight::ONE, &of_fifteen);
        means(
            &format!("15-puzzle, IDA*, linear conflict, length {}", wanted.deep),
            &done,
        );
    }
    if wanted.section("wida") {
        for w in [3, 19] {
            for (length, machine) in [(2, short()), (wanted.deep, deep())] {
                let done = solve(
                    &wanted,
                    &fifteen,
                    &machine,
                    Name::Manhattan,
                    weight(w),
                    &of_fifteen,
                );
                means(
                    &format!("15-puzzle, WIDA* w = {w}, Manhattan, length {length}"),
                    &done,
                );
            }
        }
    }
    if wanted.section("24") {
        let game = built_in("sliding-tiles:5:5");
        let instances = instances(&game, TWENTY_FOUR);
        for (length, machine) in [
            (2, machine(&analyze(&game, 2))),
            (DEEP_24, machine(&analyze_reachable(&game, DEEP_24))),
        ] {
            for name in [Name::Manhattan, Name::LinearConflict] {
                let done = solve(&wanted, &game, &machine, name, weight(3), &instances);
                means(
                    &format!("24-puzzle, WIDA* w = 3, {name}, length {length}"),
                    &done,
                );
            }
        }
    }
}
