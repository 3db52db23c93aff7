//! The subcommands, one module each.

mod analyze;
mod cache;
mod check;
mod completions;
mod compose;
mod explain;
mod fmt;
mod fsm;
mod r#gen;
mod man;
mod pdb;
mod show;
mod solve;
mod tree;
mod verify;

use crate::args::Command;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn run(command: &Command, cx: &mut Context) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::run(args, cx),
        Command::Fmt(args) => fmt::run(args, cx),
        Command::Show(args) => show::run(args, cx),
        Command::Compose(args) => compose::run(args, cx),
        Command::Analyze(args) => analyze::run(args, cx),
        Command::Explain(args) => explain::run(args, cx),
        Command::Verify(args) => verify::run(args, cx),
        Command::Fsm(args) => fsm::run(args, cx),
        Command::Tree(args) => tree::run(args, cx),
        Command::Solve(args) => solve::run(args, cx),
        Command::Pdb(args) => pdb::run(args, cx),
        Command::Cache(args) => cache::run(args, cx),
        Command::Gen(args) => r#gen::run(args, cx),
        Command::Completions(args) => completions::run(args, cx),
        Command::Man(args) => man::run(args, cx),
    }
}
