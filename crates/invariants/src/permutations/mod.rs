//! Games whose rules only move values between positions: what their permutations can do.

mod arrangements;
mod cardinality;
mod chain;
mod matching;
mod parity;
mod shuffle;

pub use self::arrangements::Arrangements;
pub use self::cardinality::Cardinality;
pub use self::parity::Parity;
