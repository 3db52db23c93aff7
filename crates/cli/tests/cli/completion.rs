//! Completion of command lines, by the command and by the shells.

use std::process::{Command, Stdio};

use crate::{psvn, run, run_in};

/// What may stand in the place of the last word, in a folder.
fn candidates(folder: &std::path::Path, words: &[&str]) -> Vec<String> {
    let words = [&["complete", "fish", "--"], words].concat();
    let ran = run_in(folder, &words);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(0), ""),
        "{words:?}"
    );
    let texts = ran
        .stdout
        .lines()
        .filter_map(|line| line.split('\t').next());
    texts.map(str::to_owned).collect()
}

/// A folder with files of all kinds.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "a.psvn",
        "a.fsm",
        "a.pdb",
        "b.pdb",
        "r.jsonl",
        "s.toml",
        "x y.psvn",
        "notes.txt",
    ];
    for name in names {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("games")).unwrap();
    std::fs::write(folder.path().join("games/in.psvn"), "").unwrap();
    folder
}

#[test]
fn completed_values_are_accepted_values() {
    let folder = folder();
    let of = |words: &[&str]| candidates(folder.path(), words);
    assert_eq!(of(&["solv"]), ["solve"]);
    assert_eq!(of(&["comp"]), ["compose", "completions"]);
    assert_eq!(of(&["solve", "--heuristic", "man"]), ["manhattan"]);
    assert_eq!(of(&["solve", "--heuristic", "a"]), ["auto", "a.pdb"]);
    assert_eq!(
        of(&["solve", "--heuristic", "gap,a.pdb+"])[..],
        of(&["solve", "--heuristic", "gap,a.pdb+"])
            .iter()
            .filter(|it| it.starts_with("gap,a.pdb+"))
            .cloned()
            .collect::<Vec<_>>()
    );
    assert!(of(&["solve", "--heuristic", "a.pdb+b"]).contains(&"a.pdb+b.pdb".to_owned()));
    assert_eq!(
        of(&["solve", "--algorithm", "ida-"]),
        ["ida-cr", "ida-table"]
    );
    assert_eq!(of(&["solve", "--algorithm=wi"]), ["--algorithm=wida"]);
    assert_eq!(
        of(&["solve", "-a", "df"]),
        ["dfs", "dfid", "dfbnb", "dfs-closed"]
    );
    assert_eq!(
        of(&["solve", "gen:ghi", "--prune", ""]),
        ["auto", "none", "parent", "a.fsm", "games/"]
    );
    assert_eq!(
        of(&["tree", "gen:ghi", "--prune", "none,pa"]),
        ["none,parent", "none,path"]
    );
    assert_eq!(of(&["experiment", "--preset", "tab"]), ["table4"]);
    assert_eq!(of(&["report", "--table", "co"]), ["coverage", "costs"]);
    assert_eq!(of(&["report", "--table", "la"]), ["laws"]);
    assert_eq!(of(&["report", "--format", "ht"]), ["html"]);
    assert_eq!(of(&["report", ""]), ["games/", "r.jsonl"]);
    assert_eq!(of(&["gen", "top"]), ["topspin"]);
    assert_eq!(of(&["check", "--explain", "no-inv"]), ["no-inverse"]);
    assert_eq!(of(&["completions", "z"]), ["zsh"]);
    assert!(of(&["solve", "--heur"]).starts_with(&["--heuristic".to_owned()]));
    assert!(!of(&["--"]).is_empty() && of(&["solve", "--no-such-option"]).is_empty());
}

#[test]
fn games_are_files_by_their_ending_or_built_in() {
    let folder = folder();
    let of = |words: &[&str]| candidates(folder.path(), words);
    assert_eq!(of(&["check", "a"]), ["a.psvn"]);
    assert_eq!(of(&["check", "games/"]), ["games/in.psvn"]);
    assert_eq!(of(&["check", "a.psvn", "x"]), ["x y.psvn"]);
    assert_eq!(of(&["tree", "ge"]), ["gen:"]);
    assert_eq!(of(&["tree", "gen:sl"]).len(), 2);
    assert!(
        of(&["tree", "gen:sliding-tiles:4:4:goal="])
            .contains(&"gen:sliding-tiles:4:4:goal=blank-last".to_owned())
    );
    // Each game that is offered can be read.
    for game in of(&["show", "gen:"]) {
        assert_eq!(run(&["show", &game, "-q"]).status, Some(0), "{game}");
    }
}

/// The words of the line are those that the shell sees.
#[test]
fn lines_of_bash_are_split_and_colons_break_words() {
    let folder = folder();
    let of = |line: &str, breaks: &str| -> Vec<String> {
        let ran = run_in(folder.path(), &["complete", "bash", "--", line, breaks]);
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.stderr);
        ran.stdout.lines().map(str::to_owned).collect()
    };
    assert_eq!(of("psvn solve gen:topsp", " :="), ["topspin:14:3"]);
    assert_eq!(of("psvn solve gen:topsp", " "), ["gen:topspin:14:3"]);
    assert_eq!(of("psvn solve gen:topspin:1", " :="), ["14:3"]);
    assert_eq!(of("psvn solve --algorithm=wi", " :="), ["wida"]);
    assert_eq!(of("psvn check x", " :="), ["x\\ y.psvn"]);
    assert_eq!(of("psvn check 'x", " :="), ["x y.psvn"]);
    assert_eq!(of("psvn check x\\ y", " :="), ["x\\ y.psvn"]);
    assert!(of("psvn", " :=").is_empty() && of("", "").is_empty());
}

/// A shell's program, or nothing where there is none, which is said.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn shell(name: &str) -> Option<Command> {
    let mut probe = Command::new(name);
    let probe = probe.arg("-c").arg("true").stdin(Stdio::null());
    match probe.status() {
        Ok(status) if status.success() => Some(Command::new(name)),
        _ => {
            eprintln!("no completion was tested in {name}, which isn't there");
            None
        }
    }
}

/// The script of a shell, in a file.
fn script(shell: &str, folder: &std::path::Path) -> String {
    let output = psvn(&["completions", shell]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let path = folder.join(format!("psvn.{shell}"));
    std::fs::write(&path, output.stdout).unwrap();
    path.to_str().unwrap().to_owned()
}

fn stdout_of(mut command: Command, program: &str) -> String {
    let output = command
        .arg("-c")
        .arg(program)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(stderr, "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_completes() {
    let Some(bash) = shell("bash") else { return };
    let folder = folder();
    let file = script("bash", folder.path());
    let binary = env!("CARGO_BIN_EXE_psvn");
    // As readline does: the line, the cursor, the function with the name of the command.
    let program = format!(
        r#"cd '{}'; . '{file}'
        try() {{ COMP_LINE=$1 COMP_POINT=${{#1}}; _psvn '{binary}'; printf '%s|' "${{COMPREPLY[@]}}"; echo; }}
        try 'psvn solve gen:topsp'
        try 'psvn solve --heuristic lin'
        try 'psvn check x'
        try 'psvn tree gen:ghi --prune '
        complete -p psvn"#,
        folder.path().display()
    );
    assert_eq!(
        stdout_of(bash, &program),
        "topspin:14:3|\nlinear-conflict|\nx\\ y.psvn|\nnone|parent|path|a.fsm|games/|\n\
         complete -F _psvn psvn\n"
    );
}

#[test]
fn zsh_completes() {
    let Some(zsh) = shell("zsh") else { return };
    let folder = folder();
    let file = script("zsh", folder.path());
    let binary = env!("CARGO_BIN_EXE_psvn");
    // What would be offered is printed instead.
    let program = format!(
        r#"cd '{}'; compdef() {{ : }}; . '{file}'
        compadd() {{ while [[ $1 != -- ]]; do shift; done; shift; print -rn -- "${{(j:|:)@}} " }}
        try() {{ words=("$@"); CURRENT=$#; _psvn; echo }}
        try '{binary}' solve gen:topsp
        try '{binary}' solve --heuristic lin
        try '{binary}' tree gen:ghi --prune ''"#,
        folder.path().display()
    );
    assert_eq!(
        stdout_of(zsh, &program),
        "gen:topspin:14:3  \nlinear-conflict  \nnone|parent|path|a.fsm games/ \n"
    );
}

#[test]
fn fish_completes() {
    let Some(fish) = shell("fish") else { return };
    let folder = folder();
    let file = script("fish", folder.path());
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_psvn"));
    let program = format!(
        "cd '{}'; set PATH '{}' $PATH; source '{file}'; complete -C 'psvn solve gen:topsp'; \
         complete -C 'psvn solve --heuristic lin'",
        folder.path().display(),
        binary.parent().unwrap().display()
    );
    let stdout = stdout_of(fish, &program);
    let texts: Vec<&str> = stdout
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(texts, ["gen:topspin:14:3", "linear-conflict"]);
}
