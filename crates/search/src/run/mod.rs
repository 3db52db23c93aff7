//! Input and output of a search: options, limits, reports.

mod budgeted;
pub(crate) mod counters;
pub(crate) mod deepening;
pub(crate) mod hand_out;
pub(crate) mod limits;
pub(crate) mod made_once;
pub(crate) mod options;
pub(crate) mod pace;
pub(crate) mod report;
