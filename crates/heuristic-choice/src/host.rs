//! What surrounds the choice of a heuristic: limits, threads, events, and the cache.

use budget::Limits;
use container::cache::{Cache, Key};

/// The surroundings of a choice. Only the cache is required: by default there are no limits,
/// messages are dropped, and work runs in the current threads.
pub trait Host: Sync {
    /// Return limits for a piece of work that begins now: the smaller ones of its own limits and of
    /// what is left.
    fn limits(&self, own: &Limits) -> Limits {
        own.clone()
    }

    /// Return whether the caller wants the choice to end.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Return the seed of random walks.
    fn seed(&self) -> u64 {
        1
    }

    /// Return the cache of tables.
    fn cache(&self) -> &Cache;

    /// Return a key of the cache that holds the versions of the program and of its formats.
    fn new_key(&self) -> Key {
        Key::default()
    }

    /// Tell the user something.
    fn note(&self, _message: String) {}

    /// Tell a user who wants to know everything.
    fn detail(&self, _message: &dyn Fn() -> String) {}

    /// Tell that the next step of the choice begins.
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
pub trait Phase: Sync {
    /// Show how far it is, in words.
    fn show(&self, message: &dyn Fn() -> String);
}

/// Do work in the threads of a host, and return its result.
pub(crate) fn install<R: Send>(host: &dyn Host, work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    host.install(&mut || result = work.take().map(|work| work()));
    result.expect("a host does the work")
}

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
    fn show(&self, _: &dyn Fn() -> String) {}
}
