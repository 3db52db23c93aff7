//! Random reads of memory: what limits searches that look up tables.
//!
//! - `cargo bench -p psvn-benches --bench reads` measures all sizes.
//! - `cargo bench -p psvn-benches --bench reads -- 256` measures one, in MiB.
//!
//! One thread reads words at random places of a table: each place known only when the word before
//! it is read (*dependent*), or known long before (*independent*), as those of a node's children
//! are. A search that makes one independent read a node can't make more nodes a second than that.
//!
//! Times are those of the thread's processor, which waits in them.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

use std::hint::black_box;

use psvn_benches::clock::processor_time;
use psvn_ir::random::SplitMix64;

/// The sizes, in MiB.
const SIZES: [usize; 5] = [1, 16, 64, 256, 1024];

/// The reads of a measurement. The best of some counts.
const N_READS: u64 = 1 << 23;
const N_ROUNDS: usize = 5;

/// Words of a table whose size is a power of two.
struct Table(Vec<u64>);

impl Table {
    fn new(mebibytes: usize) -> Self {
        let n_words = (mebibytes << 20) / size_of::<u64>();
        let mut random = SplitMix64::new(n_words as u64);
        Self((0..n_words).map(|_| random.next_u64()).collect())
    }

    fn word(&self, place: u64) -> u64 {
        self.0[place as usize & (self.0.len() - 1)]
    }

    fn dependent(&self) -> u64 {
        let mut random = SplitMix64::new(1);
        let mut word = 0;
        for _ in 0..N_READS {
            word = self.word(word ^ random.next_u64());
        }
        word
    }

    fn independent(&self) -> u64 {
        let mut random = SplitMix64::new(1);
        (0..N_READS).fold(0, |sum, _| sum ^ self.word(random.next_u64()))
    }
}

/// Return the millions of reads a second.
fn speed(reads: impl Fn() -> u64) -> f64 {
    let seconds = (0..N_ROUNDS).map(|_| {
        let started = processor_time();
        black_box(reads());
        (processor_time() - started).as_secs_f64()
    });
    N_READS as f64 / seconds.fold(f64::INFINITY, f64::min) / 1e6
}

fn main() {
    let wanted: Option<usize> = std::env::args().skip(1).find_map(|it| it.parse().ok());
    println!("| MiB | dependent, million a second | nanoseconds each | independent, million |");
    println!("|---:|---:|---:|---:|");
    for mebibytes in SIZES {
        if wanted.is_some_and(|wanted| wanted != mebibytes) {
            continue;
        }
        let table = Table::new(mebibytes);
        let [dependent, independent] = [speed(|| table.dependent()), speed(|| table.independent())];
        println!(
            "| {mebibytes} | {dependent:.1} | {:.0} | {independent:.1} |",
            1e3 / dependent
        );
    }
}
