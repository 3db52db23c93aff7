//! Rules carried out on rows of cells.

use psvn_ir::{RuleId, State, Value};
use search::{Cell, CompiledGame};

use crate::error::Error;
use crate::game::Game;

/// What a rule writes.
struct Writes<C> {
    constants: Vec<(usize, C)>,
    /// Pairs of a place and the place that it gets the old value of.
    copies: Vec<(usize, usize)>,
    cost: u64,
}

/// The rules of a game, for states in rows of cells.
pub(super) struct Moves<C> {
    compiled: CompiledGame,
    writes: Vec<Writes<C>>,
    values: Vec<Value>,
}

impl<C: Cell> Moves<C> {
    pub(super) fn new(game: &Game) -> Self {
        let writes = |rule: &psvn_ir::Rule| {
            let (mut constants, mut copies) = (Vec::new(), Vec::new());
            for (var, term) in rule.canonical.changes() {
                match (term.as_constant(), term.as_variable()) {
                    (Some(value), _) => constants.push((var.index(), C::pack(value))),
                    (None, Some(from)) => copies.push((var.index(), from.index())),
                    (None, None) => {}
                }
            }
            Writes {
                constants,
                copies,
                cost: rule.canonical.cost(),
            }
        };
        Self {
            compiled: CompiledGame::new(game.ir()),
            writes: game.ir().rules().iter().map(writes).collect(),
            values: Vec::new(),
        }
    }

    pub(super) fn n_variables(&self) -> usize {
        self.compiled.n_variables()
    }

    /// Whether some rule costs nothing.
    pub(super) fn has_free_rules(&self) -> bool {
        self.compiled.has_free_rules()
    }

    /// The row of a state.
    pub(super) fn row(&self, state: &State) -> Result<Vec<C>, Error> {
        // Refuses what is no state of the game.
        let checked = self.compiled.is_goal(state);
        checked.map_err(|error| Error::input(error.to_string()))?;
        Ok(state.values().iter().map(|value| C::pack(*value)).collect())
    }

    /// The state of a row.
    pub(super) fn state(row: &[C]) -> State {
        State::new(
            row.iter()
                .map(|cell| cell.value())
                .collect::<Box<[Value]>>(),
        )
    }

    /// The rules that apply to a row.
    pub(super) fn applicable(&self, row: &[C]) -> Vec<RuleId> {
        let rules = self.compiled.applicable_rules(&Self::state(row));
        rules.expect("rows come from states of the game")
    }

    /// Append the row that a rule makes of another one, and return what the rule costs.
    pub(super) fn append(&self, rule: RuleId, row: &[C], to: &mut Vec<C>) -> u64 {
        let first = to.len();
        to.extend_from_slice(row);
        let child = &mut to[first..];
        let writes = &self.writes[rule.index()];
        for (place, value) in &writes.constants {
            child[*place] = *value;
        }
        for (place, from) in &writes.copies {
            child[*place] = row[*from];
        }
        writes.cost
    }

    /// Whether a row is that of a goal state.
    pub(super) fn is_goal(&mut self, row: &[C]) -> bool {
        self.values.clear();
        self.values.extend(row.iter().map(|cell| cell.value()));
        self.compiled.game().is_goal(&self.values)
    }
}
