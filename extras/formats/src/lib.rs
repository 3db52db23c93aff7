//! Foreign formats of planning tasks and puzzles, read as PSVN and written from it.
//!
//! - SAS+ as the translator of Fast Downward writes it, version 3 ([`sas`]).
//! - `.tws` files of ksolve and twsearch, and KPuzzle JSON ([`twisty`]).
//! - Grids of the Moving AI Lab and road networks of the DIMACS challenge ([`maps`]).
//!
//! [`scrambles`] reads starts given by moves. [`planning`] generates tasks for measurements.
//!
//! [`import`] makes PSVN text of a text in a [`Format`], which the language's own tools read.
//! This crate reads no files.
//!
//! ```
//! let text = "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n1\n\
//!     begin_variable\nvar0\n-1\n2\nAtom off()\nAtom on()\nend_variable\n0\n\
//!     begin_state\n0\nend_state\nbegin_goal\n1\n0 1\nend_goal\n1\n\
//!     begin_operator\nswitch lamp\n0\n1\n0 0 0 1\n1\nend_operator\n0\n";
//! let format = formats::Format::of(text).expect("a format that is known");
//! let game = formats::import(format, text).expect("a task without errors");
//! assert!(game.text.contains("off() => on() LABEL switch(lamp)"));
//!
//! let wrong = formats::import(format, &text.replace("0 1\nend_goal", "0 7\nend_goal"));
//! let errors = wrong.expect_err("there is no value 7");
//! assert_eq!(errors[0].message, "variable 0 (`var0`) has no value 7, the last is 1");
//! ```

mod format;
mod imported;
mod lines;
pub mod maps;
mod meter;
pub mod planning;
mod problems;
pub mod sas;
pub mod scrambles;
pub mod twisty;
mod words;

pub use format::{import, import_within};
pub use imported::{Imported, Rejected, is_gap};
pub use psvn_syntax::foreign::Format;
