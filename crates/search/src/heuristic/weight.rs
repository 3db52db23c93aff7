//! The weight of weighted A*, as a fraction.

use std::str::FromStr;

use psvn_ir::common_divisor;

/// The weight of the heuristic in f = g + w h: a fraction, so that sums are exact and equal scores
/// compare as equal.
///
/// It is parsed from a decimal number or a fraction:
///
/// ```
/// use search::Weight;
///
/// let weight: Weight = "1.5".parse()?;
/// assert_eq!(weight, Weight::new(3, 2)?);
/// assert_eq!(weight, "3/2".parse()?);
/// assert_eq!(weight.to_string(), "3/2");
/// assert!("-1".parse::<Weight>().is_err());
/// # Ok::<(), search::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    numerator: u32,
    denominator: u32,
}

/// Why a text or pair of numbers is not a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightError {
    /// The text is not a number.
    #[error("a weight is a number such as 2, 1.5 or 3/2")]
    Syntax,
    /// The denominator is 0, or one of the two has more than 32 bits in lowest terms.
    #[error("a weight is a fraction of two numbers below 4294967296, the second one not 0")]
    Range,
}

impl Weight {
    /// Weight 1: plain A*.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// Weight 0: uniform cost.
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };

    /// Make a weight from a fraction, which is reduced to lowest terms.
    ///
    /// # Errors
    /// When the denominator is 0, or the fraction in lowest terms has parts of more than 32 bits.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, WeightError> {
        let divisor = common_divisor([numerator, denominator]).max(1);
        let part = |n: u64| u32::try_from(n / divisor).map_err(|_| WeightError::Range);
        if denominator == 0 {
            return Err(WeightError::Range);
        }
        Ok(Self {
            numerator: part(numerator)?,
            denominator: part(denominator)?,
        })
    }

    /// Return the numerator.
    pub fn numerator(self) -> u32 {
        self.numerator
    }

    /// Return the denominator, which is not 0.
    pub fn denominator(self) -> u32 {
        self.denominator
    }

    /// Return g + w h, times the denominator. Below 2^97.
    #[inline]
    pub(crate) fn total(self, g: u64, h: u64) -> u128 {
        u128::from(self.denominator) * u128::from(g) + u128::from(self.numerator) * u128::from(h)
    }

    /// Return a [`total`](Self::total) divided by the denominator, rounded down, at most 2^64 - 1.
    pub(crate) fn scaled_down(self, total: u128) -> u64 {
        u64::try_from(total / u128::from(self.denominator)).unwrap_or(u64::MAX)
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let digits = |text: &str| -> Result<u64, WeightError> {
            if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(WeightError::Syntax);
            }
            text.parse().map_err(|_| WeightError::Range)
        };
        if let Some((numerator, denominator)) = text.split_once('/') {
            return Self::new(digits(numerator)?, digits(denominator)?);
        }
        let Some((whole, fraction)) = text.split_once('.') else {
            return Self::new(digits(text)?, 1);
        };
        let places = u32::try_from(fraction.len()).map_err(|_| WeightError::Range)?;
        let denominator = 10_u64.checked_pow(places).ok_or(WeightError::Range)?;
        let numerator = digits(whole)?
            .checked_mul(denominator)
            .and_then(|whole| whole.checked_add(digits(fraction).ok()?));
        match numerator {
            Some(numerator) => Self::new(numerator, denominator),
            None => Err(digits(fraction).err().unwrap_or(WeightError::Range)),
        }
    }
}

impl std::fmt::Display for Weight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_refused() {
        let read = |text: &str| text.parse::<Weight>().map(|w| (w.numerator, w.denominator));
        assert_eq!(read("0.1"), Ok((1, 10)));
        assert_eq!(read("2.50"), Ok((5, 2)));
        assert_eq!(read("6/4"), Ok((3, 2)));
        assert_eq!(read("0"), Ok((0, 1)));
        for text in [
            "", ".", "1.", ".5", "1.5.2", "1e3", "-2", "+2", "1/2/3", "inf", "1 ",
        ] {
            assert_eq!(read(text), Err(WeightError::Syntax), "{text}");
        }
        for text in [
            "1/0",
            "99999999999",
            "99999999999999999999",
            "0.123456789012345678901",
        ] {
            assert_eq!(read(text), Err(WeightError::Range), "{text}");
        }
        assert_eq!(Weight::new(u64::MAX, u64::MAX), Ok(Weight::ONE));
    }
}
