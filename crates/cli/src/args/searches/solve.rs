//! The arguments of `psvn solve`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use psvn::analysis::SplitChoice;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::InstanceFormat;
use psvn::solve::{Algorithm, Cycles, PruneSpec, TranspositionTable};
use psvn::text::Choice;
use psvn::text::units::parse_bytes;
use psvn::{SearchOptions, Ties};

use crate::args::UnitsArgs;
use crate::args::choice::choice;
use crate::args::number::number;
use crate::args::shared::{FILE_HELP, SearchLimits, VariationArgs, WordArgs, is_pddl};

const SOLVE_HELP: &str = "\
An instance file has one state on each line. `#` begins a comment. `NAME:` may come before a state,
and `= COST` after it gives the known least cost, which is compared with the cost that the search
finds. Korf's files (ID, COST and numbers of nodes before each state) are read too, and so are
fields between colons (ID : STATE : .. : COST), with or without a header line. gen:korf15 and
gen:korf24 are Korf's hundred 15-puzzles and fifty 24-puzzles.

Exits with 1 if it is proved that there is no solution, and with 4 if a limit, or the --depth of dfs
and dfs-closed, is reached first. If a proof such as parity shows before the search that no goal can
be reached, nothing is searched; --search-anyway searches all the same.

With --start, --time limits the whole run: the analysis takes at most half of it, and choosing and
building heuristics half of the rest. With --instances it limits each search, and the preparation
before the first one. --memory limits the analysis, and then the tables of states and of heuristics
together; the program itself takes up to 16 MiB more.

A task in PDDL is translated first, by Fast Downward's driver: $PSVN_TRANSLATOR, or else
fast-downward.py or downward, or that of the Python package up-fast-downward.

With --units, a search by ida, wida or dfid from one start is split into units of work, files in the
folder of -o: `psvn work` searches one, on any machine, and `psvn join` puts the results together.
Bounds that take less than --units-after are searched at once. Exits with 4 if there are units to
work on. `--prune auto` means length 2 then; `psvn analyze` makes machines for longer sequences.

Examples:
  psvn solve gen:pancake:7 --start '5 2 7 1 4 6 3'
  psvn solve gen:sliding-tiles:4:4 --instances gen:korf15 --heuristic auto
  psvn solve gen:rubik:2:fixed --scramble \"R U2 F'\" --boards
  psvn solve gen:sliding-tiles:3:3 --start '1 4 2 3 0 5 6 7 8' -o way.svg
  psvn solve puzzle.psvn --instances starts.txt --prune puzzle.fsm --time 1m
  psvn solve puzzle.psvn --instances starts.txt --format json > answers.jsonl
  psvn solve puzzle.psvn --heuristic auto --units 100 -o units
  psvn solve domain.pddl problem.pddl --algorithm astar --heuristic lm-cut";

/// The algorithms, as `--help` lists them.
const ALGORITHMS_HELP: &str = "\
Algorithms:
  auto           A* as long as --memory lasts (or half of the free memory, at
                 most 1G), then ida from the bound that A* proved: least cost
  ida            IDA*: least cost
  ida-cr         IDA* with bounds that grow by --growth: least cost
  bts            budgeted tree search: IDA* with bounds that make two to eight
                 times as many nodes, found by trial: least cost
  ida-table      ida with --table, of --memory bytes or 64M: least cost
  wida           IDA* with --weight: at most that times the least cost
  dfbnb          depth-first branch and bound: least cost
  dfid           depth-first iterative deepening: fewest moves
  dfs            depth first: any solution within --depth
  dfs-closed     the same with a closed set, which may miss solutions
  bfs            breadth first: fewest moves
  ucs            uniform cost: least cost
  astar          A*: least cost
  sma            SMA*: A* that forgets what looks worst when --memory is full
                 (without it, half of the free memory, at most 1G): least cost
  wastar         A* with --weight: at most that times the least cost
  anytime        A* by weights from --weight (5 without it) down to 1; stopped,
                 it has the best solution so far: least cost at its end
  greedy         by the estimate alone: any solution
  beam           the best --width states of each layer: any solution
  bidirectional  uniform cost from both ends: least cost
  bae            BAE*, from both ends by a consistent heuristic: least cost
  nbs            NBS, from both ends by pairs of states: least cost";

/// The heuristics, as `--help` lists them.
const HEURISTICS_HELP: &str = "\
Heuristics:
  auto              the best one without * for the starts; if a short try isn't
                    enough, tables or abstractions, made if that pays;
                    the choice is the same on every machine, unless --time
                    ends it or tables are in the cache; --explain prints what
                    it compared, and how to name the choice
  manhattan         distances of the pieces from their places in the goal
  linear-conflict   manhattan, and 2 for each conflict of tiles in a line
  gap               neighbors that aren't neighbors in the goal (pancakes, ..)
  misplaced         values out of place, divided by the most one rule fixes
  goal-count        unmet goal conditions, divided by the most one rule meets
  lm-cut            landmark cuts: about the cost if nothing is deleted; slow
  h-max             the most expensive goal condition if nothing is deleted
  h2                the most expensive pair of goal conditions; very slow
  h3                the most expensive three of them; small games only
  cartesian         sums over abstractions that are refined for the starts
  projections       sums over the values of few variables, which overlap
  merge-and-shrink  cost in a product of variables, shrunk where it's too large
  potentials        numbers for values, found by a linear program; fast
  operator-counting least uses of rules, by a program for each state; very slow
  h-add*            all goal conditions, each for itself, if nothing is deleted
  ff*               the cost of a plan if nothing is deleted; for greedy search
  plain-goal-count* unmet goal conditions
  weak              misplaced tiles (sliding tiles)
  good*, bad*       evaluators of a textbook for the 8-puzzle
  zero              0
  FILE.pdb          a pattern database that `psvn pdb` built
  'keep 0-4'        one built for this pattern; see `psvn pdb`
  'pieces w/g w/r'  the same, for pieces of a cube or a similar puzzle
  'like R2 F2 U2'   the same, merging what these rules exchange
  a.pdb+b.pdb       the sum of additive pattern databases
  a,b+c,..          the greatest of several

Those marked * may estimate too high, so solutions may cost more than necessary.";

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("starts").args(["start", "scramble", "instances"]))]
#[command(after_help = format!("{SOLVE_HELP}\n\n{ALGORITHMS_HELP}\n\n{HEURISTICS_HELP}"))]
pub(crate) struct SolveArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The problem, if the file is a domain in PDDL: an installed translator makes SAS+ of both
    #[arg(value_parser = problem)]
    pub(crate) problem: Option<PathBuf>,
    /// The start state: values separated by white space
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// The start as moves from the goal: labels, such as "R U2 F'". If no label ends in a number or
    /// `'`, a number repeats a move and `'` undoes it
    #[arg(long, value_name = "MOVES")]
    pub(crate) scramble: Option<String>,
    /// A file of start states
    #[arg(long, value_name = "FILE")]
    pub(crate) instances: Option<PathBuf>,
    /// The form of the lines in the instance file: `NAME: STATE = COST`, Korf's (ID COST NODES..
    /// STATE), or scrambles: `NAME: MOVES = COST`
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
    pub(crate) variation: VariationArgs,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// The algorithm: ida, dfid, astar, or another one listed below
    #[arg(short, long, value_name = "NAME", default_value = "ida")]
    pub(crate) algorithm: Algorithm,
    /// The depth that dfs and dfs-closed search to
    #[arg(short, long, value_name = "D", value_parser = number::<u64>)]
    pub(crate) depth: Option<u64>,
    /// The factor of the estimate in wida and wastar, which need it, in the search of dfbnb for its
    /// first bound, where it is 2 without this option, and in the first search of anytime: a number
    /// such as 1.5 or 3/2
    #[arg(short, long, value_name = "W")]
    pub(crate) weight: Option<psvn::Weight>,
    /// The most states that beam keeps of each layer; without it, 1,000
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) width: Option<u64>,
    /// The factor by which ida-cr makes each bound expand more nodes than the one before,
    /// approximately: a number such as 2 or 3/2; without it, 2
    #[arg(long, value_name = "G")]
    pub(crate) growth: Option<psvn::Weight>,
    /// The most that a solution of dfbnb may cost; without it, dfbnb finds a first bound itself
    #[arg(long, value_name = "C", conflicts_with = "weight", value_parser = number::<u64>)]
    pub(crate) cost_bound: Option<u64>,
    /// Which open nodes with the same score ucs, astar, wastar and greedy expand first: those with
    /// the greatest path cost (greater-g, the default), the newest, the oldest, or as in the
    /// textbook "Algorithms in a Nutshell", whose open list may hold a state several times
    #[arg(
        long,
        value_parser = choice::<Ties>(),
        hide_possible_values = true,
        value_name = "greater-g|lifo|fifo|nutshell"
    )]
    pub(crate) ties: Option<Ties>,
    /// Find all solutions of least cost, count them, and list the first N, or 100
    #[arg(
        long,
        value_name = "N",
        value_parser = number::<u64>,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100"
    )]
    pub(crate) all: Option<u64>,
    /// In ucs, astar, wastar and greedy, store one state for all its images under the symmetries of
    /// the game that map the start to itself. With --all, count and list also the solutions that
    /// are no images of each other
    #[arg(long)]
    pub(crate) symmetries: bool,
    /// In ucs and astar, the folder for states that don't fit in --memory (three quarters of the
    /// free memory, if it isn't given). The search makes a folder in it and removes it at its end.
    /// Duplicates are found when states are expanded, and --threads work together
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
    /// The most that the files in the folder of --disk may take, such as 200G; a search that needs
    /// more stops. Without it, they may fill the disk
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, requires = "disk")]
    pub(crate) disk_memory: Option<usize>,
    /// The memory for states already seen, or for the table of ida-table, such as 500M or 4G;
    /// heuristics and a perimeter take a part of it
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// The estimate of the remaining cost: `auto`, or another one listed below
    #[arg(long, value_name = "NAME,..", default_value = "zero")]
    pub(crate) heuristic: HeuristicSpec,
    /// Print the heuristics that `--heuristic auto` compared, with the expected time for each, and
    /// the options that select the chosen one, so that another run needn't choose again
    #[arg(long)]
    pub(crate) explain: bool,
    /// The most memory for the pattern databases that `--heuristic` builds, also during building;
    /// at most --memory
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_bytes)]
    pub(crate) heuristic_memory: usize,
    /// Look up pattern databases for N further images of a state under symmetries of the game, such
    /// as reflections of a board, which are found and proved automatically
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<usize>)]
    pub(crate) mirrored: usize,
    /// Look up pattern databases also for the dual of a state and of its images, in which values
    /// and positions exchange roles (games that only permute values or pieces, such as TopSpin,
    /// pancakes and cubes)
    #[arg(long)]
    pub(crate) duals: bool,
    /// First find all states within this cost of a goal, by a depth-first search backward without
    /// redundant sequences; the estimates of a depth-first search are then exact for these states.
    /// Takes at most half of the time that is left, --nodes for itself, and the --memory that
    /// tables leave; if that doesn't suffice, the cost is smaller, and a warning says so
    #[arg(long, value_name = "C", value_parser = number::<u64>)]
    pub(crate) perimeter: Option<u64>,
    /// The size of a transposition table, such as 64M: ida, wida, ida-cr and dfbnb keep bounds that
    /// they proved for states in it, and don't search below them again. `--prune auto` then means
    /// length 2. With `auto`, the default beside `--heuristic auto`, ida uses one of the memory
    /// that --heuristic-memory leaves once a try between two bounds shows that it pays
    #[arg(long, value_name = "SIZE|auto|none")]
    pub(crate) table: Option<TranspositionTable>,
    /// What to prune: nothing, nodes that equal their grandparent, redundant sequences up to length
    /// L, or what a machine file forbids. `auto`, the default, begins with length 2; IDA* compares
    /// longer sequences between two bounds once that is cheap compared with the next bound.
    /// Searches that keep the states they have seen can't prune
    #[arg(short, long, value_name = "auto|none|parent|L|FILE.fsm")]
    pub(crate) prune: Option<PruneSpec>,
    /// Split rules by the values of variables where that saves nodes: two slides may equal a jump
    /// if two pegs have the same color
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
    /// Search even if it is proved that there is no solution
    #[arg(long)]
    pub(crate) search_anyway: bool,
    /// Write a certificate to this file: that each solution has the least cost, or that there is
    /// none. `psvn certify` checks it, and so does a program that is proved correct. It lists the
    /// states from which a solution might still cost less, or has what a checker needs to search
    /// again; what proves the heuristic is in it once, for all starts
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Print each state on the way
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Print each state of the solution as a board
    #[arg(long, help_heading = "Pictures")]
    pub(crate) boards: bool,
    /// Write the first solution to this file, as an animated picture; or, with --units, the units
    /// to this folder
    #[arg(
        short,
        long,
        alias = "animate",
        value_name = "FILE.svg|FOLDER",
        help_heading = "Pictures"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Write the tree of the first search to this file: closed and open states with f, in the order
    /// of their expansion. For small searches by bfs, ucs, astar, wastar, greedy and dfs-closed
    #[arg(long, value_name = "FILE.svg|FILE.dot", help_heading = "Pictures")]
    pub(crate) tree: Option<PathBuf>,
    /// Send the states of the first search, the first 5,000 of them, to the search debugger of the
    /// extension "PDDL" of VS Code, which listens on this port of this machine and draws them. For
    /// searches by bfs, ucs, astar, wastar, greedy and dfs-closed
    #[arg(long, value_name = "PORT", help_heading = "Pictures", value_parser = number::<u16>)]
    pub(crate) debugger: Option<u16>,
    /// How to draw states as boards, if the game has no comment such as `# layout: rows 4 columns 4
    /// blank 0`: a TOML file with rows and columns, perhaps blank, variables and a table of colors
    #[arg(long, value_name = "FILE.toml", help_heading = "Pictures")]
    pub(crate) layout: Option<PathBuf>,
    /// Count more, and print it (the first not in CSV): the nodes generated, expanded and pruned,
    /// by depth and by bound; cache misses, where Linux counts them; and, with tables, the entries
    /// that are read, and the bytes of memory that a node touches. An entry counts as 64 bytes,
    /// which is a line of a cache. Searches bounded by cost are slower then, with estimates such as
    /// manhattan that are sums over values. Searches that keep states use 4 more bytes for each
    #[arg(long)]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    #[command(flatten)]
    pub(crate) splitting: UnitsArgs,
}

/// Read the name of a second file. Words that a shell has cut off from a start or from moves are
/// told from it by their ending.
fn problem(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    if is_pddl(&file) {
        Ok(file)
    } else {
        Err("a second file is the problem of a task in PDDL, and what has spaces in it needs quotes".to_owned())
    }
}

impl SolveArgs {
    /// The file of the animated picture.
    pub(crate) fn picture(&self) -> Option<&PathBuf> {
        let is_folder = self.splitting.units.is_some();
        self.output.as_ref().filter(|_| !is_folder)
    }

    /// The options of the search.
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            algorithm: self.algorithm,
            depth: self.depth,
            weight: self.weight,
            width: self.width,
            growth: self.growth,
            cost_bound: self.cost_bound,
            ties: self.ties,
            symmetries: self.symmetries,
            all: self.all,
            disk: self.disk.clone(),
            disk_memory: self.disk_memory.map(|bytes| bytes as u64),
            heuristic: self.heuristic.clone(),
            heuristic_memory: self.heuristic_memory,
            mirrored: self.mirrored,
            duals: self.duals,
            perimeter: self.perimeter,
            table: self.table,
            prune: self.prune.clone(),
            split: self.split,
            cycles: self.cycles,
            count_depths: self.stats,
            limits: self.limits.with(self.memory),
        }
    }
}
