//! The surroundings of all work: threads, chance, the cache, progress, cancellation.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::game::{ReadLimits, Source};
use crate::store::Cache;

/// Takes events. It is called from the threads that work, so it should be quick.
type Sink = dyn Fn(&Event<'_>) + Send + Sync;

/// The surroundings of all work: how many threads a search uses, the pool of threads of analyses and
/// tables, the seed of random choices, the cache of results, where events go, and a flag that
/// cancels.
///
/// The default has one thread for a search and a pool of its own with one for each processor, the
/// seed 1, no cache, nobody who listens and no limits. Clones share the pool, the flag and the
/// listener.
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
    reading: ReadLimits,
    lints: bool,
    sink: Option<Arc<Sink>>,
    n_phases: Arc<AtomicU64>,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            threads: 1,
            pool: Arc::new(Pool::of(0)),
            seed: 1,
            cache: Cache::none(),
            cancelled: Arc::default(),
            reading: ReadLimits::default(),
            lints: true,
            sink: None,
            n_phases: Arc::default(),
        }
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("threads", &self.threads)
            .field("seed", &self.seed)
            .field("cache", &self.cache)
            .field("cancelled", &self.is_cancelled())
            .field("reading", &self.reading)
            .field("lints", &self.lints)
            .finish_non_exhaustive()
    }
}

impl Environment {
    /// Sets the number of threads of a search, at least 1.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Set the number of threads over which analyses, proofs and the building of tables spread; 0
    /// for one for each processor. They are made when they are first needed.
    #[must_use]
    pub fn with_pool_of(mut self, threads: usize) -> Self {
        self.pool = Arc::new(Pool::of(threads));
        self
    }

    /// Hand in the threads over which analyses, proofs and the building of tables spread.
    #[must_use]
    pub fn with_pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.pool = Arc::new(Pool::Given(pool));
        self
    }

    /// Sets the seed of random choices.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets where results of analyses are kept.
    #[must_use]
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Sets what reading a game may use.
    #[must_use]
    pub fn with_read_limits(mut self, limits: ReadLimits) -> Self {
        self.reading = limits;
        self
    }

    /// Sets whether games are searched for what is suspicious when they are read. That takes longer
    /// than reading them; built-in games are never searched.
    #[must_use]
    pub fn with_lints(mut self, wanted: bool) -> Self {
        self.lints = wanted;
        self
    }

    /// Sets who takes the events. It is called from the threads that work, so it should be quick.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.sink = Some(Arc::new(listener));
        self
    }

    /// The number of threads of a search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The seed of random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Where results of analyses are kept.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// What reading a game may use.
    pub fn read_limits(&self) -> &ReadLimits {
        &self.reading
    }

    /// Whether games are searched for what is suspicious.
    pub fn lints(&self) -> bool {
        self.lints
    }

    /// The flag that cancels: set, it makes all work stop soon, with what was found so far.
    pub fn cancellation(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Run work that spreads over the threads of the pool.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool.threads() {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Hands an event to the listener.
    pub fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.sink {
            sink(event);
        }
    }

    pub(crate) fn warning(&self, message: &str) {
        self.emit(&Event::Warning(message));
    }

    pub(crate) fn note(&self, message: &str) {
        self.emit(&Event::Note(message));
    }

    /// Says a detail. The message is made only for those who listen.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.sink.is_some() {
            self.emit(&Event::Detail(&message()));
        }
    }

    /// Says what step of long work comes next.
    pub(crate) fn step(&self, message: impl Fn() -> String) {
        self.emit(&Event::Step(&message));
    }

    /// Begins a piece of work that reports its progress until it is dropped.
    pub fn begin(&self) -> Phase {
        let phase = Phase {
            id: PhaseId(self.n_phases.fetch_add(1, Ordering::Relaxed)),
            sink: self.sink.clone(),
        };
        phase.emit(&Event::Began(phase.id));
        phase
    }
}

/// The threads over which work spreads.
enum Pool {
    Given(Arc<ThreadPool>),
    /// Some threads, 0 for one for each processor, made when they are first needed. `None` inside
    /// where the system gives none.
    Own {
        threads: usize,
        made: OnceLock<Option<ThreadPool>>,
    },
}

impl Pool {
    fn of(threads: usize) -> Self {
        Self::Own {
            threads,
            made: OnceLock::new(),
        }
    }

    fn threads(&self) -> Option<&ThreadPool> {
        match self {
            Self::Given(pool) => Some(pool),
            Self::Own { threads, made } => made
                .get_or_init(|| {
                    let built = ThreadPoolBuilder::new().num_threads(*threads).build();
                    if let Err(error) = &built {
                        tracing::warn!(%error, "there are no threads to spread work over");
                    }
                    built.ok()
                })
                .as_ref(),
        }
    }
}

/// What happens while something is done.
#[non_exhaustive]
pub enum Event<'a> {
    /// A piece of work begins that may take long.
    Began(PhaseId),
    /// How far a piece of work is.
    Progress(Progress<'a>),
    /// A piece of work ends.
    Ended(PhaseId),
    /// A step of long work begins. The text is made on demand.
    Step(&'a dyn Fn() -> String),
    /// Something to know that is nothing to worry about.
    Note(&'a str),
    /// Something that only those want to know who want details.
    Detail(&'a str),
    /// Something that may be wrong.
    Warning(&'a str),
    /// Something that is wrong, in addition to the error that is returned.
    Problem(&'a str),
    /// What may be wrong about a text.
    TextWarnings(&'a Source),
    /// What is wrong about a text; an error is returned as well.
    TextErrors(&'a Source),
}

/// The number of a piece of work. No other one of the same [`Environment`] and its clones has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhaseId(u64);

/// How far a piece of work is.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Which piece of work.
    pub phase: PhaseId,
    /// How many parts are done, and of how many, where that is known.
    pub parts: Option<(usize, usize)>,
    message: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// What is done, in words. It is made on demand, since progress comes often.
    pub fn message(&self) -> String {
        (self.message)()
    }
}

/// A piece of work that reports its progress. It ends when this is dropped.
pub struct Phase {
    id: PhaseId,
    sink: Option<Arc<Sink>>,
}

impl Phase {
    /// Says how far the work is: in words, and how many parts are done of how many.
    pub fn show(&self, message: impl Fn() -> String, parts: Option<(usize, usize)>) {
        self.emit(&Event::Progress(Progress {
            phase: self.id,
            parts,
            message: &message,
        }));
    }

    /// Reports how far a search is: `what` says what it does.
    pub fn of_search(
        self,
        what: impl Fn(&budget::Progress) -> String,
    ) -> impl FnMut(&budget::Progress) {
        move |progress| {
            self.show(
                || {
                    format!(
                        "{}: {} nodes, {}",
                        what(progress),
                        progress.done,
                        crate::text::units::format_speed(
                            u128::from(progress.done),
                            progress.elapsed
                        )
                    )
                },
                None,
            );
        }
    }

    fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.sink {
            sink(event);
        }
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.emit(&Event::Ended(self.id));
    }
}
