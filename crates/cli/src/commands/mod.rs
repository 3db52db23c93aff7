//! The subcommands, one module each.

pub(crate) mod analyze;
mod cache;
mod check;
mod check_plan;
mod completions;
mod compose;
mod demo;
mod experiment;
mod explain;
mod fmt;
mod fsm;
mod r#gen;
mod gen_instances;
mod man;
mod pdb;
mod play;
mod report;
mod show;
pub(crate) mod solve;
mod tree;
mod verify;

use crate::args::Command;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn run(command: &Command, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.wants_html && !matches!(command, Command::Report(_)) {
        return Err(Failure::usage("only `psvn report` writes HTML")
            .hint("use `--format text`, `json` or `csv`"));
    }
    match command {
        Command::Check(args) => check::run(args, cx),
        Command::Fmt(args) => fmt::run(args, cx),
        Command::Demo => demo::run(cx),
        Command::Show(args) => show::run(args, cx),
        Command::Compose(args) => compose::run(args, cx),
        Command::Analyze(args) => analyze::run(args, cx),
        Command::Explain(args) => explain::run(args, cx),
        Command::Verify(args) => verify::run(args, cx),
        Command::Fsm(args) => fsm::run(args, cx),
        Command::Tree(args) => tree::run(args, cx),
        Command::Solve(args) => solve::run(args, cx),
        Command::Experiment(args) => experiment::run(args, cx),
        Command::Report(args) => report::run(args, cx),
        Command::CheckPlan(args) => check_plan::run(args, cx),
        Command::GenInstances(args) => gen_instances::run(args, cx),
        Command::Play(args) => play::run(args, cx),
        Command::Pdb(args) => pdb::run(args, cx),
        Command::Cache(args) => cache::run(args, cx),
        Command::Gen(args) => r#gen::run(args, cx),
        Command::Completions(args) => completions::run(args, cx),
        Command::Man(args) => man::run(args, cx),
    }
}
