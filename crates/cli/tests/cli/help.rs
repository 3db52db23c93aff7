//! Help texts: they fit the terminal, and what is needed first comes first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use crate::psvn;

/// Every command that is listed, and none for the program itself.
pub(crate) fn commands() -> Vec<Option<String>> {
    let page = help(None, "--help", 100);
    let listed = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<Option<String>> = listed
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(|name| Some(name.to_owned()))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    [None].into_iter().chain(names).collect()
}

/// Pages of help, by what was asked for.
type Pages = BTreeMap<String, Arc<OnceLock<String>>>;

/// A page of help, printed for the first of the tests that ask for it.
pub(crate) fn help(command: Option<&str>, option: &str, columns: usize) -> String {
    static PAGES: Mutex<Pages> = Mutex::new(BTreeMap::new());
    let words: Vec<&str> = command.into_iter().chain([option]).collect();
    let asked = format!("{words:?} {columns}");
    let page = Arc::clone(PAGES.lock().unwrap().entry(asked).or_default());
    let page = page.get_or_init(|| {
        let mut run = psvn(&words);
        let output = run.env("COLUMNS", columns.to_string()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        String::from_utf8(output.stdout).unwrap()
    });
    page.clone()
}

/// The examples.
fn examples(page: &str) -> Vec<&str> {
    let lines = page.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with(' ')).collect()
}

/// The lines of the notes behind the options that are blocks, such as tables.
fn blocks(page: &str) -> Vec<&str> {
    let behind = page.lines().skip_while(|line| *line != "Common options:");
    let notes = behind
        .skip(1)
        .skip_while(|line| line.is_empty() || line.starts_with(' '));
    notes.filter(|line| line.starts_with(' ')).collect()
}

#[test]
fn help_fits_the_terminal() {
    for command in commands() {
        let command = command.as_deref();
        let [wide, narrow] = [120, 80].map(|columns| {
            let pages = ["-h", "--help"].map(|option| help(command, option, columns));
            for line in pages.iter().flat_map(|page| page.lines()) {
                assert!(line.chars().count() <= columns, "{command:?}: {line}");
            }
            pages
        });
        // Examples and tables are the same at all widths; only sentences and options are wrapped.
        for (wide, narrow) in wide.iter().zip(&narrow) {
            assert_eq!(examples(wide), examples(narrow), "{command:?}");
            assert_eq!(blocks(wide), blocks(narrow), "{command:?}");
        }
    }
}

#[test]
fn short_help_is_short_and_says_where_the_rest_is() {
    for command in commands() {
        let page = help(command.as_deref(), "-h", 80);
        let most = if command.is_none() { 49 } else { 25 };
        let n_lines = page.lines().count();
        assert!(n_lines <= most, "{command:?} has {n_lines} lines:\n{page}");
        assert!(page.contains("--help"), "{command:?}");
    }
}

#[test]
fn examples_come_first() {
    for command in commands() {
        for option in ["-h", "--help"] {
            let page = help(command.as_deref(), option, 80);
            let usage = page.find("\nUsage:").unwrap();
            if let Some(examples) = page.find("\nExamples:") {
                assert!(examples < usage, "{command:?}:\n{page}");
            }
        }
    }
    let first = help(Some("solve"), "-h", 80);
    assert_eq!(examples(&first).len(), 2, "{first}");
    assert!(examples(&help(Some("solve"), "--help", 80)).len() > 3);
}

#[test]
fn options_that_a_command_does_not_take_are_not_listed() {
    let lists = |command, option: &str| help(Some(command), "--help", 80).contains(option);
    assert!(!lists("demo", "--format") && !lists("check", "--threads"));
    assert!(lists("solve", "--threads") && lists("analyze", "--no-cache"));
    assert!(lists("report", "<text|json|csv|html|md|latex>"));
    assert!(lists("check", "<text|json|csv>"));
}

#[test]
fn values_are_listed_where_they_are_chosen() {
    let says = |command, words: &[&str]| {
        let page = help(Some(command), "--help", 80);
        for word in words {
            assert!(page.contains(word), "{command}: {word}");
        }
    };
    says(
        "solve",
        &[
            "dfbnb",
            "bidirectional",
            "linear-conflict",
            "FILE.pdb",
            "nutshell",
        ],
    );
    says("experiment", &["table4", "taylor-searches"]);
    says("report", &["coverage", "published", "cells"]);
}
