//! The file as a whole.

use std::fmt::Write;

use psvn_ir::Game;

use crate::c_text::comment;
use crate::direction::{BACKWARD, Direction, FORWARD};
use crate::error::ExportError;
use crate::history::Histories;
use crate::successors::{Form, RuleList};
use crate::{goals, names, runtime};

/// The version of the form of the file. It grows when a program that includes such a file may need
/// a change.
pub const FORMAT_VERSION: u32 = 1;

/// The most bytes of a file: 64 MiB, of which a compiler makes an object in a minute or so.
pub const MOST_BYTES: usize = 64 << 20;

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// What the comment at the top calls the game.
    pub name: &'a str,
    /// The game.
    pub game: &'a Game,
    /// The machine over its rules that is the forward history, if there is one.
    pub forward: Option<Histories<'a>>,
    /// The rules run backward.
    pub backward: Backward<'a>,
}

/// The rules run backward, or why there are none.
#[derive(Clone, Copy, Debug)]
pub enum Backward<'a> {
    /// They are in the file.
    Rules {
        /// The [backward](Game::backward) game.
        game: &'a Game,
        /// The machine over its rules that is the backward history, if there is one.
        histories: Option<Histories<'a>>,
    },
    /// They are left out, for this reason.
    LeftOut(&'a str),
}

/// Write a game as C.
///
/// # Errors
/// When a cost is no `int`, a machine is over other rules, or the text would be longer than
/// [`MOST_BYTES`].
pub fn to_c(export: &Export<'_>) -> Result<String, ExportError> {
    let game = export.game;
    if game.n_variables() == 0 {
        return Err(ExportError::NoVariables);
    }
    let forward = Direction::new(&FORWARD, game, export.forward)?;
    let backward = match export.backward {
        Backward::Rules { game, histories } => Some(Direction::new(&BACKWARD, game, histories)?),
        Backward::LeftOut(_) => None,
    };
    let directions: Vec<&Direction<'_>> = [Some(&forward), backward.as_ref()]
        .into_iter()
        .flatten()
        .collect();
    for direction in &directions {
        direction.check_costs()?;
    }
    check_length(game, &directions)?;
    let lists: Vec<RuleList<'_>> = directions.iter().map(|it| it.rule_list()).collect();
    let form = Form::choose(&lists);
    let mut text = String::new();
    title(&mut text, export, &form);
    text.push_str(runtime::INCLUDES);
    presence(&mut text, export, &directions);
    names::write(&mut text, game);
    text.push_str(runtime::STATES);
    text.push_str(runtime::STATE_TEXT);
    goals::write(&mut text, game);
    form.write_iterator(&mut text);
    for direction in directions {
        direction.write(&mut text, &form);
    }
    text.push_str(runtime::STATE_MAP);
    text.push_str(runtime::ABSTRACTION);
    text.push_str("\n#endif\n");
    match text.len() > MOST_BYTES {
        true => Err(too_long("the file".to_owned(), text.len() as u128)),
        false => Ok(text),
    }
}

pub(crate) fn too_long(what: String, bytes: u128) -> ExportError {
    ExportError::TooLong {
        what,
        bytes,
        limit: MOST_BYTES,
    }
}

/// Refuse what can't fit before it is made: the text would take memory and time first.
pub(crate) fn check_length(game: &Game, directions: &[&Direction<'_>]) -> Result<(), ExportError> {
    let limit = MOST_BYTES as u128;
    for direction in directions {
        let bytes = direction.bytes_of_rules();
        if bytes > limit {
            let what = format!(
                "the {} {} rules",
                direction.n_rules(),
                direction.adjective()
            );
            return Err(too_long(what, bytes));
        }
        let (n_states, bytes) = direction.size_of_history();
        if bytes > limit {
            let what = format!("the {} history of {n_states} states", direction.adjective());
            return Err(too_long(what, bytes));
        }
    }
    let bytes = goals::bytes(game);
    match bytes > limit {
        true => Err(too_long(format!("the {} goals", game.goals().len()), bytes)),
        false => Ok(()),
    }
}

/// The comment at the top, and the guard.
fn title(text: &mut String, export: &Export<'_>, form: &Form) {
    let game = export.game;
    let _ = writeln!(text, "/* {}", comment(export.name));
    let _ = writeln!(
        text,
        " *\n \
         * Written by the PSVN toolkit: a state space as C99, behind the PSVN interface of 2014.\n \
         * Include this file in a program; everything in it is static. Don't edit it.\n \
         *\n \
         * content hash:     {}\n \
         * format version:   {FORMAT_VERSION}\n \
         * variables:        {}\n \
         * forward rules:    {}",
        game.content_hash(),
        game.n_variables(),
        game.rules().len()
    );
    match export.backward {
        Backward::Rules { game, .. } => {
            let _ = writeln!(text, " * backward rules:   {}", game.rules().len());
        }
        Backward::LeftOut(reason) => {
            let _ = writeln!(text, " * backward rules:   left out: {}", comment(reason));
        }
    }
    let _ = writeln!(text, " * successors:       {}", form.describe());
    let backward = match export.backward {
        Backward::Rules { histories, .. } => histories,
        Backward::LeftOut(_) => None,
    };
    for (name, histories) in [("forward", export.forward), ("backward", backward)] {
        let history = histories.map_or_else(
            || "prunes nothing".to_owned(),
            |it| {
                format!(
                    "sequences of up to {} rules, {} states, order {}",
                    it.max_length,
                    it.machine.n_states(),
                    comment(it.order)
                )
            },
        );
        let _ = writeln!(text, " * {:<18}{history}", format!("{name} history:"));
    }
    text.push_str(
        " *\n \
         * A history belongs to a path, not to a state: where two paths to one state are merged,\n \
         * prune nothing. A sequence is invalid only if an earlier one in the order does the same\n \
         * at no higher cost, so every state is still reached at its least cost.\n \
         */\n",
    );
    text.push_str("#ifndef PSVN_GAME_INCLUDED\n#define PSVN_GAME_INCLUDED\n\n");
}

/// What a program can test for.
fn presence(text: &mut String, export: &Export<'_>, directions: &[&Direction<'_>]) {
    let _ = writeln!(
        text,
        "/* Presence of parts. Define PSVN_AS_PSVN2C before including this file for programs that\n \
         * test for the name of psvn2c. */\n\
         #define psvn_toolkit_PSVN_API {FORMAT_VERSION}\n\
         #ifdef PSVN_AS_PSVN2C\n\
         #define psvn2c_PSVN_API 1\n\
         #endif\n\
         #define PSVN_CONTENT_HASH \"{}\"",
        export.game.content_hash()
    );
    for direction in directions {
        direction.write_presence(text);
    }
    text.push_str("#define HAVE_ABSTRACTION 1\n\n");
}
