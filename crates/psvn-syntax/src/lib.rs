//! PSVN source text: lexer, grammar, syntax tree, formatter, diagnostics.
//!
//! [`parse`] always returns a tree, and reports all errors of the text as [`Diagnostic`]s. The
//! crate knows no meaning: `psvn-ir` decides which token is a value and which a variable symbol.
//!
//! ```
//! use psvn_syntax::{LineIndex, ast::Item, parse};
//!
//! let source = "
//!     2                      # two variables ...
//!     3 3                    # ... with the values 0, 1 and 2
//!     0 X => X 0  LABEL swap COST 2
//!     GOAL 0 1
//! ";
//! let game = parse(source);
//! assert!(game.diagnostics.is_empty());
//! let Item::Rule(rule) = &game.file.items[0] else { panic!("a rule comes first") };
//! assert_eq!(rule.lhs[1].text, "X");
//! assert_eq!(rule.cost.as_ref().map(|cost| cost.value), Some(2));
//!
//! // The first rule lacks an entry. Counting alone would notice only in the line below.
//! let source = "2\n3 3\n0 X => X\n0 X => X 0\n";
//! let broken = parse(source);
//! assert_eq!(broken.file.items.len(), 1);
//! let error = &broken.diagnostics[0];
//! assert_eq!(error.code, "wrong-row-length");
//! assert_eq!(error.message, "this right-hand side has 1 entry, the game has 2 variables");
//! let place = error.primary.as_ref().map(|label| label.span.start).unwrap_or_default();
//! assert_eq!(LineIndex::new(source).line_column(place), (3, 8));
//! ```
//!
//! A text passes through the crate in this order: [`decode`] turns bytes into text, the lexer
//! splits it into words, the layout pass counts and gives each word a role, the grammar builds the
//! tree. [`foreign`] recognizes the formats of other programs, and reads none of them.
//!
//! Without the default feature `parser` the crate has only places in texts ([`Span`],
//! [`LineIndex`]), findings about them ([`Diagnostic`]) and [`foreign`].

#[cfg(feature = "parser")]
pub mod ast;
mod diagnostic;
pub mod foreign;
#[cfg(feature = "parser")]
mod format;
#[cfg(feature = "parser")]
mod layout;
#[cfg(feature = "parser")]
mod parse;
#[cfg(feature = "parser")]
mod text;
#[cfg(feature = "parser")]
mod tree;

pub use diagnostic::line_index::LineIndex;
#[cfg(feature = "parser")]
pub use diagnostic::report::MAX_REPORTED;
pub use diagnostic::span::Span;
pub use diagnostic::{Diagnostic, Label, Severity};
#[cfg(feature = "parser")]
pub use format::{format, same_structure};
#[cfg(feature = "parser")]
pub use parse::{Parse, ParseAbstraction, parse, parse_abstraction, parse_unless};
#[cfg(feature = "parser")]
pub use text::decode::decode;
