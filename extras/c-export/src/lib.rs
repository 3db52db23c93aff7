//! Games as C: one C99 file with the functions of psvn2c's interface, or the same as a module of
//! Rust.
//!
//! [`to_c`] writes the rules of a [`Game`](psvn_ir::Game) as code, with a generator of successors,
//! the tests for goals, and the text of states. Histories are the machine that forbids redundant
//! sequences. The names and signatures are those of the PSVN interface of 2014 (Holte, Burch,
//! Hänger, Pommerening); all code is this crate's own. The same game and machines give the same
//! bytes.
//!
//! ```
//! use c_export::{Backward, Export, to_c};
//!
//! let game = psvn_ir::load("2  2 2\n 0 A => A 0\n GOAL 1 1").game.expect("no errors");
//! let text = to_c(&Export {
//!     name: "two.psvn",
//!     game: &game,
//!     forward: None,
//!     backward: Backward::LeftOut("not asked for"),
//! })?;
//! assert!(text.contains("static inline void apply_fwd_rule("));
//! # Ok::<(), c_export::ExportError>(())
//! ```
//!
//! [`to_rust`] writes the same as one module of Rust without dependencies and unsafe code. It has
//! the same names where Rust has no better ones: `apply_fwd_rule` returns a state, and
//! `init_fwd_iter` returns an iterator. State maps are those of the standard library; they are
//! written and read in the form of C.
//!
//! [`ProgramExport`] analyzes a game of the crate `psvn` and writes it with histories.
//!
//! # Histories
//! A history is a state of the machine, a small number. The machine forbids a sequence only in
//! favor of one that comes earlier in a fixed order. So a search that drops rules that are not
//! valid for their history still reaches every state at its least cost, from any start. Applying a
//! rule that is not valid forgets the path, so a program that continues the search from there loses
//! nothing.
//!
//! Its rows are in a table, or compressed ([`HistoryForm`]): in a large machine, few rows differ
//! much.
//!
//! # Successors
//! There are two forms, chosen by size ([`MOST_SET_ENTRIES`]). *Bit sets*: for each word of 64
//! rules and each variable that they test, a table has the rules that each value allows; their
//! intersection is the set of applicable rules. *Decision tree*: nested tests that list the
//! applicable rules (Helmert 2006), for games in which a variable has thousands of values. Both
//! give rules in ascending order.

mod c;
mod direction;
mod error;
mod export;
mod goals;
mod history;
mod language;
mod plan;
mod rust;
mod successors;
mod text;

pub use c::to_c;
pub use error::ExportError;
pub use export::{
    Backward, Export, FORMAT_VERSION, Language, MOST_BYTES, ProgramExport, ProgramFile,
};
pub use history::{Histories, HistoryForm, MOST_TABLE_ENTRIES};
pub use rust::to_rust;
pub use successors::MOST_SET_ENTRIES;
