//! Parts of rules, and the game that they make.

use psvn_ir::{CanonicalRule, Cell, Game, GameBuilder, SymbolId, Term, TermKind, Value, VarId};

use crate::split_game::Letter;

/// Return all combinations of values of some positions, the last position varying fastest.
pub(crate) fn combinations(game: &Game, positions: &[VarId]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for position in positions {
        let size = game.domain_of(*position).size();
        let extend = |values: Vec<Value>| {
            (0..size).map(move |value| {
                let mut values = values.clone();
                values.push(Value::from_index(value));
                values
            })
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
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
