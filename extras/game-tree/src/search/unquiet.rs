//! The moves that a search follows where it would end otherwise.

use psvn_ir::RuleId;

use crate::game::TwoPlayerGame;
use crate::game::turn::Player;

/// For each player, the moves that are followed beyond the horizon.
pub(crate) struct Unquiet([Vec<bool>; 2]);

impl Unquiet {
    /// Return the moves of some rules; `None` if there are no rules.
    pub(crate) fn of(game: &TwoPlayerGame, rules: &[RuleId]) -> Option<Self> {
        let of_player = |player: usize| {
            let moves = game.moves[player].iter();
            moves.map(|it| rules.contains(&it.rule)).collect()
        };
        (!rules.is_empty()).then(|| Self([of_player(0), of_player(1)]))
    }

    pub(crate) fn has(&self, player: Player, number: usize) -> bool {
        self.0[player.index()][number]
    }
}
