//! Each method against the first one: a point for each instance.

use experiment::Spec;

use super::axis;
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, generated};
use crate::tables;

/// The most methods that plots compare with the first one.
const MOST_SCATTERS: usize = 6;

/// A plot for each method that is not the first of its command.
pub(super) fn plots(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (place, method) in spec.methods.iter().enumerate() {
        let mut before = spec.methods[..place].iter();
        let Some(first) = before.find(|other| other.command == method.command) else {
            continue;
        };
        let mut series = Vec::new();
        for domain in tables::domains(groups) {
            let of = |name: &str| {
                groups
                    .iter()
                    .find(|group| group.domain == domain && group.method == name)
            };
            let (Some(base), Some(other)) = (of(&first.name), of(&method.name)) else {
                continue;
            };
            let points = base.pairs(other).into_iter().filter_map(|(mine, theirs)| {
                let (x, y) = (generated(mine)?, generated(theirs)?);
                Some(Point {
                    x,
                    y,
                    label: format!(
                        "{domain}, {}: {} and {}",
                        mine.instance,
                        crate::short(x),
                        crate::short(y)
                    ),
                    is_limited: false,
                    is_joined: true,
                })
            });
            series.push(Series {
                name: domain.to_owned(),
                points: points.collect(),
            });
        }
        series.retain(|series| !series.points.is_empty());
        let n_points: usize = series.iter().map(|series| series.points.len()).sum();
        if n_points < 2 {
            continue;
        }
        plots.push(Plot {
            title: format!("{} against {}", method.name, first.name),
            caption: format!(
                "Generated nodes, one point for each of the {} that both methods finished; {limits}. \
                 Below the diagonal {} needs fewer; the fainter lines \
                 stand for ten times as many and a tenth.",
                match n_points {
                    1 => "1 instance".to_owned(),
                    n => format!("{} instances", crate::group_digits(n as u128)),
                },
                method.name
            ),
            kind: PlotKind::Scatter,
            x: axis(format!("{}: generated nodes (log scale)", first.name), true),
            y: axis(format!("{}: generated nodes (log scale)", method.name), true),
            series,
        });
        if plots.len() == MOST_SCATTERS {
            break;
        }
    }
    plots
}
