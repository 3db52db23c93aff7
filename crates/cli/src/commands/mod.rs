//! The subcommands, one module each, in folders by topic.

mod analyses;
mod games;
#[cfg(feature = "experiments")]
mod measuring;
#[cfg(feature = "formats")]
mod pddl;
#[cfg(feature = "players")]
mod play;
mod schema;
mod searches;
mod shell;
mod units;

use self::analyses::{analyze, cache, certify, explain, fsm, transfer, verify};
#[cfg(feature = "domains")]
use self::games::r#gen;
#[cfg(feature = "formats")]
use self::games::import;
use self::games::{abstracts, check, compose, export, fmt, new, show};
#[cfg(feature = "experiments")]
use self::measuring::{experiment, report};
use self::searches::{apply, check_plan, demo, explore, gen_instances, pdb, solve, tree};
#[cfg(feature = "lsp")]
use self::shell::lsp;
#[cfg(feature = "cluster")]
use self::shell::secret;
#[cfg(feature = "studio")]
use self::shell::studio;
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
        Command::New(args) => new::run(args, cx),
        Command::Demo => demo::run(cx),
        Command::Show(args) => show::run(args, cx),
        Command::Compose(args) => compose::run(args, cx),
        Command::Analyze(args) => analyze::run(args, cx),
        Command::Explain(args) => explain::run(args, cx),
        Command::Verify(args) => verify::run(args, cx),
        Command::Certify(args) => certify::run(args, cx),
        Command::Transfer(args) => transfer::run(args, cx),
        Command::Fsm(args) => fsm::run(args, cx),
        Command::Tree(args) => tree::run(args, cx),
        Command::Explore(args) => explore::run(args, cx),
        Command::Solve(args) => solve::run(args, cx),
        Command::Work(args) => units::work::run(args, cx),
        Command::Join(args) => units::join::run(args, cx),
        #[cfg(feature = "experiments")]
        Command::Experiment(args) => experiment::run(args, cx),
        #[cfg(not(feature = "experiments"))]
        Command::Experiment(_) => Err(Failure::missing("experiments", "experiments")),
        #[cfg(feature = "experiments")]
        Command::Report(args) => report::run(args, cx),
        #[cfg(not(feature = "experiments"))]
        Command::Report(_) => Err(Failure::missing("experiments", "experiments")),
        Command::Apply(args) => apply::run(args, cx),
        Command::CheckPlan(args) => check_plan::run(args, cx),
        Command::GenInstances(args) => gen_instances::run(args, cx),
        #[cfg(feature = "players")]
        Command::Play(args) => play::run(args, cx),
        #[cfg(not(feature = "players"))]
        Command::Play(_) => Err(Failure::missing("games of two players", "players")),
        Command::Pdb(args) => pdb::run(args, cx),
        Command::Cache(args) => cache::run(args, cx),
        #[cfg(feature = "domains")]
        Command::Gen(args) => r#gen::run(args, cx),
        #[cfg(not(feature = "domains"))]
        Command::Gen(_) => Err(Failure::missing("built-in games", "domains")),
        #[cfg(feature = "formats")]
        Command::Import(args) => import::run(args, cx),
        #[cfg(not(feature = "formats"))]
        Command::Import(_) => Err(Failure::missing("games in other formats", "formats")),
        Command::Export(args) => export::run(args, cx),
        Command::Abstract(args) => abstracts::run(args, cx),
        #[cfg(feature = "cluster")]
        Command::Secret(args) => secret::run(args, cx),
        #[cfg(not(feature = "cluster"))]
        Command::Secret(_) => Err(Failure::missing("several processes", "cluster")),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::run(args, cx),
        #[cfg(not(feature = "lsp"))]
        Command::Lsp(_) => Err(Failure::missing("the server for editors", "lsp")),
        #[cfg(feature = "studio")]
        Command::Studio(args) => studio::run(args, cx),
        #[cfg(not(feature = "studio"))]
        Command::Studio(_) => Err(Failure::missing("the page in a browser", "studio")),
        Command::Schema(args) => schema::run(args, cx),
        Command::Completions(args) => completions::run(args, cx),
        Command::Complete(args) => complete::run(args, cx),
        Command::Man(args) => man::run(args, cx),
    }
}
