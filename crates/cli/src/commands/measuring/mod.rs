//! Commands that measure, and show what was measured.

pub(super) mod experiment;
pub(super) mod report;
