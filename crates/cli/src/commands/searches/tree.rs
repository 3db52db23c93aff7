//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

mod picture;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use fsm::SharedMachine;
use invariants::Invariants;
use move_prune::Limits as AnalysisLimits;
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, Limits, Searcher, SearcherBuilder,
    StopReason, TreeCount,
};
use serde::Serialize;

use crate::args::TreeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::progress::{self, ProgressMode};
use crate::output::table::{Align, Table};
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game;
use psvn::analysis::Redundant;
use psvn::analysis::Stopped;
use psvn::analysis::engine as rule_analysis;
use psvn::solve::{self as pruning, NODES_TO_TELL};
use psvn::text::Exact;
use psvn::text::units::{format_seconds, format_work, per_second};

#[derive(Serialize)]
struct Report {
    file: String,
    start: String,
    /// The depth that was counted to; none where the cost was bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
    columns: Vec<Column>,
    complete: bool,
}

#[derive(Serialize)]
struct Column {
    /// `none`, `parent`, `path`, the length, or the name of the machine file.
    prune: String,
    max_length: Option<usize>,
    /// By depth, as far as depths were counted to the end.
    nodes: Vec<Exact>,
    seconds: f64,
    generated_per_second: f64,
    /// The time that it took to find what is pruned.
    analysis_seconds: f64,
    complete: bool,
    /// What stopped the count, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    /// Whether that time was spent by an earlier analysis.
    #[serde(skip)]
    from_cache: bool,
    #[serde(skip)]
    count: CompleteLevels,
}

/// What is left out in a column.
enum Pruner<'a> {
    Parents,
    /// Whatever comes back to a state of its path.
    Cycles,
    /// Redundant words up to a length; 0 for nothing.
    Length(usize),
    /// What a machine file forbids.
    File(&'a Path, SharedMachine),
}

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
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
    if args.path {
        pruners.push(Pruner::Cycles);
    }
    for path in &args.prune {
        let by_moves = args.cost.is_none();
        let starts = std::slice::from_ref(&start);
        let machine = pruning::open_machine(path, &game, starts, by_moves)?;
        pruners.push(Pruner::File(path, SharedMachine::new(machine)));
    }
    let interrupt = interrupt::flag(&cx.env);
    let known = Invariants::from_states(game.ir(), std::slice::from_ref(&start));
    let longest = args.max_length.iter().copied().max().unwrap_or(0);
    let limits = AnalysisLimits {
        nodes: None,
        time: args.limits.time,
        memory: None,
        interrupt: Some(interrupt.clone()),
    };
    let tree = Tree {
        game: CompiledGame::new(game.ir()),
        bound: args.cost.map_or(Bound::Depth(args.depth), Bound::Cost),
        redundant: Redundant::find(&game, longest, known.clone(), limits, &cx.env)?,
        known,
        threads: cx.env.threads(),
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
        file: game.name().to_owned(),
        start: game.ir().format_state(tree.start.values()),
        depth: args.cost.is_none().then_some(args.depth),
        cost: args.cost,
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
            let reason = tree.redundant.stopped.map(Stopped::why);
            warnings.push(format!(
                "no column L={length}: the analysis stopped at length {}, because {}",
                tree.redundant.max_length,
                reason.unwrap_or("a limit was reached")
            ));
            continue;
        }
        let column = tree.column(pruner)?;
        let (stopped, title) = (column.count.tree.stopped, column.title());
        if stopped.is_none() {
            warnings.extend(tree.warn_of_useless(pruner, &column)?);
        }
        let column_depth = column.nodes.len().checked_sub(1);
        report.columns.push(column);
        if let Some(reason) = stopped {
            report.complete = false;
            warnings.push(match column_depth {
                Some(depth) => {
                    format!("{reason}: column {title} is counted to depth {depth} only")
                }
                None => format!("{reason}: column {title} is not counted"),
            });
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
    let is_by_path = |column: &Column| {
        column.prune != "path" && column.count.tree.cycle_detection == CycleDetection::Path
    };
    if report.columns.iter().any(is_by_path) {
        cx.log
            .note("no path came to a state twice, since some rules cost nothing");
    }
    for warning in &warnings {
        cx.log.warning(warning);
    }
    Ok(exit)
}

/// The state at the root: the one that the user gives, or the goal state.
fn start_state(args: &TreeArgs, named: &Game) -> Result<State, Failure> {
    let game = named.ir();
    if let Some(text) = &args.start {
        return Ok(named.state("--start", text)?);
    }
    game.goal_state().ok_or_else(|| {
        let why = match game.goals().len() {
            0 => "it has no goal",
            1 => "its goal leaves some variables open",
            _ => "it has several goals",
        };
        Failure::usage(format!(
            "{} has no goal state to start from: {why}",
            named.name()
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
    bound: Bound,
    redundant: Redundant,
    /// What holds in all of its states.
    known: Invariants,
    threads: usize,
    limits: Limits,
    progress: ProgressMode,
}

/// How a tree is counted.
struct Request<'r> {
    bound: Bound,
    count_forbidden: bool,
    limits: &'r Limits,
    name: String,
}

impl Tree {
    fn column(&self, pruner: &Pruner<'_>) -> Result<Column, Failure> {
        let max_length = match pruner {
            Pruner::Length(length) => Some(*length),
            Pruner::Parents | Pruner::Cycles | Pruner::File(..) => None,
        };
        let count = self.complete_count(pruner)?;
        let tree = &count.tree;
        let depth = match self.bound {
            Bound::Depth(depth) => usize::try_from(depth).ok(),
            Bound::Cost(_) => None,
        };
        let n_levels = match depth.filter(|_| tree.stopped.is_none()) {
            // A tree that ends early has no nodes further down, but the table goes on.
            Some(depth) => depth
                .saturating_add(1)
                .min(tree.levels.len().max(MAX_EMPTY_LEVELS)),
            None => tree.levels.len(),
        };
        let (generated, elapsed) = work(&count);
        Ok(Column {
            prune: pruner.name(),
            max_length,
            nodes: (0..n_levels)
                .map(|depth| Exact::from(tree.generated(depth)))
                .collect(),
            seconds: elapsed.as_secs_f64(),
            generated_per_second: per_second(generated, elapsed),
            analysis_seconds: self
                .redundant
                .time_up_to(max_length.unwrap_or(0))
                .as_secs_f64(),
            complete: tree.stopped.is_none(),
            stopped: tree.stopped.map(StopReason::code),
            from_cache: self.redundant.from_cache,
            count,
        })
    }

    /// The counts of a column, of complete depths only. Of a count bounded by cost that a limit
    /// stops none but that of the root is known.
    fn complete_count(&self, pruner: &Pruner<'_>) -> Result<CompleteLevels, Failure> {
        let mut complete = self.count(pruner, self.bound, false, &self.limits)?;
        if let (Bound::Cost(_), Some(_)) = (self.bound, complete.tree.stopped) {
            complete.tree.levels.truncate(1);
        }
        Ok(complete)
    }

    /// Counts the tree. What the machine forbids is not shown, and counted only if that is asked
    /// for.
    fn count(
        &self,
        pruner: &Pruner<'_>,
        bound: Bound,
        count_forbidden: bool,
        limits: &Limits,
    ) -> Result<CompleteLevels, Failure> {
        let name = pruner.name();
        let search = Searcher::builder(&self.game).invariants(rule_analysis::admits(&self.known));
        let request = Request {
            bound,
            count_forbidden,
            limits,
            name,
        };
        match pruner {
            Pruner::Parents => {
                self.count_by(search.cycle_detection(CycleDetection::Parent), request)
            }
            Pruner::Cycles => self.count_by(search.cycle_detection(CycleDetection::Path), request),
            Pruner::Length(0) => self.count_by(search, request),
            Pruner::Length(length) => {
                let machine = self.redundant.machine_up_to(*length)?;
                self.count_by(search.machine(machine), request)
            }
            Pruner::File(_, machine) => self.count_by(search.machine(machine.clone()), request),
        }
    }

    fn count_by(
        &self,
        search: SearcherBuilder,
        request: Request<'_>,
    ) -> Result<CompleteLevels, Failure> {
        let Request {
            bound,
            count_forbidden,
            limits,
            name,
        } = request;
        let mut search = search
            .build()
            .run()
            .threads(self.threads)
            .count_forbidden(count_forbidden)
            .limits(limits.clone())
            .on_progress(progress::of_search(self.progress, move |_| {
                format!("pruning {name}")
            }));
        let counted = match bound {
            Bound::Depth(depth) => search.count_levels(&self.start, depth, &mut || {}),
            Bound::Cost(_) => search.count_tree(&self.start, bound).map(whole),
        };
        counted.map_err(|error| Failure::input(error.to_string()))
    }

    /// Says so if a machine pruned nothing in a tree of some size.
    ///
    /// The counts of a column don't tell, since finding out takes time. So the top of the tree is
    /// counted again, a small one first; most machines prune something there.
    fn warn_of_useless(
        &self,
        pruner: &Pruner<'_>,
        column: &Column,
    ) -> Result<Option<String>, Failure> {
        let machine = match pruner {
            Pruner::Parents | Pruner::Cycles | Pruner::Length(0) => return Ok(None),
            Pruner::Length(length) => format!("the machine for length {length}"),
            Pruner::File(path, _) => format!("the machine `{}`", path.display()),
        };
        let Bound::Depth(depth) = self.bound else {
            return Ok(None);
        };
        let nodes = &column.count.tree;
        if nodes.totals().generated < NODES_TO_TELL {
            return Ok(None);
        }
        let mut where_ = String::new();
        for most in [NODES_TO_TELL * 10, MOST_TO_TELL] {
            let mut sum = 0;
            let within = |level: &&search::LevelCount| {
                sum += u128::from(level.generated);
                sum <= most
            };
            let n_levels = nodes.levels.iter().take_while(within).count();
            let deepest = (n_levels as u64).saturating_sub(1).min(depth);
            let limits = Limits {
                nodes: None,
                time: None,
                ..self.limits.clone()
            };
            let top = self.count(pruner, Bound::Depth(deepest), true, &limits)?;
            let top = top.tree;
            if top.stopped.is_some() || top.totals().pruned_by_machine > 0 {
                return Ok(None);
            }
            where_ = match deepest {
                deepest if deepest == depth => "in this search".to_owned(),
                deepest => format!("down to depth {deepest}"),
            };
        }
        Ok(Some(format!("{machine} pruned nothing {where_}")))
    }
}

/// One walk by itself.
fn whole(tree: TreeCount) -> CompleteLevels {
    CompleteLevels {
        generated: tree.totals().generated.saturating_sub(1),
        at_least: tree.totals().generated,
        preparation: tree.preparation,
        elapsed: tree.elapsed,
        tree,
    }
}

/// Nodes and time: of the tree where it is complete, or else of all that was done.
fn work(count: &CompleteLevels) -> (u128, Duration) {
    match count.tree.stopped {
        None => (count.tree.totals().generated, count.tree.elapsed),
        Some(_) => (count.generated, count.elapsed),
    }
}

/// The most nodes that are counted again to see whether a machine prunes anything.
const MOST_TO_TELL: u128 = 20_000_000;

impl Pruner<'_> {
    /// What its column is called.
    fn name(&self) -> String {
        match self {
            Pruner::Parents => "parent".to_owned(),
            Pruner::Cycles => "path".to_owned(),
            Pruner::Length(0) => "none".to_owned(),
            Pruner::Length(length) => length.to_string(),
            Pruner::File(path, _) => path.display().to_string(),
        }
    }
}

/// To this depth zeros are listed below the end of a finite tree.
const MAX_EMPTY_LEVELS: usize = 1000;

impl Column {
    /// A count in a table for people; `-` for what wasn't counted to the end.
    fn text_of(&self, count: Option<u128>) -> String {
        match count {
            Some(count) => count.to_string(),
            None if self.complete => String::new(),
            None => "-".to_owned(),
        }
    }

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

    /// The depths that were asked for and are counted in no column, if a limit kept them from it.
    fn uncounted(&self) -> Option<String> {
        let next = self.n_depths() as u64;
        if self.columns.iter().any(|column| column.complete) {
            return None;
        }
        match self.depth {
            None => Some(format!("{next}..")),
            Some(last) if last < next => None,
            Some(last) if last == next => Some(last.to_string()),
            Some(last) => Some(format!("{next}..{last}")),
        }
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        writeln!(out, "{}, from {}", self.file, self.start)?;
        writeln!(
            out,
            "Generated nodes{} by depth, and how many times more there are than one depth above\n",
            match self.cost {
                Some(cost) => format!(" that cost at most {cost}"),
                None => String::new(),
            }
        )?;
        let mut head = vec![("depth".to_owned(), Align::Right)];
        for column in &self.columns {
            head.push((column.title(), Align::Right));
            head.push((String::new(), Align::Right));
        }
        let mut table = Table::new(head);
        let nodes = |column: &Column, depth: usize| column.nodes.get(depth).map(|count| count.0);
        for depth in 0..self.n_depths() {
            let is_empty = |depth: usize| {
                let mut counts = self.columns.iter().map(|column| nodes(column, depth));
                counts.all(|count| count == Some(0))
            };
            if depth > 0 && is_empty(depth - 1) {
                // The trees have come to an end, and nothing but zeros would follow.
                break;
            }
            let mut row = vec![depth.to_string()];
            for column in &self.columns {
                let count = nodes(column, depth);
                row.push(column.text_of(count));
                let above = depth.checked_sub(1).and_then(|above| nodes(column, above));
                row.push(match (above.filter(|n| *n > 0), count) {
                    (Some(above), Some(n)) => format!("{:.3}", n as f64 / above as f64),
                    _ => String::new(),
                });
            }
            table.row(row);
        }
        if let Some(depths) = self.uncounted() {
            let mut row = vec![depths];
            for column in &self.columns {
                row.extend([column.text_of(None), String::new()]);
            }
            table.row(row);
        }
        let mut total = vec!["total".to_owned()];
        for column in &self.columns {
            let generated = column.count.tree.totals().generated;
            let generated = Some(generated).filter(|_| column.complete);
            total.extend([column.text_of(generated), String::new()]);
        }
        table.row(total);
        table.print(out)?;
        if !self.complete {
            writeln!(out, "\n-: not counted to the end, since a limit came first")?;
        }
        let goals: Vec<String> = self
            .columns
            .iter()
            .filter(|column| column.complete)
            .filter_map(|column| {
                let goals = column.count.tree.goals_in_last_ply?;
                Some(format!("{}: {goals}", column.title()))
            })
            .collect();
        if !goals.is_empty() {
            let depth = self.depth.unwrap_or(0);
            writeln!(
                out,
                "\nNodes at depth {depth} that are goal states: {}",
                goals.join(", ")
            )?;
        }
        // Apart from the table, whose widths should not depend on the weather.
        writeln!(out)?;
        for column in &self.columns {
            let (generated, elapsed) = work(&column.count);
            let work = format_work(generated, elapsed);
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
        // Depths that no column was counted to have rows, too: empty cells, not a shorter table.
        let asked = self
            .depth
            .filter(|_| !self.complete && !self.columns.is_empty());
        let n_asked = asked.map_or(0, |depth| {
            depth.saturating_add(1).min(MAX_EMPTY_LEVELS as u64)
        });
        for depth in 0..self.n_depths().max(n_asked as usize) {
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
