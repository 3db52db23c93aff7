//! `psvn tree`: generated nodes by depth, one column for each way of pruning.

use psvn::solve::units::{Oriented, Rounds};
use psvn::solve::{TreeColumn, TreeReport, TreeRequest, goal_state};
use psvn::text::{Parameter, Source};
use psvn::{Bound, CycleDetection, Game, State};

use crate::args::{TreeArgs, TreeAssume, TreePrune};
use crate::commands::units;
use crate::drawings;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::ending::{Picture, SVG_OR_DOT, form_of};
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &TreeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let source = Source::read_within(&args.file, &cx.env)?;
    let mut game = Game::from_source(source.clone(), &cx.env)?;
    cx.limit_each_search();
    args.words.apply(&mut game)?;
    game = args.variation.apply(game)?;
    if args.backward {
        game = game.backward_within(&cx.env)?;
    }
    two_players::warn(&game, two_players::TREE, cx);
    let start = match (&args.start, &args.scramble) {
        (Some(text), _) => game.state(Parameter::Start, text)?,
        (None, Some(moves)) => game.scramble(moves)?,
        (None, None) => goal_state(&game)?,
    };
    let mut request = request(args);
    let order: Vec<String> = args.columns().iter().map(TreePrune::name).collect();
    let splitting = args.splitting.splitting(args.output.as_ref());
    if splitting.is_none() && (args.svg || args.dot || args.output.is_some()) {
        return draw(args, &game, &start, request, cx);
    }
    interrupt::flag(&cx.env);
    let Some(splitting) = splitting else {
        let report = TreeReport::count(&game, &start, &request, &cx.env)?;
        return show(report, &order, cx);
    };
    let oriented = Oriented {
        game: &game,
        backward: args.backward,
    };
    let (env, names) = (&cx.env, order.clone());
    let rounds = Rounds::of_tree(
        &splitting,
        &source,
        oriented,
        &start,
        &mut request,
        names,
        env,
    )?;
    in_units(&rounds, (&game, &start, &request), &order, cx)
}

/// What is counted.
fn request(args: &TreeArgs) -> TreeRequest {
    let columns = args.columns();
    let lengths = columns.iter().filter_map(|column| match column {
        TreePrune::Length(length) => Some(*length),
        _ => None,
    });
    let machines = columns.iter().filter_map(|column| match column {
        TreePrune::File(path) => Some(path.clone()),
        _ => None,
    });
    TreeRequest {
        bound: args.cost.map_or(Bound::Depth(args.depth), Bound::Cost),
        lengths: lengths.collect(),
        parents: columns.contains(&TreePrune::Parent),
        cycles: columns.contains(&TreePrune::Path),
        machines: machines.collect(),
        within_invariants: args.invariants == TreeAssume::Start,
        split: args.split,
        limits: args.limits.with(args.memory),
    }
}

/// Count a tree in units, as far as they are there, and show what comes of it.
pub(crate) fn in_units(
    rounds: &Rounds,
    (game, start, request): (&Game, &State, &TreeRequest),
    order: &[String],
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let report = TreeReport::count_handed_out(game, start, request, rounds, &cx.env)?;
    match rounds.end()?.0 {
        Some(open) => units::show_open(&open, cx),
        None => show(report, order, cx),
    }
}

/// Print a tree with its columns in an order, and warnings about it.
fn show(mut report: TreeReport, order: &[String], cx: &mut Context) -> Result<Exit, Failure> {
    let place = |column: &TreeColumn| order.iter().position(|name| *name == column.prune);
    report.columns.sort_by_key(place);
    let report = &report;
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
