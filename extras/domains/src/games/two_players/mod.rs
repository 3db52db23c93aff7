//! Games of two players, who move in turn on a board of squares or heaps.

pub(crate) mod connect;
pub(crate) mod nim;
pub(crate) mod pawns;
pub(crate) mod tic_tac_toe;

mod squares;
