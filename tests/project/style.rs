//! Conventions that no tool checks: comments fit 100 columns, documents name existing files,
//! folders are small, and errors may grow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The widest comment line, in columns. `rustfmt.toml` has the same width for code.
const WIDTH: usize = 100;

/// Add all files below `folder` with one of the extensions, except build outputs.
pub(crate) fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                files(&path, extensions, found);
            }
        } else if path
            .extension()
            .is_some_and(|it| extensions.iter().any(|extension| it == *extension))
        {
            found.push(path);
        }
    }
}

/// A source without its comments; lines stay where they are.
pub(crate) fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        if line.trim_start().starts_with("//") {
            String::new()
        } else {
            line.to_owned()
        }
    };
    text.lines().map(|line| code(line) + "\n").collect()
}

pub(crate) fn sources(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        extensions,
        &mut found,
    );
    found.sort();
    found
}

/// A path relative to the root, for messages.
pub(crate) fn short(path: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// `rustfmt` doesn't wrap comments, so nothing else notices. `.ci/wrap` fills them anew. Tables of
/// documentation can't be broken, and a word that is too long by itself (an address) may stay.
#[test]
fn comments_fit_the_page() {
    let mut wide = Vec::new();
    for path in sources(&["rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        for (n, line) in text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else {
                continue;
            };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            let breakable = !comment.starts_with('|') && comment.contains(' ');
            if breakable && line.chars().count() > WIDTH {
                wide.push(format!("{}:{}", short(&path), n + 1));
            }
        }
    }
    assert!(
        wide.is_empty(),
        "{} comment lines are wider than {WIDTH} columns (`.ci/wrap` fills them anew):\n{}",
        wide.len(),
        wide.join("\n")
    );
}

/// The last column of the glossary's tables names what implements a term: each `crate::Item` there
/// must be a word of that crate's sources, and each `--option` one of the command's.
#[test]
fn the_glossary_names_existing_items() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let glossary = fs::read_to_string(root.join("docs/book/src/glossary.md")).unwrap();
    let words = |crate_name: &str| -> BTreeSet<String> {
        let mut found = Vec::new();
        files(
            &crate::crate_folder(crate_name).unwrap().join("src"),
            &["rs"],
            &mut found,
        );
        found
            .iter()
            .flat_map(|path| {
                let text = fs::read_to_string(path).unwrap();
                let words: Vec<String> = text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .map(str::to_owned)
                    .collect();
                words
            })
            .collect()
    };
    let mut words_of = BTreeMap::new();
    let mut missing = Vec::new();
    let mut n_checked = 0;
    for line in glossary.lines().filter(|line| line.starts_with('|')) {
        let last = line.trim_end_matches('|').rsplit('|').next().unwrap();
        for code in last.split('`').skip(1).step_by(2) {
            if let Some((crate_name, item)) = code.split_once("::") {
                n_checked += 1;
                let item = item.rsplit("::").next().unwrap();
                let words = words_of
                    .entry(crate_name)
                    .or_insert_with(|| words(&crate_name.replace('_', "-")));
                if !words.contains(item) {
                    missing.push(code.to_owned());
                }
            }
        }
        for name in last
            .match_indices("crate `")
            .map(|(at, mark)| last[at + mark.len()..].split('`').next().unwrap())
        {
            n_checked += 1;
            if crate::crate_folder(name).is_none() {
                missing.push(format!("crate {name}"));
            }
        }
    }
    assert!(n_checked > 50, "the tables have another form now");
    assert!(missing.is_empty(), "not in the sources: {missing:?}");
}

/// The most files and folders at one level of a crate's sources: more are hard to overlook.
const MOST_ENTRIES: usize = 12;

#[test]
fn folders_are_small() {
    fn check(folder: &Path, large: &mut Vec<String>) {
        let entries: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        if entries.len() > MOST_ENTRIES {
            large.push(format!("{}: {} entries", short(folder), entries.len()));
        }
        for path in entries.iter().filter(|path| path.is_dir()) {
            check(path, large);
        }
    }
    let mut large = Vec::new();
    for folder in crate::crate_folders() {
        check(&folder.join("src"), &mut large);
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}

/// Public errors and outcomes that programs match on without a case for new ones: there are no
/// others.
const CLOSED: [&str; 3] = [
    // A search solves an instance, proves that it has no solution, or is stopped.
    "crates/psvn/src/solve/answers/answer.rs: Outcome",
    // Won, lost or drawn.
    "extras/game-tree/src/solution/mod.rs: Outcome",
    // Part of the text of generated programs.
    "extras/c-export/src/rust/runtime/states.rs: ReadError",
];

#[test]
fn errors_and_outcomes_may_grow() {
    const ENDINGS: [&str; 8] = [
        "Error", "Failure", "Flaw", "Misfit", "Obstacle", "Outcome", "Problem", "Reason",
    ];
    let mut closed = Vec::new();
    let mut n_checked = 0;
    for path in sources(&["rs"]) {
        let name = short(&path);
        let is_in_crate = crate::HOMES.iter().any(|home| name.starts_with(home));
        if !is_in_crate || !name.contains("/src/") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let Some(rest) = line.strip_prefix("pub enum ") else {
                continue;
            };
            let item = rest
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or(rest);
            if !ENDINGS.iter().any(|ending| item.ends_with(ending)) {
                continue;
            }
            n_checked += 1;
            let attributes = lines[..n].iter().rev();
            let is_open = attributes
                .take_while(|it| it.starts_with("#[") || it.starts_with("//"))
                .any(|it| *it == "#[non_exhaustive]");
            let item = format!("{name}: {item}");
            if !is_open && !CLOSED.contains(&item.as_str()) {
                closed.push(item);
            }
        }
    }
    assert!(n_checked > 30, "only {n_checked} enums");
    assert!(closed.is_empty(), "not `#[non_exhaustive]`: {closed:#?}");
}

/// Documents for readers of the code name files in backticks. Each must exist; `NAME` stands for a
/// name to choose.
#[test]
fn documents_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = Vec::new();
    files(&root.join("docs/book/src"), &["md"], &mut documents);
    for name in ["README.md", "CONTRIBUTING.md", "docs/architecture.md"] {
        documents.push(root.join(name));
    }
    let folders = [
        "crates/", "extras/", "tests/", "benches/", "docs/", "fuzz/", "tools/", ".ci/",
    ];
    let mut missing = Vec::new();
    let mut n_checked = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        // Between backticks, outside of code blocks.
        let mut is_code = false;
        for (n, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
                continue;
            }
            if is_code {
                continue;
            }
            for path in line.split('`').skip(1).step_by(2) {
                let is_path = folders.iter().any(|folder| path.starts_with(folder))
                    && !path.contains([' ', '*', '<'])
                    && !path.contains("NAME");
                if is_path {
                    n_checked += 1;
                    if !root.join(path).exists() {
                        missing.push(format!("{}:{}: {path}", short(&document), n + 1));
                    }
                }
            }
        }
    }
    assert!(n_checked > 50, "only {n_checked} paths");
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
}
