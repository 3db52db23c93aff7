//! Reading what the user names: files, standard input, built-in games.

use std::io::{self, Read};
use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::Game;
use psvn_syntax::Diagnostic;

use crate::context::Context;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::log::Log;
use crate::two_players;

/// The most bytes that are read. The largest games in circulation have some tens of millions.
const MAX_BYTES: u64 = 1 << 30;

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
    /// How many players a comment declares.
    pub(crate) players: Option<u8>,
    /// How its states are boards, if a comment says so.
    pub(crate) layout: Option<Result<BoardLayout, LayoutError>>,
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

/// Reads a game. Errors are shown and end the command; warnings are shown to those who want details.
pub(crate) fn load_game(file: &Path, cx: &Context) -> Result<NamedGame, Failure> {
    game_of(read_source(file)?, cx)
}

/// The same for a text that was read.
pub(crate) fn game_of(source: Source, cx: &Context) -> Result<NamedGame, Failure> {
    read_game(source, &cx.log)
}

fn read_game(mut source: Source, log: &Log) -> Result<NamedGame, Failure> {
    let undecodable = source.diagnostics.iter().any(Diagnostic::is_error);
    // Looking for what is suspicious takes longer than reading, so it is done for those who see it.
    let shows_warnings = log.is_verbose() && !log.is_quiet() && !source.is_built_in;
    let game = if shows_warnings {
        diagnostics::examine(&mut source)
    } else {
        let read = psvn_ir::read(&source.text);
        source.diagnostics.extend(read.diagnostics);
        read.game
    };
    diagnostics::sort(&mut source.diagnostics);
    let Some(game) = game.filter(|_| !undecodable) else {
        source.diagnostics.retain(Diagnostic::is_error);
        diagnostics::print(&source, log);
        return Err(Failure::reported(Exit::Input));
    };
    if shows_warnings {
        diagnostics::print(&source, log);
    }
    Ok(NamedGame {
        layout: BoardLayout::from_comments(&source.text),
        players: two_players::declared(&source.text),
        name: source.name,
        game,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;

    /// Counts how often warnings are looked for.
    struct Counter(Arc<AtomicUsize>);

    impl Subscriber for Counter {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target().ends_with("diagnostics")
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    /// How often a file is examined when it is read with such a log.
    fn n_examined(log: &Log) -> usize {
        let n = Arc::new(AtomicUsize::new(0));
        let source = Source {
            name: "lamps.psvn".to_owned(),
            text: "2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n".to_owned(),
            diagnostics: Vec::new(),
            is_built_in: false,
        };
        tracing::subscriber::with_default(Counter(Arc::clone(&n)), || {
            assert!(read_game(source, log).is_ok());
        });
        n.load(Ordering::Relaxed)
    }

    #[test]
    fn warnings_that_nobody_sees_are_not_looked_for() {
        assert_eq!(n_examined(&Log::new(false, 0)), 0);
        assert_eq!(n_examined(&Log::new(true, 0)), 0);
        assert_eq!(n_examined(&Log::new(true, 1)), 0);
        assert_eq!(n_examined(&Log::new(false, 1)), 1);
    }
}
