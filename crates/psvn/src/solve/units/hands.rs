//! Threads that search subtrees of a round, each when it is idle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use search::{Piece, StopReason, Subtrees};

/// The time between two checks of the limits.
const TICK: Duration = Duration::from_millis(50);

/// Whoever takes the results of subtrees while others are searched.
pub(super) trait Taker {
    /// Take the result of a subtree.
    fn take(&mut self, number: u64, piece: Piece);

    /// Return whether to continue, by the number of nodes generated so far, and the least subtree
    /// that is known to have a solution, here or elsewhere.
    fn goes_on(&mut self, generated: u64) -> Result<u64, StopReason>;
}

/// Search subtrees by threads, in the order of their numbers. Those behind one that has a solution
/// don't matter, and may be left out.
///
/// # Errors
/// When a limit is reached.
pub(super) fn search(
    subtrees: &Subtrees<'_>,
    numbers: &[u64],
    threads: usize,
    taker: &mut dyn Taker,
) -> Result<(), StopReason> {
    let queue = Queue {
        subtrees,
        numbers,
        stops: numbers.iter().map(|_| Arc::default()).collect(),
        next: AtomicUsize::new(0),
    };
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, numbers.len().max(1)) {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || queue.work(&sender));
        }
        // The channel is closed when the last thread has ended.
        drop(sender);
        queue.attend(&results, taker)
    })
}

/// The number of a subtree, and what was found there.
type Done = (u64, Result<Piece, StopReason>);

/// The subtrees of which each thread takes the next one.
struct Queue<'w, 's> {
    subtrees: &'w Subtrees<'s>,
    numbers: &'w [u64],
    /// For each of them, whether it no longer matters.
    stops: Vec<Arc<AtomicBool>>,
    next: AtomicUsize,
}

impl Queue<'_, '_> {
    /// Search subtrees until there are no more that matter.
    fn work(&self, results: &Sender<Done>) {
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(number), Some(stop)) = (self.numbers.get(place), self.stops.get(place))
            else {
                return;
            };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let result = self.subtrees.search(*number, stop);
            if result.is_err() && stop.load(Ordering::Relaxed) {
                return;
            }
            if results.send((*number, result)).is_err() {
                return;
            }
        }
    }

    /// Take results, and check the limits, until all threads have ended.
    fn attend(&self, results: &Receiver<Done>, taker: &mut dyn Taker) -> Result<(), StopReason> {
        let mut generated: u64 = 0;
        let mut end = Ok(());
        loop {
            match results.recv_timeout(TICK) {
                Ok((number, Ok(piece))) => {
                    generated = generated.saturating_add(piece.generated());
                    if piece.has_found() {
                        self.only_to(number);
                    }
                    taker.take(number, piece);
                }
                Ok((_, Err(reason))) => end = end.and(Err(reason)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return end,
            }
            match taker.goes_on(generated) {
                Ok(last) => self.only_to(last),
                Err(reason) => end = end.and(Err(reason)),
            }
            if end.is_err() {
                self.stop_from(0);
            }
        }
    }

    /// Leave out the subtrees behind one.
    fn only_to(&self, last: u64) {
        self.stop_from(self.numbers.partition_point(|number| *number <= last));
    }

    fn stop_from(&self, place: usize) {
        for stop in &self.stops[place..] {
            stop.store(true, Ordering::Relaxed);
        }
    }
}
