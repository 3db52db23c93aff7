//! Several ways to do the same work, in turns.
//!
//! On a machine that is shared or changes its clock speed, figures taken one after the other can't
//! be compared. So all contestants run once in each round, and a round is short. Processor time is
//! measured, not wall time, so other programs only matter by their effects on caches and clock
//! speed.

use std::hint::black_box;

use crate::clock::processor_time;

/// One way to do the work. It returns the number of nodes made.
pub type Contestant<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// The speeds of a contestant.
#[derive(Clone, Debug)]
pub struct Speed {
    /// Nodes a second, round by round.
    pub rounds: Vec<f64>,
}

impl Speed {
    /// The speed in the best round.
    pub fn best(&self) -> f64 {
        self.rounds.iter().copied().fold(0.0, f64::max)
    }

    /// The ratio to another one's speed: the median over the rounds.
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
