//! What the text of games and instances means.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod instances;
mod load;
mod spelling;
