//! Prints how long answers take on games of different sizes.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use language_server::{Document, Span};
use psvn::Source;

/// The least time of some runs, in milliseconds.
fn least<T>(mut run: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(once).fold(f64::INFINITY, f64::min)
}

/// A chain of `n` rules over 12 variables.
fn chain(n: usize) -> String {
    const VARIABLES: usize = 12;
    let mut text = format!("{VARIABLES} {}\n", ["9"; VARIABLES].join(" "));
    for rule in 0..n {
        let row = |value: usize| {
            let cell = |it| match it {
                _ if it == rule % VARIABLES => value.to_string(),
                _ if it == (rule + 1) % VARIABLES => "X".to_owned(),
                _ => "-".to_owned(),
            };
            (0..VARIABLES).map(cell).collect::<Vec<_>>().join(" ")
        };
        let from = rule / VARIABLES % 9;
        let to = (from + 1 + rule / (VARIABLES * 9) % 8) % 9;
        let _ = writeln!(text, "{} => {} LABEL r{rule}", row(from), row(to));
    }
    text + "GOAL" + &" 0".repeat(VARIABLES) + "\n"
}

/// Time all questions about a text.
fn times(name: &str, text: &str) -> String {
    let document = Document::new(text);
    let _ = (document.findings(), document.game());
    let rule = text.rfind("=>").unwrap_or_default();
    let cell = text[..rule].rfind('\n').map_or(0, |at| at + 1);
    let whole = Span::new(0, text.len());
    let screen = Span::new(cell.saturating_sub(4_000), cell);
    let fresh = |ask: fn(&Document)| {
        let runs = (0..3).map(|_| {
            let document = Document::new(text);
            let start = Instant::now();
            ask(&document);
            start.elapsed().as_secs_f64() * 1e3
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    let columns = [
        least(|| Document::new(text)),
        fresh(|document| drop(document.findings())),
        fresh(|document| drop(document.hover(document.text().rfind("=>").unwrap_or_default()))),
        least(|| document.hover(rule)),
        least(|| document.completion(rule)),
        least(|| document.definition(cell)),
        least(|| document.references(cell)),
        least(|| document.rename(cell, "fresh").is_ok()),
        least(|| document.tokens()),
        least(|| document.hints(screen)),
        least(|| document.outline()),
        least(|| document.format()),
        least(|| document.actions(whole)),
    ];
    let columns = columns.map(|time| format!("{time:.1}"));
    let n_rules = document
        .outline()
        .iter()
        .map(|it| it.parts.len().max(1))
        .sum::<usize>();
    format!(
        "| {name} | {n_rules} | {} | {} |",
        text.len() / 1024,
        columns.join(" | ")
    )
}

fn main() -> Result<(), psvn::Error> {
    println!(
        "| game | parts | KiB | read | findings | first hover | hover | completion | definition \
         | references | rename | tokens | hints | outline | format | actions |"
    );
    println!("|---|{}", "--:|".repeat(15));
    for n in [20, 200, 3_000] {
        println!(
            "{}",
            times(&format!("{n} rules over 12 variables"), &chain(n))
        );
    }
    for reference in ["blocks:3", "blocks:10", "sliding-tiles:7:7", "blocks:39"] {
        println!(
            "{}",
            times(
                &format!("gen:{reference}"),
                &Source::built_in(reference)?.text
            )
        );
    }
    Ok(())
}
