//! A worker with its share: what it does when it is its turn.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use budget::StopReason;
use explore::LeastStates;
use pattern_databases::Distances;
use timely::worker::Worker;

use crate::error::ClusterError;
use crate::work::candidates::Candidates;
use crate::work::flow::{Flow, Turn};
use crate::work::going::{Collection, Expansion, Going, States};
use crate::work::job::{Job, News, Outcome, ROUNDS_UNDER_WAY, owner};
use crate::work::parcel::{Body, Bytes, Progress, Report, append, number_of, reason_of};
use crate::work::schedule::Schedule;
use crate::work::share::Share;
use crate::work::space::{Moves, Space};

/// The number of states that are sent at once to one worker.
const AT_ONCE: usize = 1 << 10;
/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);
/// The time that an idle worker sleeps before it checks the other processes.
const NAP: Duration = Duration::from_millis(20);

/// Do the share of a worker until all workers are done, or one must stop.
pub(crate) fn work(
    job: &Job,
    worker: &mut Worker,
    news: &Sender<News>,
) -> Result<Outcome, ClusterError> {
    let mut own = Own::new(job, Flow::new(worker), news)?;
    loop {
        own.flow.step(NAP);
        job.health.check()?;
        own.take_in()?;
        match own.flow.turn() {
            Turn::Wait => {}
            Turn::Send => own.send_round()?,
            Turn::Merge => own.merge()?,
            Turn::Choose(reports) => {
                if let Some(outcome) = own.choose(&reports)? {
                    return Ok(outcome);
                }
            }
        }
    }
}

/// What a stage of the dataflow is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// To find the last stage that all workers have saved.
    Meeting,
    /// To make a stage of the exploration.
    Exploration,
    /// To let the first worker make room for a table.
    Room,
    /// To collect a table.
    Collection,
    /// To exchange the final results.
    End,
}

/// A worker with its share.
struct Own<'j> {
    job: &'j Job,
    flow: Flow<'j>,
    news: &'j Sender<News>,
    phase: Phase,
    going: Going,
    /// The moves by their costs, made when first used.
    moves: BTreeMap<Vec<u64>, Moves<'j>>,
    share: Share,
    candidates: Candidates,
    /// The stages that all have completed, and the next one.
    schedule: Schedule,
    /// The reason to stop within the stage whose states arrive; the least one.
    cut: Option<u8>,
    /// The reason why all workers stop; the least one, if there are several.
    stopped: Option<u8>,
    /// By worker: what it last reported of this stage.
    progress: BTreeMap<usize, Progress>,
    /// First states of the last layer, from all workers.
    first: Vec<Vec<u64>>,
    /// The distances of a table, if this worker collects them.
    distances: Option<Distances>,
    generated: u64,
    peak: u64,
    resumed_from: Option<u64>,
}

/// Make the empty set of candidates for a stage.
fn no_candidates(job: &Job, share: &Share) -> Candidates {
    share.candidates(job.memory_for_candidates(), job.space.sent_bytes())
}

impl<'j> Own<'j> {
    fn new(job: &'j Job, flow: Flow<'j>, news: &'j Sender<News>) -> Result<Self, ClusterError> {
        let keeps = matches!(job.space, Space::Ranks(_));
        let identity = &job.terms.identity;
        let files = (job.space.form(), job.memory_for_runs() as u64);
        let share = Share::open(&job.member.folder, identity, files, flow.index(), keeps)?;
        Ok(Self {
            job,
            flow,
            news,
            phase: Phase::Meeting,
            going: Going::AtOnce,
            moves: BTreeMap::new(),
            candidates: no_candidates(job, &share),
            share,
            schedule: job.space.schedule(),
            cut: None,
            stopped: None,
            progress: BTreeMap::new(),
            first: Vec::new(),
            distances: None,
            generated: 0,
            peak: 0,
            resumed_from: None,
        })
    }

    fn is_first_of_process(&self) -> bool {
        self.flow.index().is_multiple_of(self.job.member.threads)
    }

    /// Check this worker's limits, except the one on memory, which it keeps by other means.
    fn check(&self) -> Result<(), StopReason> {
        let share = self.generated.saturating_mul(self.flow.peers() as u64);
        self.job.budget.check(share, 0)
    }

    fn report(&self) -> Report {
        let usage = self.share.usage();
        Report {
            from: self.flow.index(),
            layers: Vec::from_iter(self.share.checkpoint.layers.last().copied()),
            generated: self.generated,
            cut: None,
            stop: self.check().err().map(number_of),
            peak: self.peak,
            read: usage.read,
            written: usage.written,
            sent: if self.is_first_of_process() {
                self.job.health.sent.load(Ordering::Relaxed)
            } else {
                0
            },
        }
    }

    /// Take what has arrived.
    fn take_in(&mut self) -> Result<(), ClusterError> {
        let mut has_progress = false;
        while let Some(body) = self.flow.receive() {
            match body {
                Body::States(states) => self.candidates.extend(states.as_slice())?,
                Body::Stop(reason) => {
                    self.cut = Some(self.cut.map_or(reason, |cut| cut.min(reason)));
                }
                Body::Progress(progress) => {
                    self.progress.insert(progress.from, progress);
                    has_progress = true;
                }
                Body::Ranks { distance, ranks } => {
                    if let Some(distances) = &mut self.distances {
                        let ranks = ranks.words().into_iter();
                        ranks.for_each(|rank| distances.set(rank, distance));
                    }
                }
                Body::First(states) => {
                    let words = states.words();
                    let states = words.chunks_exact(self.job.width_of_first());
                    self.first.extend(states.map(<[u64]>::to_vec));
                }
                Body::Begin | Body::Report(_) | Body::Strange => {
                    let message = "what a process sent makes no sense".to_owned();
                    return Err(ClusterError::Broken(message));
                }
            }
        }
        if has_progress && let Some(stage) = self.schedule.next() {
            let sources = stage.sources.iter();
            let news = News::Progress {
                distance: stage.distance,
                expanded: self.progress.values().map(|it| it.expanded).sum(),
                total: sources.map(|it| self.schedule.states(it.stage)).sum(),
                bytes: self.progress.values().map(|it| it.bytes).sum(),
            };
            // If the receiver has gone, nothing is lost: the outcome has the same data.
            self.news.send(news).ok();
        }
        Ok(())
    }

    /// Make a round of the present stage, and send it.
    fn send_round(&mut self) -> Result<(), ClusterError> {
        let mut going = std::mem::replace(&mut self.going, Going::AtOnce);
        let mut is_last = match &mut going {
            Going::AtOnce => true,
            Going::Expansion(expansion) => self.expand(expansion)?,
            Going::Collection(collection) => self.collect(collection)?,
        };
        if !is_last && let Err(reason) = self.check() {
            self.flow.send_all(&Body::Stop(number_of(reason)));
            is_last = true;
        }
        // Another worker may have to stop as well.
        is_last |= self.cut.is_some();
        self.flow.end_round(is_last);
        if !is_last {
            self.going = going;
        }
        Ok(())
    }

    /// Send a round of neighbors to their owners. Return whether it was the last one.
    fn expand(&mut self, going: &mut Expansion) -> Result<bool, ClusterError> {
        let (job, longest) = (self.job, self.job.round());
        let width = job.width();
        let length = job.space.sent_bytes();
        let at_once = AT_ONCE * length;
        let (index, peers) = (self.flow.index(), self.flow.peers());
        let mut round = 0;
        while round < longest
            && let Some(source) = going.sources.front()
        {
            let states = match &mut going.states {
                Some(states) => states,
                none => none.insert(States::of(self.share.stage(source.stage)?)),
            };
            let part = states.next(width << 8)?;
            if part.is_empty() {
                going.states = None;
                going.sources.pop_front();
                continue;
            }
            let moves = self.moves.entry(source.costs.clone());
            let moves = moves.or_insert_with(|| job.space.moves(&source.costs));
            let mut result = Ok(());
            moves.each(part.chunks_exact(width), |child| {
                round += 1;
                let to = owner(job.space.hash(child), peers);
                if to != index {
                    let outbox = &mut going.outboxes[to];
                    append(outbox, child, length);
                    if outbox.len() >= at_once {
                        // A state is written as whole words first.
                        let next = Vec::with_capacity(at_once + 8 * width);
                        let states = Bytes::Made(std::mem::replace(outbox, next));
                        self.flow.send(to, Body::States(states));
                    }
                } else if result.is_ok() {
                    result = self.candidates.push(child);
                }
            });
            result?;
            going.expanded += (part.len() / width) as u64;
        }
        self.generated += round as u64;
        for (to, outbox) in going.outboxes.iter_mut().enumerate() {
            if !outbox.is_empty() {
                let states = Bytes::Made(std::mem::take(outbox));
                self.flow.send(to, Body::States(states));
            }
        }
        self.count_bytes();
        if going.reported.elapsed() >= BETWEEN_REPORTS {
            going.reported = Instant::now();
            let progress = Progress {
                from: index,
                expanded: going.expanded,
                bytes: self.candidates.bytes() as u64,
            };
            self.flow.send(0, Body::Progress(progress));
        }
        Ok(going.sources.is_empty())
    }

    /// Send a round of ranks to the first worker. Return whether it was the last one.
    fn collect(&mut self, going: &mut Collection) -> Result<bool, ClusterError> {
        let (mut round, longest) = (0, self.job.round());
        while round < longest && going.stage < self.schedule.len() {
            let distance = self.schedule.distance(going.stage);
            let states = match &mut going.states {
                Some(states) => states,
                none => none.insert(States::of(self.share.stage(going.stage)?)),
            };
            let part = states.next(AT_ONCE)?;
            if part.is_empty() {
                going.states = None;
                going.stage += 1;
                continue;
            }
            round += part.len();
            let ranks = Bytes::of(part);
            self.flow.send(0, Body::Ranks { distance, ranks });
        }
        Ok(going.stage == self.schedule.len())
    }

    fn count_bytes(&mut self) {
        // On average, the states in flight are at most those that two rounds of this worker make.
        let under_way = self.job.round() * self.job.bytes_of_state() * ROUNDS_UNDER_WAY;
        let in_runs = self.share.bytes_in_memory();
        let bytes = (self.candidates.bytes() + under_way) as u64 + in_runs;
        self.peak = self.peak.max(bytes);
    }

    /// Complete the present stage, all states of which have arrived, and report on it.
    fn merge(&mut self) -> Result<(), ClusterError> {
        // All workers have received the same reasons to stop.
        let cut = self.cut.take();
        if cut.is_none() && self.phase == Phase::Exploration {
            self.complete_stage()?;
        }
        let mut report = self.report();
        report.cut = cut;
        if self.phase == Phase::Meeting {
            report.layers = self.share.checkpoint.layers.clone();
        }
        self.flow.report(report);
        Ok(())
    }

    /// Make the next stage from the states that have arrived, and save it. It is complete when all
    /// workers have saved theirs.
    fn complete_stage(&mut self) -> Result<(), ClusterError> {
        let first = match (self.job.terms.identity.forgets, self.schedule.next()) {
            (true, Some(stage)) => self.schedule.first_near(stage.distance),
            _ => 0,
        };
        let empty = no_candidates(self.job, &self.share);
        let candidates = std::mem::replace(&mut self.candidates, empty);
        let health = &self.job.health;
        self.share.complete(candidates, first, &|| health.check())
    }

    /// Choose the next stage from the reports of all workers on the present one. At the end, return
    /// the outcome.
    fn choose(&mut self, reports: &[Report]) -> Result<Option<Outcome>, ClusterError> {
        if reports.len() != self.flow.peers() {
            let message = "the processes don't keep in step".to_owned();
            return Err(ClusterError::Broken(message));
        }
        let cut = reports.iter().filter_map(|report| report.cut).min();
        match self.phase {
            Phase::Meeting => self.resume(reports)?,
            Phase::Exploration if cut.is_none() => {
                let last = |report: &Report| report.layers.last().copied().unwrap_or_default();
                self.add_stage(reports.iter().map(last).sum());
                let stop = reports.iter().filter_map(|report| report.stop).min();
                self.stopped = stop.filter(|_| self.schedule.next().is_some());
            }
            Phase::Collection if cut.is_some() => self.distances = None,
            Phase::End => return Ok(Some(self.outcome_of(reports))),
            Phase::Exploration | Phase::Room | Phase::Collection => {}
        }
        self.stopped = self.stopped.or(cut);
        self.begin()?;
        Ok(None)
    }

    /// Begin the next stage of the dataflow.
    fn begin(&mut self) -> Result<(), ClusterError> {
        let complete = self.schedule.len() as u64;
        let is_deep_enough = self.job.terms.depth.is_some_and(|depth| complete > depth);
        let next = self.schedule.next();
        let is_whole = next.is_none();
        let next = next.filter(|_| !is_deep_enough && self.stopped.is_none());
        let mut cost = self.schedule.farthest().map_or(0, |(distance, _)| distance);
        self.phase = match (next, &self.job.space, self.phase) {
            (Some(stage), ..) => {
                cost = stage.distance;
                if stage.sources.is_empty() {
                    self.begin_with_roots()?;
                }
                let expansion = Expansion::new(stage.sources, self.flow.peers());
                self.going = Going::Expansion(expansion);
                Phase::Exploration
            }
            (None, Space::Ranks(plan), Phase::Meeting | Phase::Exploration) if is_whole => {
                if self.flow.index() == 0 {
                    self.distances = Some(plan.distances(cost));
                }
                Phase::Room
            }
            (None, _, Phase::Room) => {
                self.going = Going::Collection(Collection::default());
                Phase::Collection
            }
            _ => {
                let first = Bytes::of(&self.first_states()?);
                self.flow.send_all(&Body::First(first));
                Phase::End
            }
        };
        self.flow.begin(cost);
        Ok(())
    }

    /// Continue after the last stage that all workers have.
    fn resume(&mut self, reports: &[Report]) -> Result<(), ClusterError> {
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
        // Earlier calls may have made more layers than this one needs.
        let wanted = self
            .job
            .terms
            .depth
            .and_then(|depth| usize::try_from(depth).ok());
        let shown = wanted.map_or(least, |depth| least.min(depth.saturating_add(1)));
        for stage in 0..shown {
            let states = reports.iter().map(|report| report.layers[stage]).sum();
            self.add_stage(states);
        }
        let layers = self.schedule.layers().len() as u64;
        self.resumed_from = layers.checked_sub(1);
        Ok(())
    }

    /// Take those states of distance 0 that this worker owns.
    fn begin_with_roots(&mut self) -> Result<(), ClusterError> {
        let (index, peers) = (self.flow.index(), self.flow.peers());
        for root in &self.job.roots {
            if owner(self.job.space.hash(root), peers) == index {
                self.candidates.push(root)?;
            }
        }
        Ok(())
    }

    /// Record that all workers have completed the next stage.
    fn add_stage(&mut self, states: u64) {
        self.schedule.add(states);
        self.progress.clear();
        if let (Some(complete), Some((distance, states))) =
            (self.schedule.completed(), self.schedule.farthest())
            && complete == distance
            && self.is_first_of_process()
        {
            // If the receiver has gone, nothing is lost: the outcome has the same data.
            self.news.send(News::Layer { distance, states }).ok();
        }
    }

    /// Return how many states of the last layer are listed.
    fn listed(&self) -> usize {
        // The files of an earlier layer may be gone.
        let is_last = self.share.checkpoint.layers.len() == self.schedule.len();
        if is_last { self.job.terms.farthest } else { 0 }
    }

    /// Return the words of the first states of this worker's last layer.
    fn first_states(&self) -> Result<Vec<u64>, ClusterError> {
        let stages = 0..self.schedule.len();
        let last = stages.rev().find(|it| self.schedule.states(*it) > 0);
        let last = last.unwrap_or(0);
        match &self.job.space {
            Space::States { states, codes, .. } => {
                let mut least = LeastStates::new(codes, states, self.listed());
                least.add(self.share.stage(last)?)?;
                Ok(least.words())
            }
            Space::Ranks(_) => Ok(self.share.first(last, self.listed())?),
        }
    }

    /// Return the outcome on which all workers agree.
    fn outcome_of(&mut self, reports: &[Report]) -> Outcome {
        let mut farthest = std::mem::take(&mut self.first);
        farthest.sort_unstable();
        farthest.truncate(self.listed());
        let sum = |part: fn(&Report) -> u64| reports.iter().map(part).sum();
        Outcome {
            layers: self.schedule.layers(),
            is_whole: self.schedule.next().is_none(),
            stopped: self.stopped.map(reason_of),
            generated: sum(|report| report.generated),
            peak: sum(|report| report.peak),
            read: sum(|report| report.read),
            written: sum(|report| report.written),
            sent: sum(|report| report.sent),
            farthest,
            resumed_from: self.resumed_from,
            distances: self.distances.take(),
        }
    }
}
