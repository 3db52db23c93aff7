//! What `psvn solve` can be asked.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use psvn::analysis::SplitChoice;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::InstanceFormat;
use psvn::solve::{Algorithm, Cycles, PruneSpec};
use psvn::text::Choice;
use psvn::text::units::parse_bytes;
use psvn::{SearchOptions, Ties};

use crate::args::choice::choice;
use crate::args::shared::{FILE_HELP, SearchLimits, WordArgs, parse_prune};

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
  auto              the best one without * for the starts; where a second of
                    work isn't enough, tables that are chosen, built and used
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
