//! `psvn apply`: moves made from a state.

use std::io::Write;

use psvn::Game;
use psvn::store::atomic as atomic_file;
use psvn::text::Parameter;
use serde::Serialize;

use super::solve::{animation, print_boards};
use crate::args::ApplyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    moves: &'a [String],
    states: Vec<String>,
    cost: u64,
    is_goal: bool,
}

pub(crate) fn run(args: &ApplyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if let Some(path) = &args.output
        && path.extension().is_none_or(|ending| ending != "svg")
    {
        return Err(Failure::usage(format!(
            "`{}` doesn't end in `.svg`, and there are no other pictures of moves",
            path.display()
        )));
    }
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    let start = match &args.start {
        Some(text) => game.state(Parameter::Start, text)?,
        None => game.scramble_start()?,
    };
    let walk = game.walk(&start, &args.moves.join(" "))?;
    let ir = game.ir();
    let mut states = walk
        .states
        .iter()
        .map(|state| ir.format_state(state.values()));
    let layout = match args.boards || args.output.is_some() {
        true => Some(game.needed_board_layout(args.layout.as_deref())?),
        false => None,
    };
    if let (Some(path), Some(layout)) = (&args.output, &layout) {
        let picture = animation(&game, layout, &walk.states, &walk.moves);
        atomic_file::write(path, picture.as_bytes())?;
    }
    let is_goal = walk
        .states
        .last()
        .is_some_and(|state| ir.is_goal(state.values()));
    match cx.format {
        Format::Json => cx.out.json(&Report {
            file: game.name(),
            moves: &walk.moves,
            states: states.collect(),
            cost: walk.cost,
            is_goal,
        })?,
        Format::Csv => {
            cx.out.csv(["step", "move", "state"])?;
            let moves = std::iter::once("").chain(walk.moves.iter().map(String::as_str));
            for ((step, name), state) in moves.enumerate().zip(states) {
                cx.out.csv([&step.to_string(), name, &state])?;
            }
        }
        Format::Text => {
            let heads = std::iter::once("start").chain(walk.moves.iter().map(String::as_str));
            match &layout {
                Some(layout) if args.boards => {
                    let heads: Vec<String> = heads
                        .enumerate()
                        .map(|(step, name)| match step {
                            0 => name.to_owned(),
                            _ => format!("{step} {name}"),
                        })
                        .collect();
                    print_boards(layout, &game, &walk.states, &heads, &mut cx.out)?;
                }
                _ => {
                    let left = |title| (title, Align::Left);
                    let mut table = Table::new([("", Align::Right), left(""), left("")]);
                    for (step, name) in heads.enumerate() {
                        let state = states.next().unwrap_or_default();
                        table.row([step.to_string(), name.to_owned(), state]);
                    }
                    table.print_body(&mut cx.out)?;
                }
            }
            if is_goal && !walk.moves.is_empty() {
                writeln!(cx.out, "a goal")?;
            }
        }
    }
    Ok(Exit::Done)
}
