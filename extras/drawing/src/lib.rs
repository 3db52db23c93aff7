//! Pictures of machines, search trees and boards as self-contained SVG.
//!
//! Pictures consist of shapes and text, without scripts, and without external fonts or files. Their
//! colors fit light and dark themes (`prefers-color-scheme`), and paper.
//!
//! - [`Graph`]: states and arrows between them, laid out in layers.
//! - [`Tree`]: a tree from top to bottom, with pruned branches drawn dashed.
//! - [`BoardLayout`]: states as boards, in text and as animated pictures.
//!
//! # What this crate doesn't know
//! Games, machines and searches: it takes labels.

mod animation;
mod board;
mod cells;
mod curve;
mod graph;
mod layers;
mod layout;
mod place;
mod style;
mod tree;

pub use animation::animate;
pub use board::Shown;
pub use cells::Cells;
pub use graph::{Edge, Graph, GraphState, MOST_ARROWS, MOST_STATES};
pub use layout::{BoardLayout, LayoutError};
pub use place::{Place, Sign, Walker};
pub use style::escape;
pub use tree::{MOST_NODES, Status, Tree, TreeNode};

/// An error: the picture would be too large to be readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} {what} are too many for a picture: at most {most} can be drawn")]
pub struct TooLarge {
    /// The kind of items that are too many.
    pub what: &'static str,
    /// Their number.
    pub found: usize,
    /// The greatest number allowed.
    pub most: usize,
}
