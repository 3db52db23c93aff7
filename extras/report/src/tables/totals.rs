//! The total needs of methods, over all instances on which they are compared.

use std::collections::BTreeSet;

use experiment::Record;

use crate::stats::{Group, generated, mean, ratio, seconds};
use crate::table::Bound;

/// Times below this, in seconds, depend more on the machine than on methods.
pub(crate) const SHORT: f64 = 0.01;

/// The needs of a method for the instances that methods are compared on.
pub(crate) struct Totals<'a> {
    pub(crate) records: Vec<&'a Record>,
    /// How the totals bound the true ones.
    pub(crate) bound: Bound,
    pub(crate) generated: Option<f64>,
    /// Time of the searches.
    search_seconds: f64,
    /// The same with preparation.
    pub(crate) seconds: Option<f64>,
}

impl<'a> Totals<'a> {
    pub(crate) fn of(group: &Group<'a>, instances: &BTreeSet<&str>) -> Self {
        let (records, bound) = group.over(instances).unwrap_or_default();
        let n = records.len() as f64;
        let total = |value: fn(&Record) -> Option<f64>| {
            Some(mean(records.iter().copied(), value)? * n).filter(|total| *total > 0.0)
        };
        let search_seconds = total(seconds);
        Self {
            bound,
            generated: total(generated),
            search_seconds: search_seconds.unwrap_or(0.0),
            seconds: search_seconds.map(|seconds| seconds + group.preparation()),
            records,
        }
    }

    /// Nodes per second of the searches.
    pub(crate) fn speed(&self) -> Option<f64> {
        let nodes = self.generated?;
        (self.search_seconds > 0.0).then(|| (nodes / self.search_seconds).round())
    }

    /// Whether the times of both are so short that their ratio is meaningless.
    pub(crate) fn is_too_short_for(&self, other: &Totals<'_>) -> bool {
        let is_short = |totals: &Totals<'_>| totals.seconds.is_some_and(|time| time < SHORT);
        is_short(self) && is_short(other)
    }

    /// The ratio of these totals to others, if both are known and one is exact.
    pub(crate) fn ratio(
        &self,
        other: &Totals<'_>,
        value: fn(&Totals<'_>) -> Option<f64>,
    ) -> Option<(f64, Bound)> {
        ratio((value(self)?, self.bound), (value(other)?, other.bound))
    }
}
