//! What an analysis is asked about splits.

use psvn_ir::State;

use crate::text::Choice;

/// Whether rules are split by values of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SplitChoice {
    /// No rule is
    None,
    /// Those are for which it pays
    #[default]
    Auto,
    /// All are, by all values that they don't fix
    All,
}

impl SplitChoice {
    /// What is done unless one says otherwise: what pays, or nothing where sequences are compared
    /// in all states, as published counts are made.
    pub fn usual(within_invariants: bool) -> Self {
        match within_invariants {
            true => Self::Auto,
            false => Self::None,
        }
    }
}

impl Choice for SplitChoice {
    const ALL: &'static [Self] = &[Self::None, Self::Auto, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
            Self::All => "all",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::None => "No rule is",
            Self::Auto => "Those are for which it pays",
            Self::All => "All are, by all values that they don't fix",
        }
    }
}

/// What an analysis is asked about splits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitRequest {
    /// Which rules are split.
    pub choice: SplitChoice,
    /// The root of the tree that is to get small; the goal state unless given.
    pub start: Option<State>,
    /// The most steps that the choice of splits may take, unless it is to take what seems
    /// reasonable for the game.
    pub most_steps: Option<u64>,
}

impl SplitRequest {
    /// No rule is to be split.
    pub fn none() -> Self {
        Self {
            choice: SplitChoice::None,
            start: None,
            most_steps: None,
        }
    }
}
