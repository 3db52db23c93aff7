//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

mod picture;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use fsm::Machine;
use invariants::Invariants;
use move_prune::Limits as AnalysisLimits;
use psvn_ir::State;
use search::{Bound, CompiledGame, CycleDetection, Limits, Search, StopReason, TreeCount};
use serde::Serialize;

use crate::args::TreeArgs;
use crate::context::Context;
use crate::exact::Exact;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::finding::Stopped;
use crate::input::{self, NamedGame};
use crate::interrupt;
use crate::output::Format;
use crate::progress::{Progress, ProgressMode};
use crate::pruning;
use crate::redundant::Redundant;
use crate::rule_analysis;
use crate::rule_machine::RuleMachine;
use crate::table::{Align, Table};
use crate::two_players;
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
    /// `none`, `parent`, the length, or the name of the machine file.
    prune: String,
    max_length: Option<usize>,
    nodes: Vec<Exact>,
    seconds: f64,
    generated_per_second: f64,
    /// The time that it took to find what is pruned.
    analysis_seconds: f64,
    complete: bool,
    /// Whether that time was spent by an earlier analysis.
    #[serde(skip)]
    from_cache: bool,
    #[serde(skip)]
    count: TreeCount,
}

/// What is left out in a column.
enum Pruner<'a> {
    Parents,
    /// Redundant words up to a length; 0 for nothing.
    Length(usize),
    /// What a machine file forbids.
    File(&'a Path, RuleMachine),
}

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = input::load_game(&args.file, cx)?;
    two_players::warn(&game, two_players::TREE, cx);
    let start = start_state(args, &game)?;
    if args.svg || args.dot {
        return picture::print(args, &game, &start, cx);
    }
    let mut pruners: Vec<Pruner<'_>> = args
        .max_length
        .iter()
        .copied()
        .map(Pruner::Length)
        .collect();
    if args.parent {
        pruners.push(Pruner::Parents);
    }
    for path in &args.prune {
        let machine = pruning::open_machine(path, &game, std::slice::from_ref(&start), true)?;
        pruners.push(Pruner::File(path, machine));
    }
    let interrupt = interrupt::flag();
    let known = Invariants::from_states(&game.game, std::slice::from_ref(&start));
    let longest = args.max_length.iter().copied().max().unwrap_or(0);
    let limits = AnalysisLimits {
        time: args.limits.time,
        memory: None,
        interrupt: Some(interrupt.clone()),
    };
    let tree = Tree {
        game: CompiledGame::new(&game.game),
        depth: args.depth,
        redundant: Redundant::find(&game, longest, known.clone(), limits, &interrupt, cx)?,
        known,
        threads: cx.search_threads(),
        limits: Limits {
            nodes: args.limits.nodes,
            time: args.limits.time,
            memory: None,
            interrupt: Some(interrupt),
        },
        start,
        progress: cx.progress,
    };
    let mut report = Report {
        file: game.name.clone(),
        start: game.game.format_state(tree.start.values()),
        depth: args.depth,
        columns: Vec::new(),
        complete: true,
    };
    let mut exit = Exit::Done;
    let mut warnings = Vec::new();
    for pruner in &pruners {
        if let Pruner::Length(length) = pruner
            && *length > tree.redundant.max_length
        {
            // A column that isn't what its head says would be worse than none.
            report.complete = false;
            exit = exit.and(match tree.redundant.stopped {
                Some(Stopped::Interrupted) => Exit::Interrupted,
                _ => Exit::Limit,
            });
            warnings.push(format!(
                "no column L={length}: the analysis stopped at length {}",
                tree.redundant.max_length
            ));
            continue;
        }
        let column = tree.column(pruner)?;
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

/// The tree to be counted, in one way or another.
struct Tree {
    game: CompiledGame,
    start: State,
    depth: u64,
    redundant: Redundant,
    /// What holds in all of its states.
    known: Invariants,
    threads: usize,
    limits: Limits,
    progress: ProgressMode,
}

impl Tree {
    fn column(&self, pruner: &Pruner<'_>) -> Result<Column, Failure> {
        let (prune, max_length) = match pruner {
            Pruner::Parents => ("parent".to_owned(), None),
            Pruner::Length(0) => ("none".to_owned(), Some(0)),
            Pruner::Length(length) => (length.to_string(), Some(*length)),
            Pruner::File(path, _) => (path.display().to_string(), None),
        };
        let mut shown = Progress::new(self.progress);
        let message = prune.clone();
        let search = Search::new(&self.game)
            .known(rule_analysis::admits(&self.known))
            .threads(self.threads)
            // What is left out isn't shown.
            .count_forbidden(false)
            .limits(self.limits.clone())
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
        let count = match pruner {
            Pruner::Parents => self.count(search.cycle_detection(CycleDetection::Parent)),
            Pruner::Length(0) => self.count(search),
            Pruner::Length(length) => {
                self.count(search.machine(self.redundant.machine_up_to(*length)?))
            }
            Pruner::File(_, machine) => self.count(search.machine(machine)),
        }?;
        let n_levels = usize::try_from(self.depth).map_or(count.levels.len(), |depth| {
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
            analysis_seconds: self
                .redundant
                .time_up_to(max_length.unwrap_or(0))
                .as_secs_f64(),
            complete: count.stopped.is_none(),
            from_cache: self.redundant.from_cache,
            count,
        })
    }

    fn count<M: Machine>(&self, mut search: Search<'_, M>) -> Result<TreeCount, Failure> {
        let bound = Bound::Depth(self.depth);
        search
            .count_tree(&self.start, bound)
            .map_err(|error| Failure::input(error.to_string()))
    }
}

/// To this depth zeros are listed below the end of a finite tree.
const MAX_EMPTY_LEVELS: usize = 1000;

impl Column {
    fn title(&self) -> String {
        match self.max_length {
            Some(length) => format!("L={length}"),
            None => self.prune.clone(),
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
        let goals: Vec<String> = self
            .columns
            .iter()
            .filter(|column| column.complete)
            .filter_map(|column| {
                let goals = column.count.goals_in_last_ply?;
                Some(format!("{}: {goals}", column.title()))
            })
            .collect();
        if !goals.is_empty() {
            let depth = self.depth;
            writeln!(
                out,
                "\nNodes at depth {depth} that are goal states: {}",
                goals.join(", ")
            )?;
        }
        // Apart from the table, whose widths should not depend on the weather.
        writeln!(out)?;
        for column in &self.columns {
            let work = format_work(column.count.totals().generated, column.count.elapsed);
            let analysis = match column.max_length {
                None | Some(0) => String::new(),
                Some(_) => format!(
                    ", after {} of analysis{}",
                    format_seconds(Duration::from_secs_f64(column.analysis_seconds)),
                    if column.from_cache {
                        " (from the cache)"
                    } else {
                        ""
                    },
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
