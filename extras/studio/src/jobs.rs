//! Long work on threads of its own: one of each kind, which can be cancelled.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The most lines of progress that are kept.
const MOST_LINES: usize = 200;

/// A kind of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Looking for redundant words.
    Analysis,
    /// Looking for the reason why a word is or isn't redundant.
    Explanation,
    /// Looking for a solution.
    Solution,
}

/// Where a piece of work stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    Running,
    Done,
    Failed,
    Cancelled,
}

/// For whom a piece of work is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Owner {
    /// The hash of the text.
    pub(crate) game: String,
    /// The window of the page.
    pub(crate) window: String,
}

/// A piece of work, as answers and events have it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JobState {
    pub(crate) id: u64,
    kind: Kind,
    #[serde(flatten)]
    owner: Owner,
    status: Status,
    /// What it does, the last line last.
    progress: Vec<String>,
    /// How many lines there were before.
    left_out: usize,
    seconds: f64,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

struct Job {
    state: JobState,
    started: Instant,
    cancel: Arc<AtomicBool>,
    result: Option<Arc<serde_json::Value>>,
}

/// The pieces of work, the last one of each kind.
#[derive(Default)]
pub(crate) struct Jobs {
    jobs: Mutex<Vec<Job>>,
    n_begun: AtomicU64,
}

/// A piece of work for the thread that does it.
#[derive(Clone)]
pub(crate) struct Task {
    id: u64,
    /// Set when it should stop.
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begin a piece of work, and cancel the one of its kind that is under way.
    pub(crate) fn begin(&self, kind: Kind, owner: Owner) -> (Task, JobState) {
        let id = self.n_begun.fetch_add(1, Ordering::Relaxed) + 1;
        let cancel = Arc::<AtomicBool>::default();
        let state = JobState {
            id,
            kind,
            owner,
            status: Status::Running,
            progress: Vec::new(),
            left_out: 0,
            seconds: 0.0,
            error: None,
        };
        let mut jobs = self.lock();
        for job in jobs.iter().filter(|job| job.state.kind == kind) {
            job.cancel.store(true, Ordering::Relaxed);
        }
        jobs.retain(|job| job.state.kind != kind);
        jobs.push(Job {
            state: state.clone(),
            started: Instant::now(),
            cancel: Arc::clone(&cancel),
            result: None,
        });
        (Task { id, cancel }, state)
    }

    /// Add a line of progress.
    pub(crate) fn progress(&self, task: &Task, line: String) {
        self.change(task, |job| {
            let state = &mut job.state;
            // The figures of one phase take the place of each other.
            let phase = |line: &str| line.split(':').next().map(str::to_owned);
            if state.progress.last().and_then(|last| phase(last)) == phase(&line) {
                state.progress.pop();
            }
            state.progress.push(line);
            if state.progress.len() > MOST_LINES {
                state.progress.remove(0);
                state.left_out += 1;
            }
        });
    }

    /// Note the end of a piece of work. What was cancelled has no result, even if one was found.
    pub(crate) fn end(&self, task: &Task, result: Result<serde_json::Value, String>) {
        self.change(task, |job| {
            job.state.seconds = job.started.elapsed().as_secs_f64();
            if job.cancel.load(Ordering::Relaxed) {
                job.state.status = Status::Cancelled;
                return;
            }
            match result {
                Ok(value) => {
                    job.state.status = Status::Done;
                    job.result = Some(Arc::new(value));
                }
                Err(error) => {
                    job.state.status = Status::Failed;
                    job.state.error = Some(error);
                }
            }
        });
    }

    fn change(&self, task: &Task, change: impl FnOnce(&mut Job)) {
        if let Some(job) = self.lock().iter_mut().find(|job| job.state.id == task.id) {
            change(job);
        }
    }

    /// Cancel a piece of work.
    pub(crate) fn cancel(&self, id: u64) {
        for job in self.lock().iter().filter(|job| job.state.id == id) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Cancel what a window has begun for other texts than this one.
    pub(crate) fn cancel_for_others(&self, now: &Owner) {
        for job in self.lock().iter() {
            if job.state.owner.window == now.window && job.state.owner.game != now.game {
                job.cancel.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Cancel everything.
    pub(crate) fn cancel_all(&self) {
        for job in self.lock().iter() {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Where all pieces of work stand.
    pub(crate) fn states(&self) -> Vec<JobState> {
        let jobs = self.lock();
        let of = |job: &Job| {
            let mut state = job.state.clone();
            if state.status == Status::Running {
                state.seconds = job.started.elapsed().as_secs_f64();
            }
            state
        };
        jobs.iter().map(of).collect()
    }

    /// The result of a piece of work.
    pub(crate) fn result(&self, id: u64) -> Result<Arc<serde_json::Value>, Refusal> {
        let jobs = self.lock();
        let job = jobs.iter().find(|job| job.state.id == id);
        let result = job.and_then(|job| job.result.clone());
        result.ok_or_else(|| Refusal::not_ready("this work has no result"))
    }
}
