//! Records in groups, and what can be said of a group.

use std::collections::HashMap;

use experiment::{Outcome, Record};

/// The records of one method in one domain.
#[derive(Clone, Debug)]
pub(crate) struct Group<'a> {
    pub(crate) domain: &'a str,
    pub(crate) method: &'a str,
    /// The command of the method: what isn't done by the same one isn't compared.
    pub(crate) command: &'a str,
    /// Whether this is the method that others of the command are compared with.
    pub(crate) is_first: bool,
    pub(crate) records: Vec<&'a Record>,
}

/// Whether a record tells all that was to be found: no limit stopped it, and it could be run.
pub(crate) fn is_whole(record: &Record) -> bool {
    let outcome = record.measured.outcome;
    !outcome.is_limit() && outcome != Outcome::Failed
}

/// The mean of what the records say; `None` where none says anything.
pub(crate) fn mean<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    value: impl Fn(&Record) -> Option<f64>,
) -> Option<f64> {
    let values: Vec<f64> = records.into_iter().filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl<'a> Group<'a> {
    /// The records in pairs with those of another method for the same instances, where both are whole.
    pub(crate) fn pairs(&self, other: &Group<'a>) -> Vec<(&'a Record, &'a Record)> {
        let twins: HashMap<&str, &'a Record> = other
            .records
            .iter()
            .map(|record| (record.instance.as_str(), *record))
            .collect();
        let pairs = self.records.iter().filter_map(|record| {
            let twin = twins.get(record.instance.as_str())?;
            (is_whole(record) && is_whole(twin)).then_some((*record, *twin))
        });
        pairs.collect()
    }

    /// How many times more the other method needs, over all instances that both did.
    pub(crate) fn ratio_to(
        &self,
        other: &Group<'a>,
        value: impl Fn(&Record) -> Option<f64>,
    ) -> Option<f64> {
        let mut sums = (0.0, 0.0);
        for (mine, theirs) in self.pairs(other) {
            if let (Some(mine), Some(theirs)) = (value(mine), value(theirs)) {
                sums.0 += mine;
                sums.1 += theirs;
            }
        }
        (sums.0 > 0.0).then(|| sums.1 / sums.0)
    }

    /// The records that are whole.
    pub(crate) fn whole(&self) -> impl Iterator<Item = &'a Record> {
        self.records
            .iter()
            .copied()
            .filter(|record| is_whole(record))
    }

    /// How many a limit stopped.
    pub(crate) fn n_limited(&self) -> usize {
        self.records
            .iter()
            .filter(|record| record.measured.outcome.is_limit())
            .count()
    }

    /// How many have this outcome.
    pub(crate) fn n(&self, outcome: Outcome) -> usize {
        self.records
            .iter()
            .filter(|record| record.measured.outcome == outcome)
            .count()
    }
}

/// Generated nodes.
pub(crate) fn generated(record: &Record) -> Option<f64> {
    record.measured.generated.map(|n| n as f64)
}

/// Processor time where it is known, else time.
pub(crate) fn seconds(record: &Record) -> Option<f64> {
    Some(record.measured.best_seconds())
}
