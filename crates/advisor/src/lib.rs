//! Which work pays for itself: one cost model for all that a search may prepare.
//!
//! A search by iterative deepening can be made faster by work beside it: tables for a heuristic, an
//! analysis of longer redundant sequences, rules that are split, a transposition table. Whether
//! such an *option* pays depends on how long the search will take, and that is known only at its
//! end. This crate decides it, by numbers alone. It knows no games, no searches, and no clock.
//!
//! # Terms
//!
//! | term | meaning | here |
//! |---|---|---|
//! | step | a unit of work, the same on every machine | [`Steps`] |
//! | candidate | an option that may be bought, in a family of smaller and larger ones | [`Candidate`], [`Family`] |
//! | offer | an option with its price and its expected saving | [`Offer`] |
//! | forecast | the work of the next iterations, by the growth of those before | [`Deepening`], [`Growth`], [`Remaining`], [`lengths::SearchForecast`] |
//! | value of information | what a trial is worth that shows a price or a saving | the shares below |
//! | regret | the work that the best choice in hindsight would have saved | the next section |
//!
//! # The rule, and its bound
//!
//! The rule is that of ski rental: as long as nothing shows how much work remains, it is taken to
//! be as much as was done, or as the next iteration takes if that is more ([`Remaining`]). An
//! option is bought if its price is within this allowance and less than its expected saving
//! ([`most_profitable`]); of several, the one with the greatest gain. A purchase leaves less work
//! to be expected, so what is bought between two iterations costs, as a telescoping sum, no more in
//! all than the work that was expected to remain.
//!
//! Let one option cost p and leave the part r of the work, let it be known, and let finished
//! iterations keep their worth. It pays for searches that take more than T = p / (1 - r) without
//! it. The rule buys at the latest when p steps were done and either the work so far or the next
//! iteration is T. So when it buys, at most p (1 + g) or 2.25 T steps were done, where g is the
//! greatest work of an iteration for each step before it; its regret is at most (1 - r) of that,
//! and with the option the search takes p at least. If the search ends just after the purchase, the
//! price was at most three times the work so far. In all the search takes at most **max(4, 2 + g)
//! times** the work of the best choice in hindsight. Where iterations are short, and the answer
//! isn't found early in one, it is twice, which no deterministic rule can undercut (Karlin,
//! Manasse, Rudolph & Sleator 1988, "Competitive snoopy caching"). `tests/it/regret.rs` searches
//! for cases that break the bound.
//!
//! The tests find no case above this bound for a family whose members show their quality only once
//! they are bought, where each is followed by a new search from the first iteration. No bound holds
//! for what was given up: a family that falls [behind](Family) by its small members isn't bought
//! any more, whatever its large ones are. What it takes to find out is bounded by shares of the
//! work:
//!
//! | what is found out | share of the work |
//! |---|---|
//! | the first, smallest members of unknown families of tables | 0.2 each, 0.75 together |
//! | the quality of new tables, by a trial | 0.1 to 0.5 |
//! | what longer sequences could prune, by counting | 0.035 |
//! | sequences whose potential can't be counted | 0.1 |
//! | whether a transposition table pays | 0.05 of the next iteration |
//!
//! # Entry points
//!
//! [`invest`] is the loop of a search that may buy candidates; [`advise`] is one decision of it.
//! [`lengths`] decides about longer sequences between two iterations, and [`Transpositions`] about
//! a transposition table.

mod families;
mod invest;
mod iterations;
pub mod lengths;
mod offers;
mod remaining;
mod transpositions;

pub use self::families::{Bought, Candidate, CandidateId, Family, Quality};
pub use self::invest::{Addition, Advice, Ending, Search, Standing, TrialState, advise, invest};
pub use self::iterations::{Deepening, Growth, Iteration};
pub use self::offers::{Allowance, Offer, most_profitable};
pub use self::remaining::Remaining;
pub use self::transpositions::{
    STEPS_OF_TABLE, SearchedWithTable, TableTrial, Transpositions, WithTable,
};

/// Work, in steps: each is about a nanosecond of a usual processor, measured once and then fixed,
/// so that decisions are the same on every machine and with any number of threads.
pub type Steps = f64;

/// The approximate steps of a second.
pub const SECOND: Steps = 1e9;

/// The part of a search's work, the next iteration included, that it may take to count what longer
/// sequences could prune. Where nothing can be pruned, this is all that is lost.
const SHARE_OF_COUNTING: f64 = 0.035;
/// The part of a search's work, the next iteration included, that analyses may take without
/// evidence that they help.
const SHARE_OF_UNSEEN: f64 = 0.1;
/// The part of the next iteration's work that a trial of a transposition table may take.
const SHARE_OF_TABLE_TRIALS: f64 = 0.05;
