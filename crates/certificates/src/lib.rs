//! Certificates of what a search found, written for programs that don't trust it.
//!
//! A [`Text`] begins with a game. For each start it gets claims with their proofs: a plan, a lower
//! bound on the costs of all plans, that there is no plan. The format is described in
//! `docs/certificates.md`; the crate `checker` and a program that is verified in Coq check it.
//!
//! A lower bound B is proved in one of two ways:
//!
//! - by a [closed list](closed_list): each state from which a plan might still cost less, with the
//!   least cost of a path to it;
//! - by a [search](PrunedSearch): the checker searches again, depth first, along the words of rules
//!   that a machine allows. Only the machine and the words that it forbids are written.
//!
//! Both leave out states that a heuristic puts beyond the bound. The [`Evidence`] for it stands in
//! the certificate: tables of abstract games, and sums of a number for each value. (Closed lists
//! for A* as certificates: Dold, Helmert, Nordström, Röger & Schindler, ICAPS 2025.)
//!
//! That each state that can be reached has a plan within a cost is proved by a [list](CostsToGo) of
//! all of them.
//!
//! A [machine file](machine_claim) becomes a claim of its own.
//!
//! # What this crate doesn't know
//! How a search found what it proves. It computes tables and lists again, state by state, so what
//! it writes is a confirmation even before it is checked.

mod abstract_table;
mod closed;
mod costs_to_go;
mod error;
mod evidence;
mod lines;
mod machine_claim;
mod pruned_search;
mod text;

pub use self::closed::{ClosedList, closed_list};
pub use self::costs_to_go::CostsToGo;
pub use self::error::CertificateError;
pub use self::evidence::Evidence;
pub use self::machine_claim::machine_claim;
pub use self::pruned_search::PrunedSearch;
pub use self::text::{Text, game_lines};
