//! The smallest tree that pruning by sequences of at most L rules can leave, by brute force.
//!
//! Fix a length L, an order of the rules and a state s. A sequence of at most L rules is *least at
//! s* if no sequence of at most L rules that comes before it leads from s to the same state and
//! costs no more. The *ideal tree* has the sequences all of whose parts of at most L rules are
//! least at the states where they begin. It reaches every state at its least cost: among the
//! cheapest paths to a state, the first one in the order has no part that an earlier one could
//! replace.
//!
//! A machine forbids a sequence only if it is *never* least; the ideal tree leaves it out wherever
//! it is not least *at this state*. So no machine of length L leaves fewer nodes, and the ratio of
//! the two measures how much an analysis misses. [`Comparison::make`] counts both trees, and lists
//! the first sequences that the machine keeps although they are not least.
//!
//! ```
//! use ideal_tree::{Comparison, Order, Question};
//!
//! let loaded = psvn_ir::load(&domains::generate("hanoi", &["4", "4"]).expect("a known game"));
//! let game = loaded.game.expect("a game without errors");
//! let start = game.goal_state().expect("one goal state");
//! let question = Question {
//!     max_length: 3,
//!     depth: 6,
//!     order: Order::LengthLexicographic,
//!     rule_order: None,
//!     most_differences: 0,
//!     growth: false,
//! };
//! let limits = Default::default();
//! let compared = Comparison::make(&game, &start, &fsm::Unrestricted, &question, &limits)?;
//! assert_eq!(compared.ideal.nodes, [1, 3, 6, 12, 30, 70, 136]);
//! assert_eq!(compared.machine.nodes[..3], [1, 3, 15]);
//! # Ok::<(), ideal_tree::Stopped>(())
//! ```

mod comparison;
#[cfg(test)]
mod definition;
mod differences;
mod glance;
mod least;
mod moves;
mod space;
mod surroundings;
mod tree;
mod windows;
mod work;

pub use comparison::{Comparison, Question, Stopped};
pub use differences::Difference;
pub use glance::Glance;
pub use moves::{LetterOf, Letters};
pub use surroundings::{Neighborhood, Surroundings};
pub use tree::Tree;

/// The order of sequences, in which replacements come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Shorter sequences first, those of one length in lexicographic order.
    #[default]
    LengthLexicographic,
    /// Cheaper sequences first, those of one cost by length and then in lexicographic order.
    CostLengthLexicographic,
}
