//! The format of the lines of an instance file.

use psvn_ir::instances::Layout;

use crate::text::Choice;

/// The format of the lines of an instance file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstanceFormat {
    /// What all lines are alike: Korf's, fields with colons between them, plain, or moves
    #[default]
    Auto,
    /// `ID: STATE = COST`, of which only the state must be there
    Plain,
    /// `ID COST NODES.. STATE`, as Korf's instances are published
    Korf,
    /// `ID: MOVES = COST`, moves from the goal, or blocks `ScrambleAlg ID`, moves, `End`
    Scrambles,
}

impl Choice for InstanceFormat {
    const ALL: &'static [Self] = &[Self::Auto, Self::Plain, Self::Korf, Self::Scrambles];

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Plain => "plain",
            Self::Korf => "korf",
            Self::Scrambles => "scrambles",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Auto => {
                "What all lines are alike: Korf's, fields with colons between them, plain, or moves"
            }
            Self::Plain => "`ID: STATE = COST`, of which only the state must be there",
            Self::Korf => "`ID COST NODES.. STATE`, as Korf's instances are published",
            Self::Scrambles => {
                "`ID: MOVES = COST`, moves from the goal, or blocks `ScrambleAlg ID`, moves, `End`"
            }
        }
    }
}

impl InstanceFormat {
    /// The layout of lines with states.
    pub(super) fn layout(self) -> Layout {
        match self {
            InstanceFormat::Auto => Layout::Auto,
            // Files of scrambles are read elsewhere; other files have states.
            InstanceFormat::Scrambles | InstanceFormat::Plain => Layout::Plain,
            InstanceFormat::Korf => Layout::Korf,
        }
    }
}
