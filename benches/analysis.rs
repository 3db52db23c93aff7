//! The analysis beside the method of the papers, which compares each new sequence with each kept
//! one.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

mod common;
mod compare;

use std::collections::HashSet;

use criterion::{Criterion, criterion_group, criterion_main};
use macro_compose::compose;
use psvn_ir::{CanonicalRule, Game};
use psvn_toolkit::{analyze, built_in, canonical_rules};

fn full(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis/full");
    for (reference, max_length) in [
        ("blocks:10", 3),
        ("hanoi:4:8", 3),
        ("topspin:14:3", 6),
        ("rubik:2", 4),
    ] {
        let game = built_in(reference);
        group.bench_function(format!("{reference}/{max_length}"), |bencher| {
            bencher.iter(|| analyze(&game, max_length).redundant.len());
        });
    }
    group.finish();
}

/// The redundant words up to a length by the definition, without an index of any kind: all
/// extensions of all kept sequences are composed, and the new ones compared with the kept ones
/// until one is found.
fn quadratic(game: &Game, max_length: usize) -> Vec<Vec<u32>> {
    let rules = canonical_rules(game);
    let mut kept: Vec<CanonicalRule> = vec![CanonicalRule::identity(game.n_variables())];
    let mut redundant: HashSet<Vec<u32>> = HashSet::new();
    let mut found = Vec::new();
    let mut longest: Vec<(Vec<u32>, CanonicalRule)> = vec![(Vec::new(), kept[0].clone())];
    for _ in 0..max_length {
        let mut next = Vec::new();
        for (word, macro_rule) in &longest {
            for (letter, rule) in rules.iter().enumerate() {
                let mut longer = word.clone();
                longer.push(letter as u32);
                if (1..longer.len()).any(|start| redundant.contains(&longer[start..])) {
                    continue;
                }
                let Ok(macro_rule) = compose(macro_rule, rule) else {
                    continue;
                };
                if kept
                    .iter()
                    .any(|earlier| earlier.makes_redundant(&macro_rule))
                {
                    found.push(longer.clone());
                    redundant.insert(longer);
                } else {
                    kept.push(macro_rule.clone());
                    next.push((longer, macro_rule));
                }
            }
        }
        longest = next;
    }
    found
}

fn beside_the_quadratic_way(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis/quadratic");
    for (reference, max_length) in [
        ("topspin:14:3", 3),
        ("rubik:2", 3),
        ("blocks:5", 3),
        ("hanoi:4:4", 3),
    ] {
        let game = built_in(reference);
        let indexed = || -> Vec<Vec<u32>> {
            let analysis = analyze(&game, max_length);
            analysis.redundant_letters().collect()
        };
        let name = format!("{reference}/{max_length}");
        group.bench_function(format!("{name}/indexed"), |bencher| bencher.iter(indexed));
        compare::compare(
            &format!("analysis of {name}"),
            ("indexed", indexed),
            ("quadratic", || quadratic(&game, max_length)),
        );
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::short();
    targets = full, beside_the_quadratic_way
}
criterion_main!(benches);
