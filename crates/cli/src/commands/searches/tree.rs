//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

use std::io::Write;
#[cfg(feature = "cluster")]
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "cluster")]
use psvn::cluster::Crew;
use psvn::solve::{TreeColumn, TreeReport, TreeRequest, draw_tree, goal_state};
use psvn::store::atomic as atomic_file;
use psvn::text::Parameter;
use psvn::text::units::{format_seconds, format_work, group_digits};
use psvn::{Bound, CycleDetection, Game, State};

#[cfg(feature = "cluster")]
use super::cluster;
use crate::args::{TreeArgs, TreeAssume, TreePrune};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    if args.backward {
        game = game.backward()?;
    }
    args.words.apply(&mut game)?;
    two_players::warn(&game, two_players::TREE, cx);
    let start = match (&args.start, &args.scramble) {
        (Some(text), _) => game.state(Parameter::Start, text)?,
        (None, Some(moves)) => game.scramble(moves)?,
        (None, None) => goal_state(&game)?,
    };
    let columns = args.columns();
    let lengths = columns.iter().filter_map(|column| match column {
        TreePrune::Length(length) => Some(*length),
        _ => None,
    });
    let machines = columns.iter().filter_map(|column| match column {
        TreePrune::File(path) => Some(path.clone()),
        _ => None,
    });
    let request = TreeRequest {
        bound: args.cost.map_or(Bound::Depth(args.depth), Bound::Cost),
        lengths: lengths.collect(),
        parents: columns.contains(&TreePrune::Parent),
        cycles: columns.contains(&TreePrune::Path),
        machines: machines.collect(),
        within_invariants: args.invariants == TreeAssume::Start,
        split: args.split,
        nodes: args.limits.nodes,
        time: args.limits.time,
        memory: args.memory,
    };
    if args.svg || args.dot || args.output.is_some() {
        return draw(args, &game, &start, request, cx);
    }
    #[cfg(feature = "cluster")]
    if let Some(wanted) = cluster::wanted(&args.cluster, &args.file)? {
        Crew::check_tree(&request)?;
        let seat = wanted.seat(Path::new(""))?;
        interrupt::flag(&cx.env);
        let is_silent = seat.is_silent;
        let crew = Crew::for_tree(&game, &start, &request, seat.member, seat.children, &cx.env)?;
        let report = TreeReport::count_with(&game, &start, &request, &crew, &cx.env)?;
        if is_silent {
            return Ok(exit(&report));
        }
        let exit = show(&report, cx)?;
        cx.log.note(&crew.summary());
        return Ok(exit);
    }
    interrupt::flag(&cx.env);
    let report = TreeReport::count(&game, &start, &request, &cx.env)?;
    show(&report, cx)
}

/// Print a tree, and what there is to be said of it.
fn show(report: &TreeReport, cx: &mut Context) -> Result<Exit, Failure> {
    match cx.format {
        Format::Text => print(report, cx)?,
        Format::Json => cx.out.json(report)?,
        Format::Csv => write_csv(report, cx)?,
    }
    cx.out.finish()?;
    let is_by_path = |column: &TreeColumn| {
        column.prune != "path" && column.cycle_detection == CycleDetection::Path
    };
    if report.columns.iter().any(is_by_path) {
        cx.log
            .note("no path came to a state twice, since some rules cost nothing");
    }
    for warning in &report.warnings {
        cx.log.warning(warning);
    }
    Ok(exit(report))
}

fn exit(report: &TreeReport) -> Exit {
    match (report.interrupted, report.complete) {
        (true, _) => Exit::Interrupted,
        (false, false) => Exit::Limit,
        (false, true) => Exit::Done,
    }
}

/// Draws the tree: as SVG, or for Graphviz.
fn draw(
    args: &TreeArgs,
    game: &Game,
    start: &State,
    request: TreeRequest,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let request = TreeRequest {
        bound: Bound::Depth(args.depth),
        ..request
    };
    let ending = args.output.as_deref().map(|path| (path, path.extension()));
    let is_dot = match ending {
        None => args.dot,
        Some((_, Some(ending))) if ending == "dot" => true,
        Some((_, Some(ending))) if ending == "svg" => false,
        Some((path, _)) => {
            return Err(Failure::usage(format!(
                "`{}` ends neither in `.svg` nor in `.dot`",
                path.display()
            )));
        }
    };
    let layout = game.board_layout(args.layout.as_deref())?;
    let tree = draw_tree(game, start, &request, layout.as_ref(), &cx.env)?;
    let text = if is_dot {
        tree.dot()
    } else {
        tree.svg().map_err(|error| {
            Failure::limit(error.to_string()).hint("draw less of it, with a smaller `--depth`")
        })?
    };
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// A count in a table for people; `-` for what wasn't counted to the end.
fn text_of(column: &TreeColumn, count: Option<u128>) -> String {
    match count {
        Some(count) => group_digits(count),
        None if column.complete => String::new(),
        None => "-".to_owned(),
    }
}

fn print(report: &TreeReport, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
    writeln!(out, "{}, from {}", report.file, report.start)?;
    writeln!(
        out,
        "Generated nodes{} by depth, and how many times more there are than one depth above\n",
        match report.cost {
            Some(cost) => format!(" that cost at most {cost}"),
            None => String::new(),
        }
    )?;
    let mut head = vec![("depth".to_owned(), Align::Right)];
    for column in &report.columns {
        head.push((column.title(), Align::Right));
        head.push((String::new(), Align::Right));
    }
    let mut table = Table::new(head);
    for row in report.rows() {
        let mut cells = vec![row.depth.to_string()];
        for (column, cell) in report.columns.iter().zip(row.cells) {
            let growth = cell.growth.map(|growth| format!("{growth:.3}"));
            cells.extend([text_of(column, cell.nodes), growth.unwrap_or_default()]);
        }
        table.row(cells);
    }
    if let Some(depths) = report.uncounted() {
        let mut row = vec![depths];
        for column in &report.columns {
            row.extend([text_of(column, None), String::new()]);
        }
        table.row(row);
    }
    let mut total = vec!["total".to_owned()];
    for column in &report.columns {
        let generated = Some(column.total).filter(|_| column.complete);
        total.extend([text_of(column, generated), String::new()]);
    }
    table.row(total);
    table.print(out)?;
    if !report.complete {
        writeln!(out, "\n-: not counted to the end, since a limit came first")?;
    }
    let goals: Vec<String> = report
        .columns
        .iter()
        .filter(|column| column.complete)
        .filter_map(|column| {
            let goals = column.goals_in_last_ply?;
            Some(format!(
                "{}: {}",
                column.title(),
                group_digits(goals.into())
            ))
        })
        .collect();
    if !goals.is_empty() {
        let depth = report.depth.unwrap_or(0);
        writeln!(
            out,
            "\nNodes at depth {depth} that are goal states: {}",
            goals.join(", ")
        )?;
    }
    // Apart from the table, whose widths should not depend on the weather.
    writeln!(out)?;
    for column in &report.columns {
        let work = format_work(column.counted, column.elapsed);
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

fn write_csv(report: &TreeReport, cx: &mut Context) -> Result<(), Failure> {
    let titles = report.columns.iter().map(TreeColumn::title);
    cx.out
        .csv(std::iter::once("depth".to_owned()).chain(titles))?;
    // Depths that no column was counted to have rows, too: empty cells, not a shorter table.
    for depth in 0..report.n_rows_with_uncounted() {
        let counts = report.columns.iter().map(|column| {
            let count = column.nodes.get(depth);
            count.map(|count| count.0.to_string()).unwrap_or_default()
        });
        cx.out
            .csv(std::iter::once(depth.to_string()).chain(counts))?;
    }
    Ok(())
}
