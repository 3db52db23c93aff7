//! A process that requests pieces.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use budget::StopReason;

use crate::error::ClusterError;
use crate::member::Member;
use crate::net::{Channel, Health, Heart, Link, receive, send};
use crate::pieces::hands::{Hands, Source, Work};
use crate::pieces::result::PieceResult;
use crate::pieces::wire::{Answer, Ask, Request, broken};

/// The time between two requests for the state of a round.
const TICK: Duration = Duration::from_millis(100);

/// A process that requests pieces.
pub(super) struct Other<R> {
    link: Mutex<Link>,
    health: Arc<Health>,
    _heart: Heart,
    failure: Mutex<Option<ClusterError>>,
    results: std::marker::PhantomData<fn() -> R>,
}

impl<R: PieceResult> Other<R> {
    pub(super) fn new(member: &Member, channel: Option<Channel>) -> Result<Self, ClusterError> {
        let missing = || ClusterError::Broken("the first process is missing".to_owned());
        let channel = channel.ok_or_else(missing)?;
        let health = Arc::new(Health::new(member.addresses.clone()));
        let link = Link::new(0, channel, Arc::clone(&health), member.patience);
        Ok(Self {
            _heart: Heart::of(&link).map_err(broken)?,
            link: Mutex::new(link),
            health,
            failure: Mutex::new(None),
            results: std::marker::PhantomData,
        })
    }

    /// Return why a round failed. Only the first call returns it.
    pub(super) fn failure(&self) -> Option<ClusterError> {
        let mut failure = self.failure.lock().expect("no thread panics with it");
        failure.take()
    }

    fn fail(&self, error: ClusterError) -> StopReason {
        // The first process gets it in the farewell.
        self.health.fail(error.to_string());
        let mut failure = self.failure.lock().expect("no thread panics with it");
        failure.get_or_insert(error);
        StopReason::Interrupted
    }

    fn ask(&self, request: &Request<R>) -> std::io::Result<Answer<R>> {
        let mut link = self.link.lock().expect("no thread panics with it");
        send(&mut *link, request)?;
        receive(&mut *link)
    }

    pub(super) fn round(
        &self,
        ask: Ask,
        threads: usize,
        work: &Work<'_, R>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<R>, StopReason> {
        let source = Far {
            other: self,
            ask,
            attendant: std::thread::current(),
        };
        let hands = Hands::new(threads, work);
        hands.run(&source, || {
            loop {
                let answer = self.ask(&Request::Look(ask)).map_err(|error| {
                    let lost = self.health.check().err();
                    self.fail(lost.unwrap_or_else(|| broken(error)))
                })?;
                match answer {
                    Answer::Finished(results) => return Ok(results),
                    Answer::Stopped(reason) => return Err(reason),
                    Answer::OutOfStep => {
                        let message = "the first process searches something else, or has ended";
                        return Err(self.fail(ClusterError::Broken(message.to_owned())));
                    }
                    Answer::Open { needed, nodes } => {
                        hands.only(needed);
                        if let Err(reason) = goes_on(nodes) {
                            source.stop(reason);
                            return Err(reason);
                        }
                    }
                    Answer::Piece(_) | Answer::Wait => {}
                }
                std::thread::park_timeout(TICK);
            }
        })
    }
}

impl<R> Drop for Other<R> {
    fn drop(&mut self) {
        let link = self.link.get_mut().unwrap_or_else(PoisonError::into_inner);
        link.close();
    }
}

/// The source of pieces for the threads of this process.
struct Far<'o, R> {
    other: &'o Other<R>,
    ask: Ask,
    /// The thread that requests the state of the round.
    attendant: Thread,
}

impl<R: PieceResult> Source<R> for Far<'_, R> {
    fn next(&self, done: Option<(u64, R)>) -> Option<u64> {
        match self.other.ask(&Request::Next(self.ask, done)) {
            Ok(Answer::Piece(number)) if number < self.ask.pieces => Some(number),
            _ => {
                // The round may be over.
                self.attendant.unpark();
                None
            }
        }
    }

    fn stop(&self, reason: StopReason) {
        // If the first process can't be reached, it is lost, which the next request detects.
        self.other.ask(&Request::Stop(self.ask, reason)).ok();
        self.attendant.unpark();
    }
}
