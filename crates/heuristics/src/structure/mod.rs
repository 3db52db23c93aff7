//! What the rules and goals show of a game: pieces, boards, values that goals allow.

pub(crate) mod board;
pub(crate) mod goal_facts;
pub(crate) mod pieces;
