//! The request for splits in an analysis.

use budget::Choice;
use psvn_ir::State;
use rule_splits::SplitRules;

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
    /// The default: splits that pay, or none where sequences are compared in all states, as for
    /// published counts.
    pub fn usual(within_invariants: bool) -> Self {
        if within_invariants {
            Self::Auto
        } else {
            Self::None
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

/// The request for splits in an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitRequest {
    /// Which rules are split.
    pub choice: SplitChoice,
    /// The root of the tree that splits should reduce; the goal state unless given.
    pub start: Option<State>,
    /// The most steps that the choice of splits may take; a number that fits the game unless given.
    pub most_steps: Option<u64>,
}

impl SplitRequest {
    /// A request to split no rule.
    pub fn none() -> Self {
        Self {
            choice: SplitChoice::None,
            start: None,
            most_steps: None,
        }
    }

    /// Return which rules are split.
    pub(crate) fn rules(&self) -> SplitRules {
        match self.choice {
            SplitChoice::None => SplitRules::None,
            SplitChoice::Auto => SplitRules::Paying {
                most_steps: self.most_steps,
            },
            SplitChoice::All => SplitRules::All,
        }
    }
}
