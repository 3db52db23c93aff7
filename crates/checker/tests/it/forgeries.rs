//! The same verdicts as the verified checker in `proofs/`, on certificates of every kind in which a
//! word or a line is altered.

use std::collections::BTreeMap;
use std::path::Path;

use psvn_ir::testing::{SplitMix64, cases};

use crate::random_certificates::random_certificate;
use crate::verified::{verdicts, verified};

/// The files of the corpus that are accepted: certificates of every kind.
fn accepted_files() -> Vec<String> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/corpus/files");
    let files = std::fs::read_dir(corpus).expect("the corpus is there");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let accepted = paths
        .iter()
        .filter(|it| it.extension() == Some("accept".as_ref()));
    accepted
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .collect()
}

/// What a line is: its first word, or that it is an entry.
fn kind(line: &str) -> &str {
    match line.split(' ').next() {
        Some(word) if word.starts_with(|first: char| first.is_ascii_digit()) => "entry",
        word => word.unwrap_or(""),
    }
}

/// A text in which one line is removed, repeated or exchanged with the next one, or one of its
/// words is altered. Kinds of lines are chosen first, so that a few lines among many entries are
/// altered as often as those.
fn forged(text: &str, random: &mut SplitMix64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut by_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        by_kind.entry(kind(line)).or_default().push(at);
    }
    let kinds: Vec<&Vec<usize>> = by_kind.values().collect();
    let places = kinds[random.below(kinds.len())];
    let at = places[random.below(places.len())];
    match random.below(12) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 if at + 1 < lines.len() => lines.swap(at, at + 1),
        _ => lines[at] = altered(&lines[at], random),
    }
    lines.join("\n") + "\n"
}

/// A line with one word altered, or with one word more or less.
fn altered(line: &str, random: &mut SplitMix64) -> String {
    const OTHERS: [&str; 16] = [
        "0", "1", "2", "3", "5", "-", "x1", "x2", ":", "=", "'0", "'1", "'012", "all", "1=0", "2=1",
    ];
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let first = usize::from(words.len() > 1 && random.chance(90));
    let at = first + random.below(words.len() - first);
    let number = words[at].parse::<u32>().ok();
    match (random.below(12), number) {
        (0, _) => drop(words.remove(at)),
        (1, _) => words.insert(at, words[random.below(words.len())].clone()),
        (2, _) => {
            let other = random.below(words.len());
            words.swap(at, other);
        }
        (3, _) => words[at] = OTHERS[random.below(OTHERS.len())].to_owned(),
        (4..=6, Some(number)) => words[at] = number.saturating_sub(1).to_string(),
        (7..=9, Some(number)) => words[at] = (number + 1).to_string(),
        (_, Some(_)) => words[at] = random.below(5).to_string(),
        // One letter of a short state, or of a keyword.
        (_, None) => {
            let letter = random.below(words[at].len().max(1));
            let digit = random.below(4).to_string();
            words[at] = words[at].chars().take(letter).collect::<String>()
                + &digit
                + &words[at].chars().skip(letter + 1).collect::<String>();
        }
    }
    words.join(" ")
}

/// Compare the verdicts on forgeries, and forgeries of forgeries, of certificates. Return the
/// number of those that are accepted, rejected and unreadable, and not decided in time.
fn compare(texts: &[String], n_each: u64, seed: u64) -> [u64; 4] {
    let mut n_by_verdict = [0; 4];
    let Some(program) = verified() else {
        return n_by_verdict;
    };
    let mut random = SplitMix64::new(seed);
    let mut differences = Vec::new();
    for text in texts {
        for _ in 0..n_each {
            let mut forgery = forged(text, &mut random);
            if random.chance(20) {
                forgery = forged(&forgery, &mut random);
            }
            let (there, here) = verdicts(&program, &forgery);
            let is_late = there > 2 || here > 2;
            if there != here && !is_late {
                differences.push(format!("verified: {there}, here: {here}\n{forgery}"));
            }
            n_by_verdict[if is_late { 3 } else { here as usize }] += 1;
        }
    }
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    n_by_verdict
}

/// Most forgeries are wrong in an interesting way; few take too long for a verdict.
#[track_caller]
fn is_balanced(n_by_verdict: [u64; 4]) {
    let total: u64 = n_by_verdict.iter().sum();
    let [accepted, rejected, unreadable, late] = n_by_verdict;
    assert!(accepted * 20 > total, "{n_by_verdict:?}");
    assert!(rejected * 5 > total, "{n_by_verdict:?}");
    assert!(unreadable * 100 > total, "{n_by_verdict:?}");
    assert!(late * 100 < total, "{n_by_verdict:?}");
}

#[test]
fn both_checkers_agree_on_forgeries_of_the_corpus() {
    let n_by_verdict = compare(&accepted_files(), cases(20), 2);
    if verified().is_some() {
        is_balanced(n_by_verdict);
    }
}

#[test]
fn both_checkers_agree_on_random_certificates() {
    let texts: Vec<String> = (0..cases(500)).map(random_certificate).collect();
    let n_by_verdict = compare(&texts, 4, 3);
    if verified().is_some() {
        is_balanced(n_by_verdict);
    }
}

/// Differences that occur in one of tens of thousands of forgeries are found here.
#[test]
#[ignore = "takes 10 minutes: starts the verified checker 120,000 times"]
fn manual_both_checkers_agree_on_many_forgeries() {
    let mut texts = accepted_files();
    let n_by_verdict = compare(&texts, cases(600), 4);
    texts = (0..cases(12_000)).map(random_certificate).collect();
    let n_of_random = compare(&texts, 5, 5);
    if verified().is_some() {
        is_balanced(n_by_verdict);
        is_balanced(n_of_random);
    }
}
