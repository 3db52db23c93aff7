//! Reading what the user names: files, standard input, built-in games.

use std::io::{self, Read};
use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::instances::WordMap;
use psvn_ir::{Game, near_miss};
use psvn_syntax::Diagnostic;

use crate::context::Context;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::Failure;

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
    /// What words in states that the user gives stand for.
    pub(crate) words: WordMap,
}

impl NamedGame {
    /// Sets what words in states stand for.
    pub(crate) fn set_words(
        &mut self,
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), Failure> {
        let words = WordMap::new(pairs).map_err(Failure::usage)?;
        let domains = self.game.domains();
        for (word, value) in words.iter() {
            if domains.iter().any(|domain| domain.lookup(value).is_some()) {
                continue;
            }
            let near = domains
                .iter()
                .find_map(|domain| near_miss(value, domain.values()))
                .map(|near| format!("; did you mean `{near}`?"));
            return Err(Failure::usage(format!(
                "`{word}` is mapped to `{value}`, and {} has no such value{}",
                self.name,
                near.unwrap_or_default()
            )));
        }
        self.words = words;
        Ok(())
    }
}

/// Reads the text behind a FILE argument.
pub(crate) fn read_source(file: &Path) -> Result<Source, Failure> {
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
    let (name, bytes) = read_bytes(file)?;
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
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        let name = "<stdin>".to_owned();
        let n_read = io::stdin()
            .lock()
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes);
        return match n_read {
            Ok(_) => limit_size(name, bytes),
            Err(error) => Err(Failure::input(format!(
                "can't read standard input: {}",
                reason(&error)
            ))),
        };
    }
    let name = file.display().to_string();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            let failure = Failure::input(format!("can't read `{name}`: {}", reason(&error)));
            match built_in_hint(&name) {
                Some(hint) if error.kind() == io::ErrorKind::NotFound => failure.hint(hint),
                _ => failure,
            }
        })?;
    limit_size(name, bytes)
}

fn limit_size(name: String, bytes: Vec<u8>) -> Result<(String, Vec<u8>), Failure> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::input(format!(
            "`{name}` is larger than {MAX_BYTES} bytes"
        )));
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
    game_of(read_source(file)?, cx)
}

/// The same for a text that was read.
pub(crate) fn game_of(mut source: Source, cx: &Context) -> Result<NamedGame, Failure> {
    let loaded = psvn_ir::load(&source.text);
    let undecodable = source.diagnostics.iter().any(Diagnostic::is_error);
    source.diagnostics.extend(loaded.diagnostics);
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
        return Err(Failure::reported(Exit::Input));
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
        words: WordMap::default(),
        name: source.name,
        game,
    })
}
