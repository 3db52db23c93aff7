//! Games that look as if two players moved in turn.
//!
//! A comment line `# players: 2` says that two players move in turn, `# players: 1` that one makes
//! all moves. Without this line, only `psvn check` mentions players: it warns if the rules look
//! like those of two players.

#[cfg(feature = "players")]
use game_tree::Turn;
#[cfg(feature = "players")]
use psvn_ir::Relations;
use psvn_syntax::Diagnostic;

/// The warning of `psvn check` for a game without a declaration that looks like one of two players.
///
/// In a puzzle for one player, a variable may flip with every rule, too, such as the side of a
/// boat. But then some rule has an inverse, which no move of a game of two players has.
#[cfg(feature = "players")]
pub(crate) fn lint(game: &psvn_ir::Game, text: &str) -> Option<Diagnostic> {
    if psvn_ir::comments::players(text).is_some() {
        return None;
    }
    let turn = Turn::find_likely(game)?;
    let relations = Relations::of(game);
    if game
        .rules_with_ids()
        .any(|(id, _)| relations.inverse(id).is_some())
    {
        return None;
    }
    let finding = Diagnostic::warning(
        "two-players",
        format!(
            "every rule flips variable {}, as if two players moved in turn",
            turn.variable.0 + 1
        ),
    );
    Some(finding.hint(
        "the line `# players: 2` says so, `# players: 1` that one player makes all moves; for two there \
         is `psvn play`, and other commands are for one",
    ))
}

/// Nothing: games of two players aren't known.
#[cfg(not(feature = "players"))]
pub(crate) fn lint(_: &psvn_ir::Game, _: &str) -> Option<Diagnostic> {
    None
}

#[cfg(all(test, feature = "players"))]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let game = psvn_ir::load(text).game.expect("a game without errors");
        lint(&game, text).iter().map(|found| found.code).collect()
    }

    const MARKS: &str =
        "3  2 3 3\n0 0 - => 1 1 -\n0 - 0 => 1 - 1\n1 0 - => 0 2 -\n1 - 0 => 0 - 2\nGOAL - 1 1\n";

    #[test]
    fn a_comment_settles_how_many_players_there_are() {
        assert_eq!(codes(MARKS), ["two-players"]);
        for comment in ["# players: 2", "  # players:1 ", "; players: 2"] {
            let text = format!("{comment}\n{MARKS}");
            assert_eq!(codes(&text), Vec::<&str>::new(), "{comment}");
        }
        assert_eq!(codes(&format!("# players: many\n{MARKS}")), ["two-players"]);
    }

    #[test]
    fn a_boat_that_goes_to_and_fro_is_no_second_player() {
        let river = "3  2 2 2\n0 0 - => 1 1 -\n1 1 - => 0 0 -\n0 - 0 => 1 - 1\n1 - 1 => 0 - 0\n\
                     0 - - => 1 - -\nGOAL 1 1 1\n";
        assert_eq!(codes(river), Vec::<&str>::new());
    }
}
