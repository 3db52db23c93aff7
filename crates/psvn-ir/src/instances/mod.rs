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
mod header;
mod korf;
mod line;
mod words;

use std::collections::HashMap;

use psvn_syntax::{Diagnostic, Span};

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
        crate::sorted::by_key(&mut errors, |it| {
            it.primary.as_ref().map(|label| label.span.start)
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let text = "3\n9 9 9\nA B - => B A -\nGOAL 0 1 2\n";
        crate::load(text).game.unwrap()
    }

    fn read(text: &str) -> Result<Reading, Vec<Diagnostic>> {
        parse(text, Layout::Auto, &WordMap::default(), &game()).map_err(|it| it.errors)
    }

    /// Names, states and costs, and how the lines were read.
    fn parts(text: &str) -> (Vec<(String, String, Option<u128>)>, String) {
        let reading = read(text).unwrap();
        let part = |instance: &Instance| {
            let state = game().format_state(instance.state.values());
            (instance.id.clone(), state, instance.known_cost)
        };
        let parts = reading.instances.iter().map(part).collect();
        (parts, reading.understood.unwrap_or_default())
    }

    fn part(id: &str, state: &str, cost: Option<u128>) -> (String, String, Option<u128>) {
        (id.to_owned(), state.to_owned(), cost)
    }

    #[test]
    fn fields_between_colons() {
        let (found, how) = parts("001 : 2 1 0 : easy : 53 :\n002: 1 0 2 : not so easy: 7 :\n");
        let expected = [
            part("001", "2 1 0", Some(53)),
            part("002", "1 0 2", Some(7)),
        ];
        assert_eq!(found, expected);
        assert_eq!(how, "read as `id : state : .. : cost : ..`");
        let (found, how) = parts("2 1 0 : 95\n1 0 2 : 8 # a remark\n");
        assert_eq!(
            found,
            [part("1", "2 1 0", Some(95)), part("2", "1 0 2", Some(8))]
        );
        assert_eq!(how, "read as `state : cost`");
        let (found, how) = parts("a : 2 1 0\nb : 1 0 2 = 4\n");
        assert_eq!(
            found,
            [part("a", "2 1 0", None), part("b", "1 0 2", Some(4))]
        );
        assert_eq!(how, "read as `id : state`");
        // An unknown cost, and a line with fewer fields.
        let (found, _) = parts("2 1 0 : 95 : x\n1 0 2 : - : y\n0 1 2\n");
        let costs: Vec<Option<u128>> = found.iter().map(|part| part.2).collect();
        assert_eq!(costs, [Some(95), None, None]);
    }

    #[test]
    fn the_cost_is_taken_only_where_it_can_be_told() {
        let (found, how) = parts("1 : 2 1 0 : 53 : 1234\n2 : 1 0 2 : 8 : 77\n");
        assert!(found.iter().all(|part| part.2.is_none()), "{found:?}");
        assert!(how.contains("fields 3, 4 are numbers"), "{how}");
        let (found, how) =
            parts("no : start : nodes : cost\n1 : 2 1 0 : 53 : 1234\n2 : 1 0 2 : 8 : 77\n");
        assert_eq!(found[0], part("1", "2 1 0", Some(1234)));
        assert_eq!(
            how,
            "the first line is a header; read as `id : state : .. : cost`"
        );
        // A column with words in some lines isn't a cost.
        let (found, how) = parts("1 : 2 1 0 : 53\n2 : 1 0 2 : many\n");
        assert!(found.iter().all(|part| part.2.is_none()));
        assert_eq!(how, "read as `id : state : ..`");
    }

    #[test]
    fn headers_are_told_from_instances() {
        let (found, how) = parts("id cost nodes state\n1 57 99 2 1 0\n2 58 88 1 0 2\n");
        assert_eq!(found[1], part("2", "1 0 2", Some(58)));
        assert_eq!(
            how,
            "the first line is a header; read as `id cost .. state`"
        );
        let (found, how) = parts("2\n2 1 0\n1 0 2\n");
        assert_eq!(
            (found.len(), how.as_str()),
            (2, "the first line is a header")
        );
        // A line that may be an invalid instance is never skipped.
        for wrong in [
            "x y z\n2 1 0\n",
            "a: x y\n2 1 0\n",
            "3\n2 1 0\n",
            "2 1\n2 1 0\n",
            "a b\n",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_know_names_and_other_spellings() {
        let error = |text: &str| read(text).unwrap_err().remove(0);
        let short = error("b: 0 2\n");
        assert_eq!(
            short.message,
            "a state of this game has 3 values, and this text has 2"
        );
        let hint = |text: &str| error(text).hint.unwrap_or_default();
        assert!(hint("a: 102\n").contains("write `1 0 2`"));
        assert!(hint("1,0,2\n").contains("write `1 0 2`"));
        assert_eq!(
            hint("1 0 2 95\n"),
            "if `95` is the least cost, write `= 95`"
        );
        let text = "_ 1 2\n1 _ 2\n";
        let rejected = parse(text, Layout::Auto, &WordMap::default(), &game()).unwrap_err();
        let map = WordMap::new([("_".to_owned(), "0".to_owned())]).unwrap();
        let fitting = Fitting {
            error: 0,
            map: map.clone(),
            n_states: 2,
        };
        assert_eq!(rejected.fitting, Some(fitting));
        let reading = parse("_ 1 2\n1 _ 2\n", Layout::Auto, &map, &game()).unwrap();
        assert_eq!(
            game().format_state(reading.instances[1].state.values()),
            "1 0 2"
        );
    }

    #[test]
    fn repeated_names_are_noticed() {
        let reading = read("a: 2 1 0\nb: 1 0 2\na: 0 1 2\n2 0 1\n").unwrap();
        let messages: Vec<&str> = reading
            .warnings
            .iter()
            .map(|w| w.message.as_str())
            .collect();
        assert_eq!(messages, ["two instances are called `a`"]);
        assert_eq!(
            reading.warnings[0].primary.as_ref().unwrap().span,
            Span::new(21, 26)
        );
    }

    #[test]
    fn two_fields_that_may_be_the_state() {
        let errors = read("1 : 2 1 0 : 0 1 2 : 5\n").unwrap_err();
        assert_eq!(errors[0].code, "ambiguous-line");
    }
}
