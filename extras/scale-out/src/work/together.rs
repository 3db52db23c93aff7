//! The joint work of the workers: messages, steps that all end at once, and shared knowledge.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use budget::StopReason;
use pattern_databases::Distances;

use crate::error::ClusterError;
use crate::work::candidates::Candidates;
use crate::work::exchange::Exchange;
use crate::work::job::{Job, News, ROUNDS_UNDER_WAY};
use crate::work::message::{Body, Report, number_of};
use crate::work::schedule::Schedule;

/// The number of rounds of one step.
const ROUNDS: u64 = 1 << 32;

/// A worker's view of the joint work.
pub(crate) struct Together<'j> {
    job: &'j Job,
    exchange: &'j mut Exchange,
    news: &'j Sender<News>,
    /// The present step and round.
    time: u64,
    /// Reports by step and worker. A worker that is a step ahead has already sent its next one.
    reports: BTreeMap<(u64, u32), Report>,
    /// The reasons to stop within a step; the least reason for each.
    stops: BTreeMap<u64, u8>,
    /// By worker: the number of states expanded for this stage and the bytes held, as last
    /// reported.
    progress: BTreeMap<u32, (u64, u64)>,
    /// The stages that all have completed, and the next one.
    pub(crate) schedule: Schedule,
    /// The reason why all workers stop; the least one, if there are several.
    pub(crate) stopped: Option<u8>,
    /// First states of the last layer, from all workers.
    pub(crate) first: Vec<Vec<u64>>,
    /// The distances of a table, if this worker collects them.
    pub(crate) distances: Option<Distances>,
}

impl<'j> Together<'j> {
    pub(crate) fn new(job: &'j Job, exchange: &'j mut Exchange, news: &'j Sender<News>) -> Self {
        Self {
            job,
            exchange,
            news,
            time: 0,
            reports: BTreeMap::new(),
            stops: BTreeMap::new(),
            progress: BTreeMap::new(),
            schedule: job.space.schedule(),
            stopped: None,
            first: Vec::new(),
            distances: None,
        }
    }

    pub(crate) fn index(&self) -> usize {
        self.exchange.index()
    }

    pub(crate) fn peers(&self) -> usize {
        self.exchange.peers()
    }

    pub(crate) fn send(&mut self, to: usize, body: Body) {
        self.exchange.send(to, self.step(), body);
    }

    /// Send a message to all workers, including this one.
    pub(crate) fn send_all(&mut self, body: &Body) {
        for to in 0..self.peers() {
            self.send(to, body.clone());
        }
    }

    /// Return the present step, the same for all messages until all workers have ended it.
    pub(crate) fn step(&self) -> u64 {
        self.time / ROUNDS
    }

    /// Request that all workers stop within this step.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        let number = number_of(reason);
        self.send_all(&Body::Stop(number));
        self.note_stop(self.step(), number);
    }

    fn note_stop(&mut self, step: u64, number: u8) {
        let least = self.stops.entry(step).or_insert(number);
        *least = number.min(*least);
    }

    /// Return why workers must stop within a step. All agree once it has ended.
    pub(crate) fn stop_in(&self, step: u64) -> Option<u8> {
        self.stops.get(&step).copied()
    }

    /// Return whether there is nothing after the stages that are done.
    pub(crate) fn is_whole(&self) -> bool {
        self.schedule.next().is_none()
    }

    /// Record that all workers have completed the next stage.
    pub(crate) fn add_stage(&mut self, states: u64) {
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

    pub(crate) fn is_first_of_process(&self) -> bool {
        self.index().is_multiple_of(self.job.member.threads)
    }

    /// End a round: its messages may be in flight at most until the end of the next one.
    pub(crate) fn next_round(&mut self, candidates: &mut Candidates) -> Result<(), ClusterError> {
        self.time += 1;
        self.exchange.advance(self.time);
        let begin = self.step() * ROUNDS;
        let arrived = (self.time + 1).saturating_sub(ROUNDS_UNDER_WAY).max(begin);
        self.exchange.step(false);
        self.take_in(candidates)?;
        self.wait_for(arrived, candidates)
    }

    /// End a step: wait until all workers have ended it, and all their messages of it have arrived.
    pub(crate) fn next_step(&mut self, candidates: &mut Candidates) -> Result<(), ClusterError> {
        self.time = (self.step() + 1) * ROUNDS;
        self.exchange.advance(self.time);
        self.wait_for(self.time, candidates)
    }

    /// Exchange reports with all workers.
    pub(crate) fn agree(
        &mut self,
        report: Report,
        candidates: &mut Candidates,
    ) -> Result<Vec<Report>, ClusterError> {
        self.send_all(&Body::Report(report));
        self.next_step(candidates)?;
        let later = self.reports.split_off(&(self.step(), 0));
        let reports = std::mem::replace(&mut self.reports, later);
        let reports: Vec<Report> = reports.into_values().collect();
        if reports.len() != self.peers() {
            let message = "the processes don't keep in step".to_owned();
            return Err(ClusterError::Broken(message));
        }
        Ok(reports)
    }

    fn wait_for(&mut self, time: u64, candidates: &mut Candidates) -> Result<(), ClusterError> {
        while self.exchange.awaits(time) {
            self.exchange.step(true);
            self.take_in(candidates)?;
        }
        self.take_in(candidates)
    }

    /// Process the messages received.
    fn take_in(&mut self, candidates: &mut Candidates) -> Result<(), ClusterError> {
        self.job.health.check()?;
        let mut has_progress = false;
        while let Some(message) = self.exchange.receive() {
            match message.body {
                Body::States(states) => candidates.extend(&states.0)?,
                Body::Report(report) => {
                    self.reports.insert((message.step, message.from), report);
                }
                Body::Stop(number) => self.note_stop(message.step, number),
                Body::Progress { expanded, bytes } => {
                    self.progress.insert(message.from, (expanded, bytes));
                    has_progress = true;
                }
                Body::Distances { distance, ranks } => {
                    if let Some(distances) = &mut self.distances {
                        let ranks = ranks.words().into_iter();
                        ranks.for_each(|rank| distances.set(rank, distance));
                    }
                }
                Body::First(states) => {
                    let words = states.words();
                    let states = words.chunks_exact(self.job.width());
                    self.first.extend(states.map(<[u64]>::to_vec));
                }
            }
        }
        if has_progress && let Some(stage) = self.schedule.next() {
            let expanded = self.progress.values().map(|it| it.0).sum();
            let bytes = self.progress.values().map(|it| it.1).sum();
            let sources = stage.sources.iter();
            let news = News::Progress {
                distance: stage.distance,
                expanded,
                total: sources.map(|it| self.schedule.states(it.stage)).sum(),
                bytes,
            };
            self.news.send(news).ok();
        }
        Ok(())
    }
}
