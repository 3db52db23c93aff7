//! The state of the connections, and this process's farewell message.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::ClusterError;

/// How long the processing of messages before a farewell may take.
const GRACE: Duration = Duration::from_secs(10);

/// The state of the connections, and this process's farewell message. Shared by all threads of a
/// process.
pub(crate) struct Health {
    addresses: Vec<String>,
    /// Whether there is any event to check.
    alarm: AtomicBool,
    /// Whether this process needs nothing more, or leaves because of an error.
    closing: AtomicBool,
    state: Mutex<State>,
    /// The bytes sent to other processes.
    pub(crate) sent: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The first process that was lost, and how.
    lost: Option<(usize, String)>,
    /// Processes that left, with their reasons, if given.
    left: Vec<(usize, String, Instant)>,
    /// Why this process leaves early, and since when.
    farewell: Option<(String, Instant)>,
}

impl Health {
    pub(crate) fn new(addresses: Vec<String>) -> Self {
        Self {
            addresses,
            alarm: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            state: Mutex::default(),
            sent: AtomicU64::new(0),
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(
            &mut self
                .state
                .lock()
                .expect("no thread panics while it holds this"),
        );
        self.alarm.store(true, Ordering::Release);
    }

    /// Record that a connection broke.
    pub(crate) fn lose(&self, process: usize, reason: String) {
        if !self.is_closing() {
            tracing::debug!(process, reason, "lost");
            self.change(|state| {
                state.lost.get_or_insert((process, reason));
            });
        }
    }

    /// Record that a process left in order.
    pub(crate) fn leave(&self, process: usize, reason: String) {
        self.change(|state| state.left.push((process, reason, Instant::now())));
    }

    /// Leave early, for a reason that is sent to the others.
    pub(crate) fn fail(&self, reason: String) {
        self.change(|state| {
            state.farewell.get_or_insert((reason, Instant::now()));
        });
        self.close();
    }

    /// Record that this process needs nothing more from the others.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Release);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    /// Return how long ago this process began to leave early.
    pub(crate) fn failed_for(&self) -> Option<Duration> {
        if !self.is_closing() {
            return None;
        }
        let state = self
            .state
            .lock()
            .expect("no thread panics while it holds this");
        state.farewell.as_ref().map(|farewell| farewell.1.elapsed())
    }

    /// Return the message to the others when this process leaves; empty at the end.
    pub(crate) fn farewell(&self) -> String {
        let state = self
            .state
            .lock()
            .expect("no thread panics while it holds this");
        let farewell = state.farewell.as_ref();
        farewell.map_or_else(String::new, |(reason, _)| reason.clone())
    }

    /// Check that all processes are present.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        if !self.alarm.load(Ordering::Acquire) {
            return Ok(());
        }
        let state = self
            .state
            .lock()
            .expect("no thread panics while it holds this");
        let address = |process: usize| self.addresses[process].clone();
        if let Some((process, reason)) = &state.lost {
            return Err(ClusterError::Lost {
                process: *process,
                address: address(*process),
                reason: reason.clone(),
            });
        }
        if let Some((process, reason, _)) = state.left.iter().find(|left| !left.1.is_empty()) {
            return Err(ClusterError::Stopped {
                process: *process,
                address: address(*process),
                reason: reason.clone(),
            });
        }
        if let Some((process, ..)) = state.left.iter().find(|left| left.2.elapsed() > GRACE) {
            return Err(ClusterError::Lost {
                process: *process,
                address: address(*process),
                reason: "it left before the end".to_owned(),
            });
        }
        match &state.farewell {
            Some((reason, _)) => Err(ClusterError::Broken(reason.clone())),
            None => Ok(()),
        }
    }
}
