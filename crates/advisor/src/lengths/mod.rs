//! Lengths of sequences as options: what an analysis of longer sequences costs, and what it may
//! save.
//!
//! A search by iterative deepening leaves out redundant sequences, and may compare longer ones
//! between two iterations. The figures of the analyses so far show what the next one costs
//! ([`AnalyzedLengths`]); counts around a start show how many sequences could be redundant
//! ([`Potential`]); each analysis shows how far such counts are to be trusted ([`Confidence`]); and
//! the iterations show how much work remains ([`SearchForecast`]).

mod analyzed;
mod choice;
mod confidence;
mod forecast;
mod growth;
mod potential;
#[cfg(test)]
mod samples;

pub use self::analyzed::{AnalysisFigures, AnalyzedLengths, FIRST_LENGTH, LevelFigures};
pub use self::choice::{LEAST_NODES, LengthChoice, moves_counted_within, steps_of_counting};
pub use self::confidence::Confidence;
pub use self::forecast::{EarlierSearches, SearchForecast, moves_made};
pub use self::potential::{MOST_COUNTED, Potential};
