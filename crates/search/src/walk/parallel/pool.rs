//! The subtrees that threads hand to each other, and the first solution in order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::run::limits::StopReason;

/// The place of a subtree in the order of a single walk, which visits lesser places first.
pub(super) type Order = Vec<u32>;

/// The number of a subtree among those that were given.
type Number = usize;

/// Subtrees that threads hand to each other.
pub(super) struct Handed<T> {
    pub(super) pool: Pool,
    /// By number; `None` once a thread has taken it.
    given: Mutex<Vec<Option<T>>>,
}

impl<T> Handed<T> {
    pub(super) fn new(n_threads: usize) -> Self {
        Self {
            pool: Pool::new(n_threads),
            given: Mutex::default(),
        }
    }

    fn given(&self) -> MutexGuard<'_, Vec<Option<T>>> {
        // No thread leaves the list partly changed.
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Take the first subtree that waits; wait for one as long as others work. Return `None` at the
    /// end.
    pub(super) fn take(&self, thread: usize) -> Option<T> {
        let number = self.pool.take(thread)?;
        self.given()[number].take()
    }

    /// Add a subtree that other threads may take.
    pub(super) fn give(&self, order: Order, subtree: T) {
        let mut given = self.given();
        // There are few, and most of them are taken in the order in which they were given.
        let number = given
            .iter()
            .position(Option::is_none)
            .unwrap_or(given.len());
        if number == given.len() {
            given.push(None);
        }
        given[number] = Some(subtree);
        drop(given);
        self.pool.give(order, number);
    }
}

/// The work of several threads: the places and numbers of the subtrees.
pub(super) struct Pool {
    state: Mutex<State>,
    /// Notified when something changes for waiting threads.
    changed: Condvar,
    /// The number of subtrees that waiting threads lack.
    wanted: Arc<AtomicUsize>,
    /// By thread: whether it must stop.
    stops: Vec<Arc<AtomicBool>>,
}

/// [`Pool::guard`].
pub(super) struct Guard<'p>(&'p Pool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop_all(&mut self.0.state());
        }
    }
}

struct State {
    /// The subtrees that wait, the last one in order first. There are few.
    waiting: Vec<(Order, Number)>,
    /// By thread: the subtree that it works on.
    current: Vec<Option<Order>>,
    n_idle: usize,
    is_over: bool,
    /// The place of the first solution in order.
    first: Option<Order>,
    stopped: Option<StopReason>,
}

impl Pool {
    fn new(n_threads: usize) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: Vec::new(),
                current: vec![None; n_threads],
                n_idle: 0,
                is_over: false,
                first: None,
                stopped: None,
            }),
            changed: Condvar::new(),
            wanted: Arc::default(),
            stops: (0..n_threads).map(|_| Arc::default()).collect(),
        }
    }

    /// Return the number of subtrees that waiting threads lack.
    pub(super) fn wanted(&self) -> &Arc<AtomicUsize> {
        &self.wanted
    }

    /// Return the flag that stops a thread.
    pub(super) fn stop_of(&self, thread: usize) -> &Arc<AtomicBool> {
        &self.stops[thread]
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No thread leaves the state partly changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Record that a thread begins with a subtree. Return whether it may: after a limit, or a
    /// solution that comes before the subtree, it need not.
    pub(super) fn begin(&self, thread: usize, order: &Order) -> bool {
        let mut state = self.state();
        if state.is_over || state.first.as_ref().is_some_and(|first| first < order) {
            return false;
        }
        state.current[thread] = Some(order.clone());
        self.stops[thread].store(false, Ordering::Relaxed);
        true
    }

    /// See [`Handed::take`].
    fn take(&self, thread: usize) -> Option<Number> {
        let mut state = self.state();
        state.current[thread] = None;
        state.n_idle += 1;
        loop {
            if state.n_idle == self.stops.len() && state.waiting.is_empty() {
                state.is_over = true;
            }
            if state.is_over {
                self.changed.notify_all();
                return None;
            }
            if let Some((_, number)) = state.waiting.pop() {
                state.n_idle -= 1;
                self.count(&state);
                return Some(number);
            }
            self.count(&state);
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count(&self, state: &State) {
        let wanted = state.n_idle.saturating_sub(state.waiting.len());
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    /// See [`Handed::give`].
    fn give(&self, order: Order, number: Number) {
        let mut state = self.state();
        let place = state.waiting.partition_point(|(other, _)| *other > order);
        state.waiting.insert(place, (order, number));
        self.count(&state);
        self.changed.notify_all();
    }

    /// Record a solution in the subtree that a thread works on. Subtrees after it are left out.
    pub(super) fn found(&self, order: &Order) {
        let mut state = self.state();
        if state.first.as_ref().is_some_and(|first| first <= order) {
            return;
        }
        state.waiting.retain(|(other, _)| other < order);
        for (current, stop) in state.current.iter().zip(&self.stops) {
            if current.as_ref().is_some_and(|current| current > order) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        state.first = Some(order.clone());
        self.count(&state);
    }

    /// Record that a thread was stopped. Return whether all threads are: not if a solution was the
    /// reason.
    pub(super) fn stopped(&self, order: &Order, reason: StopReason) -> bool {
        let mut state = self.state();
        let is_needless = state.first.as_ref().is_some_and(|first| first < order);
        if state.stopped.is_none() && !is_needless {
            state.stopped = Some(reason);
            self.stop_all(&mut state);
        }
        state.is_over
    }

    fn stop_all(&self, state: &mut State) {
        state.is_over = true;
        for stop in &self.stops {
            stop.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Stop all threads if the one that holds this panics. They would wait for it forever.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard(self)
    }

    /// Return the place of the first solution, and the limit that stopped the threads.
    pub(super) fn end(&self) -> (Option<Order>, Option<StopReason>) {
        let mut state = self.state();
        (state.first.take(), state.stopped)
    }
}
