//! Instance files: start states of a game as text, one per line.
//!
//! Three layouts are recognized. `ID: STATE = COST`, of which only the state is required; fields
//! with colons between them, such as `ID : STATE : .. : COST`; and the layout that Korf published:
//! `ID COST NODES.. STATE`. `#` at the start of a word begins a comment, and the first line may be
//! a header.
//!
//! ```
//! use psvn_ir::instances::{Layout, WordMap, parse};
//!
//! let game = psvn_ir::load("2  3 3\n0 A => A 0\nGOAL 0 1\n").game.expect("a game without errors");
//! let parse = |text| parse(text, Layout::Auto, &WordMap::default(), &game);
//! let text = "2 1\nfar: 1 2 = 7  # a known least cost\n";
//! let instances = parse(text).expect("two states").instances;
//! assert_eq!((instances[0].id.as_str(), instances[0].known_cost), ("1", None));
//! assert_eq!((instances[1].id.as_str(), instances[1].known_cost), ("far", Some(7)));
//!
//! let reading = parse("Name : Start : Least\na : 1 2 : 7\nb : 2 1 : 8\n").expect("two states");
//! assert_eq!(reading.instances[1].known_cost, Some(8));
//! let understood = "the first line is a header; read as `id : state : cost`";
//! assert_eq!(reading.understood.as_deref(), Some(understood));
//!
//! let rejected = parse("2 1 0\n").expect_err("a value too many");
//! assert_eq!(rejected.errors[0].code, "wrong-state-length");
//! ```

mod fields;
mod head;
mod header;
mod korf;
mod line;
#[cfg(test)]
mod test_games;
mod words;

use std::collections::HashMap;

use psvn_syntax::{Diagnostic, Span};

pub use self::head::{WrongHead, check_head, head};
pub use self::words::{StateHint, WordMap, WrongState, parse_state};

use self::fields::Fields;
use self::line::Word;
use crate::{Game, State};

/// How the lines of an instance file are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Korf's layout if every line has numbers in front of a state, else plain.
    #[default]
    Auto,
    /// `ID: STATE = COST`, of which only the state is required.
    Plain,
    /// `ID COST NODES.. STATE`, the layout that Korf published.
    Korf,
}

/// A start state with its name and least cost in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The text before the colon, or the instance's number in the file, from 1.
    pub id: String,
    /// The start state.
    pub state: State,
    /// The known least cost.
    pub known_cost: Option<u128>,
    /// The place of the state in the text.
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

/// The contents of an instance file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The instances, in the order of the text.
    pub instances: Vec<Instance>,
    /// How the lines were read, if that is not obvious.
    pub understood: Option<String>,
    /// Warnings with places in the text.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// All errors with places in the text, in order of place.
    pub errors: Vec<Diagnostic>,
    /// A map that would make all states fit, if there is a likely one.
    pub fitting: Option<Fitting>,
}

/// A likely meaning of unknown words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitting {
    /// The place of the first error that the map would fix.
    pub error: usize,
    /// The map.
    pub map: WordMap,
    /// The number of states that would fit.
    pub n_states: usize,
}

/// A line in its parts.
struct Parts<'t> {
    id: String,
    state: Vec<Word<'t>>,
    known_cost: Option<u128>,
    /// The place of the state, or of the line if there is none.
    whole: Span,
}

impl Parts<'_> {
    fn instance(&self, map: &WordMap, game: &Game) -> Result<Instance, Box<Diagnostic>> {
        Ok(Instance {
            id: self.id.clone(),
            state: line::state(&self.state, self.whole, map, game)?,
            known_cost: self.known_cost,
            span: self.whole,
        })
    }
}

/// How the lines of a text are read.
enum Form {
    Plain,
    Korf,
    Fields(Fields),
}

/// Parse instances; `map` gives the values that words stand for.
///
/// # Errors
/// All errors with places in the text.
pub fn parse(text: &str, layout: Layout, map: &WordMap, game: &Game) -> Result<Reading, Rejected> {
    let all = line::split(text);
    let header = match layout {
        Layout::Auto if header::is_header(&all, game) => all.first(),
        _ => None,
    };
    let lines = &all[usize::from(header.is_some())..];
    let form = match layout {
        Layout::Plain => Form::Plain,
        Layout::Korf => Form::Korf,
        Layout::Auto => {
            find_form(lines, header.map(Vec::as_slice), map, game).map_err(|error| Rejected {
                errors: vec![*error],
                fitting: None,
            })?
        }
    };
    let mut parts = Vec::with_capacity(lines.len());
    let mut errors = Vec::new();
    for (number, words) in (1..).zip(lines) {
        let found = match &form {
            Form::Plain => line::parts(words, number, map, game),
            Form::Korf => korf::parts(words, game),
            Form::Fields(fields) => fields.parts(words, number),
        };
        match found {
            Ok(found) => parts.push(found),
            Err(error) => errors.push(*error),
        }
    }
    let mut instances = Vec::with_capacity(parts.len());
    for found in &parts {
        match found.instance(map, game) {
            Ok(instance) => instances.push(instance),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        errors.sort_by_key(|it| it.primary.as_ref().map(|label| label.span.start));
        return Err(Rejected {
            fitting: fitting(&errors, &parts, map, game),
            errors,
        });
    }
    let mut understood: Vec<String> = Vec::new();
    if header.is_some() {
        understood.push("the first line is a header".to_owned());
    }
    match (&form, layout) {
        (Form::Fields(fields), _) => understood.push(fields.describe()),
        (Form::Korf, Layout::Auto) => understood.push(korf::describe(lines, game)),
        _ => {}
    }
    Ok(Reading {
        warnings: repeated_names(&instances),
        instances,
        understood: (!understood.is_empty()).then(|| understood.join("; ")),
    })
}

fn find_form(
    lines: &[Vec<Word<'_>>],
    header: Option<&[Word<'_>]>,
    map: &WordMap,
    game: &Game,
) -> Result<Form, Box<Diagnostic>> {
    if korf::is_meant(lines, map, game)? {
        return Ok(Form::Korf);
    }
    let fields = fields::find(lines, header, map, game)?;
    Ok(fields.map_or(Form::Plain, Form::Fields))
}

/// A map that would make all states fit, if there is one, for the first unknown value.
fn fitting(
    errors: &[Diagnostic],
    parts: &[Parts<'_>],
    map: &WordMap,
    game: &Game,
) -> Option<Fitting> {
    let error = errors
        .iter()
        .position(|error| error.code == "unknown-value")?;
    let states: Vec<Vec<&str>> = parts
        .iter()
        .map(|parts| parts.state.iter().map(|word| word.text).collect())
        .collect();
    Some(Fitting {
        error,
        map: words::fitting(&states, map, game)?,
        n_states: states.len(),
    })
}

/// Warn of names that several instances have.
fn repeated_names(instances: &[Instance]) -> Vec<Diagnostic> {
    let mut first: HashMap<&str, Span> = HashMap::new();
    let mut warnings = Vec::new();
    for instance in instances {
        match first.get(instance.id.as_str()) {
            None => drop(first.insert(&instance.id, instance.span)),
            Some(before) => warnings.push(
                Diagnostic::warning(
                    "repeated-instance-name",
                    format!("two instances are called `{}`", instance.id),
                )
                .at(instance.span, "the same name as another one")
                .also(*before, "the first one is here"),
            ),
        }
    }
    warnings
}
