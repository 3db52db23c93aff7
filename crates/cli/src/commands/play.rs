//! `psvn play`: games of two players.

mod against;

use std::io::Write;

use psvn::State;
use psvn::text::Parameter;
use two_players::{PlayOptions, TwoPlayers};

use crate::args::{PlayArgs, TreeForm};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;

/// Why redundant sequences may not be left out where two players move in turn.
const WHY_NOT_PRUNED: &str = "a player's moves that commute have a move of the opponent between \
    them, who need not answer both orders alike: leaving one order out takes away replies";

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
        ply: args.depth,
        unquiet: args.unquiet.clone(),
        limits: args.limits.with(args.memory),
        symmetries: args.symmetries,
    };
    let game = TwoPlayers::open(&args.file, &options, &cx.env)?;
    cx.limit_each_search();
    let start = match &args.start {
        None => game.default_start(),
        Some(text) => game.position(Parameter::Start, text)?,
    };
    match args.against {
        Some(_) => interrupt::flag_saying(&cx.env, "interrupted: the game ends here"),
        None => interrupt::flag(&cx.env),
    };
    if let Some(player) = &args.against {
        against::run(args, &game, &start, player, cx)
    } else if let Some(form) = args.tree {
        picture(args, &game, &start, form, cx)
    } else if args.solve {
        let outcomes = game.solve(&start, &cx.env)?;
        cx.print(&outcomes)?;
        Ok(Exit::Done)
    } else if args.table_7_1 {
        let rows = game.table_7_1(&start, &cx.env)?;
        cx.print(&*rows)?;
        Ok(Exit::Done)
    } else {
        let found = game.analyze(&start, &cx.env)?;
        if cx.format == Format::Text {
            print_board(&game, &start, cx)?;
            writeln!(cx.out)?;
        }
        cx.print(&found)?;
        Ok(Exit::of(found.stopped))
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
    cx.put(args.output.as_deref(), &text)?;
    Ok(Exit::of(tree.stopped()))
}

/// Print a position in the layout of the file, with the coordinates of moves.
fn print_board(game: &TwoPlayers, state: &State, cx: &mut Context) -> Result<(), Failure> {
    for line in game.labelled_board(state) {
        writeln!(cx.out, "  {line}")?;
    }
    Ok(())
}
