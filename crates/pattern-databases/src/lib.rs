//! Pattern databases: tables of least costs in abstract games, as heuristics (Culberson & Schaeffer
//! 1998).
//!
//! A [`PatternDatabase`] holds, for each state of an abstract game, the least cost to reach an
//! abstract goal. [`AdditiveSet`] is several tables whose costs are charged so that they may be
//! added (Korf & Felner 2002), and [`Patterns`] the maximum of several sums.
//!
//! ```
//! use abstraction::Abstraction;
//! use pattern_databases::{Options, PatternDatabase};
//! use search::{CompiledGame, Searcher};
//!
//! let text = domains::generate("sliding-tiles", &["3", "3"])?;
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! let pattern = Abstraction::from_pattern(&game, "keep 0-4")?;
//! let table = PatternDatabase::build(&game, &pattern, &Options::default())?;
//! assert_eq!(table.n_entries(), 15_120); // 9 * 8 * 7 * 6 * 5
//!
//! let start = game.parse_state("7 2 4 5 0 6 8 3 1")?;
//! let compiled = CompiledGame::new(&game);
//! let report = Searcher::builder(&compiled).build().run().ida_star(&start, &table)?;
//! assert_eq!(report.solution().map(|solution| solution.cost), Some(26));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Ranks
//! Entries have no keys: a state's place in the table is computed from the state. The method
//! depends on what is *proved* about the game: where values have places (partial permutations and
//! multisets, by the counts that no rule changes), groups of variables of which exactly one is on,
//! and positions that move together as pieces with orientations. Any other variable is a digit by
//! itself. See [`Ranking`].
//!
//! # More look-ups
//! A table also bounds the images of a state under symmetries of the game and, in games of
//! permutations, its [dual state](Dual), of values or of pieces; see
//! [`Patterns::with_further_lookups`].
//!
//! # What this crate doesn't know
//! Sequences of rules and machines. Abstract games are not pruned: a sequence that is impossible or
//! redundant in the concrete game may be neither in the abstract one.

#![allow(
    unsafe_code,
    reason = "vector instructions, mapped files and advice on memory, each with its proof"
)]

mod backward;
mod build;
mod coordinates;
mod database;
mod dual;
mod file;
mod lookup;
mod patterns;
mod progress;
mod ranking;
mod table;

pub use budget::{Limits, OnProgress, Progress, StopReason, Watch};
pub use build::elsewhere::{Distances, TablePlan, Walker};
pub use build::whole_space::{EachFound, FoundBefore, LayersBefore, WholeSpace};
pub use coordinates::{
    CoordinateMemo, CoordinatePattern, CoordinatePatternError, CoordinateSizes, CoordinateTable,
    DualSizes,
};
pub use database::{PatternDatabase, Sizes};
pub use dual::Dual;
pub use file::{FORMAT_VERSION, FileError};
pub use patterns::{AdditiveSet, PatternMemo, Patterns};
pub use progress::{BuildError, Options, TableStore, WriteTable};
pub use ranking::Ranking;
pub use ranking::packed::{Ranker, StateRanks};
pub use table::Width;

#[cfg(test)]
mod testing {
    use psvn_ir::Game;

    /// Return a game of the generators, such as `hanoi:4:5`.
    pub(crate) fn domain(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a generator");
        psvn_ir::load(&text).game.expect("a game without errors")
    }
}
