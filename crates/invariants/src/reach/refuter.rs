//! States from which no goal can be reached, as far as that is proved without a search.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt;

use budget::group_text;
use psvn_ir::{Game, State};

use crate::{Arrangements, Conserved, Parity, StartSet, find_unless};

/// The most work to look for invariants, which takes long in larger games. Beyond it, nothing is
/// proved.
const MOST_WORK: usize = 5_000_000;

/// Why no goal can be reached from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoWay {
    /// The state has another count of a value than the goals, as the text says.
    Count(String),
    /// It has another parity.
    Parity,
    /// No goal is among the states that the moves reach; with their number in digits, if they could
    /// be counted.
    Group(Option<String>),
}

impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(text) => f.write_str(text),
            Self::Parity => {
                f.write_str("it has another parity than the goal, which no rule changes")
            }
            Self::Group(Some(n_states)) => write!(
                f,
                "the moves lead to exactly {} states, and no goal is among them",
                group_text(n_states)
            ),
            Self::Group(None) => {
                f.write_str("no goal is among the states to which the group of the moves leads")
            }
        }
    }
}

/// Proves that no goal of a game can be reached from states, as far as that is possible without a
/// search.
///
/// It looks for counts and for a parity first, and for the [group of the moves](Arrangements) when
/// neither of them refutes a state.
pub struct Refuter<'g> {
    game: &'g Game,
    conserved: Option<Conserved>,
    goals: Vec<StartSet>,
    /// A parity, with the goals as states; `None` where one isn't a single state.
    parity: Option<(Parity, Vec<State>)>,
    /// The group of the moves, if they only move values; found when nothing else refutes a state.
    arrangements: OnceCell<Option<Arrangements>>,
    stop: &'g dyn Fn() -> bool,
}

impl<'g> Refuter<'g> {
    /// Prepare proofs until `stop` says to stop. Of large games, only the group of the moves is
    /// known.
    pub fn of(game: &'g Game, stop: &'g dyn Fn() -> bool) -> Self {
        let goals: Vec<StartSet> = game.goals().iter().map(StartSet::from).collect();
        let is_small = game.rules().len() * game.n_variables() <= MOST_WORK;
        let states: Option<Vec<State>> = goals.iter().map(single_state).collect();
        Self {
            game,
            conserved: (is_small && !goals.is_empty()).then(|| find_unless(game, stop)),
            parity: states
                .filter(|_| is_small && !goals.is_empty() && !stop())
                .and_then(|states| Some((Parity::find(game)?, states))),
            goals,
            arrangements: OnceCell::new(),
            stop,
        }
    }

    /// Return why no goal can be reached from a state, if that is proved.
    pub fn refute(&self, state: &State) -> Option<NoWay> {
        let separated = |conserved: &Conserved| {
            let violation = conserved.separation(self.game, state, &self.goals)?;
            Some(NoWay::Count(violation.to_string()))
        };
        let of_another_parity = |(parity, goals): &(Parity, Vec<State>)| {
            let mut goals = goals.iter();
            goals
                .all(|goal| parity.separates(state, goal) == Some(true))
                .then_some(NoWay::Parity)
        };
        let by_count = self.conserved.as_ref().and_then(separated);
        let by_parity = || self.parity.as_ref().and_then(of_another_parity);
        by_count.or_else(by_parity).or_else(|| self.by_group(state))
    }

    /// Return whether no goal has a value of a domain twice.
    pub fn has_values_once(&self) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|goal| {
            let mut seen = HashSet::new();
            let mut values = self.game.variables().iter().zip(goal.pattern());
            values.all(|(domain, term)| match term.as_constant() {
                Some(value) => seen.insert((*domain, value)),
                None => true,
            })
        })
    }

    /// Why the group of the moves leads from a state to no goal.
    fn by_group(&self, state: &State) -> Option<NoWay> {
        let find = || Arrangements::find(self.game, Arrangements::USUAL_WORK, self.stop);
        let arrangements = self.arrangements.get_or_init(find).as_ref()?;
        let mut goals = self.goals.iter();
        let separates = |goal: &StartSet| arrangements.separates(state, goal.pattern(), self.stop);
        if self.goals.is_empty() || !goals.all(|goal| separates(goal) == Some(true)) {
            return None;
        }
        let n_states = arrangements.reachable(state, self.stop);
        Some(NoWay::Group(n_states.map(|n| n.to_string())))
    }
}

/// The only state of a set, if it has one.
fn single_state(set: &StartSet) -> Option<State> {
    let values = set.pattern().iter().map(|term| term.as_constant());
    values.collect::<Option<Vec<_>>>().map(State::new)
}
