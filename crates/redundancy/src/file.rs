//! Machine files with the game that they belong to, and what they assume.

use std::path::Path;
use std::sync::Arc;

use fsm::{CertifiedWord, MachineFile, OpenFile, RuleMachine};
use invariants::Invariants;
use move_prune::Order;
use psvn_ir::{Game, State};
use rule_splits::{SplitGame, SplitRule, redundant_letters, rules_of};

use crate::known::Known;
use crate::parts::split_game;
use crate::{Error, Hint, SearchFor, ignored, unreadable};

/// Check that a machine file was made for a game.
///
/// # Errors
/// When it belongs to another game.
pub fn check_game(file: &OpenFile, path: &Path, game: &Game, game_name: &str) -> Result<(), Error> {
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

/// Return the number of rules of the game that a file was made for.
pub fn n_rules(file: &OpenFile) -> usize {
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
    game: &Game,
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
    game: &Game,
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
            .with_hint(Hint::AssumeLess)
        })?;
    }
    Ok(())
}

/// Return the invariants that the analysis behind a machine assumed.
///
/// # Errors
/// When they can't be parsed.
pub fn assumptions(file: &OpenFile, path: &Path, game: &Game) -> Result<Invariants, Error> {
    Invariants::from_lines(game, &ignored::other_lines(file.assumptions())).map_err(|error| {
        Error::input(format!("`{}`: {error}", path.display()))
            .with_hint("the file may come from a later version; analyze the game again")
    })
}

/// The machine of a file, which is safe for some searches.
pub struct SafeMachine {
    /// The machine.
    pub machine: RuleMachine,
    /// The game that is searched, where the machine's letters are parts of rules.
    pub split: Option<Arc<SplitGame>>,
}

impl SafeMachine {
    /// Take the machine of a file, of any kind, for searches from some states, bounded by the
    /// number of moves or else by cost. Refuse files for which such searches are not safe: those
    /// with assumptions that a start breaks, with longer replacements, or that ignore variables on
    /// which a goal depends, or any variable where all states must be distinguished.
    ///
    /// # Errors
    /// When the file can't be used for such searches.
    pub fn of(
        file: &OpenFile,
        path: &Path,
        (game, game_name): (&Game, &str),
        starts: &[State],
        bounded_by_moves: bool,
        search_for: SearchFor,
    ) -> Result<Self, Error> {
        let name = path.display().to_string();
        ignored::check(file.assumptions(), &name, search_for, game, game_name)?;
        check_starts(file, path, game, starts)?;
        if bounded_by_moves {
            check_lengths(file, path)?;
        }
        Ok(Self {
            split: split_game_of(file, path, game)?,
            machine: RuleMachine::new(file.machine().clone(), file.operator_of()),
        })
    }
}

/// Refuse a machine in memory for searches from some states, where it isn't safe. That no goal
/// depends on variables that it ignores is left to the caller.
///
/// # Errors
/// When it isn't safe.
pub fn check_machine(
    file: &MachineFile,
    game: &Game,
    game_name: &str,
    starts: &[State],
    bounded_by_moves: bool,
) -> Result<(), Error> {
    ignored::check(
        &file.assumptions,
        "the analysis",
        SearchFor::Goals,
        game,
        game_name,
    )?;
    if file.game_hash != game.content_hash().0 {
        return Err(Error::input(format!(
            "the analysis is of another game than `{}`",
            game_name
        )));
    }
    let assumed = assumed(&file.assumptions, game)?;
    for start in starts {
        assumed.check_state(game, start).map_err(|violation| {
            Error::input(format!(
                "the analysis can't be used from `{}`: {violation}",
                game.format_state(start.values())
            ))
            .with_hint("analyze the game with this state as a start")
        })?;
    }
    let prefers_longer = |word: &CertifiedWord| {
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

/// Return the invariants that an analysis assumed.
///
/// # Errors
/// When they can't be parsed.
pub fn assumed(lines: &[String], game: &Game) -> Result<Invariants, Error> {
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
    if file.order().parse() == Ok(Order::LengthLexicographic) {
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
            .with_hint(Hint::CompareByLength));
        }
    }
    Ok(())
}

/// Return the rules that are split, as a machine file says.
///
/// # Errors
/// When the file is damaged, or its assumptions can't be parsed.
pub fn rules_of_file(path: &Path, file: &OpenFile, game: &Game) -> Result<Vec<SplitRule>, Error> {
    let known = assumptions(file, path, game)?;
    let mut redundant = std::collections::BTreeSet::new();
    for word in file.words() {
        let word = word
            .map_err(|error| unreadable(&path.display().to_string(), &error))?
            .word;
        redundant.extend(redundant_letters(std::iter::once(&*word)));
    }
    let (parts, reasons) = (file.parts(), file.split_reasons());
    Ok(rules_of(game, &Known(&known), parts, reasons, &redundant))
}
