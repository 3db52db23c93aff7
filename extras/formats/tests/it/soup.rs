//! Mutated files of all formats: no panic, findings have places in the text, and translations are
//! valid games.

use std::path::Path;

use formats::{Format, import};
use psvn_ir::testing::{SplitMix64, cases};
use psvn_syntax::Diagnostic;

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/foreign");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read(path).unwrap());
    texts
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

/// Change a few words or lines of a text.
fn mutate(text: &str, random: &mut SplitMix64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.truncate(at.max(1)),
            _ => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let place = random.below(words.len());
                let some = [
                    "0",
                    "1",
                    "2",
                    "-1",
                    "4000000000",
                    "x",
                    "?",
                    "",
                    "End",
                    "é",
                    "{",
                    "-",
                ];
                words[place] = some[random.below(some.len())];
                lines[at] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

#[test]
fn soup_is_refused_or_becomes_a_game() {
    let corpus = corpus();
    assert!(corpus.len() > 3);
    let (mut n_read, mut n_refused) = (0, 0);
    for run in 0..cases(10_000) {
        let mut random = SplitMix64::new(run);
        let text = mutate(&corpus[random.below(corpus.len())], &mut random);
        for format in Format::ALL {
            let findings = match import(*format, &text) {
                Err(errors) => {
                    assert!(errors.iter().any(Diagnostic::is_error), "run {run}\n{text}");
                    n_refused += 1;
                    errors
                }
                Ok(imported) => {
                    let loaded = psvn_ir::load(&imported.text);
                    let problems = loaded.diagnostics;
                    assert!(
                        loaded.game.is_some(),
                        "run {run}: {problems:?}\n{text}\n{}",
                        imported.text
                    );
                    n_read += 1;
                    imported.notes
                }
            };
            for label in findings
                .iter()
                .flat_map(|it| it.primary.iter().chain(&it.secondary))
            {
                assert!(
                    text.get(label.span.start..label.span.end).is_some(),
                    "run {run}"
                );
            }
        }
    }
    assert!(n_read > 300 && n_refused > 3000, "{n_read} {n_refused}");
}
