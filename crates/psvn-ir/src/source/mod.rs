//! Games as they are written down, and how a [`Game`](crate::Game) is made of that.

pub(crate) mod builder;
pub(crate) mod cell;
pub(crate) mod expand;
pub(crate) mod limits;
