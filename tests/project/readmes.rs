//! The program in the README of each crate is the one in its `examples/`, which is compiled.

use std::fs;
use std::path::Path;

/// The lines of a program that a README shows: neither the title of the file, nor the attribute
/// that allows it to print.
fn shown(program: &str) -> String {
    let lines: Vec<&str> = program
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .filter(|line| !line.starts_with("#[allow(clippy::print_stdout"))
        .collect();
    lines.join("\n").trim().to_owned()
}

#[test]
fn programs_in_readmes_are_the_examples() {
    let mut n_compared = 0;
    for folder in crate::crate_folders() {
        let readme = fs::read_to_string(folder.join("README.md"))
            .unwrap_or_else(|_| panic!("{} has no README.md", folder.display()));
        // `cli` is a program itself.
        let Some((_, rest)) = readme.split_once("This is `examples/") else {
            continue;
        };
        let (name, rest) = rest.split_once('`').unwrap();
        let program = rest
            .split_once("```rust\n")
            .and_then(|(_, rest)| rest.split_once("\n```"))
            .unwrap()
            .0;
        let example = fs::read_to_string(folder.join("examples").join(name)).unwrap();
        assert_eq!(program, shown(&example), "{}/README.md", folder.display());
        n_compared += 1;
    }
    assert!(n_compared >= 28, "only {n_compared} READMEs have a program");
}

#[test]
fn the_book_shows_a_program_for_each_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/book/src/crate-programs.md")).unwrap();
    let mut n_shown = 0;
    for folder in crate::crate_folders() {
        let name = folder.strip_prefix(root).unwrap().to_str().unwrap();
        if !folder.join("examples").is_dir() {
            continue;
        }
        let (_, rest) = page
            .split_once(&format!("{{{{#include ../../../{name}/examples/"))
            .unwrap_or_else(|| panic!("crate-programs.md has no program of {name}"));
        let (example, _) = rest.split_once("}}").unwrap();
        assert!(folder.join("examples").join(example).is_file(), "{example}");
        let dependency = format!("path = \"../psvn-toolkit/{name}\"");
        assert!(page.contains(&dependency), "no dependency line of {name}");
        n_shown += 1;
    }
    assert!(n_shown >= 26, "only {n_shown} crates have a program");
}

/// Links of the book lead to existing pages and files.
#[test]
fn links_of_the_book_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book/src");
    let mut n_links = 0;
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        for part in page.split("](").skip(1) {
            let link = part.split([')', ' ', '#']).next().unwrap();
            if link.is_empty() || link.contains(':') {
                continue;
            }
            assert!(root.join(link).is_file(), "{}: {link}", path.display());
            n_links += 1;
        }
    }
    assert!(n_links > 60, "only {n_links} links");
}

#[test]
fn the_picture_of_the_layers_is_the_diagram() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("architecture.md")).unwrap();
    let (_, rest) = page.split_once("```mermaid\n").unwrap();
    let (source, _) = rest.split_once("```").unwrap();
    let picture = fs::read_to_string(docs.join("book/src/architecture.svg")).unwrap();
    let sum = format!("<!-- {:08x} -->", crc32fast::hash(source.as_bytes()));
    assert!(
        picture.trim_end().ends_with(&sum),
        "the diagram has changed: tools/diagrams/render.py draws it again"
    );
}
