//! The tokens that the grammar reads: words whose role the layout pass has settled.

/// A word with its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'source> {
    /// Its role.
    pub(crate) role: Role,
    /// The user's word; for tokens of no width, the word behind them.
    pub(crate) text: &'source str,
}

/// The role of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `DOMAIN`
    Domain,
    /// Of no width: the number of variables follows.
    VariablesStart,
    /// Of no width: a rule follows. Nothing in the text marks this place.
    RuleStart,
    /// `GOAL`
    Goal,
    /// `abstraction`
    Abstraction,
    /// `projection`
    Projection,
    /// `pieces`
    Pieces,
    /// `=>`
    Arrow,
    /// `LABEL`
    Label,
    /// `COST`
    Cost,
    /// `{`
    Open,
    /// `}`
    Close,
    /// A number of things; made of digits, and fits.
    Number,
    /// A name, a value, a cell, a cost.
    Word,
    /// Of no width: the construct that began here is wrong and has been reported. No production has
    /// this token, so the grammar recovers at the next beginning.
    Damaged,
}

impl Role {
    /// Whether the token is a word of the text, and not a mark between words.
    pub(crate) fn has_width(self) -> bool {
        !matches!(self, Role::VariablesStart | Role::RuleStart | Role::Damaged)
    }
}
