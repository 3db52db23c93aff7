//! What surrounds long work: limits, threads, a seed, events, and the cache of results.
//!
//! Analyses and choices of heuristics take a [`Host`], so that they neither print, nor start
//! threads, nor know the program that runs them.
//!
//! ```
//! use host::{Host, HostExt, NoHost};
//!
//! let host = NoHost::default();
//! assert!(!host.is_over());
//! assert_eq!(host.compute(|| 6 * 7), 42);
//! ```

use budget::{Limits, StopReason, Watch};
use container::cache::{Cache, Key};

/// The surroundings of a piece of work. Only the cache is required: by default there are no limits,
/// messages are dropped, and work runs in the current threads.
pub trait Host: Sync {
    /// Return limits for a piece of work that begins now: the smaller ones of its own limits and of
    /// what is left.
    fn limits(&self, own: &Limits) -> Limits {
        own.clone()
    }

    /// Return whether the caller wants the work to end.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Return the seed of random choices.
    fn seed(&self) -> u64 {
        1
    }

    /// Return the cache of results.
    fn cache(&self) -> &Cache;

    /// Return a key of the cache that holds the versions of the program and of its formats.
    fn new_key(&self) -> Key {
        Key::default()
    }

    /// Warn the user.
    fn warn(&self, _message: String) {}

    /// Tell the user something.
    fn note(&self, _message: String) {}

    /// Tell a user who wants to know everything.
    fn detail(&self, _message: &dyn Fn() -> String) {}

    /// Tell that the next step of the work begins.
    fn step(&self, _message: &dyn Fn() -> String) {}

    /// Begin a piece of work that shows its progress until the value is dropped.
    fn begin(&self) -> Box<dyn Phase + '_> {
        Box::new(())
    }

    /// Do work in the threads that it may spread over: call it exactly once.
    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }
}

/// A piece of work that shows its progress.
pub trait Phase: Send + Sync {
    /// Show how far it is: in words, and the number of finished parts and of all parts, where they
    /// are known.
    fn show(&self, message: &dyn Fn() -> String, parts: Option<(usize, usize)>);
}

/// What follows from the methods of a [`Host`].
pub trait HostExt: Host {
    /// Do work in the threads that it may spread over, and return its result.
    ///
    /// # Panics
    /// When the host doesn't do the work.
    fn compute<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let (mut work, mut result) = (Some(work), None);
        self.install(&mut || result = work.take().map(|work| work()));
        result.expect("a host does the work")
    }

    /// Return why work should stop, if it should: it is interrupted, or no time is left.
    fn end(&self) -> Option<StopReason> {
        let watch = Watch::new(self.limits(&Limits::default()));
        watch.check_resources(0).err()
    }

    /// Return whether work should stop.
    fn is_over(&self) -> bool {
        self.end().is_some()
    }
}

impl<H: Host + ?Sized> HostExt for H {}

/// No surroundings: no limits, no cache, and nobody who listens.
#[derive(Clone, Debug)]
pub struct NoHost {
    cache: Cache,
}

impl Default for NoHost {
    fn default() -> Self {
        Self {
            cache: Cache::none(),
        }
    }
}

impl Host for NoHost {
    fn cache(&self) -> &Cache {
        &self.cache
    }
}

impl Phase for () {
    fn show(&self, _: &dyn Fn() -> String, _: Option<(usize, usize)>) {}
}
