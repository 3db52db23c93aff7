//! Counts of nodes by depth, if requested.

use crate::run::report::LevelCount;

/// Counts by depth: the number of moves on the path with which a state is stored.
#[derive(Debug, Default)]
pub(crate) struct ByDepth {
    is_wanted: bool,
    levels: Vec<LevelCount>,
}

impl ByDepth {
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            levels: Vec::new(),
        }
    }

    /// Return whether counts by depth were requested, so that searches that don't know depths
    /// otherwise must store them.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Count a generated node at this depth.
    #[inline]
    pub(crate) fn generated(&mut self, depth: u64) {
        if self.is_wanted {
            self.at(depth).generated += 1;
        }
    }

    /// Count an expanded node at this depth.
    #[inline]
    pub(crate) fn expanded(&mut self, depth: u64) {
        if self.is_wanted {
            self.at(depth).expanded += 1;
        }
    }

    #[cold]
    fn grow(&mut self, depth: usize) {
        self.levels.resize(depth + 1, LevelCount::default());
    }

    fn at(&mut self, depth: u64) -> &mut LevelCount {
        // There are at most as many levels as there are moves on the longest path walked.
        let depth = usize::try_from(depth).expect("a depth that was reached fits in memory");
        if depth >= self.levels.len() {
            self.grow(depth);
        }
        &mut self.levels[depth]
    }

    /// Return the counts, down to the greatest depth.
    pub(crate) fn into_levels(self) -> Vec<LevelCount> {
        self.levels
    }
}
