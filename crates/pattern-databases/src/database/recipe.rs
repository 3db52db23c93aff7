//! The data that determine a table, apart from the game.

use abstraction::Abstraction;

/// The data that determine a table's ranks, apart from the game: everything that a file must
/// record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The merged and dropped values and variables; in a table with charged costs, the tracked
    /// ones.
    pub(crate) abstraction: Abstraction,
    /// By domain and value: whether its cost is charged to the table. `None` if costs aren't
    /// charged to values.
    pub(crate) charged_values: Option<Vec<Vec<bool>>>,
    /// By rule: whether its cost is charged to the table. `None` if costs aren't charged to rules.
    pub(crate) charged_rules: Option<Vec<bool>>,
}

impl Recipe {
    /// Make the recipe of an abstraction without costs charged to values.
    pub(crate) fn of(abstraction: Abstraction) -> Self {
        Self {
            abstraction,
            charged_values: None,
            charged_rules: None,
        }
    }
}
