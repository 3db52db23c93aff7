//! Machine files: reading them, and making sure that they belong to the game at hand.

use std::path::Path;

use fsm::MachineFile;
use invariants::Invariants;
use psvn_ir::{Game, State};

use crate::failure::Failure;
use crate::input;

/// Reads a machine file.
pub(crate) fn read(path: &Path) -> Result<MachineFile, Failure> {
    let (name, bytes) = input::read_bytes(path)?;
    MachineFile::from_bytes(&bytes).map_err(|error| {
        Failure::input(format!("{name}: {error}"))
            .hint("`psvn analyze GAME --max-length L -o FILE.fsm` writes machine files")
    })
}

/// Reads a machine file and checks that it was made for a game.
pub(crate) fn read_for(path: &Path, game: &Game, game_name: &str) -> Result<MachineFile, Failure> {
    let file = read(path)?;
    check_game(&file, path, game, game_name)?;
    Ok(file)
}

fn check_game(
    file: &MachineFile,
    path: &Path,
    game: &Game,
    game_name: &str,
) -> Result<(), Failure> {
    let hash = game.content_hash();
    if file.game_hash == hash.0 && file.machine.n_letters() as usize == game.rules().len() {
        return Ok(());
    }
    let short = |hash: &[u8; 32]| -> String {
        hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    Err(Failure::input(format!(
        "`{}` was made for another game than `{game_name}`: it holds fingerprint {}..., and this game has {}...",
        path.display(),
        short(&file.game_hash),
        short(&hash.0),
    ))
    .hint(
        "domains, variables, and the rules with their order, costs and labels must be the same; \
         if the game was changed, analyze it again",
    ))
}

/// Refuses start states that break what the analysis behind a machine assumed.
pub(crate) fn check_starts<'a>(
    file: &MachineFile,
    path: &Path,
    game: &Game,
    starts: impl IntoIterator<Item = &'a State>,
) -> Result<(), Failure> {
    let assumed = Invariants::from_lines(game, &file.assumptions).map_err(|error| {
        Failure::input(format!("`{}`: {error}", path.display()))
            .hint("the file may come from a later version; analyze the game again")
    })?;
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

/// Refuses machines that are not sound for searches bounded by the number of moves.
///
/// With words compared by cost first, a dear word may be pruned in favor of a longer one. Every state
/// keeps its least cost, but not its least number of moves.
pub(crate) fn check_lengths(file: &MachineFile, path: &Path) -> Result<(), Failure> {
    if file
        .words
        .iter()
        .all(|word| word.replacement.len() <= word.word.len())
    {
        return Ok(());
    }
    Err(Failure::input(format!(
        "`{}` prunes sequences in favor of longer, cheaper ones, so a search that is bounded by the \
         number of moves could miss its goal",
        path.display()
    ))
    .hint("search by cost (`--algorithm ida`), or analyze with `--order length-lexicographic`"))
}
