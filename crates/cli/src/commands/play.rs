//! `psvn play`: games of two players.

mod against;
mod report;

use std::io::Write;

use psvn::players::{PlayOptions, TwoPlayers};
use psvn::store::atomic as atomic_file;
use psvn::text::Parameter;
use psvn::{State, StopReason};

use crate::args::{PlayArgs, TreeForm};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::two_players::WHY_NOT_PRUNED;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &PlayArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("play")?;
    if args.prune.is_some() {
        return Err(Failure::usage(
            "redundant sequences can't be left out of a game of two players",
        )
        .hint(WHY_NOT_PRUNED));
    }
    let options = PlayOptions {
        turn: args.turn,
        no_move: args.no_move,
        algorithm: args.algorithm,
        evaluation: args.evaluation,
        wins: args.wins,
        ply: args.ply,
        nodes: args.limits.nodes,
        time: args.limits.time,
        memory: args.memory,
        symmetries: args.symmetries,
    };
    let game = TwoPlayers::open(&args.file, &options, &cx.env)?;
    let start = match &args.start {
        None => game.default_start(),
        Some(text) => game.position(Parameter::Start, text)?,
    };
    interrupt::flag(&cx.env);
    if let Some(player) = &args.against {
        against::run(args, &game, &start, player, cx)
    } else if let Some(form) = args.tree {
        picture(args, &game, &start, form, cx)
    } else if args.solve {
        let outcomes = game.solve(&start, &cx.env)?;
        report::outcomes(&outcomes, cx)?;
        Ok(Exit::Done)
    } else if args.table_7_1 {
        let rows = game.table_7_1(&start, &cx.env)?;
        report::table(&rows, cx)?;
        Ok(Exit::Done)
    } else {
        let found = game.analyze(&start, &cx.env)?;
        report::position(&game.board(&start), &found, cx)?;
        Ok(exit_of(found.stopped))
    }
}

fn picture(
    args: &PlayArgs,
    game: &TwoPlayers,
    start: &State,
    form: TreeForm,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let tree = game.draw(start, &cx.env)?;
    let text = match (cx.format, form) {
        (Format::Json, _) => {
            let text = serde_json::to_string_pretty(&tree.nodes());
            text.map_err(|error| Failure::input(error.to_string()))? + "\n"
        }
        (_, TreeForm::Text) => tree.text(),
        (_, TreeForm::Dot) => tree.dot(),
        (_, TreeForm::Svg) => tree.svg(),
    };
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(exit_of(tree.stopped()))
}

fn exit_of(stopped: Option<StopReason>) -> Exit {
    match stopped {
        None => Exit::Done,
        Some(StopReason::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
    }
}
