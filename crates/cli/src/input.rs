//! Reading what the user names: files, standard input, built-in games.

use std::io::{self, BufRead, Read};
use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::instances::WordMap;
use psvn_ir::{Game, near_miss};
use psvn_syntax::Diagnostic;

use crate::context::Context;
use crate::diagnostics;
use crate::failure::Failure;
use crate::loading::{self, Loading};
use crate::log::Log;
use crate::two_players;
use crate::units::format_bytes;

/// The most bytes that are read. The largest games in circulation have some tens of millions.
const MAX_BYTES: u64 = 1 << 30;

/// The most bytes of a line where lines are read one by one. A state with 100,000 variables has a tenth of that.
const MOST_LINE: usize = 4 << 20;

/// What standard input is called.
const STDIN: &str = "<stdin>";

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
    read_source_within(file, None)
}

/// The same, for a text of at most `most_bytes`.
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

/// The same, for a file of at most `most_bytes`.
fn read_bytes_within(file: &Path, most_bytes: u64) -> Result<(String, Vec<u8>), Failure> {
    let most_bytes = most_bytes.min(MAX_BYTES);
    let (name, mut reader) = open(file)?;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(most_bytes + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > most_bytes {
        return Err(too_large(&name, most_bytes));
    }
    Ok((name, bytes))
}

/// The same for a file whose lines are things by themselves, such as start states: no line may be longer than
/// [`MOST_LINE`]. Reading ends where one is.
pub(crate) fn read_lines(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    let (name, mut reader) = open(file)?;
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        match read_line(&mut reader, MOST_LINE, &mut bytes) {
            Ok(Line::End) => break,
            Ok(Line::Read) if bytes.len() as u64 > MAX_BYTES => {
                return Err(too_large(&name, MAX_BYTES));
            }
            Ok(Line::Read) => {}
            Ok(Line::TooLong) => {
                return Err(Failure::input(format!(
                    "line {number} of `{name}` is longer than {}",
                    format_bytes(MOST_LINE as u128)
                ))
                .hint("this may be another kind of file, or its line breaks are missing"));
            }
            Err(error) => return Err(unreadable(&name, &error)),
        }
    }
    Ok((name, bytes))
}

/// What came of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It was added, with its line break.
    Read,
    /// It has more bytes than it may, of which the first were added.
    TooLong,
    /// There is none.
    End,
}

/// Reads a line of at most `most` bytes, and adds it to a buffer.
pub(crate) fn read_line(
    reader: &mut impl BufRead,
    most: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<Line> {
    let n_read = reader.take(most as u64 + 1).read_until(b'\n', bytes)?;
    Ok(match n_read {
        0 => Line::End,
        n if n > most && bytes.last() != Some(&b'\n') => Line::TooLong,
        _ => Line::Read,
    })
}

/// Opens a file, or standard input for `-`.
fn open(file: &Path) -> Result<(String, Box<dyn BufRead>), Failure> {
    if file == Path::new("-") {
        return Ok((STDIN.to_owned(), Box::new(io::stdin().lock())));
    }
    let name = file.display().to_string();
    match std::fs::File::open(file) {
        Ok(opened) => Ok((
            name,
            Box::new(io::BufReader::with_capacity(1 << 16, opened)),
        )),
        Err(error) => Err(unreadable(&name, &error)),
    }
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    if name == STDIN {
        return Failure::input(format!("can't read standard input: {}", reason(error)));
    }
    let failure = Failure::input(format!("can't read `{name}`: {}", reason(error)));
    match built_in_hint(name) {
        Some(hint) if error.kind() == io::ErrorKind::NotFound => failure.hint(hint),
        _ => failure,
    }
}

fn too_large(name: &str, most_bytes: u64) -> Failure {
    let message = format!(
        "`{name}` is larger than {}",
        format_bytes(most_bytes.into())
    );
    if most_bytes < MAX_BYTES {
        Failure::limit(message).hint("`--memory` may allow more")
    } else {
        Failure::input(message)
    }
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
    game_of(read_source_within(file, cx.loading.most_bytes())?, cx)
}

/// The same for a text that was read.
pub(crate) fn game_of(source: Source, cx: &Context) -> Result<NamedGame, Failure> {
    read_game(source, &cx.loading, &cx.log)
}

fn read_game(mut source: Source, loading: &Loading, log: &Log) -> Result<NamedGame, Failure> {
    let undecodable = source.diagnostics.iter().any(Diagnostic::is_error);
    // Looking for what is suspicious takes longer than reading, so it is done for those who see it.
    let shows_warnings = log.is_verbose() && !log.is_quiet() && !source.is_built_in;
    let (game, exit) = if shows_warnings {
        let examined = diagnostics::examine(&mut source, loading)?;
        (examined.game, examined.exit)
    } else {
        let read = loading.read(&source.text)?;
        let exit = loading::exit_of(&read);
        source.diagnostics.extend(read.diagnostics);
        (read.game, exit)
    };
    diagnostics::sort(&mut source.diagnostics);
    let Some(game) = game.filter(|_| !undecodable) else {
        source.diagnostics.retain(Diagnostic::is_error);
        diagnostics::print(&source, log);
        return Err(Failure::reported(exit));
    };
    if shows_warnings {
        diagnostics::print(&source, log);
    }
    Ok(NamedGame {
        layout: BoardLayout::from_comments(&source.text),
        players: two_players::declared(&source.text),
        words: WordMap::default(),
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
            let loading = Loading::unlimited();
            assert!(read_game(source, &loading, log).is_ok());
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
