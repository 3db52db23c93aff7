//! `psvn explain`: why a sequence is redundant, impossible, or neither.

use psvn::analysis::{ExplainOptions, Letters, explain_operators};
use psvn::{Error, Game};

use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &ExplainArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("explain")?;
    let game = Game::open(&args.file, &cx.env)?;
    let options = ExplainOptions {
        limits: args.limits.limits(),
        trace: args.trace,
        machine: args.machine.as_deref(),
        operator_order: args.operator_order.clone().unwrap_or_default(),
    };
    if args.operators == Letters::Labels {
        if args.trace || args.machine.is_some() {
            return Err(Failure::usage(
                "`--trace` and `--machine` are about sequences of rules, not of operators",
            )
            .hint("leave out `--operators labels`, and name rules"));
        }
        interrupt::flag(&cx.env);
        let (file, env) = (&args.file, &cx.env);
        let explained = explain_operators(&game, &args.rules, file, &options, env)?;
        cx.print(&explained)?;
        return Ok(Exit::of(explained.stopped));
    }
    if args.operator_order.is_some() {
        return Err(
            Failure::usage("`--operator-order` is for operators, not for rules")
                .hint("add `--operators labels`"),
        );
    }
    let word = game
        .rule_names()
        .resolve_all(&args.rules)
        .map_err(|error| {
            let failure = Failure::from(Error::from(error));
            let is_label =
                |word: &String| game.ir().rules().iter().any(|rule| *rule.label == **word);
            match (args.rules.iter().all(is_label), failure.hint_text()) {
                (true, Some(hint)) => {
                    let hint = format!(
                        "{hint}; or take all rules of a label as one with `--operators labels`"
                    );
                    failure.hint(hint)
                }
                _ => failure,
            }
        })?;
    interrupt::flag(&cx.env);
    let explained = psvn::analysis::explain(&game, &word, &options, &cx.env)?;
    cx.print(&explained)?;
    Ok(Exit::of(explained.stopped))
}
