//! What a selection may make.

use advisor::Candidate;
use heuristics::{Name, tables};

use crate::auto::steps::{STEPS_OF_ABSTRACTIONS, STEPS_OF_BYTE};

/// The most bytes of Cartesian abstractions, whose size is limited, while they are made.
const BYTES_OF_ABSTRACTIONS: u128 = 40 << 20;

/// What may be made.
#[derive(Clone)]
pub(crate) enum Purchase {
    Tables {
        candidate: tables::Candidate,
        /// Whether all of them are kept from before.
        is_kept: bool,
    },
    /// Cartesian abstractions, beside the heuristic that needs no tables.
    Abstractions,
}

impl Purchase {
    /// Return tables with their price: the work to build them, or to read those that are kept.
    pub(crate) fn tables(candidate: tables::Candidate, is_kept: bool) -> Candidate<Self> {
        let size = candidate.work() as f64;
        let reading = candidate.bytes() as f64 * STEPS_OF_BYTE;
        Candidate {
            size,
            price: if is_kept { size.min(reading) } else { size },
            option: Self::Tables { candidate, is_kept },
        }
    }

    /// Return abstractions with their price.
    pub(crate) fn abstractions() -> Candidate<Self> {
        Candidate {
            size: STEPS_OF_ABSTRACTIONS,
            price: STEPS_OF_ABSTRACTIONS,
            option: Self::Abstractions,
        }
    }

    /// Describe it.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Tables { candidate, .. } => candidate.words(),
            Self::Abstractions => Name::Cartesian.as_str(),
        }
    }

    /// The most bytes that it needs while it is made.
    pub(crate) fn peak_bytes(&self) -> u128 {
        match self {
            Self::Tables { candidate, .. } => candidate.peak_bytes(),
            Self::Abstractions => BYTES_OF_ABSTRACTIONS,
        }
    }
}
