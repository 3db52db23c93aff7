//! The threads of a process in a round.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use budget::StopReason;

/// A function that does a piece of work, by its number, until a flag is set.
pub type Work<'w, R> = dyn Fn(u64, &Arc<AtomicBool>) -> Result<R, StopReason> + Sync + 'w;

/// The time that a thread waits before its next request if there was no piece.
const PAUSE: Duration = Duration::from_millis(5);

/// The source of pieces for threads, which takes their results.
pub(super) trait Source<R>: Sync {
    /// Return the next piece, if there is one at the moment, and accept the result of a finished
    /// one.
    fn next(&self, done: Option<(u64, R)>) -> Option<u64>;

    /// Record that this process reached a limit.
    fn stop(&self, reason: StopReason);
}

/// The threads of a process in a round.
pub(super) struct Hands<'w, R> {
    work: &'w Work<'w, R>,
    /// Pieces from this one on don't matter; 0 at the end of the round.
    needed: AtomicU64,
    seats: Vec<Seat>,
}

/// The state of one thread.
#[derive(Default)]
struct Seat {
    piece: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl<'w, R> Hands<'w, R> {
    pub(super) fn new(threads: usize, work: &'w Work<'w, R>) -> Self {
        Self {
            work,
            needed: AtomicU64::new(u64::MAX),
            seats: (0..threads).map(|_| Seat::default()).collect(),
        }
    }

    /// Let the threads work until `attend`, which is called in the current thread, returns.
    pub(super) fn run<T>(&self, source: &impl Source<R>, attend: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            for seat in &self.seats {
                scope.spawn(|| self.sit(seat, source));
            }
            // This runs on a panic too.
            let _end = Finally(|| self.only(0));
            attend()
        })
    }

    /// Let threads abandon the pieces from this one on, which no longer matter.
    pub(super) fn only(&self, needed: u64) {
        self.needed.store(needed, Ordering::SeqCst);
        for seat in &self.seats {
            if seat.piece.load(Ordering::SeqCst) >= needed {
                seat.stop.store(true, Ordering::SeqCst);
            }
        }
    }

    fn matters(&self, piece: u64) -> bool {
        piece < self.needed.load(Ordering::SeqCst)
    }

    fn sit(&self, seat: &Seat, source: &impl Source<R>) {
        // The round must not wait for a piece that panics.
        let _end = Finally(|| {
            if std::thread::panicking() {
                source.stop(StopReason::Interrupted);
            }
        });
        let mut done = None;
        loop {
            let Some(number) = source.next(done.take()) else {
                if !self.matters(0) {
                    return;
                }
                std::thread::sleep(PAUSE);
                continue;
            };
            seat.piece.store(number, Ordering::SeqCst);
            while self.matters(number) {
                // The flag may have been set for an earlier piece.
                seat.stop.store(false, Ordering::SeqCst);
                if !self.matters(number) {
                    break;
                }
                match (self.work)(number, &seat.stop) {
                    Ok(result) => done = Some((number, result)),
                    Err(_) if seat.stop.load(Ordering::SeqCst) => continue,
                    Err(reason) => source.stop(reason),
                }
                break;
            }
            if !self.matters(0) {
                return;
            }
        }
    }
}

/// Runs a function at the end of a scope.
struct Finally<F: FnMut()>(F);

impl<F: FnMut()> Drop for Finally<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
