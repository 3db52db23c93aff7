//! Games as a module of Rust: the same rules, successors, goals and histories as in C.

mod direction;
mod names;
mod successors;

use std::fmt::Write;

use psvn_ir::{Game, TermKind};

use crate::direction::{BACKWARD, Direction, FORWARD};
use crate::error::ExportError;
use crate::file::{Backward, Export, FORMAT_VERSION, MOST_BYTES, check_length, too_long};
use crate::successors::{Form, RuleList};

/// Write a game as a module of Rust.
///
/// # Errors
/// When a machine is over other rules, or the text would be longer than [`MOST_BYTES`].
pub fn to_rust(export: &Export<'_>) -> Result<String, ExportError> {
    let game = export.game;
    let forward = Direction::new(&FORWARD, game, export.forward)?;
    let backward = match export.backward {
        Backward::Rules { game, histories } => Some(Direction::new(&BACKWARD, game, histories)?),
        Backward::LeftOut(_) => None,
    };
    let directions: Vec<&Direction<'_>> = [Some(&forward), backward.as_ref()]
        .into_iter()
        .flatten()
        .collect();
    check_length(game, &directions)?;
    let lists: Vec<RuleList<'_>> = directions.iter().map(|it| it.rule_list()).collect();
    let form = Form::choose(&lists);
    let mut text = String::new();
    title(&mut text, export, &form);
    names::write(&mut text, game);
    text.push_str(include_str!("runtime/states.rs"));
    goals(&mut text, game);
    successors::write_iterator(&mut text, &form);
    text.push_str(HISTORY);
    for (direction, list) in directions.iter().zip(&lists) {
        direction::write(&mut text, direction, list, &form);
    }
    match text.len() > MOST_BYTES {
        true => Err(too_long("the file".to_owned(), text.len() as u128)),
        false => Ok(text),
    }
}

const HISTORY: &str = "
// ---- Histories --------------------------------------------------------------------------------

/// What is remembered of a path.
pub type History = u32;

/// The history of the empty path, in both directions.
pub const INIT_HISTORY: History = 0;
";

/// A text as the inside of a comment: on one line, in ASCII.
fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' => safe.push(c),
            _ if c.is_control() => safe.push(' '),
            _ => safe.extend(c.escape_unicode()),
        }
    }
    safe
}

/// A text as a string literal, quotation marks included.
fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// The heading of a part of the file.
fn heading(title: &str) -> String {
    let begin = format!("// ---- {title} ");
    format!("\n{begin:-<98}\n\n")
}

fn title(text: &mut String, export: &Export<'_>, form: &Form) {
    let game = export.game;
    let _ = writeln!(text, "//! {}", comment(export.name));
    let _ = writeln!(
        text,
        "//!\n\
         //! Written by the PSVN toolkit: a state space as a module of Rust, without\n\
         //! dependencies. Add it to a program with `mod`; don't edit it.\n\
         //!\n\
         //! - content hash: {}\n\
         //! - format version: {FORMAT_VERSION}\n\
         //! - variables: {}\n\
         //! - forward rules: {}",
        game.content_hash(),
        game.n_variables(),
        game.rules().len()
    );
    let backward = match export.backward {
        Backward::Rules { game, histories } => {
            let _ = writeln!(text, "//! - backward rules: {}", game.rules().len());
            histories
        }
        Backward::LeftOut(reason) => {
            let _ = writeln!(text, "//! - backward rules: left out: {}", comment(reason));
            None
        }
    };
    let _ = writeln!(text, "//! - successors: {}", form.describe());
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
        let _ = writeln!(text, "//! - {name} history: {history}");
    }
    let _ = writeln!(
        text,
        "//!\n\
         //! A history belongs to a path, not to a state: where two paths to one state are\n\
         //! merged, prune nothing. A sequence is invalid only if an earlier one in the order\n\
         //! does the same at no higher cost, so every state is still reached at its least\n\
         //! cost.\n\
         #![allow(unused, clippy::all)]\n\n\
         use std::fmt;\n\
         use std::str::FromStr;\n\n\
         /// The fingerprint of the rules.\n\
         pub const CONTENT_HASH: &str = \"{}\";",
        game.content_hash()
    );
}

/// Add the test for goal states, and the list of all of them.
fn goals(text: &mut String, game: &Game) {
    text.push_str(&heading("Goals"));
    text.push_str(
        "/// Whether a state is a goal state.\npub fn is_goal(state: &State) -> bool {\n    \
         let vars = &state.vars;\n",
    );
    for goal in game.goals() {
        let tests = crate::goals::tests(goal.conditions());
        let _ = match tests.is_empty() {
            true => writeln!(text, "    if true {{\n        return true;\n    }}"),
            false => writeln!(
                text,
                "    if {}\n    {{\n        return true;\n    }}",
                tests.join("\n        && ")
            ),
        };
    }
    let _ = writeln!(text, "    false\n}}\n");
    let _ = writeln!(
        text,
        "/// For each condition and variable: the value, or -1 - j where the value is that of variable j,\n\
         /// and free if j is this variable.\n\
         static GOALS: [[i64; NUM_VARIABLES]; {}] = [",
        game.goals().len()
    );
    for goal in game.goals() {
        text.push_str("    [\n");
        let entries = goal.conditions().iter().map(|term| match term.kind() {
            TermKind::Constant(value) => i64::from(value.0),
            TermKind::Variable(var) => -1 - i64::from(var.0),
        });
        crate::c_text::list(text, 8, entries);
        text.push_str("    ],\n");
    }
    text.push_str("];\n\n");
    text.push_str(include_str!("runtime/goal_states.rs"));
}
