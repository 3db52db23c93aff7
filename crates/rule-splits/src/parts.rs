//! Parts of rules, and the game that they make.

use budget::Watch;
use psvn_ir::{CanonicalRule, Cell, Game, GameBuilder, SymbolId, Term, TermKind, Value, VarId};

use crate::split_game::{Letter, SplitError};

/// What is called with the values of a part, and the part.
type Found<'a> = dyn FnMut(&[Value], CanonicalRule) -> Result<(), SplitError> + 'a;

/// The parts of a rule by the values of some positions, none of them tied to an earlier one.
pub(crate) struct PartsOf<'a> {
    pub(crate) game: &'a Game,
    pub(crate) rule: &'a CanonicalRule,
    pub(crate) positions: &'a [VarId],
    /// Whether any state that matters satisfies some preconditions.
    pub(crate) admits: &'a dyn Fn(&[Term]) -> bool,
    pub(crate) watch: &'a Watch,
}

impl PartsOf<'_> {
    /// Call `found` with the values and the rule of each part that has states, the value of the
    /// last position varying fastest. Parts are found position by position, so where the values of
    /// some positions have no states, those of the others aren't tried.
    ///
    /// # Errors
    /// Those of `found`, and when a limit on time, or an interrupt, stops it.
    pub(crate) fn each(
        &self,
        values: &mut Vec<Value>,
        found: &mut Found<'_>,
    ) -> Result<(), SplitError> {
        let part = under(self.rule, &self.positions[..values.len()], values);
        if !values.is_empty() {
            self.watch.check_resources(0).map_err(SplitError::Stopped)?;
            if !(self.admits)(part.preconditions()) {
                return Ok(());
            }
        }
        let Some(position) = self.positions.get(values.len()) else {
            return found(values, part);
        };
        for value in 0..self.game.domain_of(*position).size() {
            values.push(Value::from_index(value));
            self.each(values, found)?;
            values.pop();
        }
        Ok(())
    }
}

/// Return the rule under the condition that some positions, none of them tied to an earlier one,
/// hold these values.
pub(crate) fn under(rule: &CanonicalRule, positions: &[VarId], values: &[Value]) -> CanonicalRule {
    let mut preconditions = rule.preconditions().to_vec();
    for (position, value) in positions.iter().zip(values) {
        preconditions[position.index()] = Term::constant(*value);
    }
    CanonicalRule::canonicalize(&preconditions, rule.actions(), rule.cost())
}

/// Return a game with other rules, which keep their labels.
pub(crate) fn rebuilt(game: &Game, letters: &[Letter], parts: &[CanonicalRule]) -> Game {
    let mut builder = GameBuilder::new();
    for domain in game.domains() {
        builder.domain(domain.clone());
    }
    for domain in game.variables() {
        builder.variable(*domain);
    }
    builder.rule_limit(parts.len());
    let cells = |terms: &[Term]| -> Vec<Cell> {
        let cell = |term: &Term| match term.kind() {
            TermKind::Constant(value) => Cell::constant(value),
            TermKind::Variable(var) => Cell::symbol(SymbolId(var.0)),
        };
        terms.iter().map(cell).collect()
    };
    for (letter, part) in letters.iter().zip(parts) {
        let label = &game.rule(letter.rule).label;
        builder.rule(
            Some(label),
            cells(part.preconditions()),
            cells(part.actions()),
            part.cost(),
        );
    }
    for goal in game.goals() {
        builder.goal(cells(goal.conditions()));
    }
    let built = builder.build().expect("its parts come from a game");
    debug_assert!(built.rules().iter().map(|it| &it.canonical).eq(parts));
    built
}
