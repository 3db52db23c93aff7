//! The growth of nodes, or words, from level to level.

use experiment::LevelKind;

use super::{axis, together};
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::Group;
use crate::tables;

/// A plot for each domain and kind of level.
pub(super) fn plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for domain in tables::domains(groups) {
        for kind in [LevelKind::Depth, LevelKind::Bound, LevelKind::Length] {
            let Some(levels) = tables::mean_levels(groups, domain, kind) else {
                continue;
            };
            let point = |method: &str, level: u64, nodes: f64, n: usize, is_joined: bool| Point {
                x: level as f64,
                y: nodes,
                label: format!("{method}, {level}: {} (n = {n})", crate::short(nodes)),
                is_limited: false,
                is_joined,
            };
            let all: Vec<Series> = levels
                .of
                .iter()
                .map(|(group, levels)| Series {
                    name: group.method.to_owned(),
                    points: levels
                        .iter()
                        .filter(|(_, (nodes, _))| *nodes > 0.0)
                        .scan(None, |before: &mut Option<usize>, (level, (nodes, n))| {
                            let is_joined = before.replace(*n) == Some(*n);
                            Some(point(group.method, *level, *nodes, *n, is_joined))
                        })
                        .collect(),
                })
                .filter(|series| !series.points.is_empty())
                .collect();
            let series = together(all);
            if series.iter().all(|series| series.points.len() < 2) {
                continue;
            }
            let (level, unit, title) = tables::level_words(kind);
            plots.push(Plot {
                title: format!("{domain}: {}", tables::lower(title)),
                caption: tables::level_caption(kind, levels.n, limits),
                kind: PlotKind::Lines,
                x: axis(level, false),
                y: axis(format!("{unit} (log scale)"), true),
                series,
            });
        }
    }
    plots
}
