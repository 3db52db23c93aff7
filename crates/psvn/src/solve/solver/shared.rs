//! Preparations that several methods of an experiment share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;
use crate::heuristic::PreparedHeuristic;
use crate::solve::pruning::PreparedPruning;

/// The preparations for one domain. A command with one task leaves it empty.
#[derive(Default)]
pub struct Shared {
    /// Prunings.
    pub prunings: SharedValues<PreparedPruning>,
    /// Heuristics.
    pub heuristics: SharedValues<PreparedHeuristic>,
}

impl Shared {
    /// Drop everything.
    pub fn clear(&self) {
        self.prunings.0.borrow_mut().kept.clear();
        self.heuristics.0.borrow_mut().kept.clear();
    }
}

/// Values by the settings that they are made for. A value is kept as long as further requests for
/// it are planned.
pub struct SharedValues<T>(RefCell<Values<T>>);

struct Values<T> {
    /// The planned requests for each setting.
    planned: BTreeMap<String, usize>,
    kept: BTreeMap<String, Arc<T>>,
}

impl<T> Default for SharedValues<T> {
    fn default() -> Self {
        Self(RefCell::new(Values {
            planned: BTreeMap::new(),
            kept: BTreeMap::new(),
        }))
    }
}

impl<T> SharedValues<T> {
    /// Plan a request for a setting.
    pub fn plan(&self, setting: String) {
        *self.0.borrow_mut().planned.entry(setting).or_default() += 1;
    }

    /// Return the value for a setting, and whether it was made before. Values with different
    /// details count as different.
    ///
    /// # Errors
    /// The errors of `make`.
    pub fn get(
        &self,
        setting: &str,
        details: &str,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<(Arc<T>, bool), Error> {
        let key = format!("{setting}; {details}");
        let is_last = {
            let mut values = self.0.borrow_mut();
            let left = values.planned.get_mut(setting).map_or(0, |left| {
                *left = left.saturating_sub(1);
                *left
            });
            let found = match left {
                0 => values.kept.remove(&key),
                _ => values.kept.get(&key).cloned(),
            };
            if let Some(found) = found {
                return Ok((found, true));
            }
            left == 0
        };
        let made = Arc::new(make()?);
        if !is_last {
            let mut values = self.0.borrow_mut();
            values.kept.insert(key, Arc::clone(&made));
        }
        Ok((made, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_made_once_and_kept_while_they_are_needed() {
        let shared: SharedValues<u32> = SharedValues::default();
        for setting in ["a", "a", "b", "a"] {
            shared.plan(setting.to_owned());
        }
        let get = |setting: &str, details: &str, value: u32| {
            let (found, is_reused) = shared.get(setting, details, || Ok(value)).unwrap();
            (*found, is_reused)
        };
        assert_eq!(get("a", "", 1), (1, false));
        assert_eq!(get("b", "", 2), (2, false));
        assert_eq!(get("a", "", 3), (1, true));
        assert_eq!(get("a", "", 4), (1, true));
        assert!(
            shared.0.borrow().kept.is_empty(),
            "nobody asks for them any more"
        );
        assert_eq!(get("a", "", 5), (5, false));
        shared.plan("a".to_owned());
        shared.plan("a".to_owned());
        assert_eq!(get("a", "one", 6), (6, false));
        assert_eq!(get("a", "two", 7), (7, false));
        assert!(shared.get("c", "", || Err(Error::usage("no"))).is_err());
    }
}
