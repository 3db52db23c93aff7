//! Commands that measure, and show results.

pub(super) mod experiment;
pub(super) mod report;
