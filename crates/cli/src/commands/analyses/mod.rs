//! Commands about redundant sequences and machines.

pub(super) mod analyze;
pub(super) mod cache;
pub(super) mod certify;
pub(super) mod explain;
pub(super) mod fsm;
pub(super) mod listing;
pub(super) mod transfer;
pub(super) mod verify;
