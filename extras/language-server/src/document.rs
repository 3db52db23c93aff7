//! A text with what is known about it.

use std::sync::OnceLock;
use std::time::Duration;

use budget::{Limits, Watch};
use psvn::{Environment, Source};
use psvn_ir::{Game, LoadLimits, Relations};
use psvn_syntax::ast::{File, Item};
use psvn_syntax::{Diagnostic, Parse};

use crate::words::meaning::Meaning;
use crate::words::{Word, Words};

/// The longest time that reading a game may take, with everything that looks for warnings.
pub(crate) const TIME: Duration = Duration::from_secs(5);

/// The most bytes that reading a game may take.
const MEMORY: usize = 1 << 30;

/// A text, and all that can be asked about it.
///
/// A document doesn't change: a new version of the text is a new document. What takes longer than
/// reading the words is found when it is first asked for.
#[derive(Debug)]
pub struct Document {
    text: String,
    /// The tree, and what the parser reports.
    parse: Parse,
    pub(crate) meaning: Meaning,
    pub(crate) words: Words,
    is_psvn: bool,
    env: Environment,
    /// The game without warnings, for answers before these are found.
    game: OnceLock<Option<Game>>,
    examined: OnceLock<Examined>,
    relations: OnceLock<Relations>,
    /// What is known about the states, in words.
    pub(crate) states: OnceLock<String>,
}

/// What reading the game found.
#[derive(Debug)]
struct Examined {
    game: Option<Game>,
    diagnostics: Vec<Diagnostic>,
}

impl Document {
    /// Read a text.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let source = Source::new("", text.as_str());
        let is_psvn = source.format().is_none() && source.unread().is_none();
        let parse = if is_psvn {
            psvn_syntax::parse(&text)
        } else {
            Parse::default()
        };
        let meaning = Meaning::of(&parse.file);
        let words = if is_psvn {
            Words::of(&text, &parse.file, &meaning)
        } else {
            Words::default()
        };
        Self {
            text,
            parse,
            meaning,
            words,
            is_psvn,
            env: Environment::default(),
            game: OnceLock::new(),
            examined: OnceLock::new(),
            relations: OnceLock::new(),
            states: OnceLock::new(),
        }
    }

    /// Return the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Return whether the text is PSVN, not another format that is known.
    pub fn is_psvn(&self) -> bool {
        self.is_psvn
    }

    /// Return the game; `None` where the text has errors, or is too large.
    pub fn game(&self) -> Option<&Game> {
        if let Some(examined) = self.examined.get() {
            return examined.game.as_ref();
        }
        let read = || {
            let watch = Watch::new(limits(TIME));
            let limits = LoadLimits {
                memory: MEMORY,
                stop: &|| watch.is_over(),
                ..LoadLimits::default()
            };
            self.is_psvn
                .then(|| psvn_ir::read_within(&self.text, &limits).game)?
        };
        self.game.get_or_init(read).as_ref()
    }

    /// Return whether errors and warnings were found already, so that they cost no time.
    pub(crate) fn is_examined(&self) -> bool {
        self.examined.get().is_some()
    }

    /// The errors and warnings as `psvn check` has them.
    pub(crate) fn examined_diagnostics(&self) -> &[Diagnostic] {
        &self.examined().diagnostics
    }

    fn examined(&self) -> &Examined {
        self.examined.get_or_init(|| {
            let mut source = Source::new("", self.text.as_str());
            if let Some(diagnostic) = self.of_other_format(&source) {
                return Examined {
                    game: None,
                    diagnostics: vec![diagnostic],
                };
            }
            let examined = source.examine(&self.within(TIME));
            let mut diagnostics = source.diagnostics;
            let game = examined.ok().and_then(|examined| examined.game);
            if diagnostics.is_empty() && game.is_none() {
                // The time is over: what the parser found is known.
                diagnostics.clone_from(&self.parse.diagnostics);
            }
            Examined { game, diagnostics }
        })
    }

    /// The one finding about a text that isn't PSVN.
    fn of_other_format(&self, source: &Source) -> Option<Diagnostic> {
        if let Some(format) = source.format() {
            let message = format!("this is a {format} file, not PSVN");
            let hint = format!("`psvn import {} FILE` writes it as PSVN", format.name());
            return Some(psvn_syntax::foreign::rejected(&self.text, message, hint));
        }
        source.unread()
    }

    /// The environment with a limit on time that begins now.
    pub(crate) fn within(&self, time: Duration) -> Environment {
        self.env.clone().with_budget(&Watch::new(limits(time)))
    }

    /// How the rules of the game relate to each other.
    pub(crate) fn relations(&self, game: &Game) -> &Relations {
        self.relations.get_or_init(|| Relations::of(game))
    }

    pub(crate) fn file(&self) -> &File {
        &self.parse.file
    }

    /// The item with that index.
    pub(crate) fn item(&self, index: usize) -> Option<&Item> {
        self.parse.file.items.get(index)
    }

    /// The number of rules of the text before an item: the index of a rule that is there.
    pub(crate) fn rules_before(&self, item: usize) -> usize {
        let before = self.parse.file.items.iter().take(item);
        before.filter(|item| matches!(item, Item::Rule(_))).count()
    }

    /// The rules of the game that a rule of the text stands for, by the index of that rule.
    pub(crate) fn instances(&self, game: &Game, source: usize) -> std::ops::Range<usize> {
        let first = game.rules().partition_point(|rule| rule.source < source);
        let end = game.rules().partition_point(|rule| rule.source <= source);
        first..end
    }

    /// The word at an offset.
    pub(crate) fn word_at(&self, offset: usize) -> Option<&Word> {
        self.words.at(offset)
    }

    /// A part of the text; empty where the places don't fit it.
    pub(crate) fn slice(&self, span: psvn_syntax::Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }
}

/// Limits that leave an editor usable, whatever the text is.
fn limits(time: Duration) -> Limits {
    Limits {
        time: Some(time),
        memory: Some(MEMORY),
        ..Limits::default()
    }
}
