//! From words to machines: building the Aho-Corasick machine, and minimizing it.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fsm::WordAutomaton;
use psvn_toolkit::{analyze, built_in, machine};

fn machines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("machines");
    for (reference, max_length) in [("topspin:16:4", 5), ("rubik:2:fixed", 6), ("hanoi:4:8", 3)] {
        let analysis = analyze(&built_in(reference), max_length);
        let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
        let built = machine(&analysis);
        group.throughput(Throughput::Elements(built.n_states() as u64));
        group.bench_function(
            format!("aho-corasick/{reference}/{max_length}"),
            |bencher| {
                bencher.iter(|| {
                    WordAutomaton::forbidding(analysis.n_rules as u32, &words)
                        .and_then(|words| words.build())
                        .map(|machine| machine.n_states())
                });
            },
        );
        group.bench_function(format!("minimize/{reference}/{max_length}"), |bencher| {
            bencher.iter(|| fsm::minimize(&built).map(|machine| machine.n_states()));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::short();
    targets = machines
}
criterion_main!(benches);
