//! The contents of a file, whatever its language.

use psvn_ir::Game;

use crate::direction::{BACKWARD, Direction, FORWARD};
use crate::error::ExportError;
use crate::export::{Backward, Export, FORMAT_VERSION, MOST_BYTES};
use crate::goals;
use crate::history::History;
use crate::language::Language;
use crate::successors::{Form, RuleList};

/// A file that can be written.
pub(crate) struct Plan<'a> {
    pub(crate) export: &'a Export<'a>,
    pub(crate) game: &'a Game,
    /// The rules forward, and backward if they are in the file.
    pub(crate) directions: Vec<Direction<'a>>,
    /// How both directions find the applicable rules.
    pub(crate) form: Form,
}

impl<'a> Plan<'a> {
    /// Reject an export that can't fit before it is made: the text would take memory and time
    /// first.
    pub(crate) fn new(export: &'a Export<'a>) -> Result<Self, ExportError> {
        let game = export.game;
        let mut directions = vec![Direction::new(&FORWARD, game, export.forward)?];
        if let Backward::Rules { game, histories } = export.backward {
            directions.push(Direction::new(&BACKWARD, game, histories)?);
        }
        for direction in &directions {
            let Direction { names, history, .. } = direction;
            let adjective = names.adjective;
            refuse_long(direction.bytes_of_rules(), || {
                format!("the {} {adjective} rules", direction.n_rules())
            })?;
            if let Some(history) = history {
                refuse_long(history.bytes(), || {
                    format!("the {adjective} history of {} states", history.n_states())
                })?;
            }
        }
        refuse_long(goals::bytes(game), || {
            format!("the {} goals", game.goals().len())
        })?;
        let lists: Vec<&RuleList<'_>> = directions.iter().map(|it| &it.list).collect();
        let form = Form::choose(&lists);
        Ok(Self {
            export,
            game,
            directions,
            form,
        })
    }

    /// The text that a language writes.
    pub(crate) fn write(&self, write: fn(&mut String, &Self)) -> Result<String, ExportError> {
        let mut text = String::new();
        write(&mut text, self);
        refuse_long(text.len() as u128, || "the file".to_owned())?;
        Ok(text)
    }

    /// Add the lines of the comment at the top: the file's purpose, use and contents, and a
    /// description of histories.
    pub(crate) fn write_title<L: Language>(&self, text: &mut String, language: &L, about: &[&str]) {
        let mut facts = vec![
            ("content hash", self.game.content_hash().to_string()),
            ("format version", FORMAT_VERSION.to_string()),
            ("variables", self.game.n_variables().to_string()),
        ];
        for direction in &self.directions {
            let name = if direction.is_backward() {
                "backward rules"
            } else {
                "forward rules"
            };
            facts.push((name, direction.n_rules().to_string()));
        }
        if let Backward::LeftOut(reason) = self.export.backward {
            facts.push(("backward rules", format!("left out: {reason}")));
        }
        facts.push(("successors", self.form.describe().to_owned()));
        for (number, name) in ["forward history", "backward history"].iter().enumerate() {
            let direction = self.directions.get(number);
            let history = direction.and_then(|it| it.history.as_ref());
            let history = history.map_or_else(|| "prunes nothing".to_owned(), History::describe);
            facts.push((name, history));
        }
        let lines = about.iter().map(|line| language.title_line(line));
        text.extend(lines);
        for (name, value) in facts {
            text.push_str(&language.fact(name, &language.comment(&value)));
        }
        let lines = HISTORIES.iter().map(|line| language.title_line(line));
        text.extend(lines);
    }
}

const HISTORIES: [&str; 4] = [
    "",
    "A history belongs to a path, not to a state: where two paths to one state are merged, prune",
    "nothing. A sequence is invalid only if an earlier one in the order does the same at no higher",
    "cost, so every state is still reached at its least cost.",
];

/// Reject a part that takes more bytes than a file may have.
fn refuse_long(bytes: u128, what: impl FnOnce() -> String) -> Result<(), ExportError> {
    if bytes > MOST_BYTES as u128 {
        Err(ExportError::TooLong {
            what: what(),
            bytes,
            limit: MOST_BYTES,
        })
    } else {
        Ok(())
    }
}
