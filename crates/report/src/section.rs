//! The tables and plots of one experiment.

use std::collections::BTreeMap;

use experiment::{Header, LevelKind, Outcome, Record, Results, Spec};

use crate::plot::{Axis, Plot, PlotKind, Point, Series};
use crate::stats::{Group, compared, generated, mean};
use crate::sweep;
use crate::table::{Bound, Table};
use crate::tables;

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One section for each experiment.
    pub sections: Vec<Section>,
}

/// The tables and plots of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The title of the experiment.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// What the reader should know: what is missing, where it was measured.
    pub notes: Vec<String>,
    /// The tables; that of the single cells is the last one.
    pub tables: Vec<Table>,
    /// The plots.
    pub plots: Vec<Plot>,
}

/// No more methods are compared with the first one in plots.
const MOST_SCATTERS: usize = 6;

impl Report {
    /// Make a report of some experiments.
    pub fn new(results: &[Results]) -> Self {
        let sections = results.iter().filter_map(|results| {
            let header = results.header.as_ref()?;
            Some(Section::new(header, &results.records))
        });
        Self {
            sections: sections.collect(),
        }
    }
}

impl Section {
    fn new(header: &Header, records: &[Record]) -> Self {
        let spec = &header.spec;
        let groups = groups(spec, records);
        let limits = limits_in_words(spec);
        let mut tables = Vec::new();
        tables.extend(tables::summary(spec, &groups, &limits));
        tables.extend(tables::analyses(spec, &groups));
        tables.extend(tables::published::table(spec, &groups, &limits));
        tables.extend(tables::by_steps(spec, &groups, &limits));
        tables.extend(tables::levels(&groups, &limits));
        tables.extend(tables::costs(&groups));
        tables.push(tables::cells(&groups, &limits));
        let mut plots = steps_plots(&groups, &limits);
        plots.extend(growth_plots(&groups, &limits));
        let sweeps = sweep::plots(&groups, &limits);
        // Where there are many methods because of their weights, these curves say it all.
        if sweeps.is_empty() {
            plots.extend(scatter_plots(spec, &groups, &limits));
            plots.extend(cost_plots(&groups));
        }
        plots.extend(sweeps);
        Self {
            title: spec.title.clone(),
            description: spec.description.trim().to_owned(),
            notes: notes(header, records),
            tables,
            plots,
        }
    }
}

/// The records by domain and method, in the order of the experiment.
fn groups<'a>(spec: &'a Spec, records: &'a [Record]) -> Vec<Group<'a>> {
    let mut by_name: BTreeMap<(&str, &str), Vec<&Record>> = BTreeMap::new();
    for record in records {
        let name = (record.domain.as_str(), record.method.as_str());
        by_name.entry(name).or_default().push(record);
    }
    let mut groups = Vec::new();
    for domain in &spec.domains {
        let mut commands: Vec<&str> = Vec::new();
        for method in &spec.methods {
            let name = (domain.name.as_str(), method.name.as_str());
            if let Some(records) = by_name.remove(&name) {
                groups.push(Group {
                    domain: name.0,
                    method: name.1,
                    command: &method.command,
                    is_first: !commands.contains(&method.command.as_str()),
                    records,
                });
                commands.push(&method.command);
            }
        }
    }
    groups
}

fn limits_in_words(spec: &Spec) -> String {
    let limits = &spec.limits;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(limits.time.clone());
    parts.extend(
        limits
            .nodes
            .map(|n| format!("{} nodes", crate::group_digits(n.into()))),
    );
    parts.extend(
        limits
            .memory
            .as_ref()
            .map(|memory| format!("{memory} of memory")),
    );
    match parts.as_slice() {
        [] => "without limits".to_owned(),
        parts => format!("limits for each cell: {}", parts.join(", ")),
    }
}

fn notes(header: &Header, records: &[Record]) -> Vec<String> {
    let mut notes = vec![format!(
        "{} of {} cells are done. Measured by {} on a machine with {} processors, {} at a time.",
        crate::group_digits(records.len() as u128),
        crate::group_digits(header.cells as u128),
        header.program,
        header.processors,
        if header.jobs == 1 {
            "one cell".to_owned()
        } else {
            format!("{} cells", header.jobs)
        },
    )];
    let n =
        |is_it: fn(Outcome) -> bool| records.iter().filter(|r| is_it(r.measured.outcome)).count();
    let limited = n(Outcome::is_limit);
    if limited > 0 {
        notes.push(format!(
            "{} stopped by a limit: > and < mark bounds of what could not be measured.",
            cells_were(limited)
        ));
    }
    let failed = n(|outcome| outcome == Outcome::Failed);
    if failed > 0 {
        notes.push(format!(
            "{} not run; the table of cells says why.",
            cells_were(failed)
        ));
    }
    notes
}

fn cells_were(n: usize) -> String {
    match n {
        1 => "1 cell was".to_owned(),
        n => format!("{} cells were", crate::group_digits(n as u128)),
    }
}

fn axis(title: impl Into<String>, is_log: bool) -> Axis {
    Axis {
        title: title.into(),
        is_log,
    }
}

/// The same figures are drawn once, under all of their names: one line would hide the other.
fn together(all: Vec<Series>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for one in all {
        let places = |series: &Series| series.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
        match series
            .iter_mut()
            .find(|other| places(other) == places(&one))
        {
            Some(same) => same.name.push_str(&format!(" = {}", one.name)),
            None => series.push(one),
        }
    }
    series
}

/// How nodes, or words, grow from level to level.
fn growth_plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for domain in tables::domains(groups) {
        for kind in [LevelKind::Depth, LevelKind::Bound, LevelKind::Length] {
            let Some(levels) = tables::mean_levels(groups, domain, kind) else {
                continue;
            };
            let point = |method: &str, level: u64, nodes: f64, n: usize| Point {
                x: level as f64,
                y: nodes,
                label: format!("{method}, {level}: {} (n = {n})", crate::short(nodes)),
                is_limited: false,
            };
            let all: Vec<Series> = levels
                .of
                .iter()
                .map(|(group, levels)| Series {
                    name: group.method.to_owned(),
                    points: levels
                        .iter()
                        .filter(|(_, (nodes, _))| *nodes > 0.0)
                        .map(|(level, (nodes, n))| point(group.method, *level, *nodes, *n))
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

/// How the work grows with the length of the walk to the start state.
fn steps_plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (domain, here) in tables::comparable(groups) {
        let steps = tables::steps_of(&here);
        if steps.len() < 2 {
            continue;
        }
        let mut series: Vec<Series> = here
            .iter()
            .map(|group| Series {
                name: group.method.to_owned(),
                points: Vec::new(),
            })
            .collect();
        for steps in steps {
            let at: Vec<Group<'_>> = here.iter().map(|group| group.at_steps(steps)).collect();
            let instances = compared(&at.iter().collect::<Vec<_>>());
            for (group, series) in at.iter().zip(&mut series) {
                let (records, bound) = group.over(&instances).unwrap_or_default();
                let n = records.len();
                let Some(states) = mean(records, tables::kept_or_generated) else {
                    continue;
                };
                series.points.push(Point {
                    x: steps as f64,
                    y: states,
                    label: format!(
                        "{}, {steps} steps: {}{} (n = {n})",
                        group.method,
                        bound.sign(),
                        crate::short(states)
                    ),
                    is_limited: bound != Bound::Exact,
                });
            }
        }
        series.retain(|series| !series.points.is_empty());
        if series.iter().all(|series| series.points.len() < 2) {
            continue;
        }
        plots.push(Plot {
            title: format!("{domain}: states by the length of the walk"),
            caption: format!(
                "Mean number of states that were kept, or else generated, by the steps of the random walk to the start \
                 state, over the trials that all methods finished; {limits}. Hollow points are lower bounds."
            ),
            kind: PlotKind::Lines,
            x: axis("steps of the random walk", false),
            y: axis("states (log scale)", true),
            series,
        });
    }
    plots
}

/// Each method against the first one: a point for each instance.
fn scatter_plots(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
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
                 Below the diagonal {} needs fewer.",
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

/// How many instances have a solution of each cost.
fn cost_plots(groups: &[Group<'_>]) -> Vec<Plot> {
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
