//! Pieces of work that don't depend on each other, handed out on demand.
//!
//! A search along paths falls into pieces: what lies below each of a few thousand nodes. How long
//! a piece takes isn't known before, so each thread of each process asks for the next one when it
//! has done its last. The first process hands them out, in rounds: a round, such as the search
//! within a bound, begins when the one before is complete. A process that is lost costs what it
//! was working on, which is handed out again.

mod queue;
mod wire;

use std::net::Shutdown;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use budget::{StopReason, Watch};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::error::ClusterError;
use crate::identity::{Identity, Terms};
use crate::member::Member;
use crate::net::{Health, Heart, Link, connect};
use crate::pieces::queue::{Next, Piece, Queue};
use crate::pieces::wire::{Answer, Request, receive, send};

/// How long a thread waits before it asks again when all pieces of a round are handed out.
const PAUSE: Duration = Duration::from_millis(10);

/// A round of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// What all pieces share, such as a bound.
    pub parameter: u64,
    /// The number of pieces.
    pub pieces: u64,
}

/// The results of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished<R> {
    /// What the pieces shared.
    pub parameter: u64,
    /// What each piece gave, in their order.
    pub results: Vec<R>,
}

/// What pieces of work gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedOut<R> {
    /// The rounds that were finished, the same in all processes.
    pub rounds: Vec<Finished<R>>,
    /// Why the last round wasn't finished, if it wasn't.
    pub stopped: Option<StopReason>,
    /// The pieces that were handed out again since a process was lost.
    pub again: u64,
}

/// Do pieces of work together with other processes that call this, too. Returns the same in all of
/// them.
///
/// `work` gives the result of a piece: a function of the round's parameter and the piece's number
/// alone, the same in all processes. It stops with a reason where this process reaches a limit, and
/// that stops all. In the first process, `next` says what the next round is, by the results so
/// far, and `None` at the end. `agreed` names all that must be the same in all processes.
///
/// # Errors
/// When the processes don't come together, or the first one is lost.
///
/// # Panics
/// When `work` does.
pub fn hand_out<R>(
    mut member: Member,
    agreed: &str,
    budget: &Watch,
    work: &(dyn Fn(u64, u64) -> Result<R, StopReason> + Sync),
    next: &mut dyn FnMut(&[Finished<R>]) -> Option<Round>,
) -> Result<HandedOut<R>, ClusterError>
where
    R: Serialize + DeserializeOwned + Clone + Send,
{
    member.check()?;
    let terms = Terms {
        identity: Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: agreed.to_owned(),
            direction: "pieces".to_owned(),
            roots: String::new(),
            words: 0,
            forgets: false,
            processes: member.processes(),
            threads: member.threads,
        },
        depth: None,
        farthest: 0,
    };
    let interrupted = || budget.limits().is_interrupted();
    let streams = connect(&member, &terms, &interrupted)?;
    member.listener = None;
    let health = Arc::new(Health::new(member.addresses.clone()));
    let mut links = Vec::new();
    for (process, stream) in streams.into_iter().enumerate() {
        // All speak with the first process alone.
        if let Some(stream) = stream.filter(|_| process == 0 || member.process == 0) {
            let link = Link::new(process, stream, Arc::clone(&health), member.patience);
            links.push(link.map_err(broken)?.plain());
        }
    }
    let hearts: Result<Vec<Heart>, _> = links.iter().map(Heart::of).collect();
    let _hearts = hearts.map_err(broken)?;
    match (member.process, links.pop()) {
        (0, last) => {
            links.extend(last);
            Ok(First::new(budget, work).run(member.threads, links, next))
        }
        (_, Some(link)) => Other::new(budget, work, &health, link).run(member.threads),
        (_, None) => Err(ClusterError::Broken(
            "the first process is missing".to_owned(),
        )),
    }
}

fn broken(error: std::io::Error) -> ClusterError {
    ClusterError::Broken(error.to_string())
}

type Work<'w, R> = &'w (dyn Fn(u64, u64) -> Result<R, StopReason> + Sync);

/// The process that hands out.
struct First<'w, R> {
    budget: &'w Watch,
    work: Work<'w, R>,
    queue: Queue<R>,
    again: AtomicU64,
}

impl<'w, R: Serialize + DeserializeOwned + Clone + Send> First<'w, R> {
    fn new(budget: &'w Watch, work: Work<'w, R>) -> Self {
        Self {
            budget,
            work,
            queue: Queue::default(),
            again: AtomicU64::new(0),
        }
    }

    fn run(
        &self,
        threads: usize,
        links: Vec<Link>,
        next: &mut dyn FnMut(&[Finished<R>]) -> Option<Round>,
    ) -> HandedOut<R> {
        std::thread::scope(|scope| {
            for link in links {
                scope.spawn(move || self.serve(link));
            }
            for _ in 0..threads {
                scope.spawn(move || self.help());
            }
            let mut rounds: Vec<Finished<R>> = Vec::new();
            let mut stopped = None;
            while let Some(round) = next(&rounds) {
                self.queue.begin(round);
                match self.queue.finished(|| self.budget.check_resources(0)) {
                    Ok(results) => rounds.push(Finished {
                        parameter: round.parameter,
                        results,
                    }),
                    Err(reason) => {
                        stopped = Some(reason);
                        break;
                    }
                }
            }
            let found = HandedOut {
                rounds,
                stopped,
                again: self.again.load(Ordering::Relaxed),
            };
            self.queue.end(&found);
            found
        })
    }

    /// Work in this process.
    fn help(&self) {
        loop {
            match self.queue.next() {
                Next::Piece(piece) => match (self.work)(piece.parameter, piece.number) {
                    Ok(result) => self.queue.done(piece, result),
                    Err(reason) => self.queue.stop(reason),
                },
                Next::Wait => std::thread::sleep(PAUSE),
                Next::End(_) => return,
            }
        }
    }

    /// Hand out to another process until the end, or until it is lost.
    fn serve(&self, mut link: Link) {
        let mut held: Vec<Piece> = Vec::new();
        let lost = loop {
            let request: Request<R> = match receive(&mut link) {
                Ok(request) => request,
                Err(error) => break Some(error),
            };
            match request {
                Request::Next => {}
                Request::Done(piece, result) => {
                    held.retain(|it| *it != piece);
                    self.queue.done(piece, result);
                }
                Request::Stop(reason) => self.queue.stop(reason),
            }
            let answer = match self.queue.next() {
                Next::Piece(piece) => {
                    held.push(piece);
                    Answer::Piece(piece)
                }
                Next::Wait => Answer::Wait,
                Next::End(found) => Answer::End(found),
            };
            let is_end = matches!(answer, Answer::End(_));
            if let Err(error) = send(&mut link, &answer) {
                break Some(error);
            }
            if is_end {
                break None;
            }
        };
        if let Some(error) = lost {
            tracing::info!(%error, pieces = held.len(), "a process is lost");
            let n = self.queue.give_back(&held);
            self.again.fetch_add(n, Ordering::Relaxed);
        }
        // It may be gone.
        link.shutdown(Shutdown::Write).ok();
    }
}

/// A process that asks for pieces.
struct Other<'w, R> {
    budget: &'w Watch,
    work: Work<'w, R>,
    health: &'w Health,
    link: Mutex<Link>,
    found: Mutex<Option<Result<HandedOut<R>, ClusterError>>>,
}

impl<'w, R: Serialize + DeserializeOwned + Clone + Send> Other<'w, R> {
    fn new(budget: &'w Watch, work: Work<'w, R>, health: &'w Health, link: Link) -> Self {
        Self {
            budget,
            work,
            health,
            link: Mutex::new(link),
            found: Mutex::new(None),
        }
    }

    fn run(self, threads: usize) -> Result<HandedOut<R>, ClusterError> {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| self.help());
            }
        });
        let link = self
            .link
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        link.shutdown(Shutdown::Write).ok();
        let found = self
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        found.unwrap_or_else(|| Err(ClusterError::Broken("there was no thread".to_owned())))
    }

    /// One thread.
    fn help(&self) {
        let mut request = Request::Next;
        while let Some(answer) = self.ask(std::mem::replace(&mut request, Request::Next)) {
            request = match answer {
                Answer::Piece(piece) => match (self.work)(piece.parameter, piece.number) {
                    Ok(result) => Request::Done(piece, result),
                    Err(reason) => Request::Stop(reason),
                },
                Answer::Wait => {
                    std::thread::sleep(PAUSE);
                    match self.budget.check_resources(0) {
                        Ok(()) => Request::Next,
                        Err(reason) => Request::Stop(reason),
                    }
                }
                Answer::End(_) => return,
            };
        }
    }

    /// Ask the first process; `None` when all is over.
    fn ask(&self, request: Request<R>) -> Option<Answer<R>> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_some() {
            return None;
        }
        let answer = send(&mut *link, &request).and_then(|()| receive(&mut *link));
        match answer {
            Ok(Answer::End(all)) => {
                *found = Some(Ok(all));
                None
            }
            Ok(answer) => Some(answer),
            Err(error) => {
                let lost = self.health.check().err();
                *found = Some(Err(lost.unwrap_or_else(|| broken(error))));
                None
            }
        }
    }
}
