//! Several ways to do the same work, in turns.
//!
//! On a machine that is shared or changes its clock, two figures taken one after the other say
//! little about each other. So all contestants run once in each round, and a round is short.
//! Processor time is taken, not wall time; what remains of other programs is what they do to caches
//! and clocks.

use std::hint::black_box;

use crate::clock::processor_time;

/// One way to do the work. Gives the number of nodes made.
pub type Contestant<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// What a contestant reached.
#[derive(Clone, Debug)]
pub struct Speed {
    /// Nodes a second, round by round.
    pub rounds: Vec<f64>,
}

impl Speed {
    /// In the best round.
    pub fn best(&self) -> f64 {
        self.rounds.iter().copied().fold(0.0, f64::max)
    }

    /// How many times faster it was than another one: the median over the rounds.
    pub fn times(&self, other: &Self) -> f64 {
        let pairs = self.rounds.iter().zip(&other.rounds);
        let mut ratios: Vec<f64> = pairs.map(|(ours, other)| ours / other).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Run all contestants in turns; once before, unmeasured.
pub fn rounds(n_rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<Speed> {
    let mut speeds = vec![Speed { rounds: Vec::new() }; contestants.len()];
    for round in 0..=n_rounds {
        for (contestant, speed) in contestants.iter_mut().zip(&mut speeds) {
            let started = processor_time();
            let nodes = black_box(contestant());
            let elapsed = processor_time() - started;
            if round > 0 {
                speed.rounds.push(nodes as f64 / elapsed.as_secs_f64());
            }
        }
    }
    speeds
}
