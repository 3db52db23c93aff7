//! Why a certificate isn't exported.

use crate::costs::flaw::{CostFailure, CostFlaw};
use crate::limits::StopReason;

/// Why a certificate has no pseudo-Boolean proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportFailure {
    /// It claims no lower bound, or only the bound 0.
    #[error("the certificate claims no lower bound above 0")]
    NoBound,
    /// It claims only that there is no plan.
    #[error(
        "that there is no plan can't be said in a formula, which needs a bound on the number of moves"
    )]
    NoPlan,
    /// A rule costs nothing.
    #[error(
        "rule {} costs nothing, so plans that cost less than the bound may have any number of moves",
        rule + 1
    )]
    FreeRule {
        /// The rule, from 0.
        rule: usize,
    },
    /// The formula or the proof is too large.
    #[error("the formula or its proof takes more than {} MiB", most >> 20)]
    TooLarge {
        /// The most bytes.
        most: usize,
    },
    /// A plan costs less than the bound.
    #[error("a plan costs less than the bound {bound}")]
    BelowBound {
        /// The bound.
        bound: u64,
    },
    /// The game, the start or a potential of the certificate has a flaw.
    #[error(transparent)]
    Flaw(#[from] CostFlaw),
    /// A limit was reached.
    #[error("it was given up: {0}")]
    Stopped(#[from] StopReason),
}

impl From<CostFailure> for ExportFailure {
    fn from(failure: CostFailure) -> Self {
        match failure {
            CostFailure::Flaw(flaw) => flaw.into(),
            CostFailure::Stopped(reason) => reason.into(),
        }
    }
}
