//! Domains: the finite sets that variables take their values from.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ids::Value;

/// The most values that a domain may have: 2^20.
pub const MAX_DOMAIN_SIZE: u64 = 1 << 20;

/// The bytes of a short name: allocators hand out no smaller blocks.
const BYTES_OF_NAME: usize = size_of::<String>() + 32;

/// A finite set of values with names.
///
/// Domains are distinct: the same name in two domains stands for two values. Names are compared
/// without regard to ASCII case, and printed as the user spelled them.
#[derive(Clone, Debug)]
pub struct Domain {
    name: String,
    // Shared: games that are made from others have the same domains, of up to a million values.
    values: Arc<[String]>,
    names: Names,
}

/// How a value is found by its name.
#[derive(Clone, Debug)]
enum Names {
    /// Names are numbers that count up from this one: nothing is stored, since built-in domains may
    /// be large.
    From(u64),
    Listed(Arc<HashMap<String, Value, ahash::RandomState>>),
}

/// Why a list of values makes no domain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DomainError {
    /// Two values have the same name.
    #[error("domain `{domain}` has the value `{name}` twice")]
    DuplicateValue {
        /// The domain.
        domain: String,
        /// The name.
        name: String,
        /// The place of the first one in the list.
        first: usize,
        /// The place of the second one.
        second: usize,
    },
    /// More than [`MAX_DOMAIN_SIZE`] values, or none.
    #[error("domain `{domain}` has {size} values; 1 to {MAX_DOMAIN_SIZE} are possible")]
    Size {
        /// The domain.
        domain: String,
        /// The number of values.
        size: u64,
    },
}

impl Domain {
    /// A domain with the values in this order.
    ///
    /// # Errors
    /// When two names are the same but for case, or there are too many or none.
    pub fn new(
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, DomainError> {
        let name = name.into();
        let values: Arc<[String]> = values.into_iter().map(Into::into).collect();
        let size = values.len() as u64;
        if size == 0 || size > MAX_DOMAIN_SIZE {
            return Err(DomainError::Size { domain: name, size });
        }
        let mut by_name: HashMap<String, Value, ahash::RandomState> = HashMap::default();
        for (second, value) in values.iter().enumerate() {
            if let Some(first) =
                by_name.insert(value.to_ascii_lowercase(), Value::from_index(second))
            {
                return Err(DomainError::DuplicateValue {
                    domain: name,
                    name: value.clone(),
                    first: first.index(),
                    second,
                });
            }
        }
        Ok(Self {
            name,
            values,
            names: Names::Listed(Arc::new(by_name)),
        })
    }

    /// Return the approximate bytes of the built-in domain with this name, if there can be one.
    #[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
    pub(crate) fn bytes_of_built_in(name: &str) -> Option<u128> {
        let (size, _) = numbers(name).filter(|(size, _)| *size <= MAX_DOMAIN_SIZE)?;
        Some(u128::from(size) * BYTES_OF_NAME as u128)
    }

    /// Return the approximate number of bytes in memory.
    pub(crate) fn n_bytes(&self) -> usize {
        let copies = match self.names {
            Names::From(_) => 1,
            Names::Listed(_) => 2,
        };
        copies * self.size() * BYTES_OF_NAME
    }

    /// Return the built-in domain with this name, if there is one: `4` is {0, 1, 2, 3}, `4N` is {1,
    /// 2, 3, 4}.
    ///
    /// # Errors
    /// When its size is 0 or greater than [`MAX_DOMAIN_SIZE`].
    pub fn built_in(name: &str) -> Option<Result<Self, DomainError>> {
        let (size, first) = numbers(name)?;
        if size == 0 || size > MAX_DOMAIN_SIZE {
            return Some(Err(DomainError::Size {
                domain: name.to_owned(),
                size,
            }));
        }
        Some(Ok(Self {
            name: name.to_owned(),
            values: (first..first + size).map(|it| it.to_string()).collect(),
            names: Names::From(first),
        }))
    }

    /// Return the name that the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Return the number of values.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// Return the names of the values, in order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Return the name of a value.
    ///
    /// # Panics
    /// When the domain has no such value.
    pub fn value_name(&self, value: Value) -> &str {
        &self.values[value.index()]
    }

    /// Return the value of that name, in any case.
    pub fn lookup(&self, name: &str) -> Option<Value> {
        match &self.names {
            Names::From(first) => {
                let index = number(name)?.checked_sub(*first)?;
                let index = usize::try_from(index).ok()?;
                (index < self.values.len()).then(|| Value::from_index(index))
            }
            Names::Listed(by_name) if name.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                by_name.get(&name.to_ascii_lowercase()).copied()
            }
            Names::Listed(by_name) => by_name.get(name).copied(),
        }
    }
}

/// Return the size and the first value of the built-in domain with this name.
fn numbers(name: &str) -> Option<(u64, u64)> {
    let (digits, first) = match name.strip_suffix(['n', 'N']) {
        Some(digits) => (digits, 1),
        None => (name, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().unwrap_or(u64::MAX), first))
}

/// Read a number as it is printed: digits, without zeros in front.
fn number(name: &str) -> Option<u64> {
    let is_printed = name == "0" || !name.starts_with('0');
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|_| is_printed && is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_domains_count_from_0_or_from_1() {
        let plain = Domain::built_in("4").expect("built in").expect("valid");
        assert_eq!(plain.values(), ["0", "1", "2", "3"]);
        let natural = Domain::built_in("4n").expect("built in").expect("valid");
        assert_eq!(natural.values(), ["1", "2", "3", "4"]);
        assert_eq!(
            Domain::built_in("1")
                .expect("built in")
                .expect("valid")
                .size(),
            1
        );
        assert_eq!(plain.lookup("3"), Some(Value(3)));
        assert_eq!(natural.lookup("1"), Some(Value(0)));
        for wrong in [
            "4",
            "-1",
            "+1",
            "01",
            "00",
            "",
            "1 ",
            "99999999999999999999999",
        ] {
            assert_eq!(plain.lookup(wrong), None, "{wrong}");
        }
        assert_eq!(natural.lookup("0"), None);
        assert!(Domain::built_in("four").is_none() && Domain::built_in("n").is_none());
        assert!(Domain::built_in("0").expect("built in").is_err());
        assert!(
            Domain::built_in("99999999999999999999999")
                .expect("built in")
                .is_err()
        );
    }

    #[test]
    fn names_are_looked_up_in_any_case_and_duplicates_refused() {
        let domain = Domain::new("size", ["Small", "MEDIUM"]).expect("valid");
        assert_eq!(domain.lookup("small"), Some(Value(0)));
        assert_eq!(domain.lookup("Medium"), Some(Value(1)));
        assert_eq!(domain.lookup("large"), None);
        assert!(matches!(
            Domain::new("d", ["a", "b", "A"]),
            Err(DomainError::DuplicateValue {
                first: 0,
                second: 2,
                ..
            })
        ));
    }
}
