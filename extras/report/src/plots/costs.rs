//! The number of instances with a solution of each cost.

use std::collections::BTreeMap;

use super::axis;
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::Group;
use crate::tables;

/// A plot for each domain with solutions of several costs.
pub(super) fn plots(groups: &[Group<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for domain in tables::domains(groups) {
        // Methods that find the same costs are shown once.
        let mut shown: Vec<(String, BTreeMap<u64, usize>)> = Vec::new();
        for group in groups.iter().filter(|group| group.domain == domain) {
            let costs = tables::costs_of(group);
            match shown.iter_mut().find(|(_, known)| *known == costs) {
                _ if costs.is_empty() => {}
                Some((names, _)) => names.push_str(&format!(", {}", group.method)),
                None => shown.push((group.method.to_owned(), costs)),
            }
        }
        let n_costs: std::collections::BTreeSet<u64> = shown
            .iter()
            .flat_map(|(_, costs)| costs.keys().copied())
            .collect();
        if n_costs.len() < 2 {
            continue;
        }
        let series = shown.into_iter().map(|(name, costs)| Series {
            points: costs
                .into_iter()
                .map(|(cost, n)| Point {
                    x: cost as f64,
                    y: n as f64,
                    label: format!("{name}: {n} of cost {cost}"),
                    is_limited: false,
                    is_joined: true,
                })
                .collect(),
            name,
        });
        plots.push(Plot {
            title: format!("{domain}: costs of solutions"),
            caption: tables::COSTS.to_owned(),
            kind: PlotKind::Bars,
            x: axis("cost of the solution", false),
            y: axis("instances", false),
            series: series.collect(),
        });
    }
    plots
}
