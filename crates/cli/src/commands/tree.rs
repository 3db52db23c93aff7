//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

use std::io::Write;
use std::time::Duration;

use invariants::Invariants;
use move_prune::{Analysis, Limits as AnalysisLimits};
use psvn_ir::State;
use search::{Bound, CompiledGame, CycleDetection, Limits, Search, StopReason, TreeCount};
use serde::Serialize;

use crate::args::TreeArgs;
use crate::context::Context;
use crate::exact::Exact;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame};
use crate::interrupt;
use crate::machines::machine_up_to;
use crate::output::Format;
use crate::progress::Progress;
use crate::pruning::{self, Task};
use crate::table::{Align, Table};
use crate::units::{format_seconds, format_speed, format_work, per_second};

#[derive(Serialize)]
struct Report {
    file: String,
    start: String,
    depth: u64,
    columns: Vec<Column>,
    complete: bool,
}

#[derive(Serialize)]
struct Column {
    /// `none`, `parent`, or the length.
    prune: String,
    max_length: Option<usize>,
    nodes: Vec<Exact>,
    seconds: f64,
    generated_per_second: f64,
    /// The time that it took to find what is pruned.
    analysis_seconds: f64,
    complete: bool,
    #[serde(skip)]
    count: TreeCount,
}

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = input::load_game(&args.file, cx)?;
    let start = start_state(args, &game)?;
    let compiled = CompiledGame::new(&game.game);
    let interrupt = interrupt::flag();
    let longest = args.max_length.iter().copied().max().unwrap_or(0);
    let limits = AnalysisLimits {
        time: args.limits.time,
        memory: None,
        interrupt: Some(interrupt.clone()),
    };
    let known = Invariants::from_states(&game.game, std::slice::from_ref(&start));
    let analysis = pruning::analyze(&game, &Task::up_to(longest, Some(&known), limits), cx);
    let search_limits = Limits {
        nodes: args.limits.nodes,
        time: args.limits.time,
        memory: None,
        interrupt: Some(interrupt),
    };
    let mut report = Report {
        file: game.name.clone(),
        start: game.game.format_state(start.values()),
        depth: args.depth,
        columns: Vec::new(),
        complete: true,
    };
    let mut exit = Exit::Done;
    let mut warnings = Vec::new();
    let mut lengths: Vec<Option<usize>> = args.max_length.iter().copied().map(Some).collect();
    if args.parent {
        lengths.push(None);
    }
    for length in lengths {
        if length.is_some_and(|length| length > analysis.max_length) {
            // A column that isn't what its head says would be worse than none.
            report.complete = false;
            exit = exit.and(match analysis.stopped {
                Some(move_prune::StopReason::Interrupted) => Exit::Interrupted,
                _ => Exit::Limit,
            });
            warnings.push(format!(
                "no column L={}: the analysis stopped at length {}",
                length.unwrap_or_default(),
                analysis.max_length
            ));
            continue;
        }
        let column = column(
            length,
            args,
            &compiled,
            &start,
            &analysis,
            &search_limits,
            cx,
        )?;
        let (stopped, title) = (column.count.stopped, column.title());
        report.columns.push(column);
        if let Some(reason) = stopped {
            report.complete = false;
            warnings.push(format!(
                "{reason}: the counts of column {title} are too low"
            ));
            exit = exit.and(Exit::Limit);
            if reason == StopReason::Interrupted {
                exit = Exit::Interrupted;
                break;
            }
        }
    }
    match cx.format {
        Format::Text => report.print(cx)?,
        Format::Json => cx.out.json(&report)?,
        Format::Csv => report.write_csv(cx)?,
    }
    cx.out.finish()?;
    for warning in &warnings {
        cx.log.warning(warning);
    }
    Ok(exit)
}

/// The state at the root: the one that the user gives, or the goal state.
fn start_state(args: &TreeArgs, named: &NamedGame) -> Result<State, Failure> {
    let game = &named.game;
    if let Some(text) = &args.start {
        return game
            .parse_state(text)
            .map_err(|error| Failure::input(format!("--start: {error}")));
    }
    game.goal_state().ok_or_else(|| {
        let why = match game.goals().len() {
            0 => "it has no goal",
            1 => "its goal leaves some variables open",
            _ => "it has several goals",
        };
        Failure::usage(format!(
            "{} has no goal state to start from: {why}",
            named.name
        ))
        .hint(format!(
            "give the state at the root with `--start '...'`: {} values separated by white space",
            game.n_variables()
        ))
    })
}

/// Counts the tree with redundant words up to a length left out, or, without a length, parents.
fn column(
    max_length: Option<usize>,
    args: &TreeArgs,
    compiled: &CompiledGame,
    start: &State,
    analysis: &Analysis,
    limits: &Limits,
    cx: &Context,
) -> Result<Column, Failure> {
    let prune = match max_length {
        None => "parent".to_owned(),
        Some(0) => "none".to_owned(),
        Some(length) => length.to_string(),
    };
    let mut shown = Progress::new(cx.progress);
    let message = prune.clone();
    let mut search = Search::new(compiled)
        .limits(limits.clone())
        .on_progress(move |progress| {
            shown.show(
                || {
                    format!(
                        "pruning {message}: {} nodes, {}",
                        progress.generated,
                        format_speed(u128::from(progress.generated), progress.elapsed)
                    )
                },
                None,
            );
        });
    let bound = Bound::Depth(args.depth);
    let count = match max_length {
        None => search
            .cycle_detection(CycleDetection::Parent)
            .count_tree(start, bound),
        Some(0) => search.count_tree(start, bound),
        Some(length) => {
            let machine = machine_up_to(analysis, length)?;
            search.machine(machine).count_tree(start, bound)
        }
    };
    let count = count.map_err(|error| Failure::input(error.to_string()))?;
    let analyzed: Duration = analysis
        .levels
        .iter()
        .take(max_length.unwrap_or(0))
        .map(|level| level.elapsed)
        .sum();
    let n_levels = usize::try_from(args.depth).map_or(count.levels.len(), |depth| {
        // A tree that ends early has no nodes further down, but the table goes on.
        depth
            .saturating_add(1)
            .min(count.levels.len().max(MAX_EMPTY_LEVELS))
    });
    Ok(Column {
        prune,
        max_length,
        nodes: (0..n_levels)
            .map(|depth| Exact::from(count.generated(depth)))
            .collect(),
        seconds: count.elapsed.as_secs_f64(),
        generated_per_second: per_second(count.totals().generated, count.elapsed),
        analysis_seconds: analyzed.as_secs_f64(),
        complete: count.stopped.is_none(),
        count,
    })
}

/// To this depth zeros are listed below the end of a finite tree.
const MAX_EMPTY_LEVELS: usize = 1000;

impl Column {
    fn title(&self) -> String {
        match self.max_length {
            Some(length) => format!("L={length}"),
            None => "parent".to_owned(),
        }
    }
}

impl Report {
    fn n_depths(&self) -> usize {
        let lengths = self.columns.iter().map(|column| column.nodes.len());
        lengths.max().unwrap_or(0)
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        writeln!(out, "{}, from {}", self.file, self.start)?;
        writeln!(
            out,
            "Generated nodes by depth, and how many times more there are than one depth above\n"
        )?;
        let mut head = vec![("depth".to_owned(), Align::Right)];
        for column in &self.columns {
            head.push((column.title(), Align::Right));
            head.push((String::new(), Align::Right));
        }
        let mut table = Table::new(head);
        for depth in 0..self.n_depths() {
            let is_empty = |depth: usize| {
                let mut counts = self.columns.iter().map(|column| column.nodes.get(depth));
                counts.all(|count| count.is_none_or(|count| count.0 == 0))
            };
            if depth > 0 && is_empty(depth - 1) {
                // The trees have come to an end, and nothing but zeros would follow.
                break;
            }
            let mut row = vec![depth.to_string()];
            for column in &self.columns {
                let nodes = |depth: usize| column.nodes.get(depth).map(|count| count.0);
                row.push(nodes(depth).map(|n| n.to_string()).unwrap_or_default());
                let above = depth.checked_sub(1).and_then(nodes).filter(|n| *n > 0);
                row.push(match (above, nodes(depth)) {
                    (Some(above), Some(n)) => format!("{:.3}", n as f64 / above as f64),
                    _ => String::new(),
                });
            }
            table.row(row);
        }
        let mut total = vec!["total".to_owned()];
        for column in &self.columns {
            total.extend([column.count.totals().generated.to_string(), String::new()]);
        }
        table.row(total);
        table.print(out)?;
        // Apart from the table, whose widths should not depend on the weather.
        writeln!(out)?;
        for column in &self.columns {
            let work = format_work(column.count.totals().generated, column.count.elapsed);
            let analysis = match column.max_length {
                None | Some(0) => String::new(),
                Some(_) => format!(
                    ", after {} of analysis",
                    format_seconds(Duration::from_secs_f64(column.analysis_seconds))
                ),
            };
            writeln!(out, "  {}: {work}{analysis}", column.title())?;
        }
        Ok(())
    }

    fn write_csv(&self, cx: &mut Context) -> Result<(), Failure> {
        let titles = self.columns.iter().map(Column::title);
        cx.out
            .csv(std::iter::once("depth".to_owned()).chain(titles))?;
        for depth in 0..self.n_depths() {
            let counts = self.columns.iter().map(|column| {
                let count = column.nodes.get(depth);
                count.map(|count| count.0.to_string()).unwrap_or_default()
            });
            cx.out
                .csv(std::iter::once(depth.to_string()).chain(counts))?;
        }
        Ok(())
    }
}
