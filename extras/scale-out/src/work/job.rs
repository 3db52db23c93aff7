//! The state shared by all workers of a process, and their reports.

use std::sync::Arc;

use budget::{StopReason, Watch};
use pattern_databases::Distances;

use crate::identity::Terms;
use crate::member::Member;
use crate::net::Health;
use crate::work::space::Space;

/// The memory of a process without a limit.
const DEFAULT_MEMORY: usize = 1 << 30;
/// The maximum number of states that a worker generates in a round.
const LONGEST_ROUND: usize = 1 << 17;
/// The number of rounds that may be in progress at the same time.
pub(crate) const ROUNDS_UNDER_WAY: usize = 2;

/// The state shared by all workers of a process.
pub(crate) struct Job {
    pub(crate) member: Member,
    pub(crate) terms: Terms,
    pub(crate) space: Space,
    pub(crate) roots: Vec<Vec<u64>>,
    pub(crate) budget: Watch,
    pub(crate) health: Arc<Health>,
}

impl Job {
    /// Return the number of words in which a state is kept and sent.
    pub(crate) fn width(&self) -> usize {
        self.terms.identity.words
    }

    /// Return the number of words of a listed state.
    pub(crate) fn width_of_first(&self) -> usize {
        match &self.space {
            Space::States { states, .. } => states.n_words(),
            Space::Ranks(_) => 1,
        }
    }

    /// Return the bytes of a state.
    pub(crate) fn bytes_of_state(&self) -> usize {
        8 * self.width()
    }

    /// Return the bytes of one worker.
    fn memory(&self) -> usize {
        let memory = self.budget.limits().memory;
        memory.unwrap_or(DEFAULT_MEMORY) / self.member.threads
    }

    /// Return the memory for candidates: a quarter of it, as much as for runs; the rest is for
    /// states in flight.
    pub(crate) fn memory_for_candidates(&self) -> usize {
        self.memory() / 4
    }

    /// Return the memory for runs.
    pub(crate) fn memory_for_runs(&self) -> usize {
        self.memory() / 4
    }

    /// Return how many states may be generated in a round. Two rounds are in progress, on both
    /// sides of a connection, as messages and as bytes.
    pub(crate) fn round(&self) -> usize {
        let states = self.memory() / self.bytes_of_state() / 16;
        states.clamp(1 << 8, LONGEST_ROUND)
    }
}

/// A report of a worker to the thread that waits for it.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A layer of all workers is complete.
    Layer { distance: u64, states: u64 },
    /// States that all workers have expanded, of a total, to make the layer at a distance, and
    /// bytes that they hold.
    Progress {
        distance: u64,
        expanded: u64,
        total: u64,
        bytes: u64,
    },
}

/// The result of a worker; except for distances, it is the same for all workers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) layers: Vec<u64>,
    pub(crate) is_whole: bool,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) generated: u64,
    pub(crate) peak: u64,
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) sent: u64,
    /// The farthest states, packed.
    pub(crate) farthest: Vec<Vec<u64>>,
    pub(crate) resumed_from: Option<u64>,
    /// The distances of a table, at the worker that collects them.
    pub(crate) distances: Option<Distances>,
}

/// Return the worker that owns a state: the same on every machine.
pub(crate) fn owner(hash: u64, workers: usize) -> usize {
    ((u128::from(hash) * workers as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hash_has_an_owner_and_owners_have_equal_shares() {
        for workers in 1..=9 {
            let mut counts = vec![0_u64; workers];
            for part in 0..9_000_u64 {
                counts[owner(part << 51, workers)] += 1;
            }
            assert_eq!(owner(u64::MAX, workers), workers - 1);
            // 9,000 hashes in 8,192 parts wrap around, so low hashes occur twice.
            assert!(
                counts.iter().all(|count| *count > 0),
                "{workers}: {counts:?}"
            );
        }
    }
}
