//! The head of instance files that programs write: a version, and the game that they belong to.

use crate::Game;

const VERSION: &str = "1";
const FIRST: &str = "# psvn instances ";
const SECOND: &str = "# game ";

/// Return the head for instances of a game; comments to programs that don't know it.
pub fn head(game: &Game) -> String {
    format!("{FIRST}{VERSION}\n{SECOND}{}\n", game.content_hash())
}

/// Refuse files with a head of another version, or of another game. Files that people write have
/// none.
///
/// # Errors
/// When the head is wrong.
pub fn check_head(text: &str, game: &Game) -> Result<(), WrongHead> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let Some(version) = lines.next().and_then(|line| line.strip_prefix(FIRST)) else {
        return Ok(());
    };
    if version.trim() != VERSION {
        return Err(WrongHead::Version(version.trim().to_owned()));
    }
    let written_for = lines.next().and_then(|line| line.strip_prefix(SECOND));
    match written_for {
        Some(hash) if hash.trim() != game.content_hash().to_string() => Err(WrongHead::Game),
        _ => Ok(()),
    }
}

/// Why an instance file with a head isn't read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongHead {
    /// It has another version.
    #[error("this is an instance file of version {0}, and this program reads version {VERSION}")]
    Version(String),
    /// It was made for another game.
    #[error("the instances were made for another game, or for one with other rules")]
    Game,
}

impl WrongHead {
    /// Return the line of the file that is wrong, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Version(_) => 1,
            Self::Game => 2,
        }
    }

    /// Return what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Version(_) => {
                "the file may come from a later version; make it again, or delete its first line"
            }
            Self::Game => {
                "make them again; or delete this line, if the states fit this game all the same"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_belong_to_a_version_and_a_game() {
        let game = |text: &str| crate::load(text).game.unwrap();
        let one = game("1  3\n0 => 1\nGOAL 1\n");
        let other = game("1  3\n0 => 2\nGOAL 1\n");
        let head = super::head(&one);
        assert!(check_head(&head, &one).is_ok());
        assert!(check_head(&head, &other).is_err());
        assert!(check_head(&head.replace("instances 1", "instances 2"), &one).is_err());
        assert!(check_head("0\n# game x\n", &one).is_ok());
    }
}
