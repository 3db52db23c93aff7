//! Generators that write well-known games as PSVN text.
//!
//! Each generator turns a few numbers into a complete PSVN file: a comment on the game, its
//! encoding and its source, then domains, variables, labeled rules and a goal. The text is the
//! product. This crate knows nothing of parsing, analysis or search; its callers read the text like
//! a file from a user.
//!
//! The order of the rules and the encoding are part of each game's contract, because counts of
//! redundant words and generated nodes depend on them; every generator's documentation states both.
//!
//! ```
//! let text = domains::generate("pancake", &["4"])?;
//! assert!(text.contains("A B C D => D C B A LABEL flip4"));
//!
//! // The short form that the command line accepts in place of a file name (behind `gen:`).
//! assert_eq!(domains::generate_reference("pancake:4")?, text);
//! # Ok::<(), domains::GenerateError>(())
//! ```

mod arguments;
mod error;
mod games;
mod info;
mod instances;
mod psvn;
mod registry;

pub use error::{GenerateError, LevelError};
pub use games::boards::collection::sokoban_level;
pub use info::{DomainInfo, OptionInfo};
pub use instances::{INSTANCE_SETS, InstanceSet, instances};
pub use registry::{generate, generate_reference, list, other_goals, parse_reference};
