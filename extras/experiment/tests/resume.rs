//! Experiments that are interrupted, killed, changed, and resumed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use experiment::{
    Domain, DomainFacts, Group, Instance, Limits, Measure, Measured, Outcome, Plan, Reading,
    Results, ResultsError, ResultsFile, RunOptions, RunSummary, Runner, Spec, Wrong, run,
};
use proptest::prelude::*;

const SPEC: &str = r#"
title = "Numbers"
[limits]
nodes = 1000
[[domain]]
name = "small"
file = "1 2 3 4 5"
[[domain]]
name = "large"
file = "40 50"
[[method]]
name = "square"
power = 2
[[method]]
name = "cube"
power = 3
"#;

/// Measures powers of numbers; powers above the limit on nodes are stopped.
#[derive(Default)]
struct Powers {
    n_measured: AtomicUsize,
    /// Interrupts itself after this number of cells.
    interrupt_after: Option<usize>,
    interrupt: AtomicBool,
}

impl Runner for &Powers {
    fn domain(&mut self, domain: &Domain, _: &Limits) -> Result<DomainFacts, Vec<Wrong>> {
        if domain.file == "unreadable" {
            return Err(vec![Wrong::at("file", "it can't be read")]);
        }
        let instance = |n: &str| Instance {
            id: format!("#{n}"),
            start: n.to_owned(),
            ..Instance::default()
        };
        Ok(DomainFacts {
            game_hash: format!("hash of {}", domain.file.len()),
            identity: String::new(),
            instances: domain.file.split_whitespace().map(instance).collect(),
        })
    }

    fn takes_instances(&self, command: &str) -> Result<bool, String> {
        match command {
            "solve" => Ok(true),
            "once" => Ok(false),
            other => Err(format!("no command {other}")),
        }
    }

    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, Vec<Wrong>> {
        match group.options.keys().find(|name| *name != "power") {
            None => Ok(Vec::new()),
            Some(name) => Err(vec![Wrong::at(name, format!("no option {name}"))]),
        }
    }

    fn with_group(
        &mut self,
        group: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String> {
        let power: u32 = group.options["power"].as_ref().unwrap().parse().unwrap();
        if power == 13 {
            return Err("unlucky".to_owned());
        }
        let most = group.limits.nodes.unwrap_or(u64::MAX);
        body(&|instance| {
            if self.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let before = self.n_measured.fetch_add(1, Ordering::Relaxed);
            if self.interrupt_after.is_some_and(|n| before + 1 >= n) {
                self.interrupt.store(true, Ordering::Relaxed);
            }
            let n: u64 = instance.map_or(1, |instance| instance.start.parse().unwrap());
            let generated = n.pow(power);
            Some(Measured {
                outcome: if generated > most {
                    Outcome::Nodes
                } else {
                    Outcome::Complete
                },
                generated: Some(generated.min(most)),
                seconds: 0.5,
                ..Measured::default()
            })
        });
        Ok(())
    }
}

fn go(path: &Path, text: &str, powers: &Powers, jobs: usize) -> RunSummary {
    let mut runner = powers;
    let plan = Plan::new(Spec::parse(text).unwrap(), &mut runner).unwrap();
    let mut file = ResultsFile::open(path).unwrap();
    let options = RunOptions {
        jobs,
        program: "test 1".to_owned(),
    };
    run(
        &plan,
        &mut runner,
        &mut file,
        &options,
        &powers.interrupt,
        &mut |_| (),
    )
    .unwrap()
}

/// Run to the end and return the summary.
fn finish(path: &Path, text: &str) -> RunSummary {
    go(path, text, &Powers::default(), 1)
}

/// The file's result for each cell.
fn contents(path: &Path) -> BTreeMap<(String, String, String), (Option<u64>, Outcome)> {
    let results = Results::read(path).unwrap();
    let entry = |record: &experiment::Record| {
        (
            (
                record.domain.clone(),
                record.method.clone(),
                record.instance.clone(),
            ),
            (record.measured.generated, record.measured.outcome),
        )
    };
    assert!(!results.torn);
    let all: BTreeMap<_, _> = results.records.iter().map(entry).collect();
    assert_eq!(all.len(), results.records.len(), "each cell once");
    all
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("results.jsonl")
    }
}

#[test]
fn all_cells_are_measured_and_only_once() {
    let folder = Folder::new();
    let path = folder.path();
    let summary = finish(&path, SPEC);
    assert_eq!((summary.total, summary.measured, summary.kept), (14, 14, 0));
    // 40^2 and 50^2 exceed the limit, and so do their cubes.
    assert_eq!(summary.stopped, 4);
    let before = std::fs::read(&path).unwrap();
    let again = finish(&path, SPEC);
    assert_eq!((again.measured, again.kept, again.stopped), (0, 14, 4));
    assert_eq!(
        std::fs::read(&path).unwrap(),
        before,
        "nothing is written twice"
    );
}

/// Each cell is run this number of extra times; one that a limit stops, only once. Results without
/// warm-up runs are not accepted as results with them.
#[test]
fn warm_up_runs_come_before_the_measured_one() {
    let folder = Folder::new();
    let path = folder.path();
    finish(&path, SPEC);
    let warm = format!("warmup = 3\n{SPEC}");
    let powers = Powers::default();
    let summary = go(&path, &warm, &powers, 1);
    assert_eq!((summary.measured, summary.kept), (14, 0));
    // 10 cells with three runs before, and 4 that reach the limit with one.
    let n_runs = powers.n_measured.load(Ordering::Relaxed);
    assert_eq!(n_runs, 10 * 4 + 4 * 2);
    let again = finish(&path, &warm);
    assert_eq!((again.measured, again.kept), (0, 14));
    let error = Spec::parse(&format!("warmup = -1\n{SPEC}")).expect_err("a mistake");
    assert!(error.to_string().contains("-1"), "{error}");
}

/// An interruption during the warm-up measures nothing.
#[test]
fn a_warm_up_is_interrupted() {
    let folder = Folder::new();
    let powers = Powers {
        interrupt_after: Some(2),
        ..Powers::default()
    };
    let summary = go(&folder.path(), &format!("warmup = 3\n{SPEC}"), &powers, 1);
    assert_eq!(summary.measured, 0);
}

#[test]
fn several_cells_at_a_time_give_the_same_results() {
    let (one, several) = (Folder::new(), Folder::new());
    finish(&one.path(), SPEC);
    let summary = go(&several.path(), SPEC, &Powers::default(), 4);
    assert_eq!(summary.measured, 14);
    assert_eq!(contents(&one.path()), contents(&several.path()));
}

#[test]
fn an_interruption_loses_nothing() {
    for after in 1..14 {
        let folder = Folder::new();
        let powers = Powers {
            interrupt_after: Some(after),
            ..Powers::default()
        };
        let first = go(&folder.path(), SPEC, &powers, 1);
        assert_eq!(first.measured, after);
        assert!(!first.is_complete());
        let second = finish(&folder.path(), SPEC);
        assert_eq!((second.kept, second.measured), (after, 14 - after));
        let whole = Folder::new();
        finish(&whole.path(), SPEC);
        assert_eq!(contents(&folder.path()), contents(&whole.path()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A killed program may leave any prefix of the file.
    #[test]
    fn any_prefix_of_a_file_can_be_resumed(part in 0.0..1.0f64) {
        let folder = Folder::new();
        let path = folder.path();
        finish(&path, SPEC);
        let whole = std::fs::read(&path).unwrap();
        let expected = contents(&path);
        let end = (part * whole.len() as f64) as usize;
        std::fs::write(&path, &whole[..end]).unwrap();
        let summary = finish(&path, SPEC);
        prop_assert!(summary.is_complete());
        let lines = whole[..end].iter().filter(|byte| **byte == b'\n').count();
        prop_assert_eq!(summary.kept, lines.saturating_sub(1));
        prop_assert_eq!(contents(&path), expected);
    }
}

#[test]
fn a_changed_experiment_keeps_unchanged_cells() {
    let folder = Folder::new();
    let path = folder.path();
    finish(&path, SPEC);
    // Renamed cells, one more method, one number less and one more.
    let changed = SPEC
        .replace("\"square\"", "\"second power\"")
        .replace("1 2 3 4 5", "1 2 3 4 6")
        + "[[method]]\nname = \"fourth\"\npower = 4\n";
    let summary = finish(&path, &changed);
    assert_eq!((summary.total, summary.kept, summary.measured), (21, 12, 9));
    let all = contents(&path);
    let names: Vec<&str> = all.keys().map(|(_, method, _)| method.as_str()).collect();
    assert!(!names.contains(&"square") && names.contains(&"second power"));
    assert!(
        !all.keys()
            .any(|(domain, _, id)| domain == "small" && id == "#5")
    );
    // A cell that was left out comes back without being measured.
    let back = finish(&path, SPEC);
    assert_eq!((back.kept, back.measured), (14, 0));
    assert_eq!(contents(&path).len(), 14);
}

#[test]
fn cells_that_a_limit_stopped_are_measured_under_a_new_one() {
    let folder = Folder::new();
    finish(&folder.path(), SPEC);
    let more = finish(
        &folder.path(),
        &SPEC.replace("nodes = 1000", "nodes = 2000"),
    );
    assert_eq!((more.kept, more.measured, more.stopped), (10, 4, 3));
    // Under a smaller limit, results that need more are invalid.
    let less = finish(&folder.path(), &SPEC.replace("nodes = 1000", "nodes = 20"));
    assert_eq!(less.stopped, 4 + 1 + 3);
    assert_eq!((less.kept, less.measured), (6, 8));
}

#[test]
fn failures_are_written_and_tried_again() {
    let folder = Folder::new();
    let unlucky = SPEC.replace("power = 3", "power = 13");
    let summary = finish(&folder.path(), &unlucky);
    assert_eq!((summary.failed, summary.measured), (7, 14));
    let results = Results::read(&folder.path()).unwrap();
    assert_eq!(
        results.records[5].measured.message.as_deref(),
        Some("unlucky")
    );
    let again = finish(&folder.path(), &unlucky);
    assert_eq!((again.kept, again.measured), (7, 7));
}

#[test]
fn methods_without_instances_have_one_cell() {
    let folder = Folder::new();
    let once = SPEC.replace(
        "power = 3",
        "power = 3\ncommand = \"once\"\ndomains = [\"large\"]",
    );
    assert_eq!(finish(&folder.path(), &once).total, 8);
}

#[test]
fn nonsense_is_refused_before_anything_is_measured() {
    let plan = |text: &str| {
        let powers = Powers::default();
        let plan = Plan::new(Spec::parse(text).unwrap(), &mut &powers);
        plan.map_err(|errors| errors.to_string())
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        plan(&SPEC.replace("power = 3", "powder = 3")),
        "method `cube`: no option powder"
    );
    let text = SPEC.replace("power = 3", "command = \"fly\"");
    assert_eq!(plan(&text), "method `cube`: no command fly");
    let text = SPEC.replace("power = 3", "power = \"steps\"");
    assert!(plan(&text).contains("`power` depends on the steps"));
    let text = SPEC.replace("\"40 50\"", "\"\"");
    assert_eq!(plan(&text), "domain `large` has no instances");
}

#[test]
fn instances_with_mistakes_are_not_missing_too() {
    let mistakes = |line: &str| {
        let text = SPEC.replace("file = \"40 50\"", &format!("file = \" \"\n{line}"));
        let powers = Powers::default();
        let plan = Reading::of(&text).unwrap().plan(&mut &powers);
        plan.unwrap_err().to_string()
    };
    assert_eq!(
        mistakes("instances = { goal = true }"),
        "`instances` takes a list of tables, such as [{ walks = 20, steps = 50 }], \
         not a table like this"
    );
    assert_eq!(mistakes("instances = [3]"), "this is `3`, not a table");
    assert_eq!(
        mistakes("instance = [3]"),
        "unknown field `instance`; this is `3`, not a table"
    );
    assert_eq!(
        mistakes("instances = []"),
        "domain `large` has no instances"
    );
}

#[test]
fn other_files_are_left_alone() {
    let folder = Folder::new();
    let path = folder.path();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = ResultsFile::open(&path).unwrap_err();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        error
    };
    assert!(matches!(refused(b"my diary\n"), ResultsError::Foreign));
    assert!(matches!(refused(b"my diary"), ResultsError::Foreign));
    assert!(matches!(refused(b"{\"a\":1}\n"), ResultsError::Foreign));
    let newer = b"{\"format\":\"psvn-results\",\"version\":99,\"new\":1}\n";
    assert!(matches!(
        refused(newer),
        ResultsError::Version { found: 99 }
    ));
    std::fs::remove_file(&path).unwrap();
    finish(&path, SPEC);
    let mut damaged = std::fs::read(&path).unwrap();
    let second = damaged.iter().position(|byte| *byte == b'\n').unwrap() + 3;
    damaged[second] = b'\x00';
    assert!(matches!(
        refused(&damaged),
        ResultsError::Damaged { line: 2, .. }
    ));
}

#[test]
fn two_programs_do_not_write_the_same_file() {
    let folder = Folder::new();
    let first = ResultsFile::open(&folder.path()).unwrap();
    assert!(matches!(
        ResultsFile::open(&folder.path()),
        Err(ResultsError::Locked)
    ));
    drop(first);
    assert!(ResultsFile::open(&folder.path()).is_ok());
}

/// Mistakes of the text, of domains and of methods, each at its place, in the order of the text.
#[test]
fn all_mistakes_are_found_in_one_pass() {
    let text = r#"
titel = "Wrong"
warmup = "twice"
[limits]
nodes = 1000
timee = "1s"
[[domain]]
name = "small"
file = "unreadable"
instances = [{ walk = 3, steps = 2 }, { walks = -2, steps = 3 }, { goal = true, seed = 1 }]
[[domain]]
name = "large"
[[methods]]
name = "square"
domains = ["smal"]
powder = 2
[[methods]]
name = "cube"
command = "fly"
"#;
    let mut powers = &Powers::default();
    let reading = Reading::of(text).unwrap_or_else(|errors| panic!("{errors}"));
    let errors = reading.plan(&mut powers).unwrap_err().0;
    let said: Vec<String> = errors
        .iter()
        .map(|error| {
            let place = error.place.clone().unwrap();
            let line = text[..place.start].matches('\n').count() + 1;
            let hint = error.hint.as_deref().unwrap_or("-");
            format!("{line} {}: {}: {hint}", &text[place], error.message)
        })
        .collect();
    let expected = [
        "2 titel: unknown field `titel`: did you mean `title`?",
        "3 \"twice\": `warmup` takes a whole number from 0 on, not the text `twice`: -",
        "6 timee: unknown field `timee`: did you mean `time`?",
        "9 \"unreadable\": it can't be read: -",
        "10 walk: unknown field `walk`: did you mean `walks`?",
        "10 -2: `walks` takes a whole number from 0 on, not `-2`: -",
        "10 { goal = true, seed = 1 }: `seed`, `from` and `undo` are for `walks`: -",
        "11 [[domain]]: missing field `file`: -",
        "13 methods: unknown field `methods`: did you mean `[[method]]`?",
        "15 \"smal\": method `square` is for a domain `smal`, which isn't there: did you mean `small`?",
        "16 2: method `square`: no option powder: -",
        "19 \"fly\": method `cube`: no command fly: -",
    ];
    assert_eq!(said, expected);
    // No Rust in it.
    for word in ["usize", "u64", "expected one of", "invalid type"] {
        assert!(!said.iter().any(|it| it.contains(word)), "{word}");
    }
}
