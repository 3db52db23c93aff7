//! Random games, searched by the command in all ways that there are, and judged by an oracle that
//! reads the text of the games for itself.
//!
//! The games have domains of unequal sizes, values with names, symbols that stand at several places
//! or are never bound, rules that change nothing, rules that are there twice, costs from 0 to 5,
//! and several goals with entries that don't matter.

mod game;
mod methods;
mod oracle;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use psvn_ir::testing::cases;
use rayon::prelude::*;
use serde_json::Value;

use self::game::{Dice, RandomGame};
use self::methods::{MACHINES, Method, Promise, methods, patterns};
use self::oracle::Oracle;
use crate::{Ran, run_in};

/// How many starts are tried in each game.
const STARTS: usize = 4;

/// The nodes after which a search is given up: without a solution, many have no end.
const NODES: &str = "20000";

/// What was tried.
#[derive(Debug, Default)]
struct Tally {
    games: u64,
    /// By algorithm: searches that solved, that proved or said that there is no solution, and that
    /// a limit stopped.
    searches: BTreeMap<&'static str, [u64; 3]>,
    /// Machines that were written and verified, tables that were written, and trees that were
    /// counted.
    machines: u64,
    tables: u64,
    trees: u64,
    /// Estimates of starts that were compared with the true costs.
    estimates: u64,
    /// Ways to solve that didn't fit the game, and said so.
    refused: u64,
}

impl Tally {
    fn with(mut self, other: Self) -> Self {
        self.games += other.games;
        self.machines += other.machines;
        self.tables += other.tables;
        self.trees += other.trees;
        self.estimates += other.estimates;
        self.refused += other.refused;
        for (name, counts) in other.searches {
            let sums = self.searches.entry(name).or_default();
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        self
    }

    fn n_searches(&self) -> u64 {
        self.searches.values().flatten().sum()
    }

    fn n_stopped(&self) -> u64 {
        self.searches.values().map(|counts| counts[2]).sum()
    }
}

/// What machines may assume of states.
#[derive(Clone, Copy, PartialEq)]
enum Assumption {
    /// What holds wherever a goal leads. Starts are such states, as tables assume it of them, too.
    Goal,
    /// What holds wherever a start leads.
    Starts,
    Nothing,
}

/// One game, in a folder of its own.
struct Case {
    seed: u64,
    assumption: Assumption,
    folder: tempfile::TempDir,
    oracle: Oracle,
    starts: Vec<usize>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let game = RandomGame::new(seed);
        let folder = crate::folder();
        let oracle = Oracle::new(game);
        let mut dice = Dice::new(!seed);
        let assumption = match seed % 4 {
            0 | 1 => Assumption::Goal,
            2 => Assumption::Starts,
            _ => Assumption::Nothing,
        };
        let all: Vec<usize> = match assumption {
            Assumption::Goal => oracle.reached_from_goals(),
            _ => (0..oracle.states.len()).collect(),
        };
        let is_solvable = |state: &usize| oracle.truth(*state).cost.is_some();
        let solvable: Vec<usize> = all.iter().copied().filter(is_solvable).collect();
        let starts = (0..STARTS).map(|_| {
            if !solvable.is_empty() && dice.chance(70) {
                *dice.one_of(&solvable)
            } else {
                *dice.one_of(&all)
            }
        });
        let starts = starts.collect();
        let case = Self {
            seed,
            assumption,
            starts,
            oracle,
            folder,
        };
        let path = |name: &str| case.folder.path().join(name);
        std::fs::write(path("game.psvn"), case.oracle.game.text()).unwrap();
        std::fs::write(path("all.txt"), case.instances()).unwrap();
        case
    }

    /// The starts as a file of instances.
    fn instances(&self) -> String {
        let numbered = self.starts.iter().enumerate();
        numbered
            .map(|(number, start)| format!("s{number}: {}\n", self.state_text(*start)))
            .collect()
    }

    fn state_text(&self, state: usize) -> String {
        self.oracle.game.state_text(&self.oracle.states[state])
    }

    fn run(&self, words: &[&str]) -> Ran {
        run_in(self.folder.path(), words)
    }

    fn fault(&self, words: &[&str], what: &str) -> ! {
        panic!(
            "seed {}, `psvn {}`: {what}\n{}\n{}",
            self.seed,
            words.join(" "),
            self.oracle.game.text(),
            self.instances(),
        )
    }

    /// Make machines, and prove each. Of each file it is known whether its words are ordered by
    /// cost.
    fn machines(&self, tally: &mut Tally) -> Vec<(PathBuf, bool)> {
        let mut files = Vec::new();
        for (number, (options, by_cost)) in MACHINES.iter().enumerate() {
            let file = format!("{number}.fsm");
            let mut words = vec!["analyze", "game.psvn", "-q", "-o", &file];
            words.extend(*options);
            match self.assumption {
                Assumption::Goal => {}
                Assumption::Starts => words.extend(["--instances", "all.txt"]),
                Assumption::Nothing => words.extend(["--invariants", "none"]),
            }
            let first = self.state_text(self.starts[0]);
            if options.contains(&"learner") {
                words.extend(["--generic-start", &first]);
            }
            let ran = self.run(&words);
            match ran.status {
                Some(0) => {}
                Some(2 | 3) if !ran.stderr.is_empty() => {
                    tally.refused += 1;
                    continue;
                }
                _ => self.fault(&words, &ran.stderr),
            }
            let words = ["verify", "game.psvn", &file];
            let ran = self.run(&words);
            if ran.status != Some(0) {
                self.fault(&words, &ran.stderr);
            }
            tally.machines += 1;
            files.push((PathBuf::from(file), *by_cost));
        }
        files
    }

    /// Make tables. A set of several is named by all its files.
    fn tables(&self, dice: &mut Dice, tally: &mut Tally) -> Vec<String> {
        let mut heuristics = Vec::new();
        for (number, patterns) in patterns(&self.oracle.game, dice).iter().enumerate() {
            let file = format!("t{number}.pdb");
            let mut words = vec!["pdb", "game.psvn", "-q", "-o", &file];
            words.extend(patterns.iter().map(String::as_str));
            let ran = self.run(&words);
            match ran.status {
                Some(0) => {}
                Some(2 | 3) if !ran.stderr.is_empty() => {
                    tally.refused += 1;
                    continue;
                }
                _ => self.fault(&words, &ran.stderr),
            }
            let exists = |name: &String| self.folder.path().join(name).exists();
            let parts: Vec<String> = (1..=2)
                .map(|part| format!("t{number}-{part}.pdb"))
                .collect();
            let is_sum = patterns.iter().any(|word| word == "--additive");
            heuristics.push(match (exists(&file), is_sum) {
                (true, _) => file,
                (false, true) => parts.join("+"),
                (false, false) => parts.join(","),
            });
            tally.tables += 1;
        }
        heuristics
    }

    /// Unpruned trees have as many nodes as there are paths, and pruned ones no more.
    fn trees(&self, tally: &mut Tally) {
        const DEPTH: usize = 4;
        let start = self.starts[0];
        let state = self.state_text(start);
        let words = [
            "tree",
            "game.psvn",
            "--start",
            &state,
            "-L",
            "0,1,2,3",
            "--depth",
            "4",
            "--format",
            "json",
        ];
        let ran = self.run(&words);
        let Ok(value) = serde_json::from_str::<Value>(&ran.stdout) else {
            self.fault(&words, &ran.stderr)
        };
        let nodes = |column: &Value| -> Vec<u64> {
            let nodes = column["nodes"].as_array().unwrap().iter();
            let mut nodes: Vec<u64> = nodes.map(|count| count.as_u64().unwrap()).collect();
            nodes.resize(DEPTH + 1, 0);
            nodes
        };
        let columns = value["columns"].as_array().unwrap();
        let paths = self.oracle.paths(start, DEPTH);
        if nodes(&columns[0]) != paths {
            self.fault(&words, &format!("{:?}, not {paths:?}", nodes(&columns[0])));
        }
        for pair in columns.windows(2) {
            let (more, fewer) = (nodes(&pair[0]), nodes(&pair[1]));
            if more.iter().zip(&fewer).any(|(more, fewer)| fewer > more) {
                self.fault(&words, &format!("{more:?} is less than {fewer:?}"));
            }
        }
        tally.trees += 1;
    }

    /// Run a method on all starts, and judge each answer.
    fn solve(&self, method: &Method, tally: &mut Tally) {
        let mut words = vec!["solve", "game.psvn", "--instances", "all.txt"];
        words.extend(["--nodes", NODES, "--format", "json", "--show-states", "-q"]);
        words.extend(method.words.iter().map(String::as_str));
        let ran = self.run(&words);
        let is_refusal = matches!(ran.status, Some(2 | 3));
        if is_refusal && ran.stdout.is_empty() && !ran.stderr.is_empty() {
            // What doesn't fit is refused: a heuristic, or a machine that assumes what a start
            // breaks.
            if words.contains(&"--heuristic") {
                tally.refused += 1;
                return;
            }
            self.fault(&words, &ran.stderr);
        }
        if !matches!(ran.status, Some(0 | 1 | 4)) {
            self.fault(&words, &format!("status {:?}: {}", ran.status, ran.stderr));
        }
        let mut n_answers = 0;
        for line in ran.stdout.lines() {
            let answer: Value = serde_json::from_str(line).unwrap();
            let name = answer["instance"].as_str().unwrap();
            let number: usize = name.strip_prefix('s').unwrap().parse().unwrap();
            let start = self.starts[number];
            match self.judge(method, start, &answer, tally) {
                Ok(kind) => tally.searches.entry(method.name).or_default()[kind] += 1,
                Err(fault) => self.fault(&words, &format!("{name}: {fault}\n{line}")),
            }
            n_answers += 1;
        }
        if n_answers != STARTS {
            self.fault(&words, &format!("{n_answers} answers: {}", ran.stderr));
        }
    }

    /// What kind of answer it is, or what is wrong with it.
    fn judge(
        &self,
        method: &Method,
        start: usize,
        answer: &Value,
        tally: &mut Tally,
    ) -> Result<usize, String> {
        let truth = self.oracle.truth(start);
        let is_admissible = answer["admissible"] == Value::Bool(true);
        if let (true, Some(cost)) = (is_admissible, truth.cost) {
            let estimate = answer["heuristic_start"].as_u64().unwrap();
            if estimate > cost {
                return Err(format!("estimated at {estimate}, and costs {cost}"));
            }
            tally.estimates += 1;
        }
        match answer["outcome"].as_str().unwrap() {
            "solved" => {
                if let Some(fault) = self.oracle.fault_of_plan(start, answer) {
                    return Err(fault);
                }
                let number = |key: &str| answer[key].as_u64().unwrap();
                let (cost, length) = (number("cost"), number("length"));
                let least = truth.cost.unwrap();
                let kept = match method.promise {
                    Promise::LeastCost => cost == least || !is_admissible,
                    Promise::LeastCostWithin(bound) => {
                        (cost == least || !is_admissible) && cost <= bound
                    }
                    Promise::Times(times) => cost as f64 <= least as f64 * times || !is_admissible,
                    Promise::FewestMoves => Some(length) == truth.moves,
                    Promise::Within(most) | Promise::Perhaps(most) => length <= most,
                };
                if kept {
                    Ok(0)
                } else {
                    Err(format!("promised {:?}, known {truth:?}", method.promise))
                }
            }
            "no-solution" => match truth.cost {
                None => Ok(1),
                Some(cost) => Err(format!("there is a solution of cost {cost}")),
            },
            "not-within-depth" => match (method.promise, truth.moves) {
                (Promise::Within(most), moves) if moves.is_none_or(|moves| moves > most) => Ok(1),
                (_, moves) => Err(format!("there is a solution of {moves:?} moves")),
            },
            "not-within-cost" => match (method.promise, truth.cost) {
                (Promise::LeastCostWithin(most), cost) if cost.is_none_or(|cost| cost > most) => {
                    Ok(1)
                }
                (_, cost) => Err(format!("there is a solution of cost {cost:?}")),
            },
            // Nothing is claimed.
            "not-found" if matches!(method.promise, Promise::Perhaps(_)) => Ok(1),
            "not-found"
                if matches!(method.promise, Promise::LeastCostWithin(_)) && !is_admissible =>
            {
                Ok(1)
            }
            "nodes" => Ok(2),
            other => Err(format!("`{other}` was not to be expected")),
        }
    }
}

/// The canonical rules of the game do what the text says, state by state.
fn compare_rules(case: &Case) {
    let text = case.oracle.game.text();
    let loaded = psvn_ir::load(&text);
    let game = loaded.game.unwrap();
    for state in &case.oracle.states {
        let text = case.oracle.game.state_text(state);
        let parsed = game.parse_state(&text).unwrap();
        let steps = game.rules().iter().filter_map(|rule| {
            let canonical = &rule.canonical;
            canonical.applies_to(parsed.values()).then(|| {
                let target = canonical.apply(parsed.values());
                (
                    rule.label.to_lowercase(),
                    canonical.cost(),
                    game.format_state(&target),
                )
            })
        });
        let mut steps: Vec<_> = steps.collect();
        let edges = case.oracle.game.edges(state).into_iter();
        let edges = edges.map(|edge| {
            let target = case.oracle.game.state_text(&edge.target);
            (edge.label.to_lowercase(), edge.cost, target)
        });
        let mut edges: Vec<_> = edges.collect();
        steps.sort_unstable();
        edges.sort_unstable();
        assert_eq!(
            steps,
            edges,
            "seed {}, {text}\n{}",
            case.seed,
            case.oracle.game.text()
        );
        assert_eq!(
            game.is_goal(parsed.values()),
            case.oracle.game.is_goal(state)
        );
    }
}

fn try_game(seed: u64) -> Tally {
    let case = Case::new(seed);
    let mut tally = Tally {
        games: 1,
        ..Tally::default()
    };
    let mut dice = Dice::new(seed ^ 0x5EED);
    compare_rules(&case);
    case.trees(&mut tally);
    let machines = case.machines(&mut tally);
    let machines: Vec<(&Path, bool)> = machines
        .iter()
        .map(|(file, by_cost)| (file.as_path(), *by_cost))
        .collect();
    let tables = case.tables(&mut dice, &mut tally);
    let methods = methods(&machines, &tables, &mut dice);
    for method in &methods {
        case.solve(method, &mut tally);
    }
    tally
}

fn soak(seeds: std::ops::Range<u64>) -> Tally {
    let tallies = seeds.into_par_iter().map(try_game);
    tallies.reduce(Tally::default, Tally::with)
}

/// Check that some games were searched in all ways, and most searches ended.
fn check_breadth(tally: &Tally, games: u64) {
    assert!(tally.n_searches() >= 200 * games, "{tally:?}");
    assert!(tally.n_stopped() * 4 < tally.n_searches(), "{tally:?}");
    assert!(
        tally.machines > 5 * games && tally.tables > games,
        "{tally:?}"
    );
    assert_eq!(tally.searches.len(), 16, "all algorithms: {tally:?}");
}

/// Each game takes hundreds of commands.
#[test]
fn random_games_are_solved_as_their_text_says() {
    let n_games = cases(25);
    check_breadth(&soak(0..n_games), n_games);
}

#[test]
#[ignore = "takes 10 minutes: 50,000 searches, a command for each"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_many_random_games_are_solved_as_their_text_says() {
    let n_games = cases(250);
    let tally = soak(1000..1000 + n_games);
    println!("{tally:#?}\n{} searches", tally.n_searches());
    check_breadth(&tally, n_games);
}
