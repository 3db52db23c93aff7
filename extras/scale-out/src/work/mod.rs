//! The work of one worker: its share of each layer, in step with all others.

mod candidates;
mod checkpoint;
mod exchange;
mod job;
mod message;
pub(crate) mod post;
mod schedule;
mod share;
mod space;
mod together;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use budget::StopReason;

use crate::error::ClusterError;
use crate::work::candidates::Candidates;
pub(crate) use crate::work::exchange::Exchange;
pub(crate) use crate::work::job::{Job, News, Outcome};
use crate::work::job::{ROUNDS_UNDER_WAY, owner};
use crate::work::message::{Body, Bytes, Report, number_of};
use crate::work::schedule::Source;
use crate::work::share::Share;
use crate::work::space::Moves;
pub(crate) use crate::work::space::Space;
use crate::work::together::Together;

/// The number of states that are sent at once to one worker.
const AT_ONCE: usize = 1 << 10;
/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// Do the share of a worker until all workers are done, or one must stop.
pub(crate) fn work(
    job: &Job,
    exchange: &mut Exchange,
    news: &Sender<News>,
) -> Result<Outcome, ClusterError> {
    let mut own = Own::new(job, exchange, news)?;
    own.resume()?;
    while !own.together.is_whole() && !own.is_deep_enough() && own.together.stopped.is_none() {
        own.make_stage()?;
    }
    own.collect()?;
    own.finish()
}

/// The progress of a worker in a stage.
struct Going {
    outboxes: Vec<Bytes>,
    /// The number of states generated in this round.
    round: usize,
    expanded: u64,
    /// The time of the last report of progress.
    reported: Instant,
}

/// A worker with its share.
struct Own<'j> {
    job: &'j Job,
    /// The moves by their costs, made when first used.
    moves: BTreeMap<Vec<u64>, Moves<'j>>,
    share: Share,
    candidates: Candidates,
    together: Together<'j>,
    generated: u64,
    peak: u64,
    resumed_from: Option<u64>,
}

impl<'j> Own<'j> {
    fn new(
        job: &'j Job,
        exchange: &'j mut Exchange,
        news: &'j Sender<News>,
    ) -> Result<Self, ClusterError> {
        let index = exchange.index();
        let keeps = matches!(job.space, Space::Ranks(_));
        let share = Share::open(&job.member.folder, &job.terms.identity, index, keeps)?;
        Ok(Self {
            job,
            moves: BTreeMap::new(),
            candidates: share.candidates(job.memory_for_candidates()),
            share,
            together: Together::new(job, exchange, news),
            generated: 0,
            peak: 0,
            resumed_from: None,
        })
    }

    fn is_deep_enough(&self) -> bool {
        let complete = self.together.schedule.len() as u64;
        self.job.terms.depth.is_some_and(|depth| complete > depth)
    }

    /// Continue after the last stage that all workers have, or make the first one.
    fn resume(&mut self) -> Result<(), ClusterError> {
        let report = Report {
            layers: self.share.checkpoint.layers.clone(),
            ..self.report()
        };
        let reports = self.together.agree(report, &mut self.candidates)?;
        let complete = reports.iter().map(|report| report.layers.len());
        let (least, most) = (
            complete.clone().min().unwrap_or_default(),
            complete.max().unwrap_or_default(),
        );
        if most > least + 1 {
            let behind = reports
                .iter()
                .position(|report| report.layers.len() == least);
            return Err(ClusterError::Checkpoints(format!(
                "share {} has {least} complete layers, and another has {most}",
                behind.unwrap_or_default()
            )));
        }
        self.share.cut(least)?;
        if least == 0 {
            let (index, peers) = (self.together.index(), self.together.peers());
            for root in &self.job.roots {
                if owner(self.job.space.hash(root), peers) == index {
                    self.candidates.push(root)?;
                }
            }
            return self.complete_stage();
        }
        // Earlier calls may have made more layers than this one needs.
        let wanted = self
            .job
            .terms
            .depth
            .and_then(|depth| usize::try_from(depth).ok());
        let shown = wanted.map_or(least, |depth| least.min(depth.saturating_add(1)));
        for stage in 0..shown {
            let states = reports.iter().map(|report| report.layers[stage]).sum();
            self.together.add_stage(states);
        }
        let layers = self.together.schedule.layers().len() as u64;
        self.resumed_from = layers.checked_sub(1);
        Ok(())
    }

    fn report(&self) -> Report {
        let usage = self.share.usage();
        Report {
            layers: Vec::from_iter(self.share.checkpoint.layers.last().copied()),
            generated: self.generated,
            stop: self.check().err().map(number_of),
            peak: self.peak,
            read: usage.read,
            written: usage.written,
            sent: if self.together.is_first_of_process() {
                self.job.health.sent.load(Ordering::Relaxed)
            } else {
                0
            },
        }
    }

    /// Check this worker's limits, except the one on memory, which it keeps by other means.
    fn check(&self) -> Result<(), StopReason> {
        let share = self.generated.saturating_mul(self.together.peers() as u64);
        self.job.budget.check(share, 0)
    }

    /// Make the next stage from earlier ones.
    fn make_stage(&mut self) -> Result<(), ClusterError> {
        let Some(stage) = self.together.schedule.next() else {
            return Ok(());
        };
        let step = self.together.step();
        self.expand(&stage.sources)?;
        // All generated states have arrived when all workers are here.
        self.together.next_step(&mut self.candidates)?;
        self.together.stopped = self.together.stop_in(step);
        if self.together.stopped.is_some() {
            return Ok(());
        }
        self.complete_stage()
    }

    fn expand(&mut self, sources: &[Source]) -> Result<(), ClusterError> {
        let mut going = Going {
            outboxes: vec![Bytes::default(); self.together.peers()],
            round: 0,
            expanded: 0,
            reported: Instant::now(),
        };
        let space = &self.job.space;
        for source in sources {
            let moves = self.moves.remove(&source.costs);
            let mut moves = moves.unwrap_or_else(|| space.moves(&source.costs));
            let goes_on = self.expand_source(source.stage, &mut moves, &mut going)?;
            self.moves.insert(source.costs.clone(), moves);
            if !goes_on {
                return Ok(());
            }
        }
        self.generated += going.round as u64;
        self.send_out(&mut going.outboxes);
        self.count_bytes();
        Ok(())
    }

    /// Send the neighbors of the states of a stage to their owners. Return whether to continue.
    fn expand_source(
        &mut self,
        stage: usize,
        moves: &mut Moves<'_>,
        going: &mut Going,
    ) -> Result<bool, ClusterError> {
        let job = self.job;
        let mut states = self.share.stage(stage)?;
        let (width, n_words) = (job.width(), job.space.n_words());
        let at_once = AT_ONCE * job.bytes_of_state();
        let (index, peers) = (self.together.index(), self.together.peers());
        let longest = job.round();
        loop {
            let chunk = states.chunk()?;
            if chunk.is_empty() {
                return Ok(true);
            }
            for part in chunk.chunks(width << 8) {
                let mut result = Ok(());
                for state in part.chunks_exact(width) {
                    moves.each(&state[..n_words], |child| {
                        going.round += 1;
                        let to = owner(job.space.hash(child), peers);
                        if to != index {
                            let outbox = &mut going.outboxes[to];
                            outbox.push(child, width);
                            if outbox.0.len() >= at_once {
                                self.together.send(to, Body::States(std::mem::take(outbox)));
                            }
                        } else if result.is_ok() {
                            result = self.candidates.push(child);
                        }
                    });
                }
                result?;
                going.expanded += (part.len() / width) as u64;
                if going.round >= longest {
                    self.generated += going.round as u64;
                    going.round = 0;
                    self.send_out(&mut going.outboxes);
                    self.together.next_round(&mut self.candidates)?;
                    self.count_bytes();
                    if going.reported.elapsed() >= BETWEEN_REPORTS {
                        going.reported = Instant::now();
                        let bytes = self.candidates.bytes() as u64;
                        let expanded = going.expanded;
                        self.together.send(0, Body::Progress { expanded, bytes });
                    }
                    if let Err(reason) = self.check() {
                        self.together.stop(reason);
                    }
                    if self.together.stop_in(self.together.step()).is_some() {
                        return Ok(false);
                    }
                }
            }
        }
    }

    fn send_out(&mut self, outboxes: &mut [Bytes]) {
        for (to, outbox) in outboxes.iter_mut().enumerate() {
            if !outbox.0.is_empty() {
                self.together.send(to, Body::States(std::mem::take(outbox)));
            }
        }
    }

    fn count_bytes(&mut self) {
        // On average, the states in flight are at most those that two rounds of this worker make.
        let under_way = self.job.round() * self.job.bytes_of_state() * ROUNDS_UNDER_WAY as usize;
        let bytes = (self.candidates.bytes() + under_way) as u64;
        self.peak = self.peak.max(bytes);
    }

    /// Make the next stage from the states that have arrived, and save it. It is complete when all
    /// workers have saved theirs.
    fn complete_stage(&mut self) -> Result<(), ClusterError> {
        let schedule = &self.together.schedule;
        let first = match (self.job.terms.identity.forgets, schedule.next()) {
            (true, Some(stage)) => schedule.first_near(stage.distance),
            _ => 0,
        };
        let empty = self.share.candidates(self.job.memory_for_candidates());
        let candidates = std::mem::replace(&mut self.candidates, empty);
        let health = &self.job.health;
        self.share.complete(candidates, first, &|| health.check())?;
        let reports = self.together.agree(self.report(), &mut self.candidates)?;
        let last = |report: &Report| report.layers.last().copied().unwrap_or_default();
        self.together.add_stage(reports.iter().map(last).sum());
        let stop = reports.iter().filter_map(|report| report.stop).min();
        self.together.stopped = stop.filter(|_| !self.together.is_whole());
        Ok(())
    }

    /// Send the distances of all ranks to the first worker, if a table is built.
    fn collect(&mut self) -> Result<(), ClusterError> {
        let Space::Ranks(plan) = &self.job.space else {
            return Ok(());
        };
        if !self.together.is_whole() {
            return Ok(());
        }
        if self.together.index() == 0 {
            let farthest = self.together.schedule.farthest();
            let greatest = farthest.map_or(0, |(distance, _)| distance);
            self.together.distances = Some(plan.distances(greatest));
        }
        // No worker sends before the receiver has made room.
        self.together.next_step(&mut self.candidates)?;
        let step = self.together.step();
        let (longest, mut round) = (self.job.round(), 0);
        'stages: for stage in 0..self.together.schedule.len() {
            let distance = self.together.schedule.distance(stage);
            let mut states = self.share.stage(stage)?;
            loop {
                let chunk = states.chunk()?;
                if chunk.is_empty() {
                    break;
                }
                for part in chunk.chunks(AT_ONCE) {
                    let ranks = Bytes::of(part);
                    self.together.send(0, Body::Distances { distance, ranks });
                    round += part.len();
                    if round < longest {
                        continue;
                    }
                    round = 0;
                    self.together.next_round(&mut self.candidates)?;
                    if let Err(reason) = self.check() {
                        self.together.stop(reason);
                    }
                    if self.together.stop_in(step).is_some() {
                        break 'stages;
                    }
                }
            }
        }
        self.together.next_step(&mut self.candidates)?;
        self.together.stopped = self.together.stop_in(step);
        if self.together.stopped.is_some() {
            self.together.distances = None;
        }
        Ok(())
    }

    /// Exchange the final results with all workers.
    fn finish(mut self) -> Result<Outcome, ClusterError> {
        let schedule = &self.together.schedule;
        let stages = 0..schedule.len();
        let last = stages.rev().find(|stage| schedule.states(*stage) > 0);
        // The files of an earlier layer may be gone.
        let is_last = self.share.checkpoint.layers.len() == schedule.len();
        let most = if is_last { self.job.terms.farthest } else { 0 };
        let first = self.share.first(last.unwrap_or(0), most)?;
        self.together.send_all(&Body::First(Bytes::of(&first)));
        let reports = self.together.agree(self.report(), &mut self.candidates)?;
        let mut farthest = std::mem::take(&mut self.together.first);
        farthest.sort_unstable();
        farthest.truncate(most);
        let is_whole = self.together.is_whole();
        let sum = |part: fn(&Report) -> u64| reports.iter().map(part).sum();
        let stopped = self.together.stopped.map(message::reason_of);
        Ok(Outcome {
            layers: self.together.schedule.layers(),
            is_whole,
            stopped,
            generated: sum(|report| report.generated),
            peak: sum(|report| report.peak),
            read: sum(|report| report.read),
            written: sum(|report| report.written),
            sent: sum(|report| report.sent),
            farthest,
            resumed_from: self.resumed_from,
            distances: self.together.distances.take(),
        })
    }
}
