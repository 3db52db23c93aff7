//! Options of an analysis that have names.

use std::str::FromStr;

use budget::Choice;

/// The machines that an analysis can write. All accept the same words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MachineKind {
    /// One state for each kept word shorter than L (Burch & Holte 2011)
    Table,
    /// One state for each proper prefix of a redundant word (Taylor 1992)
    AhoCorasick,
    /// The fewest states
    #[default]
    Minimized,
}

impl Choice for MachineKind {
    const ALL: &'static [Self] = &[Self::Table, Self::AhoCorasick, Self::Minimized];

    fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::AhoCorasick => "aho-corasick",
            Self::Minimized => "minimized",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Table => "One state for each kept word shorter than L (Burch & Holte 2011)",
            Self::AhoCorasick => {
                "One state for each proper prefix of a redundant word (Taylor 1992)"
            }
            Self::Minimized => "The fewest states",
        }
    }
}

/// The order in which rules are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleOrderChoice {
    /// As they stand in the file
    #[default]
    File,
    /// By label
    Label,
    /// So that the branching factor gets small
    Optimize,
}

impl Choice for RuleOrderChoice {
    const ALL: &'static [Self] = &[Self::File, Self::Label, Self::Optimize];

    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Label => "label",
            Self::Optimize => "optimize",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::File => "As they stand in the file",
            Self::Label => "By label",
            Self::Optimize => "So that the tree of a search gets small",
        }
    }
}

/// The letters of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// Each rule is one
    #[default]
    Rules,
    /// All rules that share a label are one
    Labels,
}

impl Choice for Letters {
    const ALL: &'static [Self] = &[Self::Rules, Self::Labels];

    fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Labels => "labels",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Rules => "Each rule is one",
            Self::Labels => "All rules that share a label are one",
        }
    }
}

/// The method that finds redundant words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// All of them, by composition (Burch & Holte 2011)
    #[default]
    Exact,
    /// Those of operators that one generic state shows (Taylor & Korf 1993)
    Learner,
}

impl Choice for Method {
    const ALL: &'static [Self] = &[Self::Exact, Self::Learner];

    fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Learner => "learner",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Exact => "All of them, by composition (Burch & Holte 2011)",
            Self::Learner => "Those of operators that one generic state shows (Taylor & Korf 1993)",
        }
    }
}

/// The length of the longest sequences that an analysis compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxLength {
    /// As long as the limits allow.
    Auto,
    /// At most this many rules.
    Length(usize),
}

impl MaxLength {
    /// Return the length to request.
    pub fn length(self) -> usize {
        match self {
            MaxLength::Auto => usize::MAX,
            MaxLength::Length(length) => length,
        }
    }
}

impl FromStr for MaxLength {
    type Err = String;

    /// Read a length, or `auto`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(MaxLength::Auto);
        }
        text.parse()
            .map(MaxLength::Length)
            .map_err(|_| "expected a length or `auto`".to_owned())
    }
}

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
