//! How long the redundant sequences should be that a search leaves out, decided while it runs.
//!
//! Longer sequences make a smaller tree, but take longer to find. IDA\* searches one bound after
//! the other and may search each with another machine, so it begins with one that takes hardly any
//! time to make, and compares longer sequences once that pays.
//!
//! | step | type |
//! |---|---|
//! | read what is asked for | [`PruneSpec`] |
//! | make the machine that searches begin with | [`PreparedPruning`] |
//! | prepare the search with it | [`Searches`] |
//! | search from a start | [`Setting::search`] |
//! | tell what was left out | [`Pruned`] |
//!
//! `advisor::lengths` decides which analysis pays; this crate measures what it decides by, makes
//! the analyses, and shares them among the searches of a run and, by the cache of its
//! [`Host`](host::Host), with later runs.
//!
//! # What this crate doesn't know
//! Files and options of users: a machine from a file is opened by the caller
//! ([`PreparedPruning::by_machine`]), and so is the estimate.

mod bounds;
mod deepening;
mod figures;
mod in_parts;
mod prepared;
mod pruned;
mod searches;
mod setting;
mod spec;
#[cfg(test)]
mod testing;

pub use advisor::lengths::FIRST_LENGTH;

pub use crate::deepening::Deepening;
pub use crate::prepared::{PreparedPruning, Purpose};
pub use crate::pruned::{Pruned, PrunedCycles, PrunedSequences};
pub use crate::searches::Searches;
pub use crate::setting::{SearchError, Setting};
pub use crate::spec::PruneSpec;
