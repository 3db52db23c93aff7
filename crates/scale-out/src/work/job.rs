//! What all workers of a process share, and what they tell.

use std::sync::Arc;

use budget::{StopReason, Watch};
use pattern_databases::Distances;

use crate::identity::Terms;
use crate::member::Member;
use crate::net::Health;
use crate::work::space::Space;

/// The memory of a process for which no limit is given.
const DEFAULT_MEMORY: usize = 1 << 30;
/// The most states that a worker generates in a round.
const LONGEST_ROUND: usize = 1 << 17;
/// Rounds that may be under way at the same time.
pub(crate) const ROUNDS_UNDER_WAY: u64 = 2;

/// What all workers of a process share.
pub(crate) struct Job {
    pub(crate) member: Member,
    pub(crate) terms: Terms,
    pub(crate) space: Space,
    pub(crate) roots: Vec<Vec<u64>>,
    pub(crate) budget: Watch,
    pub(crate) health: Arc<Health>,
}

impl Job {
    /// The bytes of one worker.
    fn memory(&self) -> usize {
        let memory = self.budget.limits().memory;
        memory.unwrap_or(DEFAULT_MEMORY) / self.member.threads
    }

    /// Half of the memory is for states that may be new; the rest is for those on their way.
    pub(crate) fn memory_for_candidates(&self) -> usize {
        self.memory() / 2
    }

    /// How many states of a width may be generated in a round. Two rounds are under way, on
    /// both sides of a connection, and the dataflow copies what it sends.
    pub(crate) fn round(&self, bytes_of_state: usize) -> usize {
        let states = self.memory() / bytes_of_state / 16;
        states.clamp(1 << 8, LONGEST_ROUND)
    }
}

/// What a worker tells the thread that waits for it.
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

/// What a worker knows at the end; but for distances, the same for all workers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome<const W: usize> {
    pub(crate) layers: Vec<u64>,
    pub(crate) is_whole: bool,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) generated: u64,
    pub(crate) peak: u64,
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) sent: u64,
    pub(crate) farthest: Vec<[u64; W]>,
    pub(crate) resumed_from: Option<u64>,
    /// The distances of a table, at the worker that collects them.
    pub(crate) distances: Option<Distances>,
}

/// The worker that owns a state: the same on every machine.
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
            // 9,000 of 8,192 parts wrap around, so that low hashes come twice.
            assert!(
                counts.iter().all(|count| *count > 0),
                "{workers}: {counts:?}"
            );
        }
    }
}
