//! Games as written, and how they become a [`Game`](crate::Game).

pub(crate) mod builder;
pub(crate) mod cell;
pub(crate) mod expand;
pub(crate) mod limits;
