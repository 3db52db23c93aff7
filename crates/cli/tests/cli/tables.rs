//! Pattern databases in searches: files, sums of them, and the automatic choice.

use serde_json::Value;

use crate::run_in;

const EIGHT: &str = "gen:sliding-tiles:3:3";
const START: &str = "8 7 6 0 4 1 2 5 3";

fn solve(folder: &std::path::Path, words: &[&str]) -> (Option<i32>, Value, String) {
    let ran = run_in(folder, &[words, &["--format", "json"]].concat());
    let value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
    (ran.status, value, ran.stderr)
}

#[test]
fn tables_in_files_are_added_up_if_the_sum_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sum = [
        "--additive",
        "--pattern",
        "keep 1-4",
        "--pattern",
        "keep 5-8",
        "-o",
        "sum.pdb",
    ];
    assert_eq!(
        run_in(at, &[&["pdb", EIGHT], &sum[..]].concat()).status,
        Some(0)
    );
    let full = ["--pattern", "keep 0-3", "-o", "full.pdb"];
    assert_eq!(
        run_in(at, &[&["pdb", EIGHT], &full[..]].concat()).status,
        Some(0)
    );
    let ask = |heuristic| {
        solve(
            at,
            &["solve", EIGHT, "--start", START, "--heuristic", heuristic],
        )
    };
    let (status, both, problems) = ask("sum-1.pdb+sum-2.pdb,full.pdb,manhattan");
    assert_eq!(status, Some(0), "{problems}");
    assert_eq!(both["cost"], 31);
    assert_eq!(both["admissible"], true);
    assert_eq!(
        both["heuristic"],
        "max(manhattan, max(sum-1.pdb + sum-2.pdb, full.pdb))"
    );
    assert!(both["heuristic_bytes"].as_u64() > Some(6_000));
    assert!(both["heuristic_seconds"].as_f64() > Some(0.0));
    let (_, one, _) = ask("sum-1.pdb");
    assert_eq!(one["cost"], 31);
    assert!(one["heuristic_start"].as_u64() < both["heuristic_start"].as_u64());
    let (_, named, _) = ask("manhattan");
    assert!(named["generated"].as_u64() > both["generated"].as_u64());
    assert!(named["heuristic_bytes"].is_null());
    for (wrong, status, said) in [
        ("sum-1.pdb+full.pdb", 2, "may estimate too high"),
        ("sum-1.pdb+sum-1.pdb", 2, "paid for twice"),
        ("sum-1.pdb+keep 5-8", 2, "of files or of patterns"),
        ("sum-3.pdb", 3, "can't use `sum-3.pdb`"),
    ] {
        let (found, _, problems) = ask(wrong);
        assert_eq!(found, Some(status), "{wrong}: {problems}");
        assert!(problems.contains(said), "{wrong}: {problems}");
    }
    let other = ["solve", "gen:sliding-tiles:2:3", "--start", "5 4 3 2 1 0"];
    let (status, _, problems) = solve(at, &[&other[..], &["--heuristic", "sum-1.pdb"]].concat());
    assert_eq!(status, Some(3), "{problems}");
}

/// What a second of search doesn't solve is solved by tables; nothing is left in the folder.
#[test]
fn tables_are_built_where_that_pays() {
    let folder = tempfile::tempdir().unwrap();
    // Instance 88 of Korf 1985: with Manhattan distance it takes thousands of millions of nodes.
    let start = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";
    let words = [
        "solve",
        "gen:sliding-tiles:4:4",
        "--start",
        start,
        "--prune",
        "2",
        "--heuristic",
        "auto",
        "--explain",
    ];
    let (status, value, problems) = solve(folder.path(), &words);
    assert_eq!(status, Some(0), "{problems}");
    assert_eq!(value["cost"], 65);
    assert!(
        value["heuristic_reason"]
            .as_str()
            .unwrap()
            .contains("alone solves 0 of 1 start")
    );
    assert!(
        value["heuristic"]
            .as_str()
            .unwrap()
            .contains("the sum of tables")
    );
    assert!(value["heuristic_bytes"].as_u64() < Some(256 << 20));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let considered = value["heuristic_considered"].as_array().unwrap();
    let chosen = considered.iter().filter(|it| it["fate"] == "chosen");
    assert!(
        considered.len() > 3 && chosen.count() == 1,
        "{considered:?}"
    );

    // The options that it tells lead to the same search.
    let options = value["heuristic_options"].as_str().unwrap();
    let (heuristic, others) = options["--heuristic '".len()..].split_once('\'').unwrap();
    assert_eq!(others, " --mirrored 1");
    let given = &words[..words.len() - 2];
    let named = [given, &[heuristic, "--mirrored", "1"]].concat();
    let (_, named, problems) = solve(folder.path(), &named);
    assert_eq!(named["cost"], 65, "{problems}");
    for number in ["generated", "expanded", "pruned", "heuristic_start"] {
        assert_eq!(named[number], value[number], "{number}");
    }

    let (status, _, problems) = solve(
        folder.path(),
        &["solve", EIGHT, "--start", START, "--explain"],
    );
    assert_eq!(status, Some(2));
    assert!(
        problems.contains("only `--heuristic auto` chooses"),
        "{problems}"
    );
}

/// A table that is too large is refused before any work, with the size that `--size` names.
#[test]
fn tables_that_are_too_large_are_refused_with_their_size() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    for (game, pattern) in [
        ("gen:sliding-tiles:4:4", "keep 0-15"),
        ("gen:sliding-tiles:4:4", "keep 0-12"),
        ("gen:rubik:3", ""),
    ] {
        let pdb = match game {
            "gen:rubik:3" => vec!["pdb", game],
            _ => vec!["pdb", game, "--pattern", pattern],
        };
        let size = at(&[&pdb[..], &["--size"]].concat());
        assert_eq!(size.status, Some(0), "{}", size.stderr);
        let (_, needed) = size.stdout.split_once("memory while building: ").unwrap();
        let needed = needed.trim();
        assert!(
            needed.ends_with(" TiB") || needed.ends_with(" EiB"),
            "{needed}"
        );
        for (memory, allowed) in [("100M", "100.0 MiB"), ("2G", "2.0 GiB")] {
            let ran = at(&[&pdb[..], &["--memory", memory]].concat());
            assert_eq!(ran.status, Some(4), "{}", ran.stderr);
            let said = format!(
                "error: the table needs {needed} while it is built, and {allowed} are allowed\n"
            );
            assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
        }
        if cfg!(target_os = "linux") {
            let ran = at(&pdb);
            assert_eq!(ran.status, Some(4), "{}", ran.stderr);
            let said = format!(
                "error: the table needs {needed} while it is built, which this computer doesn't have\n"
            );
            assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
        }
    }
    // So near to each other that units would hide the difference.
    let size = at(&["pdb", EIGHT, "--size", "--format", "json"]);
    let size: Value = serde_json::from_str(&size.stdout).unwrap();
    let needed: u64 = size[0]["building_bytes"].as_str().unwrap().parse().unwrap();
    let ran = at(&["pdb", EIGHT, "--memory", &format!("{}B", needed - 1)]);
    let said = format!(
        "the table needs {needed} B while it is built, and {} B are",
        needed - 1
    );
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    assert_eq!(
        at(&["pdb", EIGHT, "--memory", &format!("{needed}B")]).status,
        Some(0)
    );
}
