//! Tables with the names of values and domains.

use std::fmt::Write;

use psvn_ir::Game;

use super::{heading, string};
use crate::c_text::list;

/// Add the type of values, and the tables of names.
pub(super) fn write(text: &mut String, game: &Game) {
    let domains = game.domains();
    let sizes = game.variables().iter().map(|id| game.domain(*id).size());
    let largest = sizes.max().unwrap_or(1);
    text.push_str(&heading("Domains and variables"));
    let _ = writeln!(
        text,
        "/// The number of variables.\n\
         pub const NUM_VARIABLES: usize = {};\n\n\
         /// A value is its place in its domain, from 0.\n\
         pub type Value = {};\n",
        game.n_variables(),
        unsigned_type(largest - 1)
    );
    array(
        text,
        "The names of the domains.",
        "DOMAIN_NAMES",
        "&str",
        domains.iter().map(|domain| string(domain.name())),
    );
    let _ = writeln!(
        text,
        "/// The names of the values of each domain.\n\
         pub static DOMAIN_VALUES: [&[&str]; {}] = [",
        domains.len()
    );
    for domain in domains {
        text.push_str("    &[\n");
        list(text, 8, domain.values().iter().map(|value| string(value)));
        text.push_str("    ],\n");
    }
    text.push_str("];\n\n");
    array(
        text,
        "The domain of each variable.",
        "DOMAIN_OF",
        "usize",
        game.variables().iter().map(|id| id.index()),
    );
}

/// Add a constant array with its comment.
pub(super) fn array(
    text: &mut String,
    about: &str,
    name: &str,
    element: &str,
    items: impl ExactSizeIterator<Item = impl std::fmt::Display>,
) {
    let _ = writeln!(
        text,
        "/// {about}\npub static {name}: [{element}; {}] = [",
        items.len()
    );
    list(text, 4, items);
    text.push_str("];\n\n");
}

/// The narrowest unsigned type for numbers up to `most`.
pub(super) fn unsigned_type(most: usize) -> &'static str {
    match most {
        0..=0xFF => "u8",
        0x100..=0xFFFF => "u16",
        _ => "u32",
    }
}
