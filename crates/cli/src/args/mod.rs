//! The command line: what can be asked, and the help texts.

mod abstracts;
mod analysis;
mod choice;
mod experiments;
mod explore;
mod export;
mod import;
mod pdb;
mod plans;
mod play;
mod transfer;

use std::path::PathBuf;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};

use psvn::analysis::SplitChoice;
use psvn::solve::{Algorithm, Cycles};
use psvn::text::Choice;

use self::choice::choice;
use crate::output::FormatChoice;
use crate::output::log::ColorChoice;
use crate::output::progress::ProgressMode;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::InstanceFormat;
use psvn::solve::PruneSpec;
use psvn::text::units::{parse_bytes, parse_duration};
use psvn::{SearchOptions, Ties};

pub(crate) use abstracts::AbstractArgs;
pub(crate) use analysis::{
    AnalyzeArgs, CacheAction, CacheArgs, ExplainArgs, FsmArgs, VerifyArgs, WordListArgs,
};
pub(crate) use experiments::{
    ExperimentArgs, OpeningsAlgorithm, OpeningsArgs, ReportArgs, TreeMethodArgs,
};
pub(crate) use explore::{ExploreArgs, StorageChoice};
pub(crate) use export::{ExportArgs, Language};
pub(crate) use import::{ImportArgs, ImportFormat};
pub(crate) use pdb::PdbArgs;
pub(crate) use plans::{ApplyArgs, CheckPlanArgs, GenInstancesArgs, WordArgs};
pub(crate) use play::{PlayArgs, TreeForm};
pub(crate) use transfer::TransferArgs;

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
SAS+, tws or KPuzzle are told by their content, and read as the PSVN that `psvn import` writes.

Examples:
  psvn gen sliding-tiles 3 3 > eight.psvn          write a game
  psvn check eight.psvn                            look for mistakes in it
  psvn analyze eight.psvn --max-length 4           find redundant rule sequences
  psvn tree gen:arrow:16 --prune none,2            see what pruning them saves
  psvn solve gen:pancake:7 --start '5 2 7 1 4 6 3' find a cheapest solution

Exit status: 0 done or solved, 1 the answer is no, 2 wrong usage, 3 input rejected,
4 stopped at a limit with what was found so far printed, 130 interrupted.";

/// What all commands understand.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// The form of the data on standard output
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "text|json|csv",
        help_heading = "Common options"
    )]
    pub(crate) format: FormatChoice,
    /// Say more; twice for debugging
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Common options")]
    pub(crate) verbose: u8,
    /// Say nothing but errors and the data itself
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        help_heading = "Common options"
    )]
    pub(crate) quiet: bool,
    /// When to show progress on standard error; `auto` means on a terminal
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never",
        help_heading = "Common options"
    )]
    pub(crate) progress: ProgressMode,
    /// When to color what goes to standard error; `auto` means on a terminal, unless NO_COLOR is
    /// set, and always if CLICOLOR_FORCE is
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never",
        help_heading = "Common options"
    )]
    pub(crate) color: ColorChoice,
    /// The most threads to use. Unless given, analyses use one for each processor, and searches
    /// one, so that all that they count is the same each time
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1024),
        help_heading = "Common options"
    )]
    pub(crate) threads: Option<u32>,
    /// The seed of random choices, such as those of `analyze --rule-order optimize`
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Common options"
    )]
    pub(crate) seed: u64,
    /// Neither use nor keep results in the cache, which `psvn cache` describes
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) no_cache: bool,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a puzzle and show what pruning saves
    Demo,
    /// Validate a game, and warn of what looks like a mistake
    Check(CheckArgs),
    /// Print a game in the canonical layout
    Fmt(FmtArgs),
    /// Show a game: domains, canonical rules, inverses, goals
    Show(ShowArgs),
    /// Compose a sequence of rules into one macro-rule
    Compose(ComposeArgs),
    /// Find all redundant rule sequences up to a length
    Analyze(AnalyzeArgs),
    /// Say why a sequence of rules is redundant, or that it is not
    Explain(ExplainArgs),
    /// Prove every redundancy in a machine file again, independently
    Verify(VerifyArgs),
    /// Carry a machine over labels over to another game, with a proof
    Transfer(TransferArgs),
    /// Describe a machine file: sizes, branching factor, drawing
    Fsm(FsmArgs),
    /// Count the search tree by depth, with and without pruning
    Tree(TreeArgs),
    /// Count all states by their distance from goals or starts
    Explore(ExploreArgs),
    /// Find solutions
    Solve(SolveArgs),
    /// Measure methods on instances, and keep the results
    Experiment(ExperimentArgs),
    /// Show the results of experiments as tables and plots
    Report(ReportArgs),
    /// Make moves, and show the states that they lead to
    Apply(ApplyArgs),
    /// Carry solutions out step by step, and check their costs
    CheckPlan(CheckPlanArgs),
    /// Write start states, made by random walks
    GenInstances(GenInstancesArgs),
    /// Search a game of two players for the best move, and play it
    Play(PlayArgs),
    /// Build pattern databases, and say what is in them
    Pdb(PdbArgs),
    /// Write a built-in game as PSVN
    Gen(GenArgs),
    /// Write a planning task or puzzle in another format as PSVN
    Import(ImportArgs),
    /// Write a game as C, or in another format
    Export(ExportArgs),
    /// Write the game that a game becomes under an abstraction
    Abstract(AbstractArgs),
    /// Say what analyses and tables are kept, or remove them
    Cache(CacheArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print what may stand next on a command line
    #[command(hide = true)]
    Complete(CompleteArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// The error of a command line without the tip to pass an option's name as a value, which is hardly
/// ever meant.
pub(crate) fn without_idle_tips(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        let mut tips = tips.clone();
        tips.retain(|tip| !tip.to_string().contains("as a value, use"));
        match tips.is_empty() {
            true => error.remove(ContextKind::Suggested),
            false => error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips)),
        };
    }
    error
}

const FILE_HELP: &str = "PSVN file, `-` for standard input, or `gen:NAME:ARGS`";
const FILES_HELP: &str = "PSVN files, `-` for standard input, or `gen:NAME:ARGS`";

#[derive(Args, Debug)]
#[command(after_help = "\
Warnings leave the exit status at 0; errors make it 3. Those of one cause are
one warning with a count; -v shows each. Other commands show warnings with -v.
Of several files JSON has one object a line, and the exit status is the worst.
The comment line `# players: 1` or `# players: 2` says how many players a game
has where every rule flips one variable.

Examples:
  psvn check puzzle.psvn
  psvn check games/*.psvn
  psvn check --fix puzzle.psvn
  psvn check --explain no-inverse
  psvn check --format json puzzle.psvn | jq '.diagnostics[].message'")]
pub(crate) struct CheckArgs {
    #[arg(help = FILES_HELP, value_name = "FILE", required_unless_present = "explain")]
    pub(crate) files: Vec<PathBuf>,
    /// Change the files where it is certain what was meant: comments that begin with `//`, arrows
    /// and invisible characters within words, and rules that stand there twice
    #[arg(long)]
    pub(crate) fix: bool,
    /// Say what a code such as no-inverse means, and what to do about it; `all` for all codes
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "fix"])]
    pub(crate) explain: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn fmt puzzle.psvn             print it
  psvn fmt --check puzzle.psvn     exit with 1 if it isn't laid out so
  psvn fmt --write puzzle.psvn     change the file")]
pub(crate) struct FmtArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Print nothing, and exit with 1 if the file would change
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Change the file in place
    #[arg(short, long)]
    pub(crate) write: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Rules are shown as in Burch & Holte 2011: <preconditions> -> <actions>, where x3 is the value that
position 3 has before the rule is applied.

Examples:
  psvn show gen:ghi
  psvn show gen:blocks:10 --all
  psvn show gen:gripper:3 --machine gripper.fsm
  psvn show --format json gen:hanoi:3:3 | jq '.rules[].name'")]
pub(crate) struct ShowArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Show all rules and values, however many there are
    #[arg(long)]
    pub(crate) all: bool,
    /// Show which rules this machine splits by values, why, and which parts are redundant
    #[arg(short, long, value_name = "FILE.fsm")]
    pub(crate) machine: Option<PathBuf>,
}

const RULE_HELP: &str =
    "Label of a rule, `LABEL#K` for the K-th rule of that label, or `rule_N` for the N-th of all";

#[derive(Args, Debug)]
#[command(after_help = "\
Exits with 1 if the sequence can't be carried out from any state.

Examples:
  psvn compose gen:arrow:4 R1-00 R2-10
  psvn compose gen:sliding-tiles:2:2 rule_1 rule_3 --trace")]
pub(crate) struct ComposeArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    #[arg(required = true, value_name = "RULE", help = RULE_HELP)]
    pub(crate) rules: Vec<String>,
    /// Show, for each rule and position, which subcase of the paper applied and what it replaced
    #[arg(long)]
    pub(crate) trace: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Every sequence of rules is a node of its own; the root counts at depth 0.

Examples:
  psvn tree gen:sliding-tiles:4:4 --prune none,2
  psvn tree puzzle.psvn --prune none,2,puzzle.fsm
  psvn tree gen:topspin:14:3 --prune none,parent,2,3 --depth 6 --format csv
  psvn tree gen:sliding-tiles:2:2 --depth 3 -o tree.svg")]
pub(crate) struct TreeArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The state at the root: values separated by white space
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// The state at the root as moves from the goal: labels, such as "R U2 F'"
    #[arg(long, value_name = "MOVES", conflicts_with = "start")]
    pub(crate) scramble: Option<String>,
    /// Run the rules backward: the tree is that of a search from the goals
    #[arg(long)]
    pub(crate) backward: bool,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// The depth to count to
    #[arg(short, long, value_name = "D", default_value_t = 12)]
    pub(crate) depth: u64,
    /// Count the sequences that cost at most C, instead of those down to a depth
    #[arg(long, value_name = "C", conflicts_with = "depth")]
    pub(crate) cost: Option<u64>,
    /// What to leave out, one column for each: `none`; redundant sequences up to a length;
    /// `parent`, nodes that equal their grandparent; `path`, nodes that equal any node on their
    /// path; or what a machine file forbids. `none,2` unless given
    #[arg(
        short,
        long,
        value_name = "none|parent|path|L|FILE.fsm,..",
        value_delimiter = ','
    )]
    pub(crate) prune: Vec<TreePrune>,
    /// The same for lengths alone
    #[arg(
        short = 'L',
        long,
        value_name = "L,L,..",
        value_delimiter = ',',
        value_parser = parse_length,
        hide = true
    )]
    pub(crate) max_length: Vec<usize>,
    /// Whether sequences are compared within the invariants of the state at the root, or in all
    /// states, as published counts are made
    #[arg(long, value_name = "ASSUME", value_enum, default_value_t = TreeAssume::Start)]
    pub(crate) invariants: TreeAssume,
    /// One more column: the same as `--prune parent`
    #[arg(long, hide = true)]
    pub(crate) parent: bool,
    /// One more column: the same as `--prune path`
    #[arg(long, hide = true)]
    pub(crate) path: bool,
    /// Split rules by the values of variables in the columns with a length: `auto` where it pays.
    /// Unless given, that is done within the invariants, and nothing is split where sequences are
    /// compared in all states
    #[arg(
        long,
        value_parser = choice::<SplitChoice>(),
        conflicts_with_all = ["svg", "dot"],
        hide_possible_values = true,
        value_name = "none|auto|all"
    )]
    pub(crate) split: Option<SplitChoice>,
    /// Draw the tree to this file instead, with what is left out dashed, and why: redundant
    /// sequences up to the greatest length, or parents, or what a machine file forbids; as SVG, or
    /// in the DOT language of Graphviz
    #[arg(
        short,
        long,
        value_name = "FILE.svg|FILE.dot",
        conflicts_with_all = ["svg", "dot", "split"],
        help_heading = "Pictures"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Draw the tree to standard output, as SVG
    #[arg(long, conflicts_with = "dot", hide = true)]
    pub(crate) svg: bool,
    /// Draw the tree to standard output, for Graphviz
    #[arg(long, hide = true)]
    pub(crate) dot: bool,
    /// The memory for finding redundant sequences, such as 500M or 2G; where it is used up, only
    /// shorter ones are left out
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// How states are drawn as boards, unless a comment of the game says it: TOML with rows and
    /// columns
    #[arg(long, value_name = "FILE.toml", help_heading = "Pictures")]
    pub(crate) layout: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
}

/// Reads what to leave out. A word that is no name of a file and no file is a slip.
fn parse_prune(text: &str) -> Result<PruneSpec, String> {
    let spec: PruneSpec = text.parse()?;
    match &spec {
        PruneSpec::File(path) if path.extension().is_none() && !path.exists() => Err(
            "expected a length such as 2, `none`, `parent`, or a machine file such as deep.fsm"
                .to_owned(),
        ),
        _ => Ok(spec),
    }
}

/// Reads a length of sequences.
fn parse_length(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "a length is a number such as 2; several are written 0,2,3".to_owned())
}

/// What a column of counts leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreePrune {
    /// Nodes that equal their grandparent.
    Parent,
    /// Nodes that equal any node on their path.
    Path,
    /// Redundant sequences up to this length; 0 for nothing.
    Length(usize),
    /// What a machine file forbids.
    File(PathBuf),
}

impl std::str::FromStr for TreePrune {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("path") {
            return Ok(TreePrune::Path);
        }
        match parse_prune(text)? {
            PruneSpec::None => Ok(TreePrune::Length(0)),
            PruneSpec::Parent => Ok(TreePrune::Parent),
            PruneSpec::Length(length) => Ok(TreePrune::Length(length)),
            PruneSpec::File(path) => Ok(TreePrune::File(path)),
            _ => Err("a column has none, parent, path, a length or a machine file".to_owned()),
        }
    }
}

impl TreeArgs {
    /// The columns that are asked for: those of `--prune` and of its old spellings, or else nothing
    /// and length 2, with which `--parent` and `--path` come too.
    pub(crate) fn columns(&self) -> Vec<TreePrune> {
        let mut columns = self.prune.clone();
        columns.extend(
            self.max_length
                .iter()
                .map(|length| TreePrune::Length(*length)),
        );
        if columns.is_empty() {
            columns = vec![TreePrune::Length(0), TreePrune::Length(2)];
        }
        columns.extend(self.parent.then_some(TreePrune::Parent));
        columns.extend(self.path.then_some(TreePrune::Path));
        columns
    }
}

/// The states in which sequences of a tree are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeAssume {
    /// Those that have the invariants of the state at the root
    Start,
    /// All states
    None,
}

/// What each search may use.
#[derive(Args, Debug)]
pub(crate) struct SearchLimits {
    /// Stop each search after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop each search after this number of generated nodes
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

const SOLVE_HELP: &str = "\
An instance file has one state a line; `#` begins a comment, `NAME:` may stand in front of a state,
and `= COST` behind it gives the known least cost, which is compared with what is found. Files such as
Korf's, with ID, COST and numbers of nodes in front of each state, are understood as well, and so are
fields with colons between them (ID : STATE : .. : COST), whose first line may be a header. gen:korf15
and gen:korf24 are Korf's hundred 15-puzzles and fifty 24-puzzles.

Exits with 1 if it is proved that there is no solution, with 4 if a limit came first, or the --depth of
dfs and dfs-closed. A start is not searched if no goal can be reached from it for a reason that shows
at once, such as parity; --search-anyway searches it.

With --start, --time holds for all that is done: half of it at most is spent on the analysis, and half of the
rest on choosing and building heuristics. With --instances it holds for each search, and for what
is done before the first one. --memory holds for the analysis, and then for the tables of states and of
heuristics together; the program itself takes up to 16 MiB besides.

Examples:
  psvn solve gen:pancake:7 --start '5 2 7 1 4 6 3'
  psvn solve gen:sliding-tiles:4:4 --instances gen:korf15 --heuristic auto
  psvn solve gen:rubik:2:fixed --scramble \"R U2 F'\" --boards
  psvn solve gen:sliding-tiles:3:3 --start '1 4 2 3 0 5 6 7 8' -o way.svg
  psvn solve puzzle.psvn --instances starts.txt --prune puzzle.fsm --time 1m
  psvn solve puzzle.psvn --instances starts.txt --format json > answers.jsonl";

/// The algorithms, as `--help` lists them.
const ALGORITHMS_HELP: &str = "\
Algorithms:
  ida            IDA*: least cost
  ida-cr         IDA* with bounds that grow by --growth: least cost
  ida-table      IDA* with a table of states of --memory bytes: least cost
  wida           IDA* with --weight: at most that times the least cost
  dfbnb          depth-first branch and bound: least cost
  dfid           depth-first iterative deepening: fewest moves
  dfs            depth first: any solution within --depth
  dfs-closed     the same with a closed set, which may miss solutions
  bfs            breadth first: fewest moves
  ucs            uniform cost: least cost
  astar          A*: least cost
  wastar         A* with --weight: at most that times the least cost
  greedy         by the estimate alone: any solution
  bidirectional  uniform cost from both ends: least cost";

/// The heuristics, as `--help` lists them.
const HEURISTICS_HELP: &str = "\
Heuristics:
  auto              the best one without * for the starts; where a short try
                    isn't enough, tables that are chosen, built and used
                    if building pays; the same on every machine, unless --time
                    stops it; --explain prints how to name it
  manhattan         distances of the pieces from their places in the goal
  linear-conflict   that, and what tiles in the wrong order in a line add
  gap               neighbors that are no neighbors in the goal (pancakes, ..)
  misplaced         values out of place, by the most that a rule puts right
  goal-count        goal conditions not met, by the most that a rule meets
  plain-goal-count* goal conditions not met
  weak              misplaced tiles (sliding tiles)
  good*, bad*       evaluators of a textbook for the 8-puzzle
  zero              0
  FILE.pdb          a pattern database that `psvn pdb` has built
  'keep 0-4'        one that is built for a pattern; see `psvn pdb`
  'pieces w/g w/r'  the same, for some pieces of a cube and the like
  a.pdb+b.pdb       the sum of pattern databases made to be added up
  a,b+c,..          the greatest of several

Those marked * may estimate too high, so that solutions may not be of least cost.";

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("starts").args(["start", "scramble", "instances"]))]
#[command(after_help = format!("{SOLVE_HELP}\n\n{ALGORITHMS_HELP}\n\n{HEURISTICS_HELP}"))]
pub(crate) struct SolveArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The start state: values separated by white space
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// The start as moves from the goal: labels, such as "R U2 F'". Where no label has a number or
    /// `'` behind it, they repeat and undo a move
    #[arg(long, value_name = "MOVES")]
    pub(crate) scramble: Option<String>,
    /// A file of start states
    #[arg(long, value_name = "FILE")]
    pub(crate) instances: Option<PathBuf>,
    /// How the lines of the instance file go: `NAME: STATE = COST`, as Korf's (ID COST NODES..
    /// STATE), or as scrambles: `NAME: MOVES = COST`
    #[arg(
        long,
        value_parser = choice::<InstanceFormat>(),
        default_value = InstanceFormat::default().name(),
        requires = "instances",
        hide_possible_values = true,
        value_name = "auto|plain|korf|scrambles"
    )]
    pub(crate) instance_format: InstanceFormat,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// The algorithm: ida, dfid, astar, and others that are listed below
    #[arg(short, long, value_name = "NAME", default_value = "ida")]
    pub(crate) algorithm: Algorithm,
    /// The depth that dfs and dfs-closed search to
    #[arg(short, long, value_name = "D")]
    pub(crate) depth: Option<u64>,
    /// What the estimate is multiplied with by wida and wastar, and by dfbnb in the search for its
    /// first bound (2 unless given): a number such as 1.5 or 3/2
    #[arg(short, long, value_name = "W")]
    pub(crate) weight: Option<psvn::Weight>,
    /// How many times as many nodes ida-cr expands from bound to bound, about: a number such as 2
    /// or 3/2, 2 unless given
    #[arg(long, value_name = "G")]
    pub(crate) growth: Option<psvn::Weight>,
    /// What a solution may cost that dfbnb looks for; it finds a bound by itself otherwise
    #[arg(long, value_name = "C", conflicts_with = "weight")]
    pub(crate) cost_bound: Option<u64>,
    /// Which of the open nodes with the same score ucs, astar, wastar and greedy expand first: the
    /// one with the greatest path cost (greater-g, unless given), the last one, the first one, or
    /// as the textbook "Algorithms in a Nutshell" has it, whose open list holds states repeatedly
    #[arg(
        long,
        value_parser = choice::<Ties>(),
        hide_possible_values = true,
        value_name = "greater-g|lifo|fifo|nutshell"
    )]
    pub(crate) ties: Option<Ties>,
    /// The memory for states that were seen, or for the table of ida-table, such as 500M or 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// The estimate of the cost that is still to come: `auto`, or others that are listed below
    #[arg(long, value_name = "NAME,..", default_value = "zero")]
    pub(crate) heuristic: HeuristicSpec,
    /// Print the options that name what `--heuristic auto` has chosen, so that it can be taken
    /// again without choosing
    #[arg(long)]
    pub(crate) explain: bool,
    /// The most memory for pattern databases that `--heuristic` builds, also while they are built;
    /// at most that of --memory
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_bytes)]
    pub(crate) heuristic_memory: usize,
    /// Look pattern databases up for this many more images of a state under symmetries of the game,
    /// such as reflections of a board; they are found, and proved, by themselves
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) mirrored: usize,
    /// Look pattern databases up for the dual of a state, too, and of its images, where values and
    /// positions change roles (games that only permute values or pieces, such as TopSpin, pancakes
    /// and cubes)
    #[arg(long)]
    pub(crate) duals: bool,
    /// Find all states within this cost of a goal beforehand, by a depth-first search backward that
    /// leaves out redundant sequences: searches along paths that take an estimate are exact there
    #[arg(long, value_name = "C")]
    pub(crate) perimeter: Option<u64>,
    /// What to leave out: nothing, nodes that equal their grandparent, redundant sequences up to
    /// length L, or what a machine file says. `auto`, which is used unless given, begins with
    /// length 2, and IDA* compares longer sequences between two bounds once that is cheap beside
    /// the next one. Searches that keep the states they have seen can leave nothing out
    #[arg(
        short,
        long,
        value_name = "auto|none|parent|L|FILE.fsm",
        value_parser = parse_prune
    )]
    pub(crate) prune: Option<PruneSpec>,
    /// Split rules by the values of variables where that saves nodes: two slides may be a jump if
    /// two pegs have one color
    #[arg(
        long,
        value_parser = choice::<SplitChoice>(),
        default_value = SplitChoice::default().name(),
        hide_possible_values = true,
        value_name = "none|auto|all"
    )]
    pub(crate) split: SplitChoice,
    /// Leave out nodes that equal their grandparent, or any node on their path
    #[arg(
        long,
        value_parser = choice::<Cycles>(),
        default_value = Cycles::default().name(),
        hide_possible_values = true,
        value_name = "none|parent|path"
    )]
    pub(crate) cycles: Cycles,
    /// Search also where it is proved beforehand that there is no solution
    #[arg(long)]
    pub(crate) search_anyway: bool,
    /// Print each state on the way
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Print each state on the way as a board
    #[arg(long, help_heading = "Pictures")]
    pub(crate) boards: bool,
    /// Write the way of the first solution to this file, as an animated picture
    #[arg(
        short = 'o',
        long = "output",
        alias = "animate",
        value_name = "FILE.svg",
        help_heading = "Pictures"
    )]
    pub(crate) animate: Option<PathBuf>,
    /// Write the tree of the first search to this file: closed and open states in the order of
    /// their expansion, with f. For small searches by bfs, ucs, astar, wastar, greedy and
    /// dfs-closed
    #[arg(long, value_name = "FILE.svg|FILE.dot", help_heading = "Pictures")]
    pub(crate) tree: Option<PathBuf>,
    /// How states are boards, unless a comment of the game says it, such as
    /// `# layout: rows 4 columns 4 blank 0`: TOML with rows and columns, perhaps blank, variables
    /// and a table of colors
    #[arg(long, value_name = "FILE.toml", help_heading = "Pictures")]
    pub(crate) layout: Option<PathBuf>,
    /// Count by depth and by bound what was generated, expanded and pruned. Searches bounded by
    /// cost are slower then, and use one thread; searches that keep states take 4 bytes more for
    /// each
    #[arg(long)]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn gen --list
  psvn gen sliding-tiles 4 4 -o fifteen.psvn
  psvn gen topspin 14 3 | psvn analyze -
  psvn gen sokoban --level microban.txt --number 5 cost=pushes -o five.psvn")]
pub(crate) struct GenArgs {
    /// The game
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// Its numbers and options
    #[arg(value_name = "ARG")]
    pub(crate) args: Vec<String>,
    /// List the games with their arguments
    #[arg(long, conflicts_with_all = ["name", "args", "output"])]
    pub(crate) list: bool,
    /// sokoban: a file with levels in their usual text form, rows of `#@$.*+` and blanks
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(crate) level: Option<PathBuf>,
    /// Which level of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "level")]
    pub(crate) number: usize,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn completions bash > ~/.local/share/bash-completion/completions/psvn
  psvn completions zsh > ~/.zfunc/_psvn
  psvn completions fish > ~/.config/fish/completions/psvn.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// What a shell's script asks.
#[derive(Args, Debug)]
pub(crate) struct CompleteArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: CompletingShell,
    /// The words of the line up to the cursor; for bash, the line and the characters that break
    /// words
    #[arg(last = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

/// The shells whose scripts ask what may stand next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompletingShell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn man | man -l -
  psvn man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write one page for each command into this folder instead
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

impl SolveArgs {
    /// What the search is asked for.
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            algorithm: self.algorithm,
            depth: self.depth,
            weight: self.weight,
            growth: self.growth,
            cost_bound: self.cost_bound,
            ties: self.ties,
            heuristic: self.heuristic.clone(),
            heuristic_memory: self.heuristic_memory,
            mirrored: self.mirrored,
            duals: self.duals,
            perimeter: self.perimeter,
            prune: self.prune.clone(),
            split: self.split,
            cycles: self.cycles,
            count_depths: self.stats,
            nodes: self.limits.nodes,
            time: self.limits.time,
            memory: self.memory,
        }
    }
}
