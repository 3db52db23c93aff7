//! Searches length by length, until a limit is reached.

use budget::{Progress, StopReason, Watch};

/// Report up to which length the search is complete, then check the limits.
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

/// Make room in a list for `more` elements, if the limit on memory allows it: while a list moves to
/// a larger place, it takes both. `held` counts all bytes held, the list's capacity included.
///
/// Double the capacity if that fits, else add no more than requested.
pub(crate) fn make_room<T>(
    watch: &Watch,
    list: &mut Vec<T>,
    more: usize,
    held: usize,
) -> Result<(), StopReason> {
    let needed = list.len() + more;
    if needed <= list.capacity() {
        return Ok(());
    }
    let held_with = |room: usize| held.saturating_add(room.saturating_mul(size_of::<T>()));
    let generous = needed.max(list.capacity().saturating_mul(2));
    let room = match watch.check(0, held_with(generous)) {
        Ok(()) => generous,
        Err(_) => {
            watch.check(0, held_with(needed))?;
            needed
        }
    };
    let grown = list.try_reserve_exact(room - list.len());
    grown.map_err(|_| StopReason::Memory)
}

/// The result of a search length by length.
pub(crate) struct Deepened<L> {
    /// The length up to which everything is complete.
    pub(crate) max_length: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) levels: Vec<L>,
}

/// Search length by length, until `level` reports the last one or a limit is reached.
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
                    // Longer words have no kept parts, so none are left to find.
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

#[cfg(test)]
mod tests {
    use budget::Limits;

    use super::*;

    #[test]
    fn a_list_grows_only_as_far_as_both_places_fit() {
        let watch = Watch::new(Limits {
            memory: Some(1_000),
            ..Limits::default()
        });
        let mut list = vec![0_u8; 300];
        list.shrink_to_fit();
        // 300 bytes are held, and a move would add 600.
        assert_eq!(make_room(&watch, &mut list, 1, 300), Ok(()));
        assert_eq!(list.capacity(), 600);
        list.resize(600, 0);
        // 1,200 bytes wouldn't fit, nor would 601 besides the 600.
        assert_eq!(
            make_room(&watch, &mut list, 1, 600),
            Err(StopReason::Memory)
        );
        assert_eq!(list.capacity(), 600);
        // Only the requested room, if doubling is too much.
        let mut list = vec![0_u8; 450];
        list.shrink_to_fit();
        assert_eq!(make_room(&watch, &mut list, 50, 450), Ok(()));
        assert_eq!(list.capacity(), 500);
    }
}
