//! Whole state spaces, layer by layer: how many states there are at each distance.
//!
//! [`explore`] follows the rules forward from start states, or backward from the goals, and counts
//! the states at each distance in moves. Each layer is reported when it is complete, and remains
//! valid when a limit stops the exploration.
//!
//! ```
//! use explore::{Options, Origin, explore};
//!
//! let text = domains::generate("sliding-tiles", &["3", "3"])?;
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! let report = explore(&game, &Origin::Goals, &Options::default())?;
//! assert_eq!(report.layers[..6], [1, 2, 4, 8, 16, 20]);
//! assert_eq!((report.states(), report.layers.len() - 1), (181_440, 31));
//! assert!(report.is_whole);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How states are stored
//! [`Storage`] selects how states are stored, and the report names it. By default they are in
//! memory until the layers take a good part of a table of ranks.
//!
//! - **By rank.** Where invariants number the states densely and each move can be undone, two bits
//!   for each number ([`pattern_databases::WholeSpace`]).
//! - **In memory.** Packed states in 4,096 tables by their hash, with one byte besides each slot:
//!   empty slots included, at most five bytes a state besides the state itself, up to three words.
//!   New states are collected for each table and looked up together, so that the processor waits
//!   for the memory once for all of them. Where each move can be undone, only the last layers are
//!   kept: a neighbor of a state at distance d is at d - 1, d, or d + 1.
//! - **On a disk.** Layers are sorted files in several parts, of ranks where invariants number the
//!   states, or else of packed states ([`Codes`]). New states are sorted in memory, become runs in
//!   memory or on the disk, are merged, and compared with the layers before: delayed duplicate
//!   detection (Korf 2004). Every few seconds, and at the end, the complete layers are a checkpoint
//!   from which the same call continues.
//!
//! # Symmetries
//! With [`Options::symmetries`], one state represents all its images: fewer states are stored and
//! expanded, and the counts stay the same.
//!
//! # What this crate doesn't know
//! Machines that prune: a state is expanded once, so there is no sequence to prune.

mod codes;
mod disk;
mod expansion;
mod memory;
mod options;
mod origin;
mod ranked;
mod report;
mod reversible;
mod run;
mod symmetric;

pub use codes::{Coder, Codes, LeastStates};
pub use options::{OnLayer, Options, Storage};
pub use origin::Origin;
pub use report::{ExploreError, Layer, MOST_WORDS, Report, StoredAs};
pub use reversible::moves_can_be_undone;
pub use run::explore;
pub use sorted_states::FileError;
