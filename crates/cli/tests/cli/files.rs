//! Files that are written and read: machines, games in place, manual pages.

use std::fs;

use serde_json::Value;

use crate::{run, run_in};

#[test]
fn machines_are_written_described_verified_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let game = "gen:topspin:10:3";
    let mut sizes = Vec::new();
    for kind in ["table", "aho-corasick", "minimized"] {
        let words = ["analyze", game, "-L", "4", "-o", "m.fsm", "--machine", kind];
        assert_eq!(at(&words).status, Some(0));
        let verified = at(&["verify", game, "m.fsm"]);
        assert_eq!(verified.status, Some(0), "{}", verified.stdout);
        assert!(verified.stdout.contains("certificates proved"));

        let described = at(&["fsm", "m.fsm", "--json"]);
        let value: Value = serde_json::from_str(&described.stdout).unwrap();
        assert_eq!(value["max_length"], 4);
        sizes.push(value["states"].as_u64().unwrap());

        let start = "2 3 4 1 0 5 6 7 8";
        let solve = |prune: &str| {
            let words = [
                "solve", game, "--start", start, "--prune", prune, "--format", "json",
            ];
            let ran = at(&words);
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            let value: Value = serde_json::from_str(&ran.stdout).unwrap();
            (value["cost"].clone(), value["generated"].as_u64().unwrap())
        };
        assert_eq!(solve("m.fsm"), solve("4"));
        assert_eq!(solve("m.fsm").0, solve("none").0);
        assert!(solve("m.fsm").1 < solve("2").1 && solve("2").1 < solve("none").1);
    }
    assert!(sizes[0] >= sizes[1] && sizes[1] >= sizes[2], "{sizes:?}");
    let dot = at(&["fsm", "m.fsm", "--dot", "--game", game]);
    assert!(dot.stdout.starts_with("digraph") && dot.stdout.contains("turn1"));
    let text = at(&["fsm", "m.fsm", "--game", game]);
    assert!(text.stdout.contains("branching factor"));
    // Nothing but the machine is left behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_tree_has_a_column_for_each_machine_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let game = "gen:sliding-tiles:3:3";
    let written = [
        &["-L", "6", "-o", "rules.fsm"][..],
        &["-L", "6", "-o", "dont-cares.fsm", "--dont-cares"],
        &["-L", "12", "-o", "labels.fsm", "--operators", "labels"],
        &[
            "-L",
            "6",
            "-o",
            "cost.fsm",
            "--order",
            "cost-length-lexicographic",
        ],
    ];
    let mut files = Vec::new();
    for options in written {
        let ran = at(&[&["analyze", game], options].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        files.extend(["--prune", options[3]]);
    }
    let tree = ["tree", game, "-d", "12", "-L", "0,6"];
    let ran = at(&[&tree[..], &files, &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let columns = report["columns"].as_array().unwrap();
    let titles: Vec<&str> = columns
        .iter()
        .map(|c| c["prune"].as_str().unwrap())
        .collect();
    let expected = [
        "rules.fsm",
        "dont-cares.fsm",
        "labels.fsm",
        "cost.fsm",
        "none",
        "6",
    ];
    assert_eq!(titles, expected);
    for column in &columns[..4] {
        assert!(column["max_length"].is_null());
    }
    let nodes = |n: usize| &columns[n]["nodes"];
    assert_eq!(nodes(5), nodes(0));
    assert_eq!(nodes(5), nodes(1));
    assert_eq!(nodes(5), nodes(3));
    assert!(nodes(2)[12].as_u64() < nodes(4)[12].as_u64());
    let text = at(&["tree", game, "-d", "2", "--prune", "none,2,labels.fsm"]);
    let line = "Nodes at depth 2 that are goal states: none: 2, L=2: 0, labels.fsm: 0";
    assert!(text.stdout.contains(line), "{}", text.stdout);
    // Two blanks are no state that the machine was made for.
    let ran = at(&[
        &tree[..],
        &["--start", "0 0 2 3 4 5 6 7 8", "--prune", "rules.fsm"],
    ]
    .concat());
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("occurs 2 times"), "{}", ran.stderr);
}

#[test]
fn machines_of_other_games_and_damaged_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    assert_eq!(
        at(&["analyze", "gen:pancake:5", "-o", "m.fsm"]).status,
        Some(0)
    );
    for words in [
        &["verify", "gen:pancake:6", "m.fsm"][..],
        &[
            "solve",
            "gen:pancake:6",
            "--start",
            "1 2 3 4 5 6",
            "--prune",
            "m.fsm",
        ],
        &["fsm", "m.fsm", "--game", "gen:pancake:6"],
    ] {
        let ran = at(words);
        assert_eq!(ran.status, Some(3), "{words:?}");
        assert!(
            ran.stderr.contains("made for another game"),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.is_empty());
    }
    let path = folder.path().join("m.fsm");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let ran = at(&["verify", "gen:pancake:5", "m.fsm"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("damaged"), "{}", ran.stderr);
    fs::write(&path, "2\n2 2\n").unwrap();
    let ran = at(&["fsm", "m.fsm"]);
    assert_eq!(ran.status, Some(3));
    assert!(
        ran.stderr.contains("isn't a machine file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_false_certificate_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.fsm");
    let words = ["analyze", "gen:arrow:5", "-o", "m.fsm"];
    assert_eq!(run_in(folder.path(), &words).status, Some(0));
    let verify = || run_in(folder.path(), &["verify", "gen:arrow:5", "m.fsm"]);

    let honest = fsm::MachineFile::from_bytes(&fs::read(&path).unwrap()).unwrap();
    let mut forged = honest.clone();
    let n_words = forged.words.len();
    forged.words[n_words - 1].replacements = vec![forged.words[0].word[..1].into()];
    fs::write(&path, forged.to_bytes()).unwrap();
    let ran = verify();
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(
        ran.stdout.contains(&format!("certificate {n_words}: ")),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains(&format!("1 of {n_words} certificates failed"))
    );

    // One word less, and the machine forbids too much.
    let mut forged = honest;
    forged.words.pop();
    fs::write(&path, forged.to_bytes()).unwrap();
    let ran = verify();
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("the machine is wrong: it forbids"),
        "{}",
        ran.stdout
    );
}

#[test]
fn fmt_changes_files_in_place_and_leaves_broken_ones_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let path = folder.path().join("game.psvn");
    fs::write(&path, "2 2 2 0 A => A 0 LABEL x # why\n").unwrap();
    assert_eq!(at(&["fmt", "--check", "game.psvn"]).status, Some(1));
    assert_eq!(at(&["fmt", "--write", "game.psvn"]).status, Some(0));
    assert_eq!(at(&["fmt", "--check", "game.psvn"]).status, Some(0));
    let tidy = fs::read_to_string(&path).unwrap();
    assert!(tidy.contains("# why") && tidy.lines().count() > 3, "{tidy}");

    let broken = "2 2 2 0 A => A LABEL x\n";
    fs::write(&path, broken).unwrap();
    assert_eq!(at(&["fmt", "--write", "game.psvn"]).status, Some(3));
    assert_eq!(fs::read_to_string(&path).unwrap(), broken);

    // A comment in Latin-1 is forgiven, but must not be destroyed.
    let latin = b"2 2 2 0 A => A 0 # M\xfcller\n";
    fs::write(&path, latin).unwrap();
    assert_eq!(at(&["fmt", "--write", "game.psvn"]).status, Some(3));
    assert_eq!(fs::read(&path).unwrap(), latin);
    // The character that stands for lost bytes is text like any other.
    fs::write(&path, "2 2 2 0 A => A 0 # M\u{fffd}ller\n").unwrap();
    assert_eq!(at(&["fmt", "--write", "game.psvn"]).status, Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn files_keep_their_permissions_and_links_their_targets() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.psvn");
    fs::write(&path, "2 2 2 0 A => A 0\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("game.psvn", folder.path().join("link.psvn")).unwrap();
    assert_eq!(
        run_in(folder.path(), &["fmt", "-w", "link.psvn"]).status,
        Some(0)
    );
    assert!(fs::read_to_string(&path).unwrap().lines().count() > 1);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(folder.path().join("link.psvn").is_symlink());
}

#[test]
fn nothing_is_left_behind_where_a_file_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &["gen", "ghi", "-o", "no/such/folder.psvn"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("can't write"), "{}", ran.stderr);
    let ran = run_in(folder.path(), &["gen", "ghi", "-o", "."]);
    assert_eq!(ran.status, Some(3));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_gen_writes_is_what_gen_prints() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["gen", "hanoi", "3", "4", "-o", "hanoi.psvn"];
    assert_eq!(run_in(folder.path(), &words).status, Some(0));
    let written = fs::read_to_string(folder.path().join("hanoi.psvn")).unwrap();
    assert_eq!(written, run(&["gen", "hanoi", "3", "4"]).stdout);
    let of_file = run_in(folder.path(), &["show", "hanoi.psvn"]).stdout;
    let of_reference = run(&["show", "gen:hanoi:3:4"]).stdout;
    assert_eq!(
        of_file.split_once(": ").unwrap().1,
        of_reference.split_once("4: ").unwrap().1
    );
}

#[test]
fn manual_pages_and_completions_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &["man", "--dir", "."]);
    assert_eq!(ran.status, Some(0));
    let commands = [
        "check",
        "fmt",
        "show",
        "compose",
        "analyze",
        "explain",
        "verify",
        "fsm",
        "tree",
        "solve",
        "gen",
        "cache",
        "secret",
        "lsp",
        "studio",
        "completions",
        "man",
    ];
    let overview = run(&["man"]).stdout;
    for command in commands {
        let page = fs::read_to_string(folder.path().join(format!("psvn-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
        assert!(
            run(&["help", command]).stdout.contains("Usage: psvn"),
            "{command}"
        );
        assert!(overview.contains(&format!("psvn\\-{command}")), "{command}");
    }
    // The folder is made, unless a file is in the way.
    let ran = run_in(folder.path(), &["man", "--dir", "new/folder"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(folder.path().join("new/folder/psvn-solve.1").is_file());
    let ran = run_in(folder.path(), &["man", "--dir", "psvn.1"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    for shell in ["elvish", "powershell"] {
        let script = run(&["completions", shell]).stdout;
        assert!(
            commands.iter().all(|command| script.contains(command)),
            "{shell}"
        );
    }
    // The scripts of the others ask.
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]).stdout;
        assert!(script.contains(&format!("complete {shell} --")), "{shell}");
    }
    let offered = run(&["complete", "fish", "--", ""]).stdout;
    let offered: Vec<&str> = offered
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    for command in commands {
        assert!(offered.contains(&command), "{command}");
    }
}

#[test]
fn manual_pages_keep_columns() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        run_in(folder.path(), &["man", "--dir", "."]).status,
        Some(0)
    );
    let page = fs::read_to_string(folder.path().join("psvn-solve.1")).unwrap();
    let sections: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with(".SH "))
        .collect();
    let place = |name: &str| {
        sections
            .iter()
            .position(|it| it.trim_matches('"').contains(name))
    };
    assert!(place("EXAMPLES") < place("OPTIONS"), "{sections:?}");
    assert!(
        place("EXAMPLES").is_some() && place("NOTES").is_some(),
        "{sections:?}"
    );
    let blocks: Vec<&str> = page.split("\n.nf\n").skip(1).collect();
    let blocks: Vec<&str> = blocks
        .iter()
        .filter_map(|it| it.split("\n.fi").next())
        .collect();
    let has = |text: &str| blocks.iter().any(|block| block.contains(text));
    assert!(has("psvn solve gen:pancake:7 \\-\\-start"), "{blocks:?}");
    assert!(has("  manhattan         distances of"), "{blocks:?}");
    assert!(page.contains(".SS Heuristics\n"));
    // No page of a command that nobody should type.
    assert!(!folder.path().join("psvn-complete.1").exists());
    // No line is a request by accident.
    for entry in fs::read_dir(folder.path()).unwrap() {
        let page = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            let request = line
                .trim_start_matches(['.', '\''])
                .split(' ')
                .next()
                .unwrap();
            let known = [
                "TH", "SH", "SS", "PP", "TP", "IP", "RS", "RE", "br", "nf", "fi", "ie", "el", "ds",
                "if", "nr", "sp",
            ];
            assert!(
                known.contains(&request) || line.starts_with(".\\\""),
                "{line}"
            );
        }
    }
}

#[test]
fn machines_remember_the_order_of_rules_and_of_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let analyze = |game: &str, options: &[&str]| -> Value {
        let words = [
            &["analyze", game, "-o", "m.fsm", "--format", "json"],
            options,
        ]
        .concat();
        let ran = at(&words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let game = "gen:topspin:9:3";
    let in_file_order = analyze(game, &[]);
    assert_eq!(in_file_order["rule_order"], "file");
    assert!(in_file_order["rules_in_order"].is_null());
    let optimized = analyze(game, &["--rule-order", "optimize", "--seed", "3"]);
    let factor = |report: &Value| report["branching_factor"].as_f64().unwrap();
    assert!(factor(&optimized) < factor(&in_file_order));
    assert_eq!(
        optimized["rule_order_gain"][0].as_f64(),
        Some(factor(&in_file_order))
    );
    assert_eq!(optimized["rules_in_order"].as_array().unwrap().len(), 9);
    assert_eq!(at(&["verify", game, "m.fsm"]).status, Some(0));
    let no_length = ["analyze", game, "--rule-order", "optimize", "-L", "auto"];
    assert_eq!(at(&no_length).status, Some(2));

    // By cost, one expensive rule is pruned in favor of two cheap ones: good for searches by cost
    // only.
    let source = "1 3\n0 => 2 LABEL FLY COST 5\n0 => 1 LABEL WALK COST 1\n1 => 2 LABEL SWIM COST 1\nGOAL 2\n";
    fs::write(folder.path().join("fly.psvn"), source).unwrap();
    let by_cost = analyze(
        "fly.psvn",
        &["--order", "cost-length-lexicographic", "--start", "0"],
    );
    assert_eq!(by_cost["order"], "cost-length-lexicographic");
    assert_eq!(by_cost["redundant_words"], 1);
    assert_eq!(at(&["verify", "fly.psvn", "m.fsm"]).status, Some(0));
    let solve = ["solve", "fly.psvn", "--start", "0", "--prune", "m.fsm"];
    let cheap = at(&solve);
    assert_eq!(cheap.status, Some(0));
    assert!(cheap.stdout.contains("WALK SWIM"));
    let by_moves = at(&[&solve[..], &["--algorithm", "dfid"]].concat());
    assert_eq!(by_moves.status, Some(3));
    assert!(by_moves.stderr.contains("bounded by the number of moves"));
}
