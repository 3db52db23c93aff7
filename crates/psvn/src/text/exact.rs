//! Whole numbers in JSON without loss.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A whole number. Beyond 2^53 it is written as text, because programs that read JSON numbers as
/// 64-bit floats would lose digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(
    /// The number.
    pub u128,
);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(number.into()),
            Written::Text(text) => text.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}

impl From<u64> for Exact {
    fn from(number: u64) -> Self {
        Self(u128::from(number))
    }
}

#[cfg(test)]
mod tests {
    use super::Exact;

    #[test]
    fn large_numbers_become_text() {
        let json = |number| serde_json::to_string(&Exact(number)).unwrap();
        assert_eq!(json(1 << 53), "9007199254740992");
        assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
        assert_eq!(json(u128::MAX), format!("\"{}\"", u128::MAX));
        for number in [0, 1 << 53, (1 << 53) + 1, u128::MAX] {
            assert_eq!(
                serde_json::from_str(&json(number)).ok(),
                Some(Exact(number))
            );
        }
        assert!(serde_json::from_str::<Exact>("\"1e3\"").is_err());
    }
}
