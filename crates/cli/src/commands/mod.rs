//! The subcommands, one module each, in folders by topic.

mod analyses;
mod games;
mod measuring;
mod play;
mod searches;
mod shell;

use self::analyses::{analyze, cache, explain, fsm, transfer, verify};
use self::games::{abstracts, check, compose, export, fmt, r#gen, import, show};
use self::measuring::{experiment, report};
use self::searches::{apply, check_plan, demo, explore, gen_instances, pdb, solve, tree};
use self::shell::{complete, completions, man};
use crate::args::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

/// Run a command.
pub(crate) fn run(command: &Command, cx: &mut Context) -> Result<Exit, Failure> {
    if let Some(form) = cx.format_choice.of_reports()
        && !matches!(command, Command::Report(_))
    {
        return Err(Failure::usage(format!("only `psvn report` writes {form}"))
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
        Command::Transfer(args) => transfer::run(args, cx),
        Command::Fsm(args) => fsm::run(args, cx),
        Command::Tree(args) => tree::run(args, cx),
        Command::Explore(args) => explore::run(args, cx),
        Command::Solve(args) => solve::run(args, cx),
        Command::Experiment(args) => experiment::run(args, cx),
        Command::Report(args) => report::run(args, cx),
        Command::Apply(args) => apply::run(args, cx),
        Command::CheckPlan(args) => check_plan::run(args, cx),
        Command::GenInstances(args) => gen_instances::run(args, cx),
        Command::Play(args) => play::run(args, cx),
        Command::Pdb(args) => pdb::run(args, cx),
        Command::Cache(args) => cache::run(args, cx),
        Command::Gen(args) => r#gen::run(args, cx),
        Command::Import(args) => import::run(args, cx),
        Command::Export(args) => export::run(args, cx),
        Command::Abstract(args) => abstracts::run(args, cx),
        Command::Completions(args) => completions::run(args, cx),
        Command::Complete(args) => complete::run(args, cx),
        Command::Man(args) => man::run(args, cx),
    }
}
