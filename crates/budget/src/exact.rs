//! Whole numbers in JSON without loss.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A whole number. Beyond 2^53 it is written as text, because programs that read JSON numbers as
/// 64-bit floats would lose digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(
    /// The number.
    pub u128,
);

impl JsonSchema for Exact {
    fn schema_name() -> Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A whole number; beyond 2^53 as text.",
            "type": ["integer", "string"],
            "minimum": 0,
            "pattern": "^[0-9]+$",
        })
    }
}

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
        struct Written;

        impl Visitor<'_> for Written {
            type Value = Exact;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or one as text")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Exact, E> {
                Ok(number.into())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Exact, E> {
                text.parse().map(Exact).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Written)
    }
}

/// Numbers of 64 or 128 bits as [`Exact`] ones, for fields of types that are part of others.
pub mod exact_number {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Exact;

    /// Write a number.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<T: Copy + Into<u128>, S: Serializer>(
        number: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Exact((*number).into()).serialize(serializer)
    }

    /// Read a number.
    ///
    /// # Errors
    /// When there is none, or it is too large.
    pub fn deserialize<'de, T: TryFrom<u128>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let Exact(number) = Exact::deserialize(deserializer)?;
        T::try_from(number).map_err(|_| D::Error::custom(format!("{number} is too large")))
    }
}

/// The same for numbers that may be missing.
pub mod exact_option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Exact;

    /// Write a number.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(
        number: &Option<u128>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number.map(Exact).serialize(serializer)
    }

    /// Read a number.
    ///
    /// # Errors
    /// When there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u128>, D::Error> {
        Ok(Option::<Exact>::deserialize(deserializer)?.map(|number| number.0))
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

    #[test]
    fn fields_are_numbers_of_their_own_width() {
        let read = |json: &str| -> Result<u64, serde_json::Error> {
            super::exact_number::deserialize(&mut serde_json::Deserializer::from_str(json))
        };
        for number in [7, (1 << 53) + 1, u64::MAX] {
            let mut json = Vec::new();
            let mut to = serde_json::Serializer::new(&mut json);
            super::exact_number::serialize(&number, &mut to).unwrap();
            let json = String::from_utf8(json).unwrap();
            assert_eq!(json.starts_with('"'), number > 1 << 53, "{json}");
            assert_eq!(read(&json).ok(), Some(number));
        }
        let error = read("\"18446744073709551616\"").unwrap_err();
        assert!(error.to_string().contains("too large"), "{error}");
    }
}
