//! Starts from which no goal can be reached, as far as that is proved without a search.

use std::cell::OnceCell;
use std::collections::HashSet;

use invariants::{Arrangements, Conserved, Parity, StartSet, find_unless};
use psvn_ir::State;

use crate::game::Game;
use crate::text::units::group_text;

/// The most work to look for invariants, which takes long in larger games. Beyond it, nothing is
/// proved.
const MOST_WORK: usize = 5_000_000;

/// The proof that a start has no solution.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Why there is none, to be read after the name of the start.
    pub proof: String,
    /// A hint: what to do about it.
    pub hint: String,
}

/// Proves that states have no solution.
pub(super) struct Solvability<'g> {
    named: &'g Game,
    proofs: Proofs<'g>,
    /// The same for the other goals of a built-in game, by their references; made when first
    /// needed.
    others: OnceCell<Vec<(String, psvn_ir::Game)>>,
}

/// The invariants of a game, and its goals.
struct Proofs<'g> {
    game: &'g psvn_ir::Game,
    conserved: Option<Conserved>,
    goals: Vec<StartSet>,
    /// A parity, with the goals as states; `None` where one isn't a single state.
    parity: Option<(Parity, Vec<State>)>,
    /// The group of the moves, if they only move values; found when nothing else refutes a state.
    arrangements: OnceCell<Option<Arrangements>>,
    stop: &'g dyn Fn() -> bool,
}

impl<'g> Proofs<'g> {
    fn of(game: &'g psvn_ir::Game, stop: &'g dyn Fn() -> bool) -> Self {
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

    /// Why no goal can be reached from a state.
    fn refute(&self, state: &State) -> Option<Reason> {
        let separated = |conserved: &Conserved| {
            let violation = conserved.separation(self.game, state, &self.goals)?;
            Some(Reason::Count(violation.to_string()))
        };
        let of_another_parity = |(parity, goals): &(Parity, Vec<State>)| {
            let mut goals = goals.iter();
            goals
                .all(|goal| parity.separates(state, goal) == Some(true))
                .then_some(Reason::Parity)
        };
        let by_count = self.conserved.as_ref().and_then(separated);
        let by_parity = || self.parity.as_ref().and_then(of_another_parity);
        by_count.or_else(by_parity).or_else(|| self.by_group(state))
    }

    /// Why the group of the moves leads from a state to no goal.
    fn by_group(&self, state: &State) -> Option<Reason> {
        let find = || Arrangements::find(self.game, Arrangements::USUAL_WORK, self.stop);
        let arrangements = self.arrangements.get_or_init(find).as_ref()?;
        let mut goals = self.goals.iter();
        let separates = |goal: &StartSet| arrangements.separates(state, goal.pattern(), self.stop);
        if self.goals.is_empty() || !goals.all(|goal| separates(goal) == Some(true)) {
            return None;
        }
        let n_states = arrangements.reachable(state, self.stop);
        Some(Reason::Group(n_states.map(|n| n.to_string())))
    }
}

/// Return the number of states that can be reached from a state, in digits, if the rules only move
/// values and the group of the moves is found in less than a second or so.
pub fn n_reachable(game: &psvn_ir::Game, state: &State, stop: &dyn Fn() -> bool) -> Option<String> {
    let arrangements = Arrangements::find(game, Arrangements::USUAL_WORK, stop)?;
    let n_states = arrangements.reachable(state, stop)?;
    Some(n_states.to_string())
}

/// The only state of a set, if it has one.
fn single_state(set: &StartSet) -> Option<State> {
    let values = set.pattern().iter().map(|term| term.as_constant());
    values.collect::<Option<Vec<_>>>().map(State::new)
}

enum Reason {
    /// The state has another count of a value than the goals.
    Count(String),
    Parity,
    /// No goal is among the states that the moves reach; with their number, if they could be
    /// counted.
    Group(Option<String>),
}

impl<'g> Solvability<'g> {
    /// Prepare proofs until `stop` says to stop.
    pub(super) fn of(named: &'g Game, stop: &'g dyn Fn() -> bool) -> Self {
        Self {
            named,
            proofs: Proofs::of(&named.game, stop),
            others: OnceCell::new(),
        }
    }

    /// Why a state has no solution, and what to do about it.
    pub(super) fn refute(&self, state: &State) -> Option<Refutation> {
        let reason = self.proofs.refute(state)?;
        let others = self.others.get_or_init(|| self.other_goals());
        let fitting = others
            .iter()
            .find(|(_, game)| Proofs::of(game, &|| false).refute(state).is_none());
        let hint = match (&reason, fitting) {
            (_, Some((reference, _))) => format!(
                "the state may be written for `{reference}`: there, the goal may be reached"
            ),
            _ if self.is_declared(state) => {
                "the game itself declares this start, so no value is mistyped: the game as it is \
                 written can't be solved from there"
                    .to_owned()
            }
            (Reason::Count(_), None) if self.has_values_once() => {
                "the state may be written for another goal, or have a value twice".to_owned()
            }
            (Reason::Count(_), None) => {
                "the state may be written for another goal, or have a value where no rule takes it \
                 away, such as a box at a wall"
                    .to_owned()
            }
            (Reason::Group(_), None) => {
                "values may be exchanged, or a piece of a puzzle turned in its place".to_owned()
            }
            (Reason::Parity, None) if !others.is_empty() => {
                "half of all arrangements are like that; the state may have two values exchanged"
                    .to_owned()
            }
            (Reason::Parity, None) => {
                "half of all arrangements are like that; the state may be written for a goal with the \
                 blank in another corner, or have two values exchanged"
                    .to_owned()
            }
        };
        Some(Refutation {
            proof: match &reason {
                Reason::Count(text) => text.clone(),
                Reason::Parity => {
                    "it has another parity than the goal, which no rule changes".to_owned()
                }
                Reason::Group(Some(n_states)) => format!(
                    "the moves lead to exactly {} states, and no goal is among them",
                    group_text(n_states)
                ),
                Reason::Group(None) => {
                    "no goal is among the states to which the group of the moves leads".to_owned()
                }
            },
            hint,
        })
    }

    /// Whether the text of the game declares a state as a start.
    fn is_declared(&self, state: &State) -> bool {
        let names = self.named.start_names().into_iter();
        let named = names.filter_map(|name| self.named.start_of_name(name)?.ok());
        let unnamed = self.named.declared_start().ok().flatten();
        unnamed
            .into_iter()
            .chain(named)
            .any(|start| start == *state)
    }

    /// Whether no goal has a value of a domain twice.
    fn has_values_once(&self) -> bool {
        let game = &self.named.game;
        let mut goals = self.proofs.goals.iter();
        goals.all(|goal| {
            let mut seen = HashSet::new();
            let mut values = game.variables().iter().zip(goal.pattern());
            values.all(|(domain, term)| match term.as_constant() {
                Some(value) => seen.insert((*domain, value)),
                None => true,
            })
        })
    }

    /// The built-in game with its other goals.
    #[cfg(feature = "domains")]
    fn other_goals(&self) -> Vec<(String, psvn_ir::Game)> {
        let Some(reference) = self.named.name.strip_prefix("gen:") else {
            return Vec::new();
        };
        let this = &self.named.game;
        domains::other_goals(reference)
            .into_iter()
            .filter_map(|other| {
                let text = domains::generate_reference(&other).ok()?;
                let game = psvn_ir::load(&text).game?;
                // The state must have the same meaning there: only goals may differ.
                (game.content_hash() == this.content_hash()).then(|| (format!("gen:{other}"), game))
            })
            .collect()
    }

    /// No game is built-in.
    #[cfg(not(feature = "domains"))]
    fn other_goals(&self) -> Vec<(String, psvn_ir::Game)> {
        Vec::new()
    }
}
