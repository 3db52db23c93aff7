//! The environment of all work: threads, the seed, the cache, progress, cancellation.

mod event;
mod host;
mod pool;
mod reading;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use budget::{Limits, Watch};
use invariants::Invariants;
use psvn_ir::State;

use self::event::Sink;
pub use self::event::{Event, Phase, PhaseId, Progress};
use self::pool::Pool;
pub use self::pool::has_room_for_threads;
pub(crate) use self::reading::{Held, free_memory};
use crate::error::Error;
use crate::store::Cache;
use crate::text::{LibraryTerms, Message, Terms};

/// The environment of all work: the number of threads of a search, the pool of threads of analyses
/// and tables, the seed of random choices, the cache of results, the listener for events, a flag
/// that cancels, and the budget of all work together.
///
/// The default has one thread for a search, its own pool with one thread for each processor, the
/// seed 1, no cache, no listener and no limits except half of the free memory for reading a game.
/// Clones share the pool, the flag and the listener. The number of threads changes
/// neither analyses nor costs of solutions.
///
/// ```
/// use psvn::{Environment, Event};
///
/// let env = Environment::default().with_seed(7).with_listener(|event| {
///     if let Event::Warning(text) = event {
///         eprintln!("{text}");
///     }
/// });
/// assert!(!env.is_cancelled());
/// ```
#[derive(Clone)]
pub struct Environment {
    threads: usize,
    pool: Arc<Pool>,
    seed: u64,
    cache: Cache,
    cancelled: Arc<AtomicBool>,
    /// The limits of all work; what interrupts it is `cancelled`.
    budget: Watch,
    /// The bytes that games hold which were read here, beyond those that count for nothing.
    held: Arc<AtomicUsize>,
    may_allow_more_memory: bool,
    lints: Lints,
    sink: Option<Arc<Sink>>,
    terms: Arc<dyn Terms>,
    n_phases: Arc<AtomicU64>,
}

impl Default for Environment {
    fn default() -> Self {
        let cancelled = Arc::<AtomicBool>::default();
        Self {
            threads: 1,
            pool: Arc::new(Pool::of(0)),
            seed: 1,
            cache: Cache::none(),
            budget: Watch::default().with_interrupt(Arc::clone(&cancelled)),
            held: Arc::default(),
            may_allow_more_memory: false,
            cancelled,
            lints: Lints::default(),
            sink: None,
            terms: Arc::new(LibraryTerms),
            n_phases: Arc::default(),
        }
    }
}

/// What becomes of warnings about a game when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lints {
    /// They are not looked for, which takes longer than reading a game.
    None,
    /// A warning ([`Event::Warning`]) says how many there are, unless the game is so large that
    /// counting them would take long.
    Counted,
    /// They are among the game's diagnostics, and shown ([`Event::TextWarnings`]).
    #[default]
    Shown,
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("threads", &self.threads)
            .field("seed", &self.seed)
            .field("cache", &self.cache)
            .field("cancelled", &self.is_cancelled())
            .field("budget", &self.budget)
            .field("lints", &self.lints)
            .finish_non_exhaustive()
    }
}

impl Environment {
    /// Set the number of threads of a search, at least 1.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Set the number of threads for analyses, proofs and the building of tables; 0 means one for
    /// each processor. The threads are started when they are first needed.
    #[must_use]
    pub fn with_pool_of(mut self, threads: usize) -> Self {
        self.pool = Arc::new(Pool::of(threads));
        self
    }

    /// Set the seed of random choices, such as those of random walks. The same seed gives the same
    /// choices.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Set the cache, which keeps results of analyses and tables of heuristics.
    #[must_use]
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Set the flag that cancels. A clone with a flag of its own is cancelled separately.
    #[must_use]
    pub fn with_cancellation(mut self, flag: Arc<AtomicBool>) -> Self {
        self.budget = self.budget.with_interrupt(Arc::clone(&flag));
        self.cancelled = flag;
        self
    }

    /// Set the budget of all work: reading games, analyses, tables, searches. What each piece of
    /// work may use is the smaller one of its own limits and what is left of the budget. Large
    /// games that are read from now on, here or in a clone, take up a part of its memory for as
    /// long as they are there. Its flag that interrupts is the one that cancels here.
    #[must_use]
    pub fn with_budget(mut self, budget: &Watch) -> Self {
        self.held = Arc::default();
        self.budget = budget.with_interrupt(Arc::clone(&self.cancelled));
        self
    }

    /// Drop the limit on time of the budget, for a command that limits the time of each of its
    /// parts.
    #[must_use]
    pub fn without_time_limit(mut self) -> Self {
        self.budget = self.budget.without_time();
        self
    }

    /// Set whether errors say that a higher limit on memory may help.
    #[must_use]
    pub fn with_advice_on_memory(mut self, wanted: bool) -> Self {
        self.may_allow_more_memory = wanted;
        self
    }

    /// Set what becomes of warnings about games when they are read. Built-in games are never
    /// searched for them.
    #[must_use]
    pub fn with_lints(mut self, lints: Lints) -> Self {
        self.lints = lints;
        self
    }

    /// Set the listener for events. It should be quick, since the threads that work call it.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.sink = Some(Arc::new(listener));
        self
    }

    /// Set the names of settings and tasks in events; this library's names by default.
    #[must_use]
    pub fn with_terms(mut self, terms: impl Terms + 'static) -> Self {
        self.terms = Arc::new(terms);
        self
    }

    /// Return the number of threads of a search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Return the seed of random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Return the cache of results of analyses and of tables.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Return the names of settings and tasks in events.
    pub fn terms(&self) -> &dyn Terms {
        &*self.terms
    }

    /// Return the budget of all work.
    pub fn budget(&self) -> &Watch {
        &self.budget
    }

    /// Return what becomes of warnings about games when they are read.
    pub(crate) fn lints(&self) -> Lints {
        self.lints
    }

    /// Return limits for a piece of work that begins now: the smaller ones of its own limits and
    /// what is left of the budget beside the games that were read. It stops when this environment
    /// is cancelled, unless it has a flag of its own.
    pub fn limits(&self, own: &Limits) -> Limits {
        let memory = own.memory.into_iter().chain(self.memory_left()).min();
        self.budget.part(&Limits {
            memory,
            ..own.clone()
        })
    }

    /// Return the bytes of the budget that games leave, if it limits the memory.
    pub(crate) fn memory_left(&self) -> Option<usize> {
        let memory = self.budget.limits().memory?;
        Some(memory.saturating_sub(self.held.load(Ordering::Relaxed)))
    }

    /// Return whether work should stop, since it is cancelled or the time of the budget is over.
    pub(crate) fn is_over(&self) -> bool {
        self.budget.is_over()
    }

    /// Return the error of work that stopped because [`is_over`](Self::is_over) said so: `before`
    /// names its end, such as "the game was read".
    pub(crate) fn over(&self, before: &str) -> Error {
        if self.is_cancelled() {
            Error::interrupted(format!("interrupted before {before}"))
        } else {
            Error::limit(format!("the time ran out before {before}"))
        }
    }

    /// Return the flag that cancels. Once it is set, all work stops soon and returns the results so
    /// far, or [`Error::Interrupted`](crate::Error::Interrupted) if there are none.
    pub fn cancellation(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }

    /// Return whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Find the invariants of all states that can be reached from some states, until the budget's
    /// time is over. Those not found by then are missing.
    pub fn invariants(&self, game: &psvn_ir::Game, states: &[State]) -> Invariants {
        Invariants::from_states_unless(game, states, &|| self.is_over())
    }

    /// The same of the goal states.
    pub(crate) fn invariants_of_goals(&self, game: &psvn_ir::Game) -> Invariants {
        Invariants::from_goals_unless(game, &|| self.is_over())
    }

    /// The same, unless no rule can be used at the goals.
    pub(crate) fn invariants_of_usable_goals(&self, game: &psvn_ir::Game) -> Option<Invariants> {
        Invariants::of_usable_goals(game, &|| self.is_over())
    }

    /// Run work that spreads over the threads of the pool.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// The same environment without progress: for work that is a part of other work.
    pub fn without_progress(&self) -> Self {
        let mut part = self.clone();
        if let Some(sink) = self.sink.clone() {
            part.sink = Some(Arc::new(move |event: &Event<'_>| {
                use Event::{Began, Ended, Progress, Step};
                if !matches!(event, Began(_) | Progress(_) | Ended(_) | Step(_)) {
                    sink(event);
                }
            }));
        }
        part
    }

    /// Hand an event to the listener.
    pub fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.sink {
            sink(event);
        }
    }

    /// Emit a warning.
    pub fn warning(&self, message: impl Into<Message>) {
        self.emit(&Event::Warning(&message.into().in_terms_of(self.terms())));
    }

    /// Emit a note.
    pub fn note(&self, message: impl Into<Message>) {
        self.emit(&Event::Note(&message.into().in_terms_of(self.terms())));
    }

    /// Emit a detail. The message is made only if there is a listener.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.sink.is_some() {
            self.emit(&Event::Detail(&message()));
        }
    }

    /// Emit the next step of long work.
    pub(crate) fn step(&self, message: impl Fn() -> String) {
        self.emit(&Event::Step(&message));
    }

    /// Begin a piece of work that reports its progress until it is dropped.
    pub fn begin(&self) -> Phase {
        let id = PhaseId(self.n_phases.fetch_add(1, Ordering::Relaxed));
        Phase::begin(id, self.sink.clone())
    }
}
