//! Tests say what they run: no variable changes what a test tests, and a test that is ignored says
//! how long it takes.

use std::fs;
use std::path::PathBuf;

use crate::style::{short, sources};

/// What a test may read from its environment: how many cases to run (`psvn_ir::testing::cases`),
/// which compilers and which verified checker there are, which kernels must be there, and whether
/// to write expected outputs.
const VARIABLES: [&str; 8] = [
    "PSVN_CASES",
    "CC",
    "CXX",
    "RUSTC",
    "PSVN_REQUIRE_KERNELS",
    "PSVN_VERIFIED",
    "PSVN_UPDATE_README",
    "PSVN_UPDATE_PICTURES",
];

/// All sources, but for the command, which reads its environment, and the tests here.
fn without_the_command() -> Vec<PathBuf> {
    let mut found = sources(&["rs"]);
    found.retain(|path| {
        let name = short(path);
        !name.starts_with("crates/cli/src/")
            && !name.starts_with("tests/project/")
            && !name.ends_with("build.rs")
    });
    found
}

#[test]
fn tests_read_few_variables_and_libraries_none() {
    let mut wrong = Vec::new();
    let mut n_checked = 0;
    for path in without_the_command() {
        let text = fs::read_to_string(&path).unwrap();
        for (_, rest) in text
            .match_indices("env::var")
            .map(|(at, it)| text.split_at(at + it.len()))
        {
            n_checked += 1;
            let variable = rest
                .split_once('(')
                .and_then(|(_, it)| it.strip_prefix('"'));
            let variable = variable.and_then(|it| it.split('"').next());
            if !variable.is_some_and(|it| VARIABLES.contains(&it)) {
                wrong.push(format!("{}: {variable:?}", short(&path)));
            }
        }
        let is_cases = short(&path) == "crates/psvn-ir/src/testing.rs";
        assert_eq!(
            text.contains("\"PSVN_CASES\""),
            is_cases,
            "{}",
            short(&path)
        );
    }
    assert_eq!(
        n_checked,
        VARIABLES.len(),
        "each variable is read in one place"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An ignored test.
struct Ignored {
    /// Its file and its name.
    place: String,
    name: String,
    reason: String,
}

fn ignored_tests() -> Vec<Ignored> {
    let mut found = Vec::new();
    for path in without_the_command() {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(str::trim_start);
        while let Some(line) = lines.next() {
            let Some(reason) = line.strip_prefix("#[ignore") else {
                continue;
            };
            let item = lines.find_map(|it| it.strip_prefix("fn ")).unwrap();
            let name = item.split('(').next().unwrap().to_owned();
            found.push(Ignored {
                place: format!("{}: {name}", short(&path)),
                name,
                reason: reason.trim_start_matches(" = \"").to_owned(),
            });
        }
    }
    found
}

/// Return the seconds of a reason such as "takes 2 minutes: all states of a cube".
fn seconds(reason: &str) -> Option<u32> {
    let (time, why) = reason.strip_prefix("takes ")?.split_once(": ")?;
    let (number, unit) = time.split_once(' ')?;
    let unit = match unit {
        "seconds" => 1,
        "minutes" => 60,
        _ => return None,
    };
    (!why.is_empty()).then_some(number.parse::<u32>().ok()? * unit)
}

/// The gate runs those that aren't called `manual_..`, which take at most this long, one after
/// another.
const GATE_SECONDS: u32 = 15 * 60;

#[test]
fn ignored_tests_say_how_long_they_take() {
    let all = ignored_tests();
    let unclear: Vec<&str> = all
        .iter()
        .filter(|test| seconds(&test.reason).is_none())
        .map(|test| test.place.as_str())
        .collect();
    assert!(
        unclear.is_empty(),
        "their reasons aren't \"takes N seconds: why\" or \"takes N minutes: why\": {unclear:#?}"
    );
    let in_gate = all.iter().filter(|test| !test.name.starts_with("manual_"));
    let total: u32 = in_gate.filter_map(|test| seconds(&test.reason)).sum();
    assert!(
        total <= GATE_SECONDS,
        "{total} seconds for the ignored tests in the gate; call the longest ones `manual_..`"
    );
    assert!(all.len() > 30, "{}", all.len());
    let gate = fs::read_to_string(crate::root().join(".ci/run")).unwrap();
    assert!(gate.contains("$test_command --test across -- --ignored --skip manual_\n"));
}

/// Code is written for its reader, so no comment says what the compiler makes of it.
const OF_THE_COMPILER: [&str; 8] = [
    "compiled once",
    "compiled here",
    "compiled anew",
    "compiled a second time",
    "compiled for each",
    "compile time",
    "compilation time",
    "units of a crate",
];

#[test]
fn no_comment_explains_compilation() {
    let mut found = Vec::new();
    for path in sources(&["rs"]) {
        let name = short(&path);
        if !name.contains("/src/") {
            continue;
        }
        // Comments joined, since a phrase may begin on one line and end on the next.
        let text = fs::read_to_string(&path).unwrap();
        let comments: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("//"))
            .map(|line| line.trim_start_matches(['/', '!']).trim())
            .collect();
        let comments = comments.join(" ").to_lowercase();
        let phrases = OF_THE_COMPILER.iter().filter(|it| comments.contains(**it));
        found.extend(phrases.map(|phrase| format!("{name}: \"{phrase}\"")));
    }
    assert!(found.is_empty(), "{found:#?}");
}
