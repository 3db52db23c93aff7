//! Reading what the user names: files, standard input, built-in games.

use std::io::{self, BufRead, Read};
use std::path::Path;

use drawing::{BoardLayout, LayoutError};
use psvn_ir::Game;
use psvn_syntax::Diagnostic;

use crate::context::Context;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::units::format_bytes;

/// The most bytes that are read. The largest games in circulation have some tens of millions.
const MAX_BYTES: u64 = 1 << 30;

/// The most bytes of a line where lines are read one by one. A state with 100,000 variables has a tenth of that.
const MOST_LINE: usize = 4 << 20;

/// What standard input is called.
const STDIN: &str = "<stdin>";

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
    let (name, mut reader) = open(file)?;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(&name));
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
            Ok(Line::Read) if bytes.len() as u64 > MAX_BYTES => return Err(too_large(&name)),
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

/// Reads a line of at most so many bytes, and adds it to a buffer.
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

fn too_large(name: &str) -> Failure {
    Failure::input(format!(
        "`{name}` is larger than {}",
        format_bytes(MAX_BYTES.into())
    ))
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
        name: source.name,
        game,
    })
}
