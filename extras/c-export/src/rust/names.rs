//! Tables with the names of values and domains.

use std::fmt::Write;

use psvn_ir::Game;

use super::text::{array, heading, string, unsigned_type};
use crate::text::{bytes_of_values, list};

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
         pub type Value = {};\n\n\
         /// The bytes of a value in files, which are those that programs in C write.\n\
         const VALUE_BYTES: usize = {};\n",
        game.n_variables(),
        unsigned_type(largest.saturating_sub(1)),
        bytes_of_values(largest)
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
