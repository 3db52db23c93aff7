//! Opening machine files, and checking that they belong to the game.

pub(crate) mod ignored;

pub use self::ignored::check as check_ignored;

use std::path::Path;
use std::sync::Arc;

use fsm::{MachineFile, OpenError, OpenFile};
use invariants::Invariants;
use psvn_ir::State;
use rule_splits::SplitGame;

use self::ignored::SearchFor;
use super::Game;
use super::parts::split_game;
use crate::error::Error;
use crate::store::read::{read_bytes, reason};
use crate::text::order::{order_name, parse_order};
use crate::text::{Parameter, Task, message};

/// The checksums of files up to this size are verified on opening, in a few hundredths of a second.
/// Larger ones are mapped and used at once; `psvn verify` reads them completely.
const VERIFIED_ON_OPENING: u64 = 256 << 20;

/// Open a machine file in place. Only sources that aren't plain files are read into memory.
///
/// # Errors
/// When the file can't be read, or isn't a valid machine file.
pub fn open(path: &Path) -> Result<OpenFile, Error> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len());
    let (name, opened) = match size {
        // A special name wins over a file of that name.
        Some(size) if path != Path::new("-") => {
            let opened = OpenFile::map(path).and_then(|file| {
                if size <= VERIFIED_ON_OPENING {
                    file.verify_checksum()?;
                }
                Ok(file)
            });
            (path.display().to_string(), opened)
        }
        _ => {
            let (name, bytes) = read_bytes(path)?;
            (name, OpenFile::from_bytes(bytes).map_err(OpenError::from))
        }
    };
    opened.map_err(|error| match error {
        OpenError::Io(error) => Error::input(format!("can't read `{name}`: {}", reason(&error))),
        OpenError::File(error) => unreadable(&name, &error),
        error => Error::input(format!("{name}: {error}")),
    })
}

/// Return the error for an invalid machine file.
pub fn unreadable(name: &str, error: &fsm::FileError) -> Error {
    Error::input(format!("{name}: {error}"))
        .with_hint(message![Task::WriteMachineFile, " machine files"])
}

/// Open a machine file and check that it was made for a game.
///
/// # Errors
/// When the file can't be read, isn't a valid machine file, or belongs to another game.
pub fn open_for(path: &Path, game: &psvn_ir::Game, game_name: &str) -> Result<OpenFile, Error> {
    let file = open(path)?;
    check_game(&file, path, game, game_name)?;
    Ok(file)
}

fn check_game(
    file: &OpenFile,
    path: &Path,
    game: &psvn_ir::Game,
    game_name: &str,
) -> Result<(), Error> {
    let hash = game.content_hash();
    let n_rules = n_rules(file);
    if *file.game_hash() == hash.0 && n_rules == game.rules().len() {
        return Ok(());
    }
    let short = |hash: &[u8; 32]| -> String {
        hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    Err(Error::input(format!(
        "`{}` was made for another game than `{game_name}`: it holds fingerprint {}..., and this game has {}...",
        path.display(),
        short(file.game_hash()),
        short(&hash.0),
    ))
    .with_hint(
        "domains, variables, and the rules with their order, costs and labels must be the same; \
         if the game was changed, analyze it again",
    ))
}

/// The number of rules of the game that a file was made for.
pub(crate) fn n_rules(file: &OpenFile) -> usize {
    match (file.parts(), file.operator_of()) {
        ([], []) => file.machine().n_letters() as usize,
        ([], operator_of) => operator_of.len(),
        (parts, _) => parts.len(),
    }
}

/// Return the game whose rules are the letters of a machine, where they are parts of rules.
///
/// # Errors
/// When the parts aren't those of the game's rules.
pub fn split_game_of(
    file: &OpenFile,
    path: &Path,
    game: &psvn_ir::Game,
) -> Result<Option<Arc<SplitGame>>, Error> {
    match split_game(game, file.parts()) {
        Ok(split) => Ok(split.map(Arc::new)),
        Err(error) => Err(Error::input(format!("`{}`: {error}", path.display()))),
    }
}

/// Refuse start states that break the assumptions of the analysis behind a machine.
///
/// # Errors
/// When a start breaks an assumption.
pub fn check_starts<'a>(
    file: &OpenFile,
    path: &Path,
    game: &psvn_ir::Game,
    starts: impl IntoIterator<Item = &'a State>,
) -> Result<(), Error> {
    let assumed = assumptions(file, path, game)?;
    for start in starts {
        assumed.check_state(game, start).map_err(|violation| {
            Error::input(format!(
                "`{}` can't be used from `{}`: {violation}",
                path.display(),
                game.format_state(start.values()),
            ))
            .with_hint(message![
                "correct the state, or analyze the game again with `",
                Parameter::Invariants.is("none"),
                "` or with this state as `",
                Parameter::Start,
                "`"
            ])
        })?;
    }
    Ok(())
}

/// Return the invariants that the analysis behind a machine assumed.
///
/// # Errors
/// When they can't be parsed.
pub fn assumptions(
    file: &OpenFile,
    path: &Path,
    game: &psvn_ir::Game,
) -> Result<Invariants, Error> {
    Invariants::from_lines(game, &ignored::other_lines(file.assumptions())).map_err(|error| {
        Error::input(format!("`{}`: {error}", path.display()))
            .with_hint("the file may come from a later version; analyze the game again")
    })
}

/// Refuse a machine in memory for searches from some states, where it isn't safe.
pub(crate) fn check_machine(
    file: &MachineFile,
    game: &Game,
    starts: &[State],
    bounded_by_moves: bool,
) -> Result<(), Error> {
    if file.game_hash != game.ir().content_hash().0 {
        return Err(Error::input(format!(
            "the analysis is of another game than `{}`",
            game.name()
        )));
    }
    ignored::check(&file.assumptions, "the analysis", SearchFor::Goals, game)?;
    let assumed = assumed(&file.assumptions, game.ir())?;
    for start in starts {
        assumed.check_state(game.ir(), start).map_err(|violation| {
            Error::input(format!(
                "the analysis can't be used from `{}`: {violation}",
                game.ir().format_state(start.values())
            ))
            .with_hint("analyze the game with this state as a start")
        })?;
    }
    let prefers_longer = |word: &fsm::CertifiedWord| {
        let lengths = word.replacements.iter().map(|it| it.len());
        lengths.max() > Some(word.word.len())
    };
    if bounded_by_moves && file.words.iter().any(prefers_longer) {
        return Err(Error::input(
            "the analysis prunes sequences in favor of longer, cheaper ones, so a search that is \
             bounded by the number of moves could miss its goal",
        ));
    }
    Ok(())
}

/// The invariants that an analysis assumed.
pub(crate) fn assumed(lines: &[String], game: &psvn_ir::Game) -> Result<Invariants, Error> {
    Invariants::from_lines(game, &ignored::other_lines(lines)).map_err(|error| {
        Error::input(format!(
            "what the analysis assumed can't be understood: {error}"
        ))
    })
}

/// Refuse machines that are not sound for searches bounded by the number of moves.
///
/// With words compared by cost first, a word may be pruned in favor of a longer, cheaper one. Every
/// state keeps its least cost, but not its least number of moves.
///
/// # Errors
/// When a sequence is pruned in favor of a longer one, or the file is damaged.
pub fn check_lengths(file: &OpenFile, path: &Path) -> Result<(), Error> {
    let by_length = move_prune::Order::LengthLexicographic;
    if parse_order(file.order()) == Ok(by_length) {
        return Ok(());
    }
    let name = path.display();
    for word in file.words() {
        let word = word.map_err(|error| unreadable(&name.to_string(), &error))?;
        let lengths = word
            .replacements
            .iter()
            .map(|replacement| replacement.len());
        if lengths.max() > Some(word.word.len()) {
            return Err(Error::input(format!(
                "`{name}` prunes sequences in favor of longer, cheaper ones, so a search that is \
                 bounded by the number of moves could miss its goal",
            ))
            .with_hint(message![
                "search by cost (`",
                Parameter::Algorithm.is("ida"),
                "`), or analyze with `",
                Parameter::Order.is(order_name(by_length)),
                "`"
            ]));
        }
    }
    Ok(())
}
