//! Searches: depth first over compiled games, and best first with duplicate detection.
//!
//! A [`CompiledGame`] is made from a [`Game`](psvn_ir::Game). A [`Searcher`] is the prepared form
//! of a search in it, and a [`Run`] searches from one start state. It counts the tree of rule
//! sequences ([`count_tree`](Run::count_tree)), or looks for solutions ([`dfs`](Run::dfs),
//! [`dfid`](Run::dfid), [`ida_star`](Run::ida_star), [`wida_star`](Run::wida_star),
//! [`ida_star_cr`](Run::ida_star_cr), [`branch_and_bound`](Run::branch_and_bound)). Searches with
//! duplicate detection store the states that they generate ([`bfs`](Run::bfs),
//! [`a_star`](Run::a_star), [`sma_star`](Run::sma_star), [`greedy`](Run::greedy),
//! [`bidirectional`](Run::bidirectional)), in memory or on a disk
//! ([`a_star_on_disk`](Run::a_star_on_disk)), and IDA\* may keep a table of bounds
//! ([`transposition_table`](Run::transposition_table)). A\* and IDA\* may estimate many states at
//! once ([`a_star_in_blocks`](Run::a_star_in_blocks),
//! [`ida_star_in_blocks`](Run::ida_star_in_blocks)). Every search for a solution returns a
//! [`SolveReport`].
//!
//! ```
//! use psvn_ir::{Cell, Domain, GameBuilder, SymbolId};
//! use search::{Bound, CompiledGame, CycleDetection, Searcher, ZeroHeuristic, replay};
//!
//! // Four tokens in a row; neighbors change places.
//! let mut builder = GameBuilder::new();
//! let token = builder.domain(Domain::new("token", ["a", "b", "c", "d"])?);
//! (0..4).for_each(|_| drop(builder.variable(token)));
//! let tokens: Vec<Cell> = (0..4).map(|i| Cell::symbol(SymbolId(i))).collect();
//! for i in 0..3 {
//!     let mut swapped = tokens.clone();
//!     swapped.swap(i, i + 1);
//!     builder.rule(None, tokens.clone(), swapped, 1);
//! }
//! builder.goal((0..4).map(|i| Cell::constant(psvn_ir::Value(i))).collect());
//! let game = builder.build()?;
//!
//! let compiled = CompiledGame::new(&game);
//! let searcher = Searcher::builder(&compiled)
//!     .cycle_detection(CycleDetection::Parent)
//!     .build();
//! let start = game.parse_state("d c b a")?;
//! let tree = searcher.run().count_tree(&start, Bound::Depth(3))?;
//! assert_eq!([0, 1, 2, 3].map(|depth| tree.generated(depth)), [1, 3, 6, 12]);
//!
//! let report = searcher.run().ida_star(&start, &ZeroHeuristic)?;
//! let solution = report.solution().expect("every order can be reached");
//! assert_eq!((solution.length(), solution.cost), (6, 6));
//! assert!(game.is_goal(replay(&game, &start, &solution.moves)?.values()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which combinations are safe
//! A search may run beside any [`Machine`](fsm::Machine), detect cycles, and be cut off by an
//! admissible heuristic, all at once (Burch & Holte 2011, "Mixing with Cycle Detection" and "Mixing
//! with Heuristic Cutoffs"). One argument covers all three. Order the sequences of rules by cost,
//! then by length, then by the numbers of their rules. For a reachable state, let P be the first of
//! the sequences that reach it.
//!
//! - No machine forbids P, if it forbids only words that contain a replaceable word: one for which
//!   an earlier, equally general word costs no more. Replacing it in P would give a sequence before
//!   P. That holds for words compared by length and then letters, and for words compared by cost
//!   first.
//! - P reaches no state twice: leaving out the cycle would make a shorter sequence that costs no
//!   more. So no cycle detection prunes P, even where rules cost nothing.
//! - An admissible heuristic cuts off only nodes whose solutions cost more than the bound.
//! - A branch and bound cuts off only nodes whose solutions cost no less than the best one so far.
//!
//! For bounds on the number of moves the same holds with the order by length, then by rules, and
//! with machines made by that order.
//!
//! It is *not* safe to detect duplicates between paths beside a machine: the rules that may follow
//! a state then depend on the path to it. So searches that store states refuse a machine
//! ([`UnsafeCombination`]), and a transposition table is keyed by the state of the game and the
//! state of the machine together; a bound that it holds also serves machine states that allow no
//! more.
//!
//! # How searches are fast
//! A game is packed into the narrowest vector of bytes or bits that fits registers, and a rule
//! becomes one shuffle or two masks. For each machine state, together with the facts that the last
//! rules imply, a plan lists the rules that can come next, those of them that need no test, and
//! those that may lead to a goal. The last plies are flat lists of macro-rules, or of rules, that
//! are tried several at a time. Searches that must visit each node (to keep paths free of cycles,
//! to count by depth, or to bound a branch and bound) use the plan too, one node at a time. Where a
//! state is too wide, or a goal compares variables, an interpreter does the same work
//! ([`SearcherBuilder::interpreted`] selects it).
//! # What this crate doesn't know
//! How a machine was made, and PSVN text.

#![allow(
    unsafe_code,
    reason = "vector instructions, unchecked inner loops and a system call, each with its proof"
)]

mod best_first;
mod blocks;
mod front;
mod game;
mod heuristic;
mod interpreter;
mod kernel;
mod plan;
mod run;
mod transposition;
mod walk;

pub use best_first::{
    BestFirstCounts, BestFirstError, Direction, DuplicateDetection, GOAL_LIMIT, GoalStates,
    OnDiskCounts, OnDiskError, PackedMoves, PackedStates, StateMap, StoredStates, Ties,
    UnsafeCombination, hash_packed,
};
pub use blocks::{
    BlockError, BlockHeuristic, ComparedEstimates, StateBlock, WrongEstimate, compare_estimates,
};
pub use front::levels::CompleteLevels;
pub use front::packed::{PackedError, PackedSearch, PackedTree};
pub use front::replay::{ReplayError, replay};
pub use front::run::Run;
pub use front::searcher::{Searcher, SearcherBuilder};
pub use game::cell::Cell;
pub use game::compiled::{CompiledGame, StateMismatch};
pub use heuristic::check;
pub use heuristic::incremental::IncrementalHeuristic;
pub use heuristic::lookups::{count_lookups, lookups};
pub use heuristic::memo::{MEMO_BYTES, Memo};
pub use heuristic::path::FollowedPath;
pub use heuristic::ranked::RankedTable;
pub use heuristic::value_sums::ValueSums;
pub use heuristic::weight::{Weight, WeightError};
pub use heuristic::wide::in_wide_cells;
pub use heuristic::{DEAD_END, Estimated, Heuristic, PathNode, Properties, Sibling, ZeroHeuristic};
pub use interpreter::traced::{Trace, TraceOrder, TracedNode, trace};
pub use kernel::Instructions;
pub use run::counters::{Counter, Event, NotCounted};
pub use run::hand_out::{HandOut, Piece, SearchPiece, Subtrees};
pub use run::limits::{Limits, Progress, StopReason};
pub use run::options::{Bound, CycleDetection, FirstBound, Part};
pub use run::report::{
    Enumeration, Iteration, LevelCount, Outcome, Solution, SolveReport, Totals, TreeCount,
};
pub use sorted_states::FileError;
pub use transposition::counts::{DEFAULT_TABLE_BYTES, TableCounts};
