//! Games: reading them, and the names of their states and rules.

#[cfg(feature = "drawing")]
mod boards;
mod description;
pub mod foreign;
pub mod instance;
#[cfg(feature = "domains")]
mod level;
pub mod machine_file;
mod moves;
mod players;
mod source;
mod variation;

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "drawing")]
use drawing::{BoardLayout, LayoutError};
use psvn_ir::comments::{AbstractionBlock, Comments};
use psvn_ir::instances::{StateHint, WordMap, WrongState, parse_state};
use psvn_ir::{DEFAULT_RULE_LIMIT, NamedGame, Rule, State, Term, Value, VarId, near_miss};
use psvn_syntax::Diagnostic;

use crate::environment::{Environment, Held};
use crate::error::Error;
use crate::text::{Message, Parameter, Source, message};

pub use self::description::{
    DomainDescription, GameDescription, GoalDescription, InvariantDescription, RuleDescription,
};
#[cfg(feature = "domains")]
pub use self::level::sokoban_level;
pub use self::source::Examined;
pub use self::variation::{GoalSymmetries, Variation};
pub use psvn_ir::RuleNames;
pub use redundancy::LetterNames;

/// The name of the start that a game suggests.
const USUAL: &str = "usual";

/// A game: domains, variables, rules and goals ([`ir`](Self::ir)), its name, and what comments in
/// its text declare (start states, a layout of boards, players, aliases, abstractions).
///
/// Rules are in canonical form (Burch & Holte 2011, "State and Rule Representation"), in the order
/// of the text. Clones share them, so cloning is cheap.
///
/// ```
/// use psvn::{Environment, Game};
///
/// let env = Environment::default();
/// let game = Game::built_in("topspin:14:3", &env)?;
/// assert_eq!((game.name(), game.ir().rules().len()), ("gen:topspin:14:3", 14));
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) name: String,
    pub(crate) game: Arc<psvn_ir::Game>,
    #[cfg(feature = "drawing")]
    layout: Option<Result<BoardLayout, LayoutError>>,
    pub(crate) words: WordMap,
    /// What comments in its text declare.
    pub(crate) comments: Arc<Comments>,
    diagnostics: Vec<Diagnostic>,
    /// What was changed after it was read.
    variation: Variation,
    /// Its memory, for as long as one of its clones is there.
    #[expect(dead_code, reason = "it counts until it is dropped")]
    held: Arc<Held>,
}

impl AsRef<psvn_ir::Game> for Game {
    fn as_ref(&self) -> &psvn_ir::Game {
        &self.game
    }
}

impl Game {
    /// Read a game from a file, from standard input for `-`, or from a generator for
    /// `gen:NAME:ARGS`. SAS+, `.tws`, KPuzzle, octile and `.gr` texts are recognized by their
    /// content, and translated. Reading takes linear time in the number of rules, after unbound
    /// symbols are replaced by values.
    ///
    /// # Errors
    /// When the file can't be read, the text has errors, or a limit on reading is reached.
    pub fn open(file: impl AsRef<Path>, env: &Environment) -> Result<Self, Error> {
        Self::from_source(Source::read_within(file.as_ref(), env)?, env)
    }

    /// Read a game from a text, which messages call `name`.
    ///
    /// # Errors
    /// When the text has errors, all of which are listed, or a limit on reading is reached.
    pub fn parse(name: &str, text: &str, env: &Environment) -> Result<Self, Error> {
        Self::from_source(Source::new(name, text), env)
    }

    /// Make a built-in game from its reference, such as `topspin:14:3`.
    ///
    /// # Errors
    /// When there is no such game, or a limit on reading is reached.
    pub fn built_in(reference: &str, env: &Environment) -> Result<Self, Error> {
        Self::from_source(Source::built_in(reference)?, env)
    }

    /// Read a game from a [`Source`], a text that is already in memory.
    ///
    /// # Errors
    /// When the text has errors, or a limit on reading is reached.
    pub fn from_source(source: Source, env: &Environment) -> Result<Self, Error> {
        source::read_game(source, env)
    }

    fn of(source: Source, game: psvn_ir::Game, env: &Environment) -> Self {
        Self {
            #[cfg(feature = "drawing")]
            layout: BoardLayout::from_comments(&source.text),
            words: WordMap::default(),
            comments: Arc::new(Comments::of(&source.text, &game)),
            diagnostics: source.diagnostics,
            variation: Variation::default(),
            name: source.name,
            held: Arc::new(env.hold(game.n_bytes())),
            game: Arc::new(game),
        }
    }

    /// This game with other rules, but the same name and spelling of states.
    pub fn with_rules_of(&self, game: psvn_ir::Game) -> Self {
        Self {
            game: Arc::new(game),
            ..self.clone()
        }
    }

    /// Return this game with its rules run backward. Domains, goals and the spelling of states
    /// stay. A rule that overwrites an unknown value becomes one backward rule for each value.
    ///
    /// # Errors
    /// When there would be more than [`DEFAULT_RULE_LIMIT`] rules.
    pub fn backward(&self) -> Result<Self, Error> {
        self.backward_within(&Environment::default())
    }

    /// The same within the budget's memory, which the backward rules may fill.
    ///
    /// # Errors
    /// As [`backward`](Self::backward), and when they would take more memory.
    pub fn backward_within(&self, env: &Environment) -> Result<Self, Error> {
        // Actions and preconditions, and what is beside them.
        let bytes = 2 * size_of::<Term>() * self.game.n_variables() + size_of::<Rule>() + 64;
        let most = env.memory_left().map(|memory| memory / bytes);
        let limit = most.map_or(DEFAULT_RULE_LIMIT, |most| most.min(DEFAULT_RULE_LIMIT));
        let backward = self.game.backward(limit).map_err(|error| {
            Error::limit(format!("{} can't be run backward: {error}", self.name))
        })?;
        // Backward, searches begin at the goals.
        let comments = Comments {
            start: None,
            ..Comments::clone(&self.comments)
        };
        Ok(Self {
            comments: Arc::new(comments),
            ..self.with_rules_of(backward)
        })
    }

    /// Return the file's name, or the reference of a built-in game, such as `gen:topspin:14:3`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Return the game with its name.
    pub fn named(&self) -> NamedGame<'_> {
        NamedGame {
            game: &self.game,
            name: &self.name,
        }
    }

    /// Domains, variables, canonical rules and goals.
    pub fn ir(&self) -> &psvn_ir::Game {
        &self.game
    }

    /// Return the values of a state as the game spells them, in order.
    pub fn value_names(&self, state: &State) -> Vec<&str> {
        let name = |(place, value): (usize, &Value)| {
            let variable = VarId::from_index(place);
            self.ir().domain_of(variable).value_name(*value)
        };
        state.values().iter().enumerate().map(name).collect()
    }

    /// Return the number of players that a comment `# players: N` declares: 1 or 2.
    pub fn players(&self) -> Option<u8> {
        self.comments.players
    }

    /// Return the layout of its states as boards, if a comment declares one. If the comment is
    /// wrong, the error says why.
    #[cfg(feature = "drawing")]
    pub fn layout(&self) -> Option<&Result<BoardLayout, LayoutError>> {
        self.layout.as_ref()
    }

    /// Return the start state that a comment line `# start: STATE` of the text declares, or `None`
    /// if there is no such line.
    ///
    /// # Errors
    /// When the line doesn't contain a state of this game.
    pub fn declared_start(&self) -> Result<Option<State>, Error> {
        // The text has the game's own spelling; mapped words are the user's.
        let Some(text) = &self.comments.start else {
            return Ok(None);
        };
        match self.game.parse_state(text) {
            Ok(state) => Ok(Some(state)),
            Err(error) => Err(Error::input(format!(
                "{}: the declared start isn't a state: {error}",
                self.name
            ))),
        }
    }

    /// Return the meanings of words in states, as set by [`set_words`](Self::set_words).
    pub fn words(&self) -> &WordMap {
        &self.words
    }

    /// Return the names of the abstraction blocks in the game's text, in their order. A comment
    /// line `# abstraction: NAME` before a block names it; the names of others are their numbers.
    pub fn abstraction_names(&self) -> Vec<&str> {
        self.comments.abstractions.names()
    }

    /// The abstraction block of a name.
    pub(crate) fn abstraction(&self, name: &str) -> Option<AbstractionBlock<'_>> {
        self.comments.abstractions.get(name)
    }

    /// Return the warnings from reading the game, in the order of the text. There are more if the
    /// game was read in an [`Environment`] with lints.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Return the names of the rules.
    pub fn rule_names(&self) -> RuleNames<'_> {
        RuleNames::new(&self.game)
    }

    /// Set the meanings of words in states that are read later: pairs of a word and the value that
    /// it stands for.
    ///
    /// # Errors
    /// When a word is given twice, or a value isn't in any domain.
    pub fn set_words(
        &mut self,
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), Error> {
        let words = WordMap::new(pairs).map_err(Error::usage)?;
        let domains = self.game.domains();
        for (word, value) in words.iter() {
            if domains.iter().any(|domain| domain.lookup(value).is_some()) {
                continue;
            }
            let near = domains
                .iter()
                .find_map(|domain| near_miss(value, domain.values()))
                .map(|near| format!("; did you mean `{near}`?"));
            return Err(Error::usage(format!(
                "`{word}` is mapped to `{value}`, and {} has no such value{}",
                self.name,
                near.unwrap_or_default()
            )));
        }
        self.words = words;
        Ok(())
    }

    /// Return the names of the start states that comment lines `# start NAME: STATE` declare.
    pub fn start_names(&self) -> Vec<&str> {
        let names = self
            .comments
            .named_starts
            .iter()
            .map(|(name, _)| name.as_str());
        names.collect()
    }

    /// The state that the text declares by a name. The start that a game declares without a name
    /// is its usual one.
    fn start_of_name(&self, name: &str) -> Option<Result<State, Error>> {
        let mut starts = self.comments.named_starts.iter();
        let named = starts.find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, text)) = named else {
            let declared = self.comments.start.is_some() && name.eq_ignore_ascii_case(USUAL);
            return declared.then(|| self.declared_start().transpose())?;
        };
        Some(self.game.parse_state(text).map_err(|error| {
            let message = format!("{}: the start `{name}` isn't a state: {error}", self.name);
            Error::input(message)
        }))
    }

    /// Read a state from its values in order, separated by white space, or from the
    /// [name](Self::start_names) of a declared start. Messages call the text `what`. Values at the
    /// end may be missing where illegal combinations leave only one for each, as in imported
    /// puzzles with pieces that may not be everywhere.
    ///
    /// # Errors
    /// When the text isn't a state of this game, or an illegal one; the message names the word.
    pub fn state(&self, what: impl Into<Message>, text: &str) -> Result<State, Error> {
        let what = what.into();
        let state = self.possible_state(what.clone(), text)?;
        match self.illegal_values(&state) {
            None => Ok(state),
            Some(values) => Err(Error::input(message![
                what,
                format!(": no state of this game has these values together: {values}")
            ])
            .with_hint(ILLEGAL_HINT)),
        }
    }

    /// The values of a state that comments of the text forbid together, in words.
    pub(crate) fn illegal_values(&self, state: &State) -> Option<String> {
        self.comments.illegal.in_state(&self.game, state)
    }

    /// Read the values of a state. Those at its end may be missing that follow from the others.
    pub(crate) fn values(&self, text: &str) -> Result<State, WrongState> {
        parse_state(text, &self.words, &self.game).or_else(|wrong| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let words: Vec<&str> = words.iter().map(|word| self.words.value_of(word)).collect();
            let completed = self.comments.illegal.completed(&self.game, &words);
            let state = completed.and_then(|words| self.game.parse_state(&words.join(" ")).ok());
            state.ok_or(wrong)
        })
    }

    /// Read a state that comments of the text may forbid.
    fn possible_state(&self, what: Message, text: &str) -> Result<State, Error> {
        self.values(text).or_else(|wrong| {
            if let Some(found) = self.start_of_name(text.trim()) {
                return found;
            }
            let is_usual = text.trim().eq_ignore_ascii_case(USUAL);
            if is_usual && self.comments.named_starts.is_empty() {
                let message = format!(": {} has no start that is called `{USUAL}`", self.name);
                return Err(Error::input(message![what, message]).with_hint(
                    "the game declares no start; a state is its values in order, separated by white space",
                ));
            }
            let hint = match &wrong.hint {
                _ if is_word(text) && !self.comments.named_starts.is_empty() => {
                    let names = self.start_names().join("`, `");
                    format!("this game has the start `{names}`; others are values in order").into()
                }
                Some(StateHint::Write(how)) => how.into(),
                Some(StateHint::Map(map)) => {
                    message!["this state would fit with `", map_settings(map), "`"]
                }
                None => "a state is its values in order, separated by white space".into(),
            };
            Err(Error::input(message![what, format!(": {wrong}")]).with_hint(hint))
        })
    }
}

/// The hint for states with illegal values.
const ILLEGAL_HINT: &str = "a comment `# illegal:` of the game forbids them";

/// Whether a text looks like a name.
fn is_word(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(char::is_alphabetic)
}

/// The settings for a map of words to values.
pub(crate) fn map_settings(map: &WordMap) -> Message {
    let mut message = Message::default();
    for (place, (word, value)) in map.iter().enumerate() {
        if place > 0 {
            message.push(" ");
        }
        message.push(Parameter::Map.is(format!("{word}={value}")));
    }
    message
}
