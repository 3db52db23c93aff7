//! Records in groups, and statistics of a group.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use experiment::{Options, Outcome, Record};

use crate::table::Bound;

/// The records of one method in one domain.
#[derive(Clone, Debug)]
pub(crate) struct Group<'a> {
    pub(crate) domain: &'a str,
    pub(crate) method: &'a str,
    /// The command of the method. Only methods of one command are compared.
    pub(crate) command: &'a str,
    /// Whether this is the method that others of the command are compared with.
    pub(crate) is_first: bool,
    pub(crate) records: Vec<&'a Record>,
}

/// Whether a record is complete: no limit stopped the cell, and it could be run.
pub(crate) fn is_whole(record: &Record) -> bool {
    let outcome = record.measured.outcome;
    !outcome.is_limit() && outcome != Outcome::Failed
}

/// The mean of a value of the records; `None` if none has it.
pub(crate) fn mean<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    value: impl Fn(&Record) -> Option<f64>,
) -> Option<f64> {
    let values: Vec<f64> = records.into_iter().filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl<'a> Group<'a> {
    /// The records in pairs with those of another method for the same instances, if both are whole.
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

    /// The records for some instances, and the kind of bound of their figures: exact if all of them
    /// are whole, else lower bounds if none is. `None` if there is no record of that kind for one
    /// of them.
    pub(crate) fn over(&self, instances: &BTreeSet<&str>) -> Option<(Vec<&'a Record>, Bound)> {
        let is_there = |record: &&&'a Record| {
            record.measured.outcome != Outcome::Failed
                && instances.contains(record.instance.as_str())
        };
        let records: Vec<&'a Record> = self.records.iter().filter(is_there).copied().collect();
        let n_whole = records.iter().filter(|record| is_whole(record)).count();
        let bound = match n_whole {
            n if n == records.len() => Bound::Exact,
            0 => Bound::Lower,
            _ => return None,
        };
        (records.len() == instances.len()).then_some((records, bound))
    }

    /// The time, in seconds, of preparation done once for all instances with the same options.
    pub(crate) fn preparation(&self) -> f64 {
        let mut times: BTreeMap<&Options, f64> = BTreeMap::new();
        for record in &self.records {
            let time = times.entry(&record.options).or_default();
            *time = time.max(record.measured.preparation_seconds);
        }
        times.values().sum()
    }

    /// The part with the instances at the ends of walks of `steps` steps.
    pub(crate) fn at_steps(&self, steps: u64) -> Self {
        let records = self.records.iter().copied();
        Self {
            records: records.filter(|r| r.steps == Some(steps)).collect(),
            ..self.clone()
        }
    }

    /// The records that are whole.
    pub(crate) fn whole(&self) -> impl Iterator<Item = &'a Record> {
        self.records
            .iter()
            .copied()
            .filter(|record| is_whole(record))
    }

    /// The number of records that a limit stopped.
    pub(crate) fn n_limited(&self) -> usize {
        self.records
            .iter()
            .filter(|record| record.measured.outcome.is_limit())
            .count()
    }

    /// The number of records with this outcome.
    pub(crate) fn n(&self, outcome: Outcome) -> usize {
        self.records
            .iter()
            .filter(|record| record.measured.outcome == outcome)
            .count()
    }
}

/// The instances that all of these methods finished. Methods that finished none are ignored: their
/// needs for the others' instances have lower bounds. If no method finished any, the instances that
/// all of them tried.
pub(crate) fn compared<'a>(groups: &[&Group<'a>]) -> BTreeSet<&'a str> {
    let names = |group: &Group<'a>, is_it: fn(&Record) -> bool| -> BTreeSet<&'a str> {
        let records = group.records.iter().filter(|record| is_it(record));
        records.map(|record| record.instance.as_str()).collect()
    };
    let finished: Vec<BTreeSet<&str>> = groups
        .iter()
        .map(|group| names(group, is_whole))
        .filter(|names| !names.is_empty())
        .collect();
    let sets = if finished.is_empty() {
        let is_tried = |record: &Record| record.measured.outcome != Outcome::Failed;
        let tried = groups.iter().map(|group| names(group, is_tried));
        tried.filter(|names| !names.is_empty()).collect()
    } else {
        finished
    };
    let in_both = |a: BTreeSet<&'a str>, b| a.intersection(&b).copied().collect();
    sets.into_iter().reduce(in_both).unwrap_or_default()
}

/// The needs of the first method divided by those of the other; either may be a bound.
pub(crate) fn ratio(first: (f64, Bound), other: (f64, Bound)) -> Option<(f64, Bound)> {
    let bound = match (first.1, other.1) {
        (Bound::Exact, Bound::Exact) => Bound::Exact,
        (Bound::Lower, Bound::Exact) => Bound::Lower,
        (Bound::Exact, Bound::Lower) => Bound::Upper,
        _ => return None,
    };
    (first.0 > 0.0 && other.0 > 0.0).then(|| (first.0 / other.0, bound))
}

/// Generated nodes.
pub(crate) fn generated(record: &Record) -> Option<f64> {
    record.measured.generated.map(|n| n as f64)
}

/// The time of the search by the clock.
pub(crate) fn seconds(record: &Record) -> Option<f64> {
    Some(record.measured.seconds)
}
