//! The structure of a game as derived from rules and goals: pieces, boards, values of goals, and
//! instances of rules.

pub(crate) mod board;
pub(crate) mod goal_facts;
pub(crate) mod instances;
pub(crate) mod pieces;
