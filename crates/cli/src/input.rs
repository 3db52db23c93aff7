//! Reading what the user names: files, standard input, built-in games.

use std::io::{self, Read};
use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::Game;
use psvn_syntax::Diagnostic;

use crate::context::Context;
use crate::diagnostics;
use crate::failure::Failure;
use crate::loading;

/// The most bytes that are read. The largest games in circulation have some tens of millions.
const MAX_BYTES: u64 = 1 << 30;

/// Of games with more rules, whole-game warnings are left to `psvn check`, for the time that they take.
const MOST_LINTED_RULES: usize = 1_000;

/// A text with a name to call it by.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file's name, `<stdin>`, or the reference to a built-in game.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: String,
    /// What was wrong with its bytes.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether this program made it. Then its warnings are of no use to the user.
    pub(crate) is_built_in: bool,
}

/// A game with its name.
pub(crate) struct NamedGame {
    pub(crate) name: String,
    pub(crate) game: Game,
    /// How its states are boards, if a comment says so.
    pub(crate) layout: Option<Result<BoardLayout, LayoutError>>,
}

/// Reads the text behind a FILE argument.
pub(crate) fn read_source(file: &Path) -> Result<Source, Failure> {
    read_source_within(file, None)
}

/// The same, if the text has no more than so many bytes.
fn read_source_within(file: &Path, most_bytes: Option<u64>) -> Result<Source, Failure> {
    if let Some(reference) = file.to_str().and_then(|name| name.strip_prefix("gen:")) {
        let text = domains::generate_reference(reference)
            .map_err(|error| Failure::usage(error.to_string()).hint(LIST_HINT))?;
        return Ok(Source {
            name: format!("gen:{reference}"),
            text,
            diagnostics: Vec::new(),
            is_built_in: true,
        });
    }
    let (name, bytes) = read_bytes_within(file, most_bytes.unwrap_or(MAX_BYTES))?;
    let (text, diagnostics) = psvn_syntax::decode(&bytes);
    Ok(Source {
        name,
        text,
        diagnostics,
        is_built_in: false,
    })
}

const LIST_HINT: &str = "`psvn gen --list` lists the built-in games and their arguments";

/// Reads a file, or standard input for `-`, with the name to call it by.
pub(crate) fn read_bytes(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    read_bytes_within(file, MAX_BYTES)
}

fn read_bytes_within(file: &Path, most_bytes: u64) -> Result<(String, Vec<u8>), Failure> {
    let most_bytes = most_bytes.min(MAX_BYTES);
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        let name = "<stdin>".to_owned();
        let n_read = io::stdin()
            .lock()
            .take(most_bytes + 1)
            .read_to_end(&mut bytes);
        return match n_read {
            Ok(_) => limit_size(name, bytes, most_bytes),
            Err(error) => Err(Failure::input(format!(
                "can't read standard input: {}",
                reason(&error)
            ))),
        };
    }
    let name = file.display().to_string();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(most_bytes + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            let failure = Failure::input(format!("can't read `{name}`: {}", reason(&error)));
            match built_in_hint(&name) {
                Some(hint) if error.kind() == io::ErrorKind::NotFound => failure.hint(hint),
                _ => failure,
            }
        })?;
    limit_size(name, bytes, most_bytes)
}

fn limit_size(name: String, bytes: Vec<u8>, most_bytes: u64) -> Result<(String, Vec<u8>), Failure> {
    if bytes.len() as u64 > most_bytes {
        let message = format!("`{name}` is larger than {most_bytes} bytes");
        return Err(if most_bytes < MAX_BYTES {
            Failure::limit(message).hint("`--memory` may allow more")
        } else {
            Failure::input(message)
        });
    }
    Ok((name, bytes))
}

/// What an error says, without the system's number for it.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// A built-in game was probably meant, but `gen:` forgotten.
fn built_in_hint(name: &str) -> Option<String> {
    let first = name.split([':', ' ']).next()?;
    domains::list()
        .iter()
        .any(|domain| domain.name.eq_ignore_ascii_case(first))
        .then(|| format!("the built-in game is called `gen:{name}`"))
}

/// Reads a game. Errors are shown and end the command, warnings are counted.
pub(crate) fn load_game(file: &Path, cx: &Context) -> Result<NamedGame, Failure> {
    game_of(read_source_within(file, cx.loading.most_bytes())?, cx)
}

/// The same for a text that was read.
pub(crate) fn game_of(mut source: Source, cx: &Context) -> Result<NamedGame, Failure> {
    let mut loaded = cx.loading.load(&source.text)?;
    let exit = loading::exit_of(&loaded);
    let undecodable = source.diagnostics.iter().any(Diagnostic::is_error);
    source.diagnostics.append(&mut loaded.diagnostics);
    if let Some(game) = &loaded.game
        && !source.is_built_in
        && game.rules().len() <= MOST_LINTED_RULES
    {
        source.diagnostics.extend(lint::lint(game));
    }
    diagnostics::sort(&mut source.diagnostics);
    let game = loaded.game.filter(|_| !undecodable);
    let Some(game) = game else {
        source.diagnostics.retain(Diagnostic::is_error);
        diagnostics::print(&source, &cx.log);
        return Err(Failure::reported(exit));
    };
    let n_warnings = source.diagnostics.len();
    if n_warnings > 0 && !source.is_built_in {
        if cx.log.is_verbose() {
            diagnostics::print(&source, &cx.log);
        } else {
            let shown = if source.name == "<stdin>" {
                "FILE".to_owned()
            } else {
                source.name.clone()
            };
            cx.log.warning(&format!(
                "{}: {}; `psvn check {shown}` shows {}",
                source.name,
                crate::units::count(n_warnings, "warning"),
                if n_warnings == 1 { "it" } else { "them" },
            ));
        }
    }
    Ok(NamedGame {
        layout: BoardLayout::from_comments(&source.text),
        name: source.name,
        game,
    })
}
