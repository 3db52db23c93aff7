//! Why there is no certificate.

use budget::StopReason;

/// The greatest number that the format has.
pub(crate) const GREATEST: u64 = 999_999_999;

/// The reasons why a certificate can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A number is greater than the format allows.
    #[error("{what} is greater than {GREATEST}, the greatest number that certificates have")]
    TooLarge {
        /// What the number is.
        what: &'static str,
    },
    /// The format has no place for something.
    #[error("certificates have no {what}")]
    NotCovered {
        /// What it is.
        what: &'static str,
    },
    /// A limit was reached.
    #[error("{}", .0.clause())]
    Stopped(StopReason),
}

impl From<StopReason> for CertificateError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// The number, if the format has it.
pub(crate) fn number(number: u64, what: &'static str) -> Result<u64, CertificateError> {
    if number > GREATEST {
        return Err(CertificateError::TooLarge { what });
    }
    Ok(number)
}
