//! States with the width of cells that heuristics take.

use crate::game::cell::Cell;

/// The variables of a state up to which it is widened without allocating.
const MOST_ON_STACK: usize = 64;

/// Call `estimate` with a state of any width in cells of four bytes, as heuristics take it.
#[inline]
pub fn in_wide_cells<C: Cell, T>(state: &[C], estimate: impl FnOnce(&[u32]) -> T) -> T {
    let wide = state.iter().map(|cell| cell.value().0);
    if state.len() > MOST_ON_STACK {
        return estimate(&wide.collect::<Vec<u32>>());
    }
    let mut buffer = [0; MOST_ON_STACK];
    for (to, cell) in buffer.iter_mut().zip(wide) {
        *to = cell;
    }
    estimate(&buffer[..state.len()])
}

#[cfg(test)]
mod tests {
    use super::{MOST_ON_STACK, in_wide_cells};

    /// Each value counts by its position, so that none may be lost or moved.
    fn weighted(state: &[u32]) -> u64 {
        let terms = (1..).zip(state).map(|(n, value)| n * u64::from(*value));
        terms.sum()
    }

    #[test]
    fn states_of_all_widths_have_the_same_estimate() {
        for n in [0, 1, MOST_ON_STACK, MOST_ON_STACK + 1] {
            let bytes: Vec<u8> = (0..n).map(|i| (i * 7 + 1) as u8).collect();
            let shorts: Vec<u16> = bytes.iter().map(|value| u16::from(*value)).collect();
            let words: Vec<u32> = bytes.iter().map(|value| u32::from(*value)).collect();
            let expected = weighted(&words);
            assert_eq!(in_wide_cells(&bytes, weighted), expected, "{n} variables");
            assert_eq!(in_wide_cells(&shorts, weighted), expected, "{n} variables");
            assert_eq!(in_wide_cells(&words, weighted), expected, "{n} variables");
        }
    }
}
