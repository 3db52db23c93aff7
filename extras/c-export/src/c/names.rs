//! Tables with the names of values and domains.

use std::fmt::Write;

use psvn_ir::Game;

use super::text::{array, heading, string};
use crate::text::bytes_of_values;

/// Add the type of values, and the tables of names.
pub(super) fn write(text: &mut String, game: &Game) {
    let domains = game.domains();
    let largest = game
        .variables()
        .iter()
        .map(|id| game.domain(*id).size())
        .max()
        .unwrap_or(1);
    let longest = domains
        .iter()
        .flat_map(|domain| {
            domain
                .values()
                .iter()
                .map(String::as_str)
                .chain([domain.name()])
        })
        .chain(["abstraction"])
        .map(str::len)
        .max()
        .unwrap_or(0);
    let n_values: usize = domains.iter().map(psvn_ir::Domain::size).sum();
    text.push_str(&heading("Domains and variables"));
    let _ = writeln!(
        text,
        "#define NUMVARS {}\n\
         #define PSVN_NUM_DOMAINS {}\n\
         #define PSVN_NUM_VALUES {n_values}\n\
         #define PSVN_LONGEST_NAME {longest}\n\n\
         /* A value is its place in its domain, from 0. */\n\
         typedef {} psvn_value_t;\n",
        game.n_variables(),
        domains.len(),
        value_type(largest)
    );
    for (number, domain) in domains.iter().enumerate() {
        let name = format!("psvn_values_{number}");
        let values = domain.values().iter().map(|value| string(value));
        array(text, "char *const", &name, values, "");
    }
    text.push('\n');
    let names = domains.iter().map(|domain| string(domain.name()));
    array(text, "char *const", "psvn_domain_names", names, "");
    let tables = (0..domains.len()).map(|number| format!("psvn_values_{number}"));
    array(text, "char *const *const", "psvn_domain_values", tables, "");
    let sizes = domains.iter().map(psvn_ir::Domain::size);
    array(text, "int", "psvn_domain_sizes", sizes, 0);
    text.push_str("/* The number of values of all domains before each one. */\n");
    let first = domains.iter().scan(0, |at, domain| {
        let first = *at;
        *at += domain.size();
        Some(first)
    });
    array(text, "int", "psvn_first_values", first, 0);
    text.push_str("/* The domain of each variable. */\n");
    let homes = || game.variables().iter().map(|id| id.index());
    array(text, "int", "psvn_domain_of", homes(), 0);
    text.push('\n');
    write_as_psvn2c(text, homes());
}

/// Additional names that programs for psvn2c use.
fn write_as_psvn2c(text: &mut String, homes: impl Iterator<Item = usize>) {
    text.push_str(
        "#ifdef PSVN_AS_PSVN2C\n\
         typedef psvn_value_t var_t;\n\
         #define NUMDOMAINS PSVN_NUM_DOMAINS\n\
         #define domain_sizes psvn_domain_sizes\n\
         #define name_of_domain psvn_domain_names\n\
         #define var_domains psvn_domain_of\n",
    );
    let names = homes.map(|home| format!("psvn_values_{home}"));
    array(text, "char *const *const", "var_domain_names", names, "");
    text.push_str("#endif\n\n");
}

/// The narrowest signed type for the values of a domain of this size.
fn value_type(size: usize) -> &'static str {
    match bytes_of_values(size) {
        1 => "int8_t",
        2 => "int16_t",
        _ => "int32_t",
    }
}
