//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

#[cfg(feature = "cluster")]
use std::path::Path;

#[cfg(feature = "cluster")]
use psvn::cluster::Crew;
use psvn::solve::{TreeColumn, TreeReport, TreeRequest, goal_state};
use psvn::text::Parameter;
use psvn::{Bound, CycleDetection, Game, State};

#[cfg(feature = "cluster")]
use super::cluster;
use crate::args::{TreeArgs, TreeAssume, TreePrune};
use crate::drawings;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::ending::{Picture, SVG_OR_DOT, form_of};
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    #[cfg(feature = "cluster")]
    let processes = cluster::wanted(&args.cluster, &args.file)?;
    let mut game = Game::open(&args.file, &cx.env)?;
    cx.limit_each_search();
    if args.backward {
        game = game.backward_within(&cx.env)?;
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
        limits: args.limits.with(args.memory),
    };
    if args.svg || args.dot || args.output.is_some() {
        return draw(args, &game, &start, request, cx);
    }
    #[cfg(feature = "cluster")]
    if let Some(wanted) = processes {
        let seat = wanted.seat(Path::new(""), &cx.env)?;
        interrupt::flag(&cx.env);
        let is_silent = seat.is_silent;
        let crew = Crew::for_tree(&game, &start, &request, seat.member, seat.children, &cx.env)?;
        let mut report = TreeReport::count_with(&game, &start, &request, &crew, &cx.env)?;
        if is_silent {
            return Ok(exit(&report));
        }
        put_in_order(&mut report, &columns);
        let exit = show(&report, cx)?;
        cx.log.note(&crew.summary());
        return Ok(exit);
    }
    interrupt::flag(&cx.env);
    let mut report = TreeReport::count(&game, &start, &request, &cx.env)?;
    put_in_order(&mut report, &columns);
    show(&report, cx)
}

/// Put the columns in the order in which they were asked for.
fn put_in_order(report: &mut TreeReport, asked: &[TreePrune]) {
    let names: Vec<String> = asked.iter().map(TreePrune::name).collect();
    let place = |column: &TreeColumn| names.iter().position(|name| *name == column.prune);
    report.columns.sort_by_key(place);
}

/// Print a tree, with warnings about it.
fn show(report: &TreeReport, cx: &mut Context) -> Result<Exit, Failure> {
    cx.print(report)?;
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

/// Draw the tree: as SVG, or for Graphviz.
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
    let is_dot = match &args.output {
        None => args.dot,
        Some(path) => form_of(path, SVG_OR_DOT)? == Picture::Dot,
    };
    let layout = drawings::layout(game, args.layout.as_deref())?;
    let tree = drawings::draw_tree(game, start, &request, layout.as_ref(), &cx.env)?;
    let text = if is_dot {
        tree.dot()
    } else {
        tree.svg().map_err(|error| {
            Failure::limit(error.to_string()).hint("draw less of it, with a smaller `--depth`")
        })?
    };
    cx.put(args.output.as_deref(), &text)?;
    Ok(Exit::Done)
}
