//! The turn: which player is to move.

use game_tree::{Player, Turn, TurnError};
use psvn_ir::VarId;

fn game(text: &str) -> psvn_ir::Game {
    psvn_ir::load(text).game.unwrap()
}

#[test]
fn the_turn_is_found() {
    let turn = Turn::find(&game("2 3 2\n 0 0 => 1 1\n 2 1 => 1 0\n GOAL 0 -")).unwrap();
    assert_eq!(turn.variable, VarId(1));
    let state = psvn_ir::State::new([psvn_ir::Value(0), psvn_ir::Value(1)]);
    assert_eq!(turn.player(&state), Some(Player::Second));
}

#[test]
fn variables_that_are_not_the_turn_are_refused() {
    let none = game("2 3 2\n 0 0 => 1 1\n 2 0 => 1 0\n GOAL 0 -");
    assert_eq!(Turn::find(&none), Err(TurnError::NotFound));
    let error = Turn::named(&none, VarId(1)).unwrap_err();
    assert!(
        matches!(error, TurnError::NotFlipped { number: 1, .. }),
        "{error}"
    );
    let two = game("3 2 2 2\n 0 0 - => 1 1 -\n 1 1 - => 0 0 -\n GOAL - - 0");
    assert_eq!(
        Turn::find(&two),
        Err(TurnError::Ambiguous(vec![VarId(0), VarId(1)]))
    );
    assert!(Turn::named(&two, VarId(1)).is_ok());
    assert!(matches!(
        Turn::named(&two, VarId(3)),
        Err(TurnError::NoSuchVariable { .. })
    ));
    // Three players, or one who moves twice.
    let three = game("1 3\n 0 => 1\n 1 => 2\n 2 => 0\n GOAL 0");
    assert_eq!(Turn::find(&three), Err(TurnError::NotFound));
}

/// Games of one player aren't taken for games of two, and the other way round.
#[test]
fn built_in_games_are_recognized() {
    for info in domains::list() {
        let text = domains::generate_reference(&info.example.replace(' ', ":")).unwrap();
        let is_two_player = Turn::find_likely(&game(&text)).is_some();
        assert_eq!(
            is_two_player,
            info.summary.starts_with("two players"),
            "{}",
            info.name
        );
    }
}
