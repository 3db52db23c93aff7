//! The game in the forms that searches run on.

pub(crate) mod branches;
pub(crate) mod cell;
pub(crate) mod compiled;
pub(crate) mod filed_rules;
pub(crate) mod form;
pub(crate) mod lines;
pub(crate) mod packed;
pub(crate) mod rule_index;
pub(crate) mod rule_tables;
