//! Lower bounds, by a list or by a search.

pub(crate) mod closed_list;
pub(crate) mod position;
pub(crate) mod search;
