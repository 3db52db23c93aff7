//! From length to length, until a limit is reached.

use budget::{Progress, StopReason, Watch};

/// Report how far a length is done, then check the limits.
pub(crate) fn report_and_check(
    watch: &Watch,
    length: usize,
    (done, total): (usize, usize),
    bytes: usize,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(), StopReason> {
    progress(&Progress {
        level: length as u64,
        done: done as u64,
        total: Some(total as u64),
        elapsed: watch.elapsed(),
        bytes: Some(bytes),
    });
    watch.check(0, bytes)
}

/// What going from length to length gave.
pub(crate) struct Deepened<L> {
    /// The length up to which everything is complete.
    pub(crate) max_length: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) levels: Vec<L>,
}

/// Do one length after the other, until one is the last, as `level` says beside what it found, or
/// a limit is reached.
pub(crate) fn deepen<L>(
    max_length: usize,
    mut level: impl FnMut(usize) -> Result<(L, bool), StopReason>,
) -> Deepened<L> {
    let mut deepened = Deepened {
        max_length,
        stopped: None,
        levels: Vec::new(),
    };
    for length in 1..=max_length {
        match level(length) {
            Ok((found, is_last)) => {
                deepened.levels.push(found);
                if is_last {
                    // Longer words have no kept parts, so there is nothing left to find.
                    break;
                }
            }
            Err(reason) => {
                deepened.max_length = deepened.levels.len();
                deepened.stopped = Some(reason);
                break;
            }
        }
    }
    deepened
}
