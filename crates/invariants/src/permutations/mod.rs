//! Games whose rules only move values between positions: the group of their permutations.

mod arrangements;
mod cardinality;
mod chain;
mod matching;
mod parity;
mod shuffle;

pub use self::arrangements::Arrangements;
pub use self::cardinality::Cardinality;
pub use self::parity::Parity;
