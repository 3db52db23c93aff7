//! `psvn show`: the game in canonical form.

use std::io::Write;

use psvn::analysis::SplitRule;
use psvn::machine::split_rules;
use psvn::{Game, GameDescription};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::show::{Show, Style};

/// A game, with the rules that a machine splits.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Shown<'a> {
    /// The game.
    #[serde(flatten)]
    game: &'a GameDescription,
    /// The rules that the machine splits, if one is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    splits: Option<Vec<SplitRule>>,
}

pub(crate) fn run(args: &ShowArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = Game::open(&args.file, &cx.env)?;
    let report = GameDescription::within(&game, &cx.env);
    let splits = args.machine.as_ref();
    let splits = splits.map(|path| split_rules(&game, path)).transpose()?;
    match (cx.format, splits) {
        (Format::Text, splits) => {
            let style = Style {
                all: args.all,
                all_by: "--all",
            };
            report.show(&style, &mut cx.out)?;
            if let Some(splits) = &splits {
                let all = args.all || cx.log.is_verbose();
                let style = Style { all, ..cx.style() };
                writeln!(cx.out, "\nSplit by values")?;
                splits.show(&style, &mut cx.out)?;
            }
        }
        (Format::Json, splits) => cx.out.json(&Shown {
            game: &report,
            splits,
        })?,
        (Format::Csv, _) => cx.print(&report)?,
    }
    Ok(Exit::Done)
}
