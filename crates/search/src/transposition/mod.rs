//! A transposition table for searches bounded by cost, safe beside move pruning.
//!
//! | module | what it does |
//! |---|---|
//! | `table` | lower bounds by state and machine state, for any number of threads |
//! | `keys`, `inclusion` | which entries serve a node |
//! | `learner` | what a walk looks up and stores |
//! | `setup` | makes the table of one search |
//! | `words` | zeroed memory |
//!
//! # Correctness
//! Nodes are bounded by their *totals*: g + h, or g + w h. Let d(s, q) be the least number for
//! which a search from state s finds a goal by rules that the machine allows from its state q, when
//! its bound is the cost so far plus that number. Without weights d(s, q) is at most the least cost
//! of such a sequence. A node's *estimate* is the larger of the heuristic's and the table's. All
//! bounds in the table are at most d of their key: when a search leaves a node (s, q), it stores
//! the least, over its children (t, r) by rules of cost c, of c plus a lower bound on d(t, r): the
//! child's estimate if it was cut off, and the result of its own search if it was entered. Where r
//! allows all that r' allows, d(t, r) is at most d(t, r'), so that a bound for (t, r) serves (t,
//! r'). A child left out because it closes a cycle contributes its estimate, too, so the stored
//! bounds don't depend on the path. A goal contributes its total, so a search for a better one may
//! continue with the same table.
//!
//! Let C be the least cost of a solution, and P the first of the solutions that cost C, ordered by
//! length, then by the rules' numbers. No safe machine forbids P, and P has no cycle (see the crate
//! documentation). The estimate of each of P's nodes is at most what P needs from there on. So an
//! iteration whose bound is C or more finds P unless it finds another solution first, and an
//! iteration with a lower bound cuts P off at a node whose total makes the next bound at most the
//! total that P needs. The rest is as without a table.
//!
//! With the state alone as the key, solutions would be lost: see
//! [`UnsafeCombination`](crate::UnsafeCombination).

pub(crate) mod counts;
pub(crate) mod inclusion;
pub(crate) mod keys;
pub(crate) mod learner;
pub(crate) mod setup;
pub(crate) mod table;
mod words;

#[cfg(test)]
mod tests;
