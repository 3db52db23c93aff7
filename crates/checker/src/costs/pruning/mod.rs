//! Machines, and the redundant words that they forbid.

pub(crate) mod letters;
pub(crate) mod machine;
pub(crate) mod redundancy;
pub(crate) mod within;
