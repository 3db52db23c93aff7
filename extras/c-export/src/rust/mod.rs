//! Games as a module of Rust: the same rules, successors, goals and histories as in C.

mod direction;
mod goals;
mod history;
mod language;
mod names;
mod successors;
mod text;

use std::fmt::Write;

use language::Rust;

use crate::error::ExportError;
use crate::export::Export;
use crate::language::Language;
use crate::plan::Plan;

/// Write a game as a module of Rust.
///
/// # Errors
/// When a machine has other rules, or the text would be longer than
/// [`MOST_BYTES`](crate::MOST_BYTES).
pub fn to_rust(export: &Export<'_>) -> Result<String, ExportError> {
    Plan::new(export)?.write(write)
}

fn write(text: &mut String, plan: &Plan<'_>) {
    let _ = writeln!(text, "//! {}", Rust.comment(plan.export.name));
    plan.write_title(
        text,
        &Rust,
        &[
            "",
            "Written by the PSVN toolkit: a state space as a module of Rust, without dependencies.",
            "Add it to a program with `mod`; don't edit it.",
            "",
        ],
    );
    let _ = writeln!(
        text,
        "#![allow(unused, clippy::all)]\n\n\
         use std::collections::HashMap;\n\
         use std::fmt;\n\
         use std::io::{{self, Read, Write}};\n\
         use std::path::Path;\n\
         use std::str::FromStr;\n\n\
         /// The fingerprint of the rules.\n\
         pub const CONTENT_HASH: &str = \"{}\";",
        plan.game.content_hash()
    );
    names::write(text, plan.game);
    text.push_str(include_str!("runtime/states.rs"));
    text.push_str(include_str!("runtime/raw.rs"));
    goals::write(text, plan.game);
    successors::write_iterator(text, &plan.form);
    text.push_str(HISTORY);
    for direction in &plan.directions {
        direction::write(text, direction, &plan.form);
    }
    text.push_str(include_str!("runtime/state_map.rs"));
    text.push_str(include_str!("runtime/abstraction.rs"));
    text.push_str(include_str!("runtime/abstraction_text.rs"));
}

const HISTORY: &str = "
// ---- Histories --------------------------------------------------------------------------------

/// What is remembered of a path.
pub type History = u32;

/// The history of the empty path, in both directions.
pub const INIT_HISTORY: History = 0;
";
