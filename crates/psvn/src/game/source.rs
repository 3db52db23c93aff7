//! Texts of games: from files, standard input, and generators.

use std::path::Path;

use lint::Effort;
use psvn_syntax::Diagnostic;

use super::Game;
#[cfg(feature = "drawing")]
use super::boards::lint_layout;
use super::players;
use crate::environment::{Environment, Event, Lints};
use crate::error::{Error, ErrorKind};
use crate::store::atomic;
use crate::store::read::{MAX_BYTES, read_bytes_within};
use crate::text::units::count;
use crate::text::{Source, Task, message};

impl Source {
    /// Read a file, standard input for `-`, or a built-in game for `gen:NAME:ARGS`.
    ///
    /// # Errors
    /// When the file can't be read or there is no such game. Errors in the bytes of a text are
    /// among its diagnostics.
    pub fn read(file: &Path) -> Result<Self, Error> {
        Self::read_within(file, &Environment::default())
    }

    /// Read a text that isn't larger than what reading a game may take.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and when it is larger.
    pub fn read_within(file: &Path, env: &Environment) -> Result<Self, Error> {
        if let Some(reference) = file.to_str().and_then(|name| name.strip_prefix("gen:")) {
            return Self::built_in(reference);
        }
        let most_bytes = env
            .bytes_for_reading()
            .map_or(MAX_BYTES, |bytes| bytes as u64);
        let (name, bytes) = read_bytes_within(file, most_bytes)?;
        let (text, diagnostics) = psvn_syntax::decode(&bytes);
        Ok(Self {
            name,
            text,
            // Decoding finds nothing else.
            is_lossy: !diagnostics.is_empty(),
            diagnostics,
            is_built_in: false,
        })
    }

    /// Write a built-in game, such as `topspin:14:3`.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn built_in(reference: &str) -> Result<Self, Error> {
        Ok(Self {
            name: format!("gen:{reference}"),
            text: generated(reference)?,
            diagnostics: Vec::new(),
            is_built_in: true,
            is_lossy: false,
        })
    }

    /// Read the game that the text describes, and add all errors and warnings to the diagnostics:
    /// errors by place, then warnings, first those about the rule that most of them name.
    ///
    /// # Errors
    /// When the time for reading is over.
    pub fn examine(&mut self, env: &Environment) -> Result<Examined, Error> {
        if let Some(format) = self.format() {
            let examined = self.examine_foreign(format, env);
            self.sort_diagnostics();
            return examined;
        }
        if let Some(found) = self.unread() {
            self.diagnostics.push(found);
            return Ok(Examined {
                game: None,
                is_too_large: false,
            });
        }
        self.examine_with(Effort::Full, env)
    }

    fn examine_with(&mut self, effort: Effort, env: &Environment) -> Result<Examined, Error> {
        tracing::debug!(name = self.name, "looking for what is suspicious");
        let loaded = env.load(&self.text)?;
        let is_too_large = loaded.stopped.is_some();
        self.diagnostics.extend(loaded.diagnostics);
        if let Some(game) = &loaded.game {
            let found = &mut self.diagnostics;
            found.extend(lint::lint_text(game, &self.text, effort));
            found.extend(players::lint(game, &self.text));
            found.extend(lint::lint_comments(game, &self.text));
            #[cfg(feature = "drawing")]
            found.extend(lint_layout(game, &self.text));
        }
        self.sort_diagnostics();
        if let Some(game) = &loaded.game {
            lint::rank(game, &mut self.diagnostics);
        }
        Ok(Examined {
            game: loaded.game,
            is_too_large,
        })
    }
}

/// The text of a built-in game.
#[cfg(feature = "domains")]
fn generated(reference: &str) -> Result<String, Error> {
    domains::generate_reference(reference).map_err(|error| {
        Error::usage(error.to_string()).with_hint(message![
            Task::ListBuiltInGames,
            " the built-in games and their arguments"
        ])
    })
}

#[cfg(not(feature = "domains"))]
fn generated(_: &str) -> Result<String, Error> {
    Err(Error::usage(
        "this program was built without built-in games",
    ))
}

/// The most times that a text is examined again after changes.
const MOST_ROUNDS: usize = 20;

impl Source {
    /// Make the changes that settle findings for certain, and return how many there were. The
    /// diagnostics stay as they are.
    ///
    /// # Errors
    /// When the time for reading is over.
    pub fn fix(&mut self, env: &Environment) -> Result<usize, Error> {
        let mut n_fixes = 0;
        if self.format().is_some() {
            return Ok(n_fixes);
        }
        for _ in 0..MOST_ROUNDS {
            let mut examined = Self::new(self.name.clone(), self.text.clone());
            examined.examine(env)?;
            let fixes = lint::fixes(&self.text, &examined.diagnostics);
            if fixes.is_empty() {
                break;
            }
            n_fixes += fixes.len();
            self.text = lint::fixed(&self.text, &fixes);
        }
        Ok(n_fixes)
    }
}

impl Source {
    /// Return the text in the canonical layout. Where it has errors, they are the diagnostics
    /// afterwards, and there is none: what can't be parsed would be lost.
    pub fn formatted(&mut self) -> Option<String> {
        if let Some(found) = self.unread() {
            self.diagnostics = vec![found];
            return None;
        }
        let parsed = psvn_syntax::parse(&self.text);
        self.diagnostics.extend(parsed.diagnostics);
        self.diagnostics.retain(Diagnostic::is_error);
        self.sort_diagnostics();
        let is_whole = self.diagnostics.is_empty();
        is_whole.then(|| psvn_syntax::format(&parsed.file, &self.text))
    }

    /// Return whether the text comes from a file that can be overwritten.
    pub fn has_file(&self, file: &Path) -> bool {
        file != Path::new("-") && !self.is_built_in
    }

    /// Overwrite the file of this text with a changed text.
    ///
    /// # Errors
    /// When bytes that aren't UTF-8 would be lost, or the file can't be written.
    pub fn overwrite(&self, file: &Path, text: &str) -> Result<(), Error> {
        if self.is_lossy {
            let message = format!(
                "{} has bytes that aren't UTF-8, and they would be lost",
                self.name
            );
            return Err(Error::input(message).with_hint("save the file as UTF-8 first"));
        }
        atomic::write(file, text.as_bytes())
    }
}

/// The result of examining a text.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The game; `None` where the text has errors.
    pub game: Option<psvn_ir::Game>,
    /// Whether reading stopped because a limit was reached.
    pub is_too_large: bool,
}

/// Read the game that a text describes.
pub(super) fn read_game(source: Source, env: &Environment) -> Result<Game, Error> {
    let mut source = source.translated(env)?;
    let undecodable = source.diagnostics.iter().any(Diagnostic::is_error);
    // Nobody reads warnings about texts that programs write.
    let lints = if source.is_built_in {
        Lints::None
    } else {
        env.lints()
    };
    let (game, kind) = if lints == Lints::Shown {
        let examined = source.examine(env)?;
        (examined.game, kind_of(examined.is_too_large))
    } else {
        let read = env.read(&source.text)?;
        source.diagnostics.extend(read.diagnostics);
        source.sort_diagnostics();
        (read.game, kind_of(read.stopped.is_some()))
    };
    let Some(game) = game.filter(|_| !undecodable) else {
        source.diagnostics.retain(Diagnostic::is_error);
        env.emit(&Event::TextErrors(&source));
        return Err(Error::text(source, kind));
    };
    match lints {
        Lints::Shown => env.emit(&Event::TextWarnings(&source)),
        Lints::Counted => source.count_warnings(&game, env),
        Lints::None => {}
    }
    Ok(Game::of(source, game, env))
}

/// The most entries of rules (their number times that of variables) of a game whose warnings are
/// counted when it is read. Who writes a game by hand stays far below, and counting takes a few
/// milliseconds.
const MOST_ENTRIES: usize = 20_000;

impl Source {
    /// Say how many warnings there are about a text that is this game, unless counting them would
    /// take long.
    fn count_warnings(&self, game: &psvn_ir::Game, env: &Environment) {
        let n_entries = game.rules().len().saturating_mul(game.n_variables());
        if n_entries > MOST_ENTRIES {
            return;
        }
        let mut examined = Self::new(self.name.clone(), self.text.clone());
        let n_warnings = match examined.examine_with(Effort::Quick, env) {
            // When the time for reading is over, whatever comes next reports it.
            Err(_) => return,
            Ok(_) => examined.diagnostics.len(),
        };
        if n_warnings > 0 {
            let found = format!("{}: {}; ", self.name, count(n_warnings, "warning"));
            let them = if n_warnings == 1 { " it" } else { " them" };
            env.warning(message![found, Task::CheckGame, them]);
        }
    }
}

/// The kind of the error that a text isn't a game.
pub(super) fn kind_of(is_too_large: bool) -> ErrorKind {
    if is_too_large {
        ErrorKind::Limit
    } else {
        ErrorKind::Input
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;

    /// Counts the searches for warnings.
    struct Counter(Arc<AtomicUsize>);

    impl Subscriber for Counter {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target().ends_with("source")
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

    /// The number of times that a file is examined when it is read in an environment.
    fn n_examined(env: &Environment) -> usize {
        let n = Arc::new(AtomicUsize::new(0));
        let text = "2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n";
        tracing::subscriber::with_default(Counter(Arc::clone(&n)), || {
            assert!(Game::parse("lamps.psvn", text, env).is_ok());
        });
        n.load(Ordering::Relaxed)
    }

    #[test]
    fn warnings_that_nobody_wants_are_not_looked_for() {
        let env = Environment::default();
        assert_eq!(n_examined(&env), 1);
        assert_eq!(n_examined(&env.clone().with_lints(Lints::Counted)), 1);
        assert_eq!(n_examined(&env.with_lints(Lints::None)), 0);
    }
}
