//! The spread of the times of repeated runs.

use std::collections::{BTreeSet, HashMap};

use experiment::Record;

use crate::stats::{Group, is_whole};
use crate::table::{Entry, Table};

/// A time is an outlier if its distance from the median exceeds the typical distance by this
/// factor.
const FAR: f64 = 3.5;

/// Scales the median distance from the median to a standard deviation.
const NORMAL: f64 = 1.4826;

/// With fewer runs, outliers can't be identified.
const FEWEST_FOR_OUTLIERS: usize = 4;

/// The times of a method in each run.
pub(crate) struct Spread {
    times: Vec<f64>,
}

impl Spread {
    fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The median of some sorted values; 0 if there are none.
    fn median(values: &[f64]) -> f64 {
        match values.len() {
            0 => 0.0,
            n if n % 2 == 1 => values[n / 2],
            n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    /// The standard deviation of a sample.
    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.times.iter().map(|time| (time - mean).powi(2));
        (squares.sum::<f64>() / (self.times.len() - 1) as f64).sqrt()
    }

    /// The deviation as a share of the mean.
    pub(crate) fn share(&self) -> f64 {
        match self.mean() {
            mean if mean > 0.0 => self.deviation() / mean,
            _ => 0.0,
        }
    }

    /// The times that are outliers.
    fn outliers(&self) -> Vec<f64> {
        if self.times.len() < FEWEST_FOR_OUTLIERS {
            return Vec::new();
        }
        let median = Self::median(&Self::sorted(self.times.iter().copied()));
        let away = |time: &f64| (time - median).abs();
        let typical = NORMAL * Self::median(&Self::sorted(self.times.iter().map(away)));
        let is_far = |time: &f64| typical > 0.0 && away(time) > FAR * typical;
        let mut far: Vec<f64> = self.times.iter().copied().filter(is_far).collect();
        far.sort_by(f64::total_cmp);
        far
    }
}

/// A method in a domain, with its times run by run.
pub(crate) struct OfMethod<'a> {
    pub(crate) domain: &'a str,
    pub(crate) method: &'a str,
    n_instances: usize,
    pub(crate) spread: Spread,
}

/// The times of each method, summed over the instances that every run finished. Methods whose runs
/// have no instance in common are left out.
pub(crate) fn spreads<'a>(groups: &[Group<'a>], runs: &[&'a [Record]]) -> Vec<OfMethod<'a>> {
    if runs.len() < 2 {
        return Vec::new();
    }
    let of = |group: &Group<'a>| {
        let is_its = |record: &&Record| {
            is_whole(record) && record.domain == group.domain && record.method == group.method
        };
        let times: Vec<HashMap<&str, f64>> = runs
            .iter()
            .map(|records| {
                let records = records.iter().filter(is_its);
                let time = |record: &'a Record| (record.instance.as_str(), record.measured.seconds);
                records.map(time).collect()
            })
            .collect();
        let names = times.iter().map(|run| run.keys().copied().collect());
        let common: BTreeSet<&str> = names
            .reduce(|a: BTreeSet<&str>, b| a.intersection(&b).copied().collect())
            .unwrap_or_default();
        let total = |run: &HashMap<&str, f64>| common.iter().filter_map(|name| run.get(name)).sum();
        (!common.is_empty()).then(|| OfMethod {
            domain: group.domain,
            method: group.method,
            n_instances: common.len(),
            spread: Spread {
                times: times.iter().map(total).collect(),
            },
        })
    };
    groups.iter().filter_map(of).collect()
}

/// The table of runs, where there are several.
pub(crate) fn table(spreads: &[OfMethod<'_>]) -> Option<Table> {
    let caption = format!(
        "Time of each run for the n instances that every run finished, all of them together and without preparation. \
         σ is the standard deviation of the runs. An outlier is a run whose time is more than {FAR} times the typical \
         distance from the median away from it; fewer than {FEWEST_FOR_OUTLIERS} runs have none."
    );
    let mut table = Table::new("runs", "Repeated runs", caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("runs", "runs")
        .right("instances", "n")
        .right("mean_seconds", "mean")
        .right("deviation_seconds", "σ")
        .right("deviation_share", "σ / mean")
        .right("least_seconds", "min")
        .right("greatest_seconds", "max")
        .left("outliers", "outliers");
    for of in spreads {
        let times = &of.spread.times;
        let extreme =
            |better: fn(f64, f64) -> f64| Entry::time(times.iter().copied().reduce(better));
        let outliers = of.spread.outliers();
        // Runs have no number: their order isn't that of the files.
        let outliers = outliers.into_iter().map(crate::number::time);
        let share = of.spread.share();
        table.rows.push(vec![
            Entry::text(of.domain),
            Entry::text(of.method),
            Entry::number(times.len() as f64),
            Entry::number(of.n_instances as f64),
            Entry::time(Some(of.spread.mean())),
            Entry::time(Some(of.spread.deviation())),
            Entry {
                text: format!("{:.1}%", 100.0 * share),
                ..Entry::number(share)
            },
            extreme(f64::min),
            extreme(f64::max),
            Entry::text(outliers.collect::<Vec<String>>().join(", ")),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}
