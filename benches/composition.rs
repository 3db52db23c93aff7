//! The cost of one composition: every rule of a game after every other.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use macro_compose::{Composer, PreparedRule};
use psvn_toolkit::{built_in, canonical_rules};

fn pairs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("composition/pairs");
    for reference in ["topspin:14:3", "rubik:3", "sliding-tiles:4:4", "blocks:10"] {
        let game = built_in(reference);
        let rules = canonical_rules(&game);
        let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
        let mut composer = Composer::new(game.n_variables());
        group.throughput(Throughput::Elements((rules.len() * rules.len()) as u64));
        group.bench_function(reference, |bencher| {
            bencher.iter(|| {
                let mut n_valid = 0_u32;
                for first in &rules {
                    for second in &prepared {
                        composer.load(first);
                        n_valid += u32::from(composer.append(second).is_ok());
                        black_box(composer.actions());
                    }
                }
                n_valid
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::short();
    targets = pairs
}
criterion_main!(benches);
