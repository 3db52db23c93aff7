//! The instances that each method finished within some time, over all domains.

use super::axis;
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, seconds};
use crate::tables;

/// The plot of all searches, if any finished two instances.
pub(crate) fn plot(groups: &[Group<'_>], limits: &str) -> Option<Plot> {
    let mut times: Vec<(&str, Vec<f64>)> = Vec::new();
    let mut n_instances = 0;
    for (_, here) in tables::searches(groups) {
        n_instances += here.iter().map(|group| group.records.len()).max()?;
        for group in here {
            // Work done once for all instances is divided equally among them.
            let share = group.preparation() / group.records.len().max(1) as f64;
            let needed = group.whole().filter_map(seconds).map(|it| it + share);
            let needed = needed.filter(|time| *time > 0.0);
            match times.iter_mut().find(|(name, _)| *name == group.method) {
                Some((_, all)) => all.extend(needed),
                None => times.push((group.method, needed.collect())),
            }
        }
    }
    let series = |(method, mut times): (&str, Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        let points = times.iter().zip(1..).map(|(time, n)| Point {
            x: *time,
            y: f64::from(n),
            label: format!("{method}: {n} within {}", crate::number::time(*time)),
            is_limited: false,
            is_joined: true,
        });
        Series {
            name: method.to_owned(),
            points: points.collect(),
        }
    };
    let series: Vec<Series> = times
        .into_iter()
        .map(series)
        .filter(|series| !series.points.is_empty())
        .collect();
    if series.iter().all(|series| series.points.len() < 2) {
        return None;
    }
    Some(Plot {
        title: "Instances finished over time".to_owned(),
        caption: format!(
            "How many of all {} instances each method finishes within some time for each, with an equal share of its \
             preparation; {limits}.",
            crate::group_digits(n_instances as u128)
        ),
        kind: PlotKind::Steps,
        x: axis("time (s, log scale)", true),
        y: axis("finished instances", false),
        series,
    })
}
