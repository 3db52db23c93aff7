//! `psvn apply`: moves made from a state.

use std::io::Write;

use psvn::Game;
use psvn::text::Parameter;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::ApplyArgs;
use crate::drawings;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::ending::{SVG, form_of};
use crate::session::Context;
use crate::show::show_way;

/// Moves that were made.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Report<'a> {
    /// The name of the game.
    file: &'a str,
    /// The names of the moves.
    moves: &'a [String],
    /// The states on the way, start and end included.
    states: Vec<String>,
    /// What the moves cost.
    cost: u64,
    /// Whether the last state is a goal state.
    is_goal: bool,
}

pub(crate) fn run(args: &ApplyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if let Some(path) = &args.output {
        form_of(path, SVG)?;
    }
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    let start = match &args.start {
        Some(text) => game.state(Parameter::Start, text)?,
        None => game.scramble_start()?,
    };
    let walk = game.walk(&start, &args.moves.join(" "))?;
    let ir = game.ir();
    let states = walk
        .states
        .iter()
        .map(|state| ir.format_state(state.values()));
    let layout = if args.boards || args.output.is_some() {
        Some(drawings::needed_layout(&game, args.layout.as_deref())?)
    } else {
        None
    };
    if let (Some(path), Some(layout)) = (&args.output, &layout) {
        let picture = drawings::animation(&game, layout, &walk.states, &walk.moves);
        cx.put(Some(path), &picture)?;
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
            let boards = layout.as_ref().filter(|_| args.boards);
            show_way(&game, boards, &walk.states, &walk.moves, &mut cx.out)?;
            if is_goal && !walk.moves.is_empty() {
                if args.boards {
                    writeln!(cx.out)?;
                }
                writeln!(cx.out, "a goal")?;
            }
        }
    }
    Ok(Exit::Done)
}
