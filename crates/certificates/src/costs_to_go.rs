//! What a plan costs from each state that can be reached.

use abstraction::{Abstraction, Share};
use budget::Watch;
use psvn_ir::{Game, RuleId, State, Value};

use crate::abstract_table::AbstractTable;
use crate::error::{CertificateError, GREATEST};

/// All states that a state leads to, and the least cost of a plan from each.
pub struct CostsToGo {
    /// The table of the game that isn't abstracted at all.
    table: AbstractTable,
}

impl CostsToGo {
    /// Compute the costs of all states that can be reached from `start`.
    ///
    /// Takes time and memory for each step between two of these states.
    ///
    /// # Errors
    /// When a limit is reached, some of the states have no plan, or a rule costs nothing: then the
    /// costs don't show in which direction a goal is.
    pub fn compute(game: &Game, start: &State, watch: &Watch) -> Result<Self, CertificateError> {
        let not_covered = |what| CertificateError::NotCovered { what };
        if game.rules().iter().any(|rule| rule.canonical.cost() == 0) {
            return Err(not_covered("lists of costs where a rule costs nothing"));
        }
        let whole = Abstraction::identity(game);
        let table = AbstractTable::compute(game, &whole, &Share::Full, start, usize::MAX, watch)?;
        let table = table.ok_or(not_covered("lists of costs for games of so many rules"))?;
        if table.greatest() >= GREATEST {
            return Err(not_covered("lists of costs where a state has no plan"));
        }
        Ok(Self { table })
    }

    /// Return the number of states.
    pub fn n_states(&self) -> usize {
        self.table.n_entries()
    }

    /// Return the greatest of the costs.
    pub fn greatest(&self) -> u64 {
        self.table.greatest()
    }

    /// Return the first of the states with the greatest cost, by their values.
    ///
    /// # Panics
    /// Never: the start is one of the states.
    pub fn farthest(&self) -> State {
        let greatest = self.greatest();
        let farthest = self.table.entries().filter(|(_, cost)| *cost == greatest);
        let first = farthest.map(|(state, _)| state);
        let first = first.min_by(|one, other| one.values().cmp(other.values()));
        first.expect("the start is a state")
    }

    /// Return the least cost of a plan from a state; 0 if it isn't among the states.
    pub fn cost(&self, state: &[Value]) -> u64 {
        self.table.estimate(state)
    }

    /// Return a plan of least cost from one of the states.
    ///
    /// # Panics
    /// Never, if these are the costs of the game.
    pub fn plan(&self, game: &Game, state: &State) -> Vec<RuleId> {
        let mut plan = Vec::new();
        let mut state: Box<[Value]> = state.values().into();
        loop {
            let cost = self.cost(&state);
            if cost == 0 {
                return plan;
            }
            let nearer = game.rules_with_ids().find_map(|(rule, it)| {
                let rest = cost.checked_sub(it.canonical.cost())?;
                let next = it
                    .canonical
                    .applies_to(&state)
                    .then(|| it.canonical.apply(&state))?;
                (self.cost(&next) == rest).then_some((rule, next))
            });
            let (rule, next) = nearer.expect("a state with a cost has a plan");
            plan.push(rule);
            state = next;
        }
    }

    pub(crate) fn entries(&self) -> Vec<(State, u64)> {
        self.table.entries().collect()
    }
}
