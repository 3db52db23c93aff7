//! The symmetries of a game, in the form for searches that store states.

use abstraction::Symmetry;
use psvn_ir::{Game, Value, VarId};
use search::StateMap;

use crate::environment::Environment;

/// The maximum number of symmetries. Each state is mapped by those that map the start to itself.
const MOST_SYMMETRIES: usize = 1024;

/// Return the symmetries of a game, which are a group; `None` with a note if there are too many.
pub(super) fn group(game: &Game, env: &Environment) -> Option<Vec<Symmetry>> {
    let group = Symmetry::group(game, MOST_SYMMETRIES);
    if group.is_none() {
        env.note(format!(
            "the game has more than {MOST_SYMMETRIES} symmetries, so the search doesn't use them"
        ));
    }
    group
}

/// Return symmetries of a game as searches use them.
pub(super) fn maps(group: &[Symmetry], game: &Game) -> Vec<StateMap> {
    let map = |symmetry: &Symmetry| {
        let variables = (0..game.n_variables()).map(VarId::from_index);
        let values = variables.clone().map(|var| {
            let domain = game.variables()[var.index()];
            let values = (0..game.domain(domain).size()).map(Value::from_index);
            let image = |value| symmetry.value(domain.index(), value);
            values.map(image).collect()
        });
        StateMap {
            variables: variables.map(|var| symmetry.variable(var)).collect(),
            values: values.collect(),
        }
    };
    group.iter().map(map).collect()
}
