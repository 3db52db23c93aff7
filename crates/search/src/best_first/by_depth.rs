//! What happened at each depth, where somebody asks.

use crate::run::report::LevelCount;

/// Counts by depth: the number of moves on the way on which a state is stored.
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

    /// Whether searches that don't know depths for other reasons have to store them.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// A node of this depth was made.
    #[inline]
    pub(crate) fn generated(&mut self, depth: u64) {
        if self.is_wanted {
            self.at(depth).generated += 1;
        }
    }

    /// A node of this depth is expanded.
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
        // As many levels as there are moves on some way that was walked.
        let depth = usize::try_from(depth).expect("a depth that was reached fits in memory");
        if depth >= self.levels.len() {
            self.grow(depth);
        }
        &mut self.levels[depth]
    }

    /// The counts, down to the greatest depth.
    pub(crate) fn into_levels(self) -> Vec<LevelCount> {
        self.levels
    }
}
