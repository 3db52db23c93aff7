//! Lower bounds, by a list or by a search, and upper bounds for all states.

pub(crate) mod closed_list;
pub(crate) mod everywhere;
pub(crate) mod position;
pub(crate) mod search;
