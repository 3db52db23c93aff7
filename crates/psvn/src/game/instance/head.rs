//! The head of instance files that `psvn gen-instances` writes: a version, and the game that they
//! belong to.

use crate::error::Error;

const VERSION: &str = "1";
const FIRST: &str = "# psvn instances ";
const SECOND: &str = "# game ";

/// Return the head for instances of a game; comments to programs that don't know it.
pub fn write(game: &psvn_ir::Game) -> String {
    format!("{FIRST}{VERSION}\n{SECOND}{}\n", game.content_hash())
}

/// Refuse files with a head of another version, or of another game. Files that people write have
/// none.
pub(super) fn check(text: &str, name: &str, game: &psvn_ir::Game) -> Result<(), Error> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let Some(version) = lines.next().and_then(|line| line.strip_prefix(FIRST)) else {
        return Ok(());
    };
    if version.trim() != VERSION {
        return Err(Error::input(format!(
            "{name}:1: this is an instance file of version {}, and this program reads version {VERSION}",
            version.trim()
        ))
        .with_hint("the file may come from a later version; make it again, or delete its first line"));
    }
    let written_for = lines.next().and_then(|line| line.strip_prefix(SECOND));
    match written_for {
        Some(hash) if hash.trim() != game.content_hash().to_string() => Err(Error::input(format!(
            "{name}:2: the instances were made for another game, or for one with other rules",
        ))
        .with_hint(
            "make them again; or delete this line, if the states fit this game all the same",
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_belong_to_a_version_and_a_game() {
        let game = |text: &str| psvn_ir::load(text).game.unwrap();
        let one = game("1  3\n0 => 1\nGOAL 1\n");
        let other = game("1  3\n0 => 2\nGOAL 1\n");
        let head = write(&one);
        assert!(check(&head, "f", &one).is_ok());
        assert!(check(&head, "f", &other).is_err());
        assert!(check(&head.replace("instances 1", "instances 2"), "f", &one).is_err());
        assert!(check("0\n# game x\n", "f", &one).is_ok());
    }
}
