//! Instance files: start states of a game as text, one a line.
//!
//! Two layouts are understood: `ID: STATE = COST`, of which only the state must be there, and that of Korf's instances
//! as they are published: `ID COST NODES.. STATE`. `#` at the start of a word begins a comment.
//!
//! ```
//! use psvn_ir::instances::{Layout, parse};
//!
//! let game = psvn_ir::load("2  3 3\n0 A => A 0\nGOAL 0 1\n").game.expect("a game without errors");
//! let instances = parse("2 1\nfar: 1 2 = 7  # a known least cost\n", Layout::Auto, &game).expect("two states");
//! assert_eq!((instances[0].id.as_str(), instances[0].known_cost), ("1", None));
//! assert_eq!((instances[1].id.as_str(), instances[1].known_cost), ("far", Some(7)));
//!
//! let errors = parse("2 1 0\n", Layout::Auto, &game).expect_err("a value too many");
//! assert_eq!(errors[0].code, "wrong-state-length");
//! ```

mod korf;
mod line;

use psvn_syntax::{Diagnostic, Span};

use crate::{Game, State};

/// How the lines of an instance file are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Korf's if every line has numbers in front of a state, else plain.
    #[default]
    Auto,
    /// `ID: STATE = COST`, of which only the state must be there.
    Plain,
    /// `ID COST NODES.. STATE`, as Korf's instances are published.
    Korf,
}

/// A start state with what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What stands before the colon, or the instance's number in the file, from 1.
    pub id: String,
    /// The start state.
    pub state: State,
    /// The known least cost.
    pub known_cost: Option<u128>,
    /// Where the state stands in the text.
    pub span: Span,
}

impl Instance {
    /// An instance that no file has.
    pub fn new(id: String, state: State, known_cost: Option<u128>) -> Self {
        Self {
            id,
            state,
            known_cost,
            span: Span::new(0, 0),
        }
    }
}

/// The instances of a text, in its order.
///
/// # Errors
/// All that is wrong, with places in the text.
pub fn parse(text: &str, layout: Layout, game: &Game) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let lines = line::split(text);
    let is_korf = match layout {
        Layout::Plain => false,
        Layout::Korf => true,
        Layout::Auto => korf::is_meant(&lines, game),
    };
    let mut instances = Vec::new();
    let mut errors = Vec::new();
    for words in &lines {
        let parsed = if is_korf {
            korf::parse(words, game)
        } else {
            line::parse(words, instances.len() + errors.len() + 1, game)
        };
        match parsed {
            Ok(instance) => instances.push(instance),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() {
        Ok(instances)
    } else {
        Err(errors)
    }
}
