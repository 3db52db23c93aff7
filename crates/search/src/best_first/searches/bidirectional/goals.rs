//! The goal states that a backward search begins with.

use crate::best_first::space::goal_states::{GOAL_LIMIT, GoalFilter, GoalStates};
use crate::best_first::work::Work;
use crate::run::limits::StopReason;

/// The goal states that a backward search begins with.
pub(crate) struct Goals<'a> {
    pub(crate) states: GoalStates<'a>,
    pub(crate) filter: Option<&'a GoalFilter<'a>>,
    /// Set when there are more goal states than the limit.
    pub(crate) too_many: bool,
}

impl Goals<'_> {
    /// Begin with the packed goal states, one by one, and return the number of those that `begin`
    /// stored. When there are too many, ignore the returned reason: it isn't a limit of the search.
    pub(super) fn for_each(
        &mut self,
        work: &mut Work<'_, '_>,
        mut begin: impl FnMut(&mut Work<'_, '_>, &[u64]) -> Result<bool, StopReason>,
    ) -> Result<u32, StopReason> {
        let packing = &work.space.packing;
        let mut packed = vec![0; packing.n_words()];
        let mut n_goals = 0;
        for state in &mut self.states {
            // Goal states that don't pass the filter count too: there may be very many.
            work.countdown.node()?;
            if self.filter.is_some_and(|filter| !filter(&state)) {
                continue;
            }
            if n_goals as usize == GOAL_LIMIT {
                self.too_many = true;
                return Err(StopReason::Memory);
            }
            packing.pack(state.values().iter().map(|value| value.0), &mut packed);
            n_goals += u32::from(begin(work, &packed)?);
        }
        Ok(n_goals)
    }
}
