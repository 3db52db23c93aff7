//! Heuristics behind one type, so that the search loops are compiled once for all of them.

use bytemuck::{from_bytes, from_bytes_mut};
use psvn_ir::RuleId;

use crate::game::cell::Cell;
use crate::heuristic::ranked::RankedTable;
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::view::{Cells, StateView};
use crate::heuristic::{Heuristic, MEMO_BYTES, Sibling};

/// The bytes of a [memo](Heuristic::Memo).
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Memo([u8; MEMO_BYTES]);

impl Default for Memo {
    fn default() -> Self {
        Self([0; MEMO_BYTES])
    }
}

impl Memo {
    #[inline(always)]
    fn read<H: Heuristic>(&self) -> &H::Memo {
        const {
            assert!(size_of::<H::Memo>() <= MEMO_BYTES);
            assert!(align_of::<H::Memo>() <= align_of::<Self>());
        };
        from_bytes(&self.0[..size_of::<H::Memo>()])
    }

    #[inline(always)]
    fn write<H: Heuristic>(&mut self, memo: &H::Memo) {
        // Stored as one value, since its size is known then.
        *from_bytes_mut(&mut self.0[..size_of::<H::Memo>()]) = *memo;
    }
}

/// A heuristic of any type, as the searches take it.
#[derive(Clone, Copy)]
pub struct Erased<'h>(pub(crate) &'h dyn AnyHeuristic);

impl<'h> Erased<'h> {
    /// Take a heuristic.
    #[inline]
    pub fn of<H: Heuristic>(heuristic: &'h H) -> Self {
        Self(heuristic)
    }

    /// Return the estimate for a state, one cell for each variable.
    #[inline]
    pub(crate) fn estimate<C: Cell>(self, state: &[C]) -> u64 {
        self.0.estimate_view(StateView::of(state))
    }
}

/// A [`Heuristic`] of any type. Along paths it gets states with one byte for each value.
pub(crate) trait AnyHeuristic: Sync {
    /// [`Heuristic::estimate`], for states in any form.
    fn estimate_view(&self, state: StateView<'_>) -> u64;

    /// [`Heuristic::start`].
    fn start(&self, state: &[u8], kept: &mut Memo) -> u64;

    /// [`Heuristic::child_bounded`], with the memo in the last argument.
    fn child_bounded(
        &self,
        rule: RuleId,
        cells: (&[u8], &[u8]),
        memo: &Memo,
        cutoff: u64,
        kept: &mut Memo,
    ) -> u64;

    /// [`Heuristic::has_rejection`].
    fn has_rejection(&self) -> bool;

    /// [`Heuristic::rejects`].
    fn rejects(&self, rule: RuleId, memo: &Memo, cutoff: u64) -> Option<u64>;

    /// [`Heuristic::has_prefetch`].
    fn has_prefetch(&self) -> bool;

    /// [`Heuristic::prefetch`].
    fn prefetch(&self, rule: RuleId, memo: &Memo);

    /// [`Heuristic::has_batches`].
    fn has_batches(&self) -> bool;

    /// [`Heuristic::rejects_all`].
    fn rejects_all(&self, siblings: &[Sibling], memo: &Memo, found: &mut [Option<u64>]);

    /// [`Heuristic::children_bounded`], with estimates and memos in the last argument.
    fn children_bounded(
        &self,
        siblings: &[Sibling],
        parent: &[u8],
        memo: &Memo,
        states: &[u8],
        found: &mut [(u64, Memo)],
    );

    /// [`Heuristic::value_sums`].
    fn value_sums(&self) -> Option<&ValueSums>;

    /// [`Heuristic::ranked_tables`].
    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>>;
}

/// The variables of a state up to which it is widened without allocating.
const MOST_ON_STACK: usize = 64;

/// Call `estimate` with cells of two bytes as cells of four. Few games have more than 256 values,
/// so heuristics aren't compiled for a third width.
fn widened(cells: &[u16], estimate: impl FnOnce(&[u32]) -> u64) -> u64 {
    let wide = cells.iter().map(|cell| u32::from(*cell));
    if cells.len() > MOST_ON_STACK {
        return estimate(&wide.collect::<Vec<u32>>());
    }
    let mut room = [0; MOST_ON_STACK];
    for (to, cell) in room.iter_mut().zip(wide) {
        *to = cell;
    }
    estimate(&room[..cells.len()])
}

impl<H: Heuristic> AnyHeuristic for H {
    fn estimate_view(&self, state: StateView<'_>) -> u64 {
        match state.0 {
            Cells::Byte(cells) => self.estimate(cells),
            Cells::Short(cells) => widened(cells, |cells| self.estimate(cells)),
            Cells::Word(cells) => self.estimate(cells),
        }
    }

    fn start(&self, state: &[u8], kept: &mut Memo) -> u64 {
        let (estimate, memo) = Heuristic::start(self, state);
        kept.write::<H>(&memo);
        estimate
    }

    fn child_bounded(
        &self,
        rule: RuleId,
        (parent, child): (&[u8], &[u8]),
        memo: &Memo,
        cutoff: u64,
        kept: &mut Memo,
    ) -> u64 {
        let memo = memo.read::<H>();
        let (estimate, memo) = Heuristic::child_bounded(self, rule, parent, memo, child, cutoff);
        kept.write::<H>(&memo);
        estimate
    }

    fn has_rejection(&self) -> bool {
        Heuristic::has_rejection(self)
    }

    fn rejects(&self, rule: RuleId, memo: &Memo, cutoff: u64) -> Option<u64> {
        Heuristic::rejects(self, rule, memo.read::<H>(), cutoff)
    }

    fn has_prefetch(&self) -> bool {
        Heuristic::has_prefetch(self)
    }

    fn prefetch(&self, rule: RuleId, memo: &Memo) {
        Heuristic::prefetch(self, rule, memo.read::<H>());
    }

    fn has_batches(&self) -> bool {
        Heuristic::has_batches(self)
    }

    fn rejects_all(&self, siblings: &[Sibling], memo: &Memo, found: &mut [Option<u64>]) {
        Heuristic::rejects_all(self, siblings, memo.read::<H>(), found);
    }

    fn children_bounded(
        &self,
        siblings: &[Sibling],
        parent: &[u8],
        memo: &Memo,
        states: &[u8],
        found: &mut [(u64, Memo)],
    ) {
        let memo = memo.read::<H>();
        let write = |number: usize, estimate, memo: H::Memo| {
            found[number].0 = estimate;
            found[number].1.write::<H>(&memo);
        };
        Heuristic::children_bounded(self, siblings, parent, memo, states, write);
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        Heuristic::value_sums(self)
    }

    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>> {
        Heuristic::ranked_tables(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Erased, MOST_ON_STACK};
    use crate::game::cell::Cell;
    use crate::heuristic::Heuristic;

    /// Each value counts by its position, so that none may be lost or moved.
    struct Weighed;

    impl Heuristic for Weighed {
        type Memo = ();

        fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
            let weights = 1..;
            let weighed = weights.zip(state).map(|(n, cell)| n * cell.index() as u64);
            weighed.sum()
        }
    }

    #[test]
    fn states_of_all_widths_have_the_same_estimate() {
        for n in [0, 1, MOST_ON_STACK, MOST_ON_STACK + 1] {
            let bytes: Vec<u8> = (0..n).map(|i| (i * 7 + 1) as u8).collect();
            let shorts: Vec<u16> = bytes.iter().map(|value| u16::from(*value)).collect();
            let words: Vec<u32> = bytes.iter().map(|value| u32::from(*value)).collect();
            let erased = Erased::of(&Weighed);
            let expected = Weighed.estimate(&bytes);
            assert_eq!(erased.estimate(&bytes), expected);
            assert_eq!(erased.estimate(&shorts), expected, "{n} variables");
            assert_eq!(erased.estimate(&words), expected);
        }
    }
}
