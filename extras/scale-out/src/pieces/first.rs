//! The process that hands out pieces.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use budget::StopReason;

use crate::error::ClusterError;
use crate::member::Member;
use crate::net::{Channel, Health, Heart, Link, receive, send};
use crate::pieces::hands::{Hands, Source, Work};
use crate::pieces::queue::{Queue, Standing};
use crate::pieces::result::PieceResult;
use crate::pieces::wire::{Answer, Ask, Request, RoundId, broken};

/// The time between two checks of the limits.
const TICK: Duration = Duration::from_millis(100);

/// The process that hands out pieces, with a thread for each other one.
pub(super) struct First<R> {
    desk: Arc<Desk<R>>,
    clerks: Vec<JoinHandle<()>>,
}

/// The pieces that are handed out.
struct Desk<R> {
    queue: Mutex<Queue<R>>,
    /// Signals a change of the round's state.
    changed: Condvar,
    /// Processes that were lost, in words.
    lost: Mutex<Vec<String>>,
}

impl<R> Desk<R> {
    fn queue(&self) -> MutexGuard<'_, Queue<R>> {
        self.queue.lock().expect("no thread panics with the queue")
    }
}

impl<R: PieceResult> First<R> {
    pub(super) fn new(
        member: &Member,
        channels: Vec<Option<Channel>>,
    ) -> Result<Self, ClusterError> {
        let desk = Arc::new(Desk {
            queue: Mutex::default(),
            changed: Condvar::new(),
            lost: Mutex::default(),
        });
        let mut first = Self {
            desk,
            clerks: Vec::new(),
        };
        for (process, channel) in channels.into_iter().enumerate() {
            let Some(channel) = channel else { continue };
            let health = Arc::new(Health::new(member.addresses.clone()));
            let link = Link::new(process, channel, Arc::clone(&health), member.patience);
            let heart = Heart::of(&link).map_err(broken)?;
            first.desk.queue().join(process);
            let desk = Arc::clone(&first.desk);
            first.clerks.push(std::thread::spawn(move || {
                serve(&desk, process, link, &health);
                drop(heart);
            }));
        }
        Ok(first)
    }

    pub(super) fn end_search(&self, search: u64, stopped: Option<StopReason>) {
        self.desk.queue().end_search(search, stopped);
    }

    pub(super) fn finish(&self) {
        self.desk.queue().finish();
    }

    pub(super) fn lost(&self) -> Vec<String> {
        let mut lost = self.desk.lost.lock().expect("no thread panics with it");
        std::mem::take(&mut lost)
    }

    pub(super) fn again(&self) -> u64 {
        self.desk.queue().again
    }

    pub(super) fn round(
        &self,
        ask: Ask,
        threads: usize,
        work: &Work<'_, R>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<R>, StopReason> {
        self.desk.queue().begin(ask);
        let source = Own {
            desk: &self.desk,
            ask,
        };
        let hands = Hands::new(threads, work);
        hands.run(&source, || {
            loop {
                let mut queue = self.desk.queue();
                match queue.standing(ask.round) {
                    Standing::Over(end) => return end.map(|results| results.to_vec()),
                    Standing::Open { needed, nodes } => {
                        hands.only(needed);
                        if let Err(reason) = goes_on(nodes) {
                            queue.stop(ask.round, reason);
                            continue;
                        }
                    }
                }
                drop(self.desk.changed.wait_timeout(queue, TICK));
            }
        })
    }
}

impl<R> Drop for First<R> {
    fn drop(&mut self) {
        self.desk
            .queue
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .finish();
        for clerk in self.clerks.drain(..) {
            // They end when the other processes do. A panic was already reported.
            clerk.join().ok();
        }
    }
}

/// The source of pieces for the threads of this process.
struct Own<'d, R> {
    desk: &'d Desk<R>,
    ask: Ask,
}

impl<R: PieceResult> Source<R> for Own<'_, R> {
    fn next(&self, done: Option<(u64, R)>) -> Option<u64> {
        let mut queue = self.desk.queue();
        if let Some((number, result)) = done {
            queue.done(self.ask.round, number, result);
            self.desk.changed.notify_all();
        }
        queue.next(self.ask)
    }

    fn stop(&self, reason: StopReason) {
        self.desk.queue().stop(self.ask.round, reason);
        self.desk.changed.notify_all();
    }
}

/// Hand out pieces to another process until it leaves or is lost.
fn serve<R: PieceResult>(desk: &Desk<R>, process: usize, mut link: Link, health: &Health) {
    let mut held: Vec<(RoundId, u64)> = Vec::new();
    while let Ok(request) = receive::<Request<R>>(&mut link) {
        let answer = answer(desk, process, request, &mut held);
        if send(&mut link, &answer).is_err() {
            break;
        }
    }
    if let Err(error) = health.check() {
        tracing::info!(%error, pieces = held.len(), "a process is lost");
        let mut lost = desk.lost.lock().expect("no thread panics with it");
        lost.push(error.to_string());
    }
    desk.queue().leave(process, &held);
    link.close();
}

fn answer<R: PieceResult>(
    desk: &Desk<R>,
    process: usize,
    request: Request<R>,
    held: &mut Vec<(RoundId, u64)>,
) -> Answer<R> {
    let mut queue = desk.queue();
    match request {
        Request::Look(ask) => queue.look(process, ask),
        Request::Stop(ask, reason) => {
            queue.stop(ask.round, reason);
            desk.changed.notify_all();
            Answer::Wait
        }
        Request::Next(ask, done) => {
            held.retain(|it| it.0 == ask.round);
            if let Some((number, result)) = done {
                held.retain(|it| it.1 != number);
                queue.done(ask.round, number, result);
                desk.changed.notify_all();
            }
            match queue.next(ask) {
                Some(number) => {
                    held.push((ask.round, number));
                    Answer::Piece(number)
                }
                None => Answer::Wait,
            }
        }
    }
}
