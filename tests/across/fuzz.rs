//! A bounded run of the fuzz targets: all of the corpus, and mutations of it from fixed seeds.
//!
//! `fuzz/README.md` says how to run the same targets with coverage guidance, for any time.

#![allow(clippy::print_stderr, reason = "it says what to reproduce")]

#[path = "../../fuzz/src/targets.rs"]
#[allow(unreachable_pub, reason = "a library there, a module here")]
mod targets;

use std::path::{Path, PathBuf};

use psvn_ir::testing::{SplitMix64, cases};

/// The number of mutated inputs for each target in a plain test run.
const RUNS: usize = 3000;

/// The inputs that a target starts from.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = ["ok", "err"].map(|it| root.join("crates/psvn-syntax/tests/corpus").join(it));
    let mut folders: Vec<PathBuf> = vec![root.join("fuzz/corpus").join(target)];
    match target {
        "text" => folders.extend(texts.into_iter().chain([root.join("fuzz/corpus/game")])),
        "game" => folders.extend(texts),
        _ => {}
    }
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Change an input in a few random ways.
fn mutate(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut SplitMix64) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(1 + 16.min(bytes.len() - at));
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.drain(at..at + length)),
            3 => bytes.truncate(at),
            4 => {
                let again = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, again);
            }
            5 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(64)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            6 if at + 4 <= bytes.len() => {
                let numbers = [0, 1, 2, 255, 256, u32::MAX, u32::MAX - 1, 1 << 31];
                let number = numbers[random.below(numbers.len())];
                bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
            }
            _ => {
                let words: [&[u8]; 8] = [
                    b" => ",
                    b" - ",
                    b"\n",
                    b" GOAL ",
                    b" COST 0 ",
                    b"*",
                    b"\xff",
                    b" LABEL ",
                ];
                bytes.splice(at..at, words[random.below(words.len())].iter().copied());
            }
        }
    }
}

fn fuzz(runs: usize) {
    for (name, target) in targets::TARGETS {
        let corpus = corpus(name);
        assert!(corpus.len() > 3, "{name} has a corpus");
        for input in &corpus {
            target(input);
        }
        for run in 0..runs {
            let mut random = SplitMix64::new(run as u64);
            let mut input = corpus[random.below(corpus.len())].clone();
            mutate(&mut input, &corpus, &mut random);
            // Enough to reproduce it: the name and the number.
            let result = std::panic::catch_unwind(|| target(&input));
            if let Err(panic) = result {
                eprintln!("target {name}, run {run}: {}", input.escape_ascii());
                std::panic::resume_unwind(panic);
            }
        }
    }
}

#[test]
fn bounded_run() {
    fuzz(cases(RUNS));
}
