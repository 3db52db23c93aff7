//! Comparisons of whole rules that several analyses share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Analysis;

/// The bytes that shared comparisons may take. A greater one is made again when it is needed.
const MOST_BYTES: u128 = 256 << 20;

/// Comparisons of whole rules by length, for analyses of one game with the same assumptions that
/// choose splits within different numbers of steps.
#[derive(Default)]
pub struct SharedWords {
    found: Mutex<BTreeMap<usize, Arc<Analysis>>>,
}

impl fmt::Debug for SharedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedWords").finish_non_exhaustive()
    }
}

impl SharedWords {
    /// Return whether a comparison up to a length is there.
    pub fn contains(&self, length: usize) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.contains_key(&length)
    }

    /// Return the comparison up to a length, which is made unless it is there. One that a limit
    /// stopped isn't shared.
    pub fn get_or_find(&self, length: usize, find: impl FnOnce() -> Analysis) -> Arc<Analysis> {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(analysis) = lock().get(&length) {
            return Arc::clone(analysis);
        }
        let analysis = Arc::new(find());
        let mut found = lock();
        let all = found.values().map(|it| bytes_of(it)).sum::<u128>();
        if analysis.is_complete() && all + bytes_of(&analysis) <= MOST_BYTES {
            found.insert(length, Arc::clone(&analysis));
        }
        analysis
    }
}

/// Return the bytes that an analysis takes, as it counts them itself.
fn bytes_of(analysis: &Analysis) -> u128 {
    analysis
        .levels
        .last()
        .map_or(0, |level| level.bytes as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Options, analyze_game};

    #[test]
    fn only_what_no_limit_stopped_is_shared() {
        let text = domains::generate_reference("pancake:4").expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let within = |time: Option<std::time::Duration>| {
            let options = Options {
                limits: Limits {
                    time,
                    ..Limits::default()
                },
                ..Options::up_to(3)
            };
            analyze_game(&game, &[], &options, |_| ())
        };
        let shared = SharedWords::default();
        let stopped = shared.get_or_find(3, || within(Some(std::time::Duration::ZERO)));
        assert!(!stopped.is_complete());
        let found = shared.get_or_find(3, || within(None));
        assert!(found.is_complete());
        let again = shared.get_or_find(3, || unreachable!("it is there"));
        assert!(Arc::ptr_eq(&found, &again));
    }
}
