//! With which goal states backward searches begin.

use psvn_ir::State;

/// The most goal states that a backward search begins with, unless said otherwise.
pub const DEFAULT_GOAL_LIMIT: usize = 1 << 20;

/// Says which goal states count.
pub(crate) type GoalFilter<'a> = dyn Fn(&State) -> bool + 'a;

/// With which goal states backward searches begin.
pub(crate) struct GoalChoice<'p> {
    pub(crate) limit: usize,
    pub(crate) filter: Option<Box<GoalFilter<'p>>>,
}

impl Default for GoalChoice<'_> {
    fn default() -> Self {
        Self {
            limit: DEFAULT_GOAL_LIMIT,
            filter: None,
        }
    }
}
