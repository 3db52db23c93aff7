//! The subtrees that threads hand to each other, and the first solution in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::run::limits::StopReason;

/// Where a subtree comes among all others: a walk in order comes first to what is less.
pub(super) type Order = Vec<u32>;

/// What several threads have to do.
pub(super) struct Pool<T> {
    state: Mutex<State<T>>,
    /// Something has changed for those who wait.
    changed: Condvar,
    /// How many subtrees are missing, for those who wait.
    wanted: Arc<AtomicUsize>,
    /// By thread: whether it is to stop.
    stops: Vec<Arc<AtomicBool>>,
}

/// [`Pool::guard`].
pub(super) struct Guard<'p, T>(&'p Pool<T>);

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop_all(&mut self.0.state());
        }
    }
}

struct State<T> {
    waiting: BTreeMap<Order, T>,
    /// By thread: what it works on.
    current: Vec<Option<Order>>,
    n_idle: usize,
    is_over: bool,
    /// Where the first solution in order was found.
    first: Option<Order>,
    stopped: Option<StopReason>,
}

impl<T> Pool<T> {
    pub(super) fn new(n_threads: usize, tasks: impl IntoIterator<Item = (Order, T)>) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: tasks.into_iter().collect(),
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

    /// How many subtrees are missing.
    pub(super) fn wanted(&self) -> &Arc<AtomicUsize> {
        &self.wanted
    }

    /// The flag that stops a thread.
    pub(super) fn stop_of(&self, thread: usize) -> &Arc<AtomicBool> {
        &self.stops[thread]
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // No thread leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Note that a thread begins with a subtree. Whether it may: a solution that comes before it,
    /// or a limit, makes it needless.
    pub(super) fn begin(&self, thread: usize, order: &Order) -> bool {
        let mut state = self.state();
        if state.is_over || state.first.as_ref().is_some_and(|first| first < order) {
            return false;
        }
        state.current[thread] = Some(order.clone());
        self.stops[thread].store(false, Ordering::Relaxed);
        true
    }

    /// Take the first subtree that waits; wait for one as long as others work. `None` at the end.
    pub(super) fn take(&self, thread: usize) -> Option<T> {
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
            if let Some((_, task)) = state.waiting.pop_first() {
                state.n_idle -= 1;
                self.count(&state);
                return Some(task);
            }
            self.count(&state);
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count(&self, state: &State<T>) {
        let wanted = state.n_idle.saturating_sub(state.waiting.len());
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    /// Hand in subtrees.
    pub(super) fn give(&self, tasks: impl IntoIterator<Item = (Order, T)>) {
        let mut state = self.state();
        state.waiting.extend(tasks);
        self.count(&state);
        self.changed.notify_all();
    }

    /// Note a solution in the subtree that a thread works on. What comes behind it is left out.
    pub(super) fn found(&self, order: &Order) {
        let mut state = self.state();
        if state.first.as_ref().is_some_and(|first| first <= order) {
            return;
        }
        state.waiting.retain(|other, _| other < order);
        for (current, stop) in state.current.iter().zip(&self.stops) {
            if current.as_ref().is_some_and(|current| current > order) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        state.first = Some(order.clone());
        self.count(&state);
    }

    /// Note that a thread was stopped. Whether all are: not, if it was because of a solution.
    pub(super) fn stopped(&self, order: &Order, reason: StopReason) -> bool {
        let mut state = self.state();
        let is_needless = state.first.as_ref().is_some_and(|first| first < order);
        if state.stopped.is_none() && !is_needless {
            state.stopped = Some(reason);
            self.stop_all(&mut state);
        }
        state.is_over
    }

    fn stop_all(&self, state: &mut State<T>) {
        state.is_over = true;
        for stop in &self.stops {
            stop.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Stop all threads if the one that holds this panics. They would wait for it without end.
    pub(super) fn guard(&self) -> Guard<'_, T> {
        Guard(self)
    }

    /// Where the first solution was found, and the limit that stopped the threads.
    pub(super) fn end(self) -> (Option<Order>, Option<StopReason>) {
        let state = self.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (state.first, state.stopped)
    }
}
