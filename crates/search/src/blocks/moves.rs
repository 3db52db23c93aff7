//! Rules carried out on rows of cells without gaps.

use psvn_ir::{Game, RuleId, State, Value};

use crate::game::cell::Cell;
use crate::game::compiled::Compiled;

/// The rules of a game, for states in rows of cells.
pub(super) struct Moves<C> {
    game: Compiled<C>,
    /// The rules that may apply to a state, one bit each.
    candidates: Vec<u64>,
}

impl<C: Cell> Moves<C> {
    pub(super) fn new(game: &Game) -> Self {
        let game = Compiled::new(game);
        Self {
            candidates: vec![0; game.index.n_words()],
            game,
        }
    }

    pub(super) fn n_variables(&self) -> usize {
        self.game.n_variables()
    }

    /// Return the row of a state of the game.
    pub(super) fn row(state: &State) -> Vec<C> {
        state.values().iter().map(|value| C::pack(*value)).collect()
    }

    /// Return the state of a row.
    pub(super) fn state(row: &[C]) -> State {
        State::new(
            row.iter()
                .map(|cell| cell.value())
                .collect::<Box<[Value]>>(),
        )
    }

    /// Find the rules that apply to a row, in order.
    pub(super) fn applicable(&mut self, row: &[C], found: &mut Vec<RuleId>) {
        found.clear();
        self.game.index.candidates(row, &mut self.candidates);
        for (first, word) in (0..).step_by(64).zip(&self.candidates) {
            let mut word = *word;
            while word != 0 {
                let rule = first + word.trailing_zeros();
                word &= word - 1;
                if self.game.applies(rule, row) {
                    found.push(RuleId(rule));
                }
            }
        }
    }

    /// Append the row that a rule makes of another one, and return the rule's cost.
    #[inline]
    pub(super) fn append(&self, rule: RuleId, row: &[C], to: &mut Vec<C>) -> u64 {
        let first = to.len();
        to.extend_from_slice(row);
        self.game.write(rule.0, row, &mut to[first..]);
        self.game.cost(rule.0)
    }

    /// Return whether a row is that of a goal state.
    #[inline]
    pub(super) fn is_goal(&self, row: &[C]) -> bool {
        self.game.is_goal(row)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// Applicable rules, successors and goals are those of the game, in all states near the goal.
    #[test]
    fn rows_move_as_states_do() {
        let twisted = "3 3 3 3\nA A - => - 1 A LABEL a\n0 - 2 => 2 - 0 LABEL b\n\
                       - 1 - => - 0 2 LABEL c\nA B C => C A B LABEL d\nGOAL A A -\nGOAL 0 - 1\n";
        let twisted = psvn_ir::load(twisted).game.unwrap();
        let mut games = vec![("twisted", twisted)];
        for name in ["sliding-tiles:3:3", "hanoi:4:3", "topspin:6:3", "blocks:4"] {
            let text = domains::generate_reference(name).unwrap();
            games.push((name, psvn_ir::load(&text).game.unwrap()));
        }
        for (name, game) in games {
            let mut moves = Moves::<u8>::new(&game);
            let begin = game.goal_state();
            let begin = begin.unwrap_or_else(|| game.parse_state("0 1 2").unwrap());
            let mut waiting = VecDeque::from([begin]);
            let mut seen = std::collections::HashSet::new();
            let mut found = Vec::new();
            while let Some(state) = waiting.pop_front() {
                if seen.len() > 500 || !seen.insert(state.clone()) {
                    continue;
                }
                let row = Moves::row(&state);
                assert_eq!(moves.is_goal(&row), game.is_goal(state.values()));
                moves.applicable(&row, &mut found);
                let rules = game.rules_with_ids();
                let expected: Vec<RuleId> = rules
                    .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
                    .map(|(id, _)| id)
                    .collect();
                assert_eq!(found, expected, "{name}");
                for id in &found {
                    let rule = &game.rule(*id).canonical;
                    let mut child = Vec::new();
                    assert_eq!(moves.append(*id, &row, &mut child), rule.cost());
                    let reached = State::new(rule.apply(state.values()));
                    assert_eq!(Moves::state(&child), reached);
                    waiting.push_back(reached);
                }
            }
            assert!(seen.len() > 5, "{name}");
        }
    }
}
