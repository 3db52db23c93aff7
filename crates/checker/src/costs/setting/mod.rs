//! The game and the start of a certificate.

pub(crate) mod dispatch;
pub(crate) mod moves;
pub(crate) mod prepared;
pub(crate) mod steps;
