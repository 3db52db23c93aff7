//! The command line: commands, options, and help texts.

mod analyses;
mod choice;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
#[cfg(feature = "experiments")]
mod experiments;
mod games;
mod number;
#[cfg(feature = "players")]
mod play;
mod searches;
mod shared;
mod shell;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use self::analyses::{
    AnalyzeArgs, CacheAction, CacheArgs, CertifyArgs, ExplainArgs, FsmArgs, TransferArgs,
    VerifyArgs, WordListArgs,
};
#[cfg(feature = "cluster")]
pub(crate) use self::cluster::{ClusterArgs, SecretArgs};
pub(crate) use self::common::Common;
#[cfg(feature = "experiments")]
pub(crate) use self::experiments::{ExperimentArgs, ReportArgs};
#[cfg(feature = "domains")]
pub(crate) use self::games::GenArgs;
pub(crate) use self::games::{
    AbstractArgs, CheckArgs, ComposeArgs, ExportArgs, FmtArgs, Language, NewArgs, NewKind, ShowArgs,
};
#[cfg(feature = "formats")]
pub(crate) use self::games::{ImportArgs, ImportFormat};
#[cfg(feature = "players")]
pub(crate) use self::play::{PlayArgs, TreeForm};
pub(crate) use self::searches::{
    ApplyArgs, CheckPlanArgs, ExploreArgs, GenInstancesArgs, JoinArgs, PdbArgs, SolveArgs,
    StorageChoice, TreeArgs, TreeAssume, TreePrune, UnitsArgs, WorkArgs,
};
#[cfg(not(all(
    feature = "cluster",
    feature = "domains",
    feature = "experiments",
    feature = "formats",
    feature = "lsp",
    feature = "players",
    feature = "studio"
)))]
use self::shared::MissingArgs;
pub(crate) use self::shared::WorkLimits;
#[cfg(feature = "formats")]
pub(crate) use self::shared::is_pddl;
#[cfg(feature = "lsp")]
pub(crate) use self::shell::LspArgs;
#[cfg(feature = "studio")]
pub(crate) use self::shell::StudioArgs;
pub(crate) use self::shell::{CompleteArgs, CompletingShell, CompletionsArgs, ManArgs, SchemaArgs};

/// Analyze and search state spaces written in PSVN.
#[derive(Debug, Parser)]
#[command(
    name = "psvn",
    bin_name = "psvn",
    version,
    max_term_width = 100,
    after_help = MAIN_HELP
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

const MAIN_HELP: &str = "\
FILE is a PSVN file, `-` for standard input, or a built-in game such as `gen:topspin:14:3`. Files in
SAS+, tws, KPuzzle, octile or gr are recognized by their content, and read as the PSVN that
`psvn import` writes.

Examples:
  psvn gen sliding-tiles 3 3 > eight.psvn          write a game
  psvn check eight.psvn                            look for mistakes in it
  psvn studio eight.psvn                           look into it in a browser
  psvn analyze eight.psvn --max-length 4           find redundant rule sequences
  psvn tree gen:arrow:16 --prune none,2            see what pruning them saves
  psvn solve gen:pancake:7 --start '5 2 7 1 4 6 3' find a cheapest solution

Exit status: 0 done or solved, 1 the answer is no, 2 wrong usage, 3 input rejected,
4 stopped at a limit after printing what was found so far, 130 interrupted (129 by SIGHUP,
143 by SIGTERM).";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a puzzle and show what pruning saves
    Demo,
    /// Begin a game or an experiment of your own
    New(NewArgs),
    /// Validate a game, and warn about likely mistakes
    Check(CheckArgs),
    /// Print a game in the canonical layout
    Fmt(FmtArgs),
    /// Show a game: domains, canonical rules, inverses, goals
    Show(ShowArgs),
    /// Compose a sequence of rules into one macro-rule
    Compose(ComposeArgs),
    /// Find all redundant rule sequences up to a length
    Analyze(AnalyzeArgs),
    /// Explain why a sequence of rules is or isn't redundant
    Explain(ExplainArgs),
    /// Prove every redundancy in a machine file again, independently
    Verify(VerifyArgs),
    /// Check a certificate of the cost of a solution, independently
    Certify(CertifyArgs),
    /// Transfer a machine over labels to another game, with a proof
    Transfer(TransferArgs),
    /// Describe a machine file: sizes, branching factor, drawing
    Fsm(FsmArgs),
    /// Count the search tree by depth, with and without pruning
    Tree(TreeArgs),
    /// Count all states by their distance from goals or starts
    Explore(ExploreArgs),
    /// Find solutions
    Solve(Box<SolveArgs>),
    /// Search units of a search that was split, and keep their results
    Work(WorkArgs),
    /// Join the results of units: the answer, or the next units
    Join(JoinArgs),
    /// Measure methods on instances, and keep the results
    #[cfg(feature = "experiments")]
    Experiment(ExperimentArgs),
    /// Measure methods on instances, and keep the results
    #[cfg(not(feature = "experiments"))]
    #[command(hide = true)]
    Experiment(MissingArgs),
    /// Show the results of experiments as tables and plots
    #[cfg(feature = "experiments")]
    Report(ReportArgs),
    /// Show the results of experiments as tables and plots
    #[cfg(not(feature = "experiments"))]
    #[command(hide = true)]
    Report(MissingArgs),
    /// Make moves, and show the states they lead to
    Apply(ApplyArgs),
    /// Replay solutions step by step, and check their costs
    CheckPlan(CheckPlanArgs),
    /// Write start states, made by random walks
    GenInstances(GenInstancesArgs),
    /// Find the best move in a game of two players, and play it
    #[cfg(feature = "players")]
    Play(PlayArgs),
    /// Find the best move in a game of two players, and play it
    #[cfg(not(feature = "players"))]
    #[command(hide = true)]
    Play(MissingArgs),
    /// Build pattern databases, and describe them
    Pdb(PdbArgs),
    /// Write a built-in game as PSVN
    #[cfg(feature = "domains")]
    Gen(GenArgs),
    /// Write a built-in game as PSVN
    #[cfg(not(feature = "domains"))]
    #[command(hide = true)]
    Gen(MissingArgs),
    /// Write a planning task or puzzle in another format as PSVN
    #[cfg(feature = "formats")]
    Import(ImportArgs),
    /// Write a planning task or puzzle in another format as PSVN
    #[cfg(not(feature = "formats"))]
    #[command(hide = true)]
    Import(MissingArgs),
    /// Write a game as C, or in another format
    Export(ExportArgs),
    /// Abstract a game, and write the result as PSVN
    Abstract(AbstractArgs),
    /// Describe the cache of analyses and tables, or clear it
    Cache(CacheArgs),
    /// Make the secret of processes on several machines
    #[cfg(feature = "cluster")]
    Secret(SecretArgs),
    /// Make the secret of processes on several machines
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true)]
    Secret(MissingArgs),
    /// Answer an editor, by the Language Server Protocol
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    /// Answer an editor, by the Language Server Protocol
    #[cfg(not(feature = "lsp"))]
    #[command(hide = true)]
    Lsp(MissingArgs),
    /// Show a game in a browser while one writes it
    #[cfg(feature = "studio")]
    Studio(StudioArgs),
    /// Show a game in a browser while one writes it
    #[cfg(not(feature = "studio"))]
    #[command(hide = true)]
    Studio(MissingArgs),
    /// Describe the JSON that commands write, field by field
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print what may come next on a command line
    #[command(hide = true)]
    Complete(CompleteArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// The command line. A negative number behind an option is its value, so that the option says what
/// it expects.
pub(crate) fn command() -> clap::Command {
    with_negative_values(Cli::command())
}

fn with_negative_values(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| {
            let may_be_negative = takes_value(&arg);
            arg.allow_negative_numbers(may_be_negative)
        })
        .mut_subcommands(with_negative_values)
}

/// The error of a command line without the tip to pass an option's name as a value, which hardly
/// ever helps.
pub(crate) fn without_idle_tips(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        let mut tips = tips.clone();
        tips.retain(|tip| !tip.to_string().contains("as a value, use"));
        if tips.is_empty() {
            error.remove(ContextKind::Suggested)
        } else {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips))
        };
    }
    error
}
