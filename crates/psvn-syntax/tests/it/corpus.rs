//! Compares every file of `tests/corpus` with its parse result: `ok` files have no findings,
//! `err` files at least one error.

use std::fs;
use std::path::{Path, PathBuf};

use psvn_syntax::{Diagnostic, decode, format, parse, same_structure};

use crate::render;

fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let named = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "psvn"));
    named
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

fn snapshot(folder: &str, name: &str, text: String) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(std::format!("{folder}__{name}"), text);
    });
}

#[test]
fn good_files() {
    for (name, bytes) in files("ok") {
        let (source, findings) = decode(&bytes);
        assert!(findings.is_empty(), "{name}");
        let parse = parse(&source);
        assert!(
            parse.diagnostics.is_empty(),
            "{name}: {:#?}",
            parse.diagnostics
        );
        let formatted = format(&parse.file, &source);
        let again = psvn_syntax::parse(&formatted);
        assert!(
            again.diagnostics.is_empty(),
            "{name}: {formatted}\n{:#?}",
            again.diagnostics
        );
        assert!(
            same_structure(&parse.file, &again.file),
            "{name}: {formatted}"
        );
        assert_eq!(formatted, format(&again.file, &formatted), "{name}");
        let text = std::format!(
            "{}\n---- tree\n{}---- formatted\n{formatted}",
            render::visible(&source),
            render::tree(&parse.file)
        );
        snapshot("ok", &name, text);
    }
}

#[test]
fn bad_files() {
    for (name, bytes) in files("err") {
        let (source, mut findings) = decode(&bytes);
        let parse = parse(&source);
        findings.extend(parse.diagnostics);
        assert!(findings.iter().any(Diagnostic::is_error), "{name}");
        let text = std::format!(
            "{}\n---- findings\n{}---- tree\n{}",
            render::visible(&source),
            render::findings(&source, &findings),
            render::tree(&parse.file)
        );
        snapshot("err", &name, text);
    }
}
