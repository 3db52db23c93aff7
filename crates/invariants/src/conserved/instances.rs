//! The invariants of given starts: conserved sets with one number in all of them.

use psvn_ir::{Game, State};

use super::{Conserved, complement, complement_len, find, find_unless, number_in};
use crate::Omission;
use crate::counts::Count;
use crate::facts::{FactIndex, MAX_FACTS};
use crate::invariants::Invariants;
use crate::start_set::StartSet;

impl Invariants {
    /// Find the invariants of the states that can be reached from the goal states. The result is
    /// empty if the game has no goals. By induction they hold on the way from any start that
    /// satisfies them.
    pub fn from_goals(game: &Game) -> Self {
        Self::from_goals_unless(game, &|| false)
    }

    /// Like [`from_goals`](Self::from_goals), until `stop` returns `true`. Invariants not found by
    /// then are missing, and the [omissions](Self::omissions) name their kinds.
    pub fn from_goals_unless(game: &Game, stop: &dyn Fn() -> bool) -> Self {
        let starts: Vec<StartSet> = game.goals().iter().map(StartSet::from).collect();
        find_unless(game, stop).instantiate_unless(game, &starts, stop)
    }

    /// The same, unless no rule can be used at the goals.
    ///
    /// They hold in all states from which a goal can be reached if each rule can be undone. Where
    /// no rule can be used at a goal, all sequences of rules would count as impossible: then
    /// nothing is to be assumed.
    pub fn of_usable_goals(game: &Game, stop: &dyn Fn() -> bool) -> Option<Self> {
        let known = Self::from_goals_unless(game, stop);
        let mut rules = game.rules().iter();
        let is_dead_end = !game.rules().is_empty()
            && rules.all(|rule| !known.admits(rule.canonical.preconditions()));
        (!is_dead_end).then_some(known)
    }

    /// Find the invariants of the states that can be reached from `states`. The result is empty if
    /// `states` is.
    ///
    /// # Panics
    /// If a state belongs to another game.
    pub fn from_states(game: &Game, states: &[State]) -> Self {
        let starts: Vec<StartSet> = states.iter().map(StartSet::from).collect();
        find(game).instantiate(game, &starts)
    }

    /// Like [`from_states`](Self::from_states), until `stop` returns `true`. Invariants not found
    /// by then are missing, and the [omissions](Self::omissions) name their kinds.
    ///
    /// # Panics
    /// If a state belongs to another game.
    pub fn from_states_unless(game: &Game, states: &[State], stop: &dyn Fn() -> bool) -> Self {
        let starts: Vec<StartSet> = states.iter().map(StartSet::from).collect();
        find_unless(game, stop).instantiate_unless(game, &starts, stop)
    }
}

impl Conserved {
    /// Find the invariants of the states that can be reached from any of these starts: the sets of
    /// which the same number of facts holds in all of them, and the values and pairs of facts that
    /// a fixpoint over the rules proves unreachable.
    ///
    /// Without starts the result is [`Invariants::none`].
    ///
    /// # Panics
    /// If a start doesn't have one term for each variable.
    pub fn instantiate(&self, game: &Game, starts: &[StartSet]) -> Invariants {
        self.instantiate_unless(game, starts, &|| false)
    }

    /// Like [`instantiate`](Self::instantiate), until `stop` returns `true`. Invariants not found
    /// by then are missing, and the [omissions](Invariants::omissions) name their kinds.
    ///
    /// # Panics
    /// If a start doesn't have one term for each variable.
    pub fn instantiate_unless(
        &self,
        game: &Game,
        starts: &[StartSet],
        stop: &dyn Fn() -> bool,
    ) -> Invariants {
        if starts.is_empty() {
            return Invariants::none(game);
        }
        let Some(index) = FactIndex::new(game, MAX_FACTS) else {
            let all = [Omission::Counts, Omission::Facts, Omission::Pairs];
            return Invariants::none(game).with_omissions(&all);
        };
        let counts = self
            .sets
            .iter()
            .filter_map(|set| {
                let facts = &set.facts;
                let ids: Vec<u32> = facts.iter().filter_map(|f| index.checked_id(*f)).collect();
                let number = common_number(&index, &ids, starts)?;
                if set.only_one && number != 1 {
                    return None;
                }
                Some(smaller_form(&index, ids, number))
            })
            .collect();
        Invariants::assemble(game, index, counts, starts, self.omissions.clone(), stop)
    }
}

/// The number of facts of a set that hold in every state of the starts, if it is the same in all.
fn common_number(index: &FactIndex, set: &[u32], starts: &[StartSet]) -> Option<u32> {
    let mut numbers = starts
        .iter()
        .map(|start| number_in(index, set, start.pattern()));
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then_some(first)
}

/// The set or its complement, whichever has the smaller number.
fn smaller_form(index: &FactIndex, set: Vec<u32>, number: u32) -> Count {
    let count = Count::new(index, set, number);
    let slack = count.slack();
    if slack < count.number && complement_len(index, &count.facts) <= count.facts.len() {
        return Count::new(index, complement(index, &count.facts), slack);
    }
    count
}
