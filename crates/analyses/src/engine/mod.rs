//! Analyses by rule and by operator, and the machines of what they find.

pub(crate) mod machines;
pub(crate) mod operators;
mod progress;
mod rule_order;
pub(crate) mod rules;
pub(crate) mod task;
