//! Machine files: opening them, and making sure that they belong to the game at hand.

use std::path::Path;

use fsm::{OpenError, OpenFile};
use invariants::Invariants;
use psvn_ir::{Game, State};

use crate::choices::{order_name, parse_order};
use crate::failure::Failure;
use crate::input;

/// Of files up to this size the checksum is verified on opening: it takes a few hundredths of a second.
/// Larger ones are mapped and used at once; `psvn verify` reads them completely.
const VERIFIED_ON_OPENING: u64 = 256 << 20;

/// Opens a machine file where it lies. Only what is no plain file is read into memory.
pub(crate) fn open(path: &Path) -> Result<OpenFile, Failure> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len());
    let (name, opened) = match size {
        // A name that is special here wins over a file that is called so.
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
            let (name, bytes) = input::read_bytes(path)?;
            (name, OpenFile::from_bytes(bytes).map_err(OpenError::from))
        }
    };
    opened.map_err(|error| match error {
        OpenError::Io(error) => {
            Failure::input(format!("can't read `{name}`: {}", input::reason(&error)))
        }
        OpenError::File(error) => unreadable(&name, &error),
        error => Failure::input(format!("{name}: {error}")),
    })
}

/// A file that is no good machine file.
pub(crate) fn unreadable(name: &str, error: &fsm::FileError) -> Failure {
    Failure::input(format!("{name}: {error}"))
        .hint("`psvn analyze GAME --max-length L -o FILE.fsm` writes machine files")
}

/// Opens a machine file and checks that it was made for a game.
pub(crate) fn open_for(path: &Path, game: &Game, game_name: &str) -> Result<OpenFile, Failure> {
    let file = open(path)?;
    check_game(&file, path, game, game_name)?;
    Ok(file)
}

fn check_game(file: &OpenFile, path: &Path, game: &Game, game_name: &str) -> Result<(), Failure> {
    let hash = game.content_hash();
    let n_letters = match file.operator_of() {
        [] => file.machine().n_letters() as usize,
        operator_of => operator_of.len(),
    };
    if *file.game_hash() == hash.0 && n_letters == game.rules().len() {
        return Ok(());
    }
    let short = |hash: &[u8; 32]| -> String {
        hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    Err(Failure::input(format!(
        "`{}` was made for another game than `{game_name}`: it holds fingerprint {}..., and this game has {}...",
        path.display(),
        short(file.game_hash()),
        short(&hash.0),
    ))
    .hint(
        "domains, variables, and the rules with their order, costs and labels must be the same; \
         if the game was changed, analyze it again",
    ))
}

/// Refuses start states that break what the analysis behind a machine assumed.
pub(crate) fn check_starts<'a>(
    file: &OpenFile,
    path: &Path,
    game: &Game,
    starts: impl IntoIterator<Item = &'a State>,
) -> Result<(), Failure> {
    let assumed = assumptions(file, path, game)?;
    for start in starts {
        assumed.check_state(game, start).map_err(|violation| {
            Failure::input(format!(
                "`{}` can't be used from `{}`: {violation}",
                path.display(),
                game.format_state(start.values()),
            ))
            .hint(
                "correct the state, or analyze the game again with `--invariants none` or with this \
                 state as `--start`",
            )
        })?;
    }
    Ok(())
}

/// What the analysis behind a machine assumed.
pub(crate) fn assumptions(
    file: &OpenFile,
    path: &Path,
    game: &Game,
) -> Result<Invariants, Failure> {
    Invariants::from_lines(game, file.assumptions()).map_err(|error| {
        Failure::input(format!("`{}`: {error}", path.display()))
            .hint("the file may come from a later version; analyze the game again")
    })
}

/// Refuses machines that are not sound for searches bounded by the number of moves.
///
/// With words compared by cost first, a dear word may be pruned in favor of a longer one. Every state
/// keeps its least cost, but not its least number of moves.
pub(crate) fn check_lengths(file: &OpenFile, path: &Path) -> Result<(), Failure> {
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
            return Err(Failure::input(format!(
                "`{name}` prunes sequences in favor of longer, cheaper ones, so a search that is \
                 bounded by the number of moves could miss its goal",
            ))
            .hint(format!(
                "search by cost (`--algorithm ida`), or analyze with `--order {}`",
                order_name(by_length)
            )));
        }
    }
    Ok(())
}
