//! Which values rules name.

use psvn_ir::Game;

/// For each value of each domain, whether a rule tests or writes it as a constant.
pub(crate) fn named_values(game: &Game) -> Vec<Vec<bool>> {
    let mut named: Vec<Vec<bool>> = game
        .domains()
        .iter()
        .map(|domain| vec![false; domain.size()])
        .collect();
    for rule in game.rules() {
        let sides = [rule.canonical.preconditions(), rule.canonical.actions()];
        for (position, term) in sides.into_iter().flat_map(|side| side.iter().enumerate()) {
            if let Some(value) = term.as_constant() {
                named[game.variables()[position].index()][value.index()] = true;
            }
        }
    }
    named
}
