//! The table of one search.

use psvn_ir::{CanonicalRule, Game};

use crate::run::limits::{StopReason, Watch};
use crate::transposition::counts::TableCounts;
use crate::transposition::keys::Keys;
use crate::transposition::learner::Learner;
use crate::transposition::table::Table;

/// The requested table.
#[derive(Clone, Copy)]
pub(crate) struct TableSetup<'m> {
    /// The maximum size in bytes.
    pub(crate) bytes: usize,
    pub(crate) keys: Keys<'m>,
}

/// A table with the data that walks need to use it.
pub(crate) struct OwnTable<'m> {
    table: Table,
    keys: Keys<'m>,
    /// By rule, in parts.
    costs: Vec<u64>,
}

impl<'m> TableSetup<'m> {
    /// Make the table, for states of `n_words` words and totals in parts of `part`. Reserve its
    /// bytes in the watch.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn make(
        &self,
        n_words: usize,
        game: &Game,
        part: u64,
        watch: &mut Watch<'_, '_>,
    ) -> Result<OwnTable<'m>, StopReason> {
        let table = Table::new(n_words, self.bytes)?;
        watch.reserve(table.bytes())?;
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        Ok(OwnTable {
            table,
            keys: self.keys,
            // A rule whose cost doesn't fit in 64 bits leads beyond all bounds.
            costs: rules
                .map(CanonicalRule::cost)
                .map(|cost| cost.saturating_mul(part))
                .collect(),
        })
    }
}

impl OwnTable<'_> {
    /// Make a learner that uses the table.
    pub(crate) fn learner(&self) -> Learner<'_> {
        Learner::new(&self.table, self.keys, &self.costs)
    }

    /// Return the counts of a whole search, given the counts of its walks, which lack the table's
    /// size.
    pub(crate) fn counts(&self, of_walks: &TableCounts) -> TableCounts {
        let mut counts = self.table.counts();
        counts.add(of_walks);
        counts.peak_bytes = counts.bytes + of_walks.peak_bytes;
        counts
    }

    /// Release the bytes of the table after the search.
    pub(crate) fn release(self, watch: &mut Watch<'_, '_>) {
        watch.release(self.table.bytes());
    }
}
