//! Games and words for tests.

use analyses::{Redundant, SplitRequest};
use host::NoHost;
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::Game;
use redundancy::SearchFor;

/// A well-known game.
pub(crate) fn built_in(name: &str, args: &[&str]) -> Game {
    let text = domains::generate(name, args).expect("a built-in game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

/// The redundant words of a game up to a length, in states with the invariants of its goals.
pub(crate) fn up_to(game: &Game, length: usize) -> Redundant {
    let found = Redundant::find(
        game,
        length,
        Invariants::from_goals(game),
        SearchFor::Goals,
        &SplitRequest::none(),
        Limits::default(),
        &NoHost::default(),
    );
    found.expect("no limits")
}
