//! Why a game can't be written as a program.

/// Why a game can't be written as a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The game has no variables, and C has no empty arrays.
    #[error("the game has no variables, and C has no arrays without elements")]
    NoVariables,
    /// A cost doesn't fit the `int` of the interface.
    #[error(
        "rule `{label}` costs {cost}, and costs are `int` in the C interface: {} at most",
        i32::MAX
    )]
    Cost {
        /// The rule's label.
        label: String,
        /// Its cost.
        cost: u64,
    },
    /// The text would be too long for a compiler.
    #[error("{what} would take about {bytes} bytes of text, and the limit is {limit}")]
    TooLong {
        /// The part that is too large.
        what: String,
        /// The bytes that it would take, about.
        bytes: u128,
        /// The most bytes of a file.
        limit: usize,
    },
    /// A machine has another number of letters than there are rules.
    #[error("a machine for {letters} rules comes with {rules} rules")]
    Machine {
        /// The machine's number of letters.
        letters: u32,
        /// The number of rules.
        rules: usize,
    },
}
