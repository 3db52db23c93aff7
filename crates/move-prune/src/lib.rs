//! Analyses that find rule sequences which are provably redundant (Burch & Holte 2011, "Move
//! Pruning").
//!
//! A sequence B is *redundant* if some sequence A costs no more, can be used wherever B can, and
//! then always leads to the same state. A search that never carries out a redundant sequence still
//! reaches every state at its least cost, provided that the replacements don't form a cycle.
//!
//! # Why it is safe
//! B is pruned only in favor of an A that comes *before* it in a fixed total order on words, and
//! the order is *nested*: if A comes before B, then X A Y comes before X B Y for all X and Y. Take
//! any path. As long as it contains a redundant word, replace that word. Each step leads to an
//! earlier path that ends in the same state and costs no more, so the steps end at a path that no
//! machine forbids. Comparing in both directions, as the program of 2011 did, is not safe:
//! replacements can form a cycle, and every optimal solution can be lost.
//!
//! The default order is by length, then by the numbers of the rules from left to right. The other
//! [`Order`] compares costs first: then even a single expensive rule is pruned in favor of several
//! cheap ones. Then replacements may be longer: a search that is bounded by cost loses nothing, but
//! one that is bounded by the number of moves may.
//!
//! # Why comparing with kept sequences is enough
//! Redundancy is transitive. If B is redundant with some earlier A that was itself pruned, then A's
//! own replacement serves B as well.
//!
//! # Where it holds
//! An analysis may be given knowledge about the states that a search will meet ([`Admits`]). A
//! sequence is then *closed* before it is compared: values that its preconditions imply in those
//! states are added. So A must be usable and lead to the same state only where that matters, and
//! the result says whether it [rests](Analysis::rests_on_knowledge) on knowledge. Kept sequences
//! are stored with the demands of their rules, so possible queries don't depend on knowledge.
//! Redundancy stays transitive, because closing is monotone and idempotent.
//!
//! # How it stays fast
//! * Only sequences without redundant parts are built: a kept word is extended by the letters that
//!   extend its longest proper suffix (`words`).
//! * Of those, an index leaves out rules that test for another constant than the position holds
//!   (`follow`).
//! * "Which kept sequence generalizes this one?" is answered by a look-up and a discrimination tree
//!   (`retrieval`), not by comparing with each of them.
//! * The words of one length are made in batches, each in three steps that run in parallel: extend
//!   and compare with all words before; store; compare with words of the same batch. Some stored
//!   words turn out redundant in the third step. That does no harm: redundancy is transitive, and
//!   the first word in the order that makes another redundant is itself kept.
//! * In the order by cost, the words of each cost and length are treated likewise, cheapest first.
//!
//! # How it stays small
//! A kept word takes 12 bytes in the tree of words, 4 more once it is extended, about 20 bytes and
//! two for each demand in the index, and, until it is extended, 4 bytes and two for each demand.
//! Candidates, one for each composition, are held for one batch. A redundant word is three numbers
//! until the end, when it is spelled out.

mod analysis;
mod commuting_pairs;
mod generalization;
pub mod learner;
mod limits;
mod nearest;
pub mod operators;
mod relevance;
mod replacements;
mod rule_order;
mod words;

pub use analysis::shared_words::SharedWords;
pub use analysis::{
    Admits, Analysis, CompatiblePairs, Forecast, Forecaster, Level, Options, RedundantWord,
    analyze, analyze_game,
};
pub use budget::{Limits, OnProgress, Progress, StopReason};
pub use commuting_pairs::{CommutingPairs, commuting_pairs, commuting_pairs_unless};
pub use generalization::closed::closed;
pub use learner::{DuplicateWord, LearnError, Learned, LearnedLevel, Reason, RejectedPair, learn};
pub use nearest::{Lack, Nearest, nearest};
pub use operators::{
    InstanceReplacement, OperatorAnalysis, OperatorError, OperatorLevel, OperatorOptions,
    OperatorOrder, Operators, RedundantOperatorWord, analyze_operators,
};
pub use relevance::{Relevance, rules_without_effect_on};
pub use replacements::{ReplacementRoom, Replacements, Verdict};
pub use rule_order::{OptimizedOrder, optimize_order};
pub use words::order::{Order, UnknownOrder};
pub use words::{WordId, WordTree};
