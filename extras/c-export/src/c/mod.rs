//! Games as C99: one file, with the PSVN interface of 2014.

mod direction;
mod goals;
mod history;
mod language;
mod names;
mod runtime;
mod successors;
mod text;

use std::fmt::Write;

use language::C;

use crate::direction::Direction;
use crate::error::ExportError;
use crate::export::{Export, FORMAT_VERSION};
use crate::language::Language;
use crate::plan::Plan;

/// Write a game as C.
///
/// # Errors
/// When a cost doesn't fit an `int`, a machine has other rules, or the text would be longer than
/// [`MOST_BYTES`](crate::MOST_BYTES).
pub fn to_c(export: &Export<'_>) -> Result<String, ExportError> {
    if export.game.n_variables() == 0 {
        return Err(ExportError::NoVariables);
    }
    let plan = Plan::new(export)?;
    plan.directions.iter().try_for_each(check_costs)?;
    plan.write(write)
}

/// Refuse costs that are no `int`.
fn check_costs(direction: &Direction<'_>) -> Result<(), ExportError> {
    for rule in direction.game.rules() {
        let cost = rule.canonical.cost();
        if i32::try_from(cost).is_err() {
            let label = rule.label.to_string();
            return Err(ExportError::Cost { label, cost });
        }
    }
    Ok(())
}

fn write(text: &mut String, plan: &Plan<'_>) {
    let _ = writeln!(text, "/* {}", C.comment(plan.export.name));
    plan.write_title(
        text,
        &C,
        &[
            "",
            "Written by the PSVN toolkit: a state space as C99, behind the PSVN interface of 2014.",
            "Include this file in a program; everything in it is static. Don't edit it.",
            "",
        ],
    );
    text.push_str(" */\n#ifndef PSVN_GAME_INCLUDED\n#define PSVN_GAME_INCLUDED\n\n");
    text.push_str(runtime::INCLUDES);
    presence(text, plan);
    names::write(text, plan.game);
    text.push_str(runtime::STATES);
    text.push_str(runtime::STATE_TEXT);
    goals::write(text, plan.game);
    successors::write_iterator(text, &plan.form);
    for direction in &plan.directions {
        direction::write(text, direction, &plan.form);
    }
    text.push_str(runtime::STATE_MAP);
    text.push_str(runtime::ABSTRACTION);
    text.push_str("\n#endif\n");
}

/// Add the macros that a program can test for.
fn presence(text: &mut String, plan: &Plan<'_>) {
    let _ = writeln!(
        text,
        "/* Presence of parts. Define PSVN_AS_PSVN2C before including this file for programs that\n \
         * test for the name of psvn2c. */\n\
         #define psvn_toolkit_PSVN_API {FORMAT_VERSION}\n\
         #ifdef PSVN_AS_PSVN2C\n\
         #define psvn2c_PSVN_API 1\n\
         #endif\n\
         #define PSVN_CONTENT_HASH \"{}\"",
        plan.game.content_hash()
    );
    for direction in &plan.directions {
        let upper = direction.names.upper;
        if direction.is_backward() {
            let _ = writeln!(text, "#define HAVE_{upper}_MOVES 1");
        }
        if direction.history.is_some() {
            let _ = writeln!(text, "#define HAVE_{upper}_MOVE_PRUNING 1");
        }
    }
    text.push_str("#define HAVE_ABSTRACTION 1\n\n");
}
