//! What one worker does: its share of each layer, in step with all others.

mod candidates;
mod checkpoint;
mod exchange;
mod message;
mod share;
mod together;

use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use budget::{StopReason, Watch};
use search::{Direction, PackedStates};
use timely::worker::Worker;

use crate::error::ClusterError;
use crate::identity::Terms;
use crate::member::Member;
use crate::net::Health;
use crate::work::candidates::Candidates;
use crate::work::message::{Body, Bytes, Report, number_of};
use crate::work::share::Share;
use crate::work::together::Together;

/// The memory of a process for which no limit is given.
const DEFAULT_MEMORY: usize = 1 << 30;
/// States that are sent at once to one worker.
const AT_ONCE: usize = 1 << 10;
/// The most states that a worker generates in a round.
const LONGEST_ROUND: usize = 1 << 17;
/// Rounds that may be under way at the same time.
const ROUNDS_UNDER_WAY: u64 = 2;
/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// What all workers of a process share.
pub(crate) struct Job {
    pub(crate) member: Member,
    pub(crate) terms: Terms,
    pub(crate) states: PackedStates,
    pub(crate) direction: Direction,
    pub(crate) roots: Vec<Vec<u64>>,
    pub(crate) budget: Watch,
    pub(crate) health: std::sync::Arc<Health>,
}

/// What a worker tells the thread that waits for it.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A layer of all workers is complete: its number of states.
    Layer(u64),
    /// States of the last layer that all workers have expanded, and bytes that they hold.
    Progress { expanded: u64, bytes: u64 },
}

/// What a worker knows at the end; the same for all workers.
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
}

/// The worker that owns a state: the same on every machine.
fn owner(hash: u64, workers: usize) -> usize {
    ((u128::from(hash) * workers as u128) >> 64) as usize
}

/// Do the share of a worker until all workers are done, or one must stop.
pub(crate) fn work<const W: usize>(
    job: &Job,
    worker: &mut Worker,
    news: &Sender<News>,
) -> Result<Outcome<W>, ClusterError> {
    let mut own = Own::<W>::new(job, worker, news)?;
    own.resume()?;
    while !own.together.is_whole() && !own.is_deep_enough() && own.together.stopped.is_none() {
        own.make_layer()?;
    }
    own.finish()
}

/// A worker with its share.
struct Own<'j, const W: usize> {
    job: &'j Job,
    share: Share<W>,
    candidates: Candidates<W>,
    together: Together<'j, W>,
    generated: u64,
    peak: u64,
    resumed_from: Option<u64>,
}

impl<'j, const W: usize> Own<'j, W> {
    fn new(
        job: &'j Job,
        worker: &'j mut Worker,
        news: &'j Sender<News>,
    ) -> Result<Self, ClusterError> {
        let index = worker.index();
        let share = Share::open(&job.member.folder, &job.terms.identity, index)?;
        Ok(Self {
            job,
            candidates: share.candidates(Self::memory_for_candidates(job)),
            share,
            together: Together::new(job, worker, news),
            generated: 0,
            peak: 0,
            resumed_from: None,
        })
    }

    /// The bytes of one worker.
    fn memory(job: &Job) -> usize {
        let memory = job.budget.limits().memory;
        memory.unwrap_or(DEFAULT_MEMORY) / job.member.threads
    }

    /// Half of the memory is for states that may be new; the rest is for those on their way.
    fn memory_for_candidates(job: &Job) -> usize {
        Self::memory(job) / 2
    }

    /// The states that may be generated in a round. Rounds of two kinds are under way, at this
    /// worker and on the way to it, and the dataflow copies what it sends.
    fn round(job: &Job) -> usize {
        let states = Self::memory(job) / (8 * W) / 16;
        states.clamp(1 << 8, LONGEST_ROUND)
    }

    fn is_deep_enough(&self) -> bool {
        let complete = self.together.layers.len() as u64;
        self.job.terms.depth.is_some_and(|depth| complete > depth)
    }

    /// Go on behind the last layer that all workers have, or make the first.
    fn resume(&mut self) -> Result<(), ClusterError> {
        let reports = self.together.agree(self.report(), &mut self.candidates)?;
        let complete = reports.iter().map(|report| report.layers.len());
        let (least, most) = (
            complete.clone().min().unwrap_or_default(),
            complete.max().unwrap_or_default(),
        );
        if most > least + 1 {
            let behind = reports.iter().position(|report| report.layers.len() == least);
            return Err(ClusterError::Checkpoints(format!(
                "share {} has {least} complete layers, and another has {most}",
                behind.unwrap_or_default()
            )));
        }
        self.share.cut(least)?;
        if least == 0 {
            let (index, peers) = (self.together.index(), self.together.peers());
            for root in &self.job.roots {
                if owner(self.job.states.hash(root), peers) == index {
                    self.candidates.push(widen(root))?;
                }
            }
            return self.complete_layer();
        }
        for distance in 0..least {
            let states = reports.iter().map(|report| report.layers[distance]).sum();
            self.together.add_layer(states);
        }
        self.resumed_from = Some(self.together.last_distance());
        Ok(())
    }

    fn report(&self) -> Report {
        Report {
            layers: self.share.checkpoint.layers.clone(),
            generated: self.generated,
            stop: self.check().err().map(number_of),
            peak: self.peak,
            read: self.share.read,
            written: self.share.written,
            sent: match self.together.is_first_of_process() {
                true => self.job.health.sent.load(Ordering::Relaxed),
                false => 0,
            },
        }
    }

    /// Whether this worker's limits let it go on. Those on memory are kept by other means.
    fn check(&self) -> Result<(), StopReason> {
        let share = self.generated.saturating_mul(self.together.peers() as u64);
        self.job.budget.check(share, 0)
    }

    /// Expand the last layer, and make the next one.
    fn make_layer(&mut self) -> Result<(), ClusterError> {
        self.expand()?;
        // All that is generated has come when all are here.
        self.together.next_step(&mut self.candidates)?;
        if self.together.stopped.is_some() {
            return Ok(());
        }
        self.complete_layer()
    }

    fn expand(&mut self) -> Result<(), ClusterError> {
        let job = self.job;
        let mut layer = self.share.last_layer()?;
        let mut moves = job.states.moves(job.direction);
        let n_words = job.states.n_words();
        let (index, peers) = (self.together.index(), self.together.peers());
        let mut outboxes: Vec<Bytes> = (0..peers).map(|_| Bytes::default()).collect();
        let (longest, mut round, mut expanded) = (Self::round(job), 0, 0);
        let mut reported = Instant::now();
        loop {
            let chunk = layer.chunk()?;
            if chunk.is_empty() {
                break;
            }
            for part in chunk.chunks(1 << 8) {
                let mut result = Ok(());
                for state in part {
                    moves.each(&state[..n_words], |_, child| {
                        round += 1;
                        let to = owner(job.states.hash(child), peers);
                        let child = widen(child);
                        if to != index {
                            let outbox = &mut outboxes[to];
                            outbox.push::<W>(&child);
                            if outbox.0.len() >= AT_ONCE * 8 * W {
                                self.together.send(to, Body::States(std::mem::take(outbox)));
                            }
                        } else if result.is_ok() {
                            result = self.candidates.push(child);
                        }
                    });
                }
                result?;
                expanded += part.len() as u64;
                if round >= longest {
                    self.generated += round as u64;
                    round = 0;
                    self.send_out(&mut outboxes);
                    self.together.next_round(&mut self.candidates)?;
                    self.count_bytes();
                    if reported.elapsed() >= BETWEEN_REPORTS {
                        reported = Instant::now();
                        let bytes = self.candidates.bytes() as u64;
                        self.together.send(0, Body::Progress { expanded, bytes });
                    }
                    if let Err(reason) = self.check() {
                        self.together.stop(reason);
                    }
                    if self.together.stopped.is_some() {
                        return Ok(());
                    }
                }
            }
        }
        self.generated += round as u64;
        self.send_out(&mut outboxes);
        self.count_bytes();
        Ok(())
    }

    fn send_out(&mut self, outboxes: &mut [Bytes]) {
        for (to, outbox) in outboxes.iter_mut().enumerate() {
            if !outbox.0.is_empty() {
                self.together.send(to, Body::States(std::mem::take(outbox)));
            }
        }
    }

    fn count_bytes(&mut self) {
        // What is under way is no more than what two rounds of this worker make, on average.
        let under_way = Self::round(self.job) * 8 * W * ROUNDS_UNDER_WAY as usize;
        let bytes = (self.candidates.bytes() + under_way) as u64;
        self.peak = self.peak.max(bytes);
    }

    /// Make and save the next layer of what has come. It is complete when all workers have.
    fn complete_layer(&mut self) -> Result<(), ClusterError> {
        let empty = self.share.candidates(Self::memory_for_candidates(self.job));
        let candidates = std::mem::replace(&mut self.candidates, empty);
        let health = &self.job.health;
        self.share.complete(candidates, || health.check())?;
        let reports = self.together.agree(self.report(), &mut self.candidates)?;
        let last = |report: &Report| report.layers.last().copied().unwrap_or_default();
        self.together.add_layer(reports.iter().map(last).sum());
        let stop = reports.iter().filter_map(|report| report.stop).min();
        self.together.stopped = stop.filter(|_| !self.together.is_whole());
        Ok(())
    }

    /// Tell all workers the rest.
    fn finish(mut self) -> Result<Outcome<W>, ClusterError> {
        let distance = self.together.last_distance();
        let most = self.job.terms.farthest;
        let mut first = Bytes::default();
        for state in self.share.first(distance, most)? {
            first.push(&state);
        }
        self.together.send_all(&Body::First(first));
        let reports = self.together.agree(self.report(), &mut self.candidates)?;
        let mut farthest = std::mem::take(&mut self.together.first);
        farthest.sort_unstable();
        farthest.truncate(most);
        let is_whole = self.together.is_whole();
        let sum = |part: fn(&Report) -> u64| reports.iter().map(part).sum();
        let mut layers = std::mem::take(&mut self.together.layers);
        if is_whole {
            layers.pop();
        }
        let stopped = self.together.stopped.map(message::reason_of);
        Ok(Outcome {
            layers,
            is_whole,
            stopped,
            generated: sum(|report| report.generated),
            peak: sum(|report| report.peak),
            read: sum(|report| report.read),
            written: sum(|report| report.written),
            sent: sum(|report| report.sent),
            farthest,
            resumed_from: self.resumed_from,
        })
    }
}

/// A state as an array, from the words of a smaller one.
fn widen<const W: usize>(words: &[u64]) -> [u64; W] {
    let mut state = [0; W];
    state[..words.len()].copy_from_slice(words);
    state
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
            assert!(counts.iter().all(|count| *count > 0), "{workers}: {counts:?}");
        }
    }
}
