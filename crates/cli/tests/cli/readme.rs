//! The commands of the README and of the book print what is said there that they print.
//!
//! Each `console` block is run line by line: `$ psvn ...` runs the command, `$ cat FILE` prints a
//! file. Times, speeds and amounts of memory are not compared, since they differ from run to run.
//! With `PSVN_UPDATE_README` set, the pages are rewritten with what the commands print now.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::{root, run_line};

#[test]
fn the_tour_shows_what_the_commands_print() {
    check_page(&root().join("README.md"));
}

#[test]
fn the_book_shows_what_the_commands_print() {
    let pages = root().join("docs/book/src");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(pages)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    let n_commands: usize = pages.par_iter().map(|page| check_page(page)).sum();
    assert!(n_commands > 0, "the book has no commands");
}

/// Run the commands of a page, in a folder with the files of tour and book, and compare. Says how
/// many there were.
fn check_page(path: &Path) -> usize {
    let page = std::fs::read_to_string(path).unwrap();
    let workplace = tempfile::tempdir().unwrap();
    let tour = workplace.path().join("docs/tour");
    copy_folder(&root().join("docs/tour"), &tour);
    copy_folder(&root().join("docs/book/src/games"), workplace.path());
    let mut rewritten = String::new();
    let mut differences = String::new();
    let mut n_commands = 0;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(rewritten, "{line}").unwrap();
        if line != "```console" {
            continue;
        }
        while let Some(command) = lines.next_if(|line| *line != "```") {
            let command = command
                .strip_prefix("$ ")
                .unwrap_or_else(|| panic!("expected a command, found {command:?}"));
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                writeln!(expected, "{line}").unwrap();
            }
            let printed = run(command, workplace.path());
            n_commands += 1;
            if comparable(&printed) != comparable(&expected) {
                writeln!(
                    differences,
                    "$ {command}\n--- page\n{expected}--- now\n{printed}"
                )
                .unwrap();
            }
            // What differs in times only stays as it is.
            let kept = if comparable(&printed) == comparable(&expected) {
                expected
            } else {
                printed
            };
            write!(rewritten, "$ {command}\n{kept}").unwrap();
        }
    }
    if std::env::var_os("PSVN_UPDATE_README").is_some() {
        std::fs::write(path, rewritten).unwrap();
    } else {
        assert!(
            differences.is_empty(),
            "{} is out of date; `just readme` brings it up to date:\n{differences}",
            path.display()
        );
    }
    n_commands
}

/// What a command prints, errors included.
fn run(command: &str, workplace: &Path) -> String {
    if let Some(file) = command.strip_prefix("cat ") {
        return std::fs::read_to_string(workplace.join(file)).unwrap();
    }
    let line = command.strip_prefix("psvn ");
    let line = line.unwrap_or_else(|| panic!("unknown command in {command}"));
    let ran = run_line(workplace, line);
    ran.stdout + &ran.stderr
}

/// A text without what differs from run to run: misses of caches, numbers before a unit of time,
/// speed or memory, and the padding of the columns in which they stand.
fn comparable(text: &str) -> String {
    const UNITS: &[&str] = &[
        "s", "ms", "µs", "ns", "min", "h", "KiB", "MiB", "GiB", "G", "M", "k", "nodes/s",
    ];
    let mut result = String::new();
    for line in text.lines() {
        // Most virtual machines can't count them.
        if line.starts_with("  cache misses: ") {
            result.push_str("cache misses\n");
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_number = |word: &str| {
            let digits = word.trim_start_matches('(');
            digits.starts_with(|c: char| c.is_ascii_digit())
                && digits
                    .chars()
                    .all(|c| c.is_ascii_digit() || c == '.' || c == ',')
        };
        let is_unit =
            |word: &str| UNITS.contains(&word.trim_end_matches([',', ';', ')', '.', ':']));
        for (i, word) in words.iter().enumerate() {
            let measured = is_number(word) && words.get(i + 1).is_some_and(|next| is_unit(next));
            let unit = i > 0 && is_number(words[i - 1]) && is_unit(word);
            let unit_of_speed = i > 1 && is_unit(word) && is_unit(words[i - 1]);
            // Very short searches tell no speed.
            if measured && result.ends_with("N ") {
                continue;
            } else if measured {
                result.push('N');
            } else if unit || unit_of_speed {
                continue;
            } else {
                result.push_str(word);
            }
            result.push(' ');
        }
        result.push('\n');
    }
    result
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
