//! Options of a search.

use std::path::PathBuf;

use length_choice::FIRST_LENGTH;
use move_prune::Order;
use search::{DEFAULT_TABLE_BYTES, DuplicateDetection, Limits, Ties, UnsafeCombination, Weight};

use super::pruning::PruneSpec;
use super::transpositions::TranspositionTable;
use crate::analysis::SplitChoice;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::machine_file;
use crate::heuristic::{DEFAULT_MEMORY, HeuristicSpec, Name};
use crate::text::algorithm::{Algorithm, Cycles};
use crate::text::{Parameter, message};

/// Options of a search: the algorithm with its parameters, the pruning, the heuristic, and limits.
///
/// The default is IDA* without a heuristic, without limits, with redundant sequences pruned up to
/// the length that pays.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The depth of depth-first searches; they need one, and no other search takes it.
    pub depth: Option<u64>,
    /// The factor of the estimate in weighted searches; they need it. Branch and bound uses it to
    /// find its first bound, and restarting weighted A* to begin, with 5 unless it is given.
    pub weight: Option<Weight>,
    /// The most states that a beam keeps of each layer; 1,000 unless given.
    pub width: Option<u64>,
    /// The factor by which IDA* with controlled bounds expands more nodes with each bound.
    pub growth: Option<Weight>,
    /// The first bound of branch and bound: the greatest cost of a solution.
    pub cost_bound: Option<u64>,
    /// The order of open nodes with the same score; the default order unless given.
    pub ties: Option<Ties>,
    /// Whether one state stands for all its images under the symmetries of the game that map the
    /// start to itself, in the searches that take ties.
    pub symmetries: bool,
    /// Whether all solutions of least cost are found after the first, and the most that are listed.
    /// With [`symmetries`](Self::symmetries), those are counted as well that are no images of
    /// others, and only these are listed.
    pub all: Option<u64>,
    /// The folder for the states of A* and uniform-cost search that don't fit in memory, in a
    /// search of its own kind; see [`search::Run::a_star_on_disk`]. Nothing is left there.
    pub disk: Option<PathBuf>,
    /// The most bytes that these states may take there; unless given, they may fill the disk.
    pub disk_memory: Option<u64>,
    /// The heuristic.
    pub heuristic: HeuristicSpec,
    /// The maximum number of bytes of pattern databases that are built, also while they are built.
    pub heuristic_memory: usize,
    /// The number of images under symmetries for which tables are looked up, apart from the state
    /// itself.
    pub mirrored: usize,
    /// Whether tables are looked up for dual states.
    pub duals: bool,
    /// The cost within which all states around the goals are found backward before the search, with
    /// their exact costs. It is for searches along paths that take an estimate. A limit may make it
    /// smaller, which a warning says.
    pub perimeter: Option<u64>,
    /// The transposition table, in searches bounded by cost. Unless given, IDA* with the automatic
    /// heuristic uses one where it pays, `ida-table` has one of the bytes of `memory` or, without
    /// these, of 64 MiB, and others have none.
    pub table: Option<TranspositionTable>,
    /// The pruning; unless given, the default of the algorithm.
    pub prune: Option<PruneSpec>,
    /// Whether rules are split by values of variables, where a length is pruned.
    pub split: SplitChoice,
    /// The choice of nodes that are left out because they repeat a state.
    pub cycles: Cycles,
    /// Whether nodes are counted by depth, which makes searches bounded by cost slower.
    pub count_depths: bool,
    /// The limits: the nodes and the time of each search, and the bytes for states and for the
    /// analysis. A flag that interrupts takes the place of the environment's cancellation.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Ida,
            depth: None,
            weight: None,
            width: None,
            growth: None,
            cost_bound: None,
            ties: None,
            symmetries: false,
            all: None,
            disk: None,
            disk_memory: None,
            heuristic: HeuristicSpec::zero(),
            heuristic_memory: DEFAULT_MEMORY,
            mirrored: 0,
            duals: false,
            perimeter: None,
            table: None,
            prune: None,
            split: SplitChoice::default(),
            cycles: Cycles::None,
            count_depths: false,
            limits: Limits::default(),
        }
    }
}

/// Return the default of the growth of bounds, and of the weight that finds a first solution.
pub(super) fn two() -> Weight {
    Weight::new(2, 1).expect("a weight of 2 is at least 1")
}

impl SearchOptions {
    /// Refuse options that make no sense together.
    ///
    /// # Errors
    /// When a parameter is missing or belongs to another algorithm, or when pruning isn't safe.
    pub fn check(&self) -> Result<(), Error> {
        self.check_depth()?;
        self.check_factors()?;
        self.check_perimeter()?;
        self.check_table()?;
        self.check_cost_bound()?;
        self.check_all()?;
        self.check_both_ends()?;
        self.check_order_and_disk()
    }

    /// Refuse what all solutions of least cost can't be found with.
    fn check_all(&self) -> Result<(), Error> {
        if self.all.is_none() {
            return Ok(());
        }
        if !self.algorithm.is_optimal() {
            let message = message![
                "`",
                Parameter::All,
                "` is for searches that find a solution of least cost, and this one is ",
                self.algorithm.name()
            ];
            return Err(Error::usage(message).with_hint(message![
                "use `",
                Parameter::Algorithm.is("ida"),
                "` or `astar`"
            ]));
        }
        if let Some(PruneSpec::File(path)) = &self.prune
            && machine_file::open(path)?.order().parse() != Ok(Order::Cost)
        {
            let message = message![format!(
                "`{}` may leave out some solutions of least cost",
                path.display()
            )];
            return Err(Error::usage(message).with_hint(message![
                "make a machine with the order `",
                Parameter::Order.is(Order::Cost.name()),
                "`, which forbids only what costs more than it must"
            ]));
        }
        Ok(())
    }

    /// Refuse heuristics with which a search from both ends may miss the least cost.
    fn check_both_ends(&self) -> Result<(), Error> {
        if !matches!(self.algorithm, Algorithm::BaeStar | Algorithm::Nbs) {
            return Ok(());
        }
        let HeuristicSpec::Greatest { names, .. } = &self.heuristic else {
            let message = message![
                "`",
                Parameter::Heuristic.is("auto"),
                "` chooses for searches from the start alone"
            ];
            return Err(Error::usage(message).with_hint("name a heuristic"));
        };
        let mut names = names.iter().copied();
        if self.algorithm == Algorithm::BaeStar
            && let Some(name) = names.find(|name| !name.is_consistent())
        {
            let message = format!("BAE* needs a consistent heuristic, and `{name}` isn't one");
            return Err(Error::usage(message).with_hint(message![
                "use `",
                Parameter::Algorithm.is("nbs"),
                "` or `astar`, or another heuristic"
            ]));
        }
        if self.duals || !self.heuristic.files().is_empty() {
            let message = message![
                self.algorithm.name(),
                " builds tables for both directions itself, and takes no files and no `",
                Parameter::Duals,
                "`"
            ];
            return Err(Error::usage(message).with_hint("name patterns, such as 'keep 1-4'"));
        }
        Ok(())
    }

    /// Whether the algorithm searches along paths, bounded by cost.
    fn is_by_cost(&self) -> bool {
        self.algorithm.takes_heuristic() && !self.algorithm.detects_duplicates()
    }

    /// Depth-first searches need a depth, and no other search takes one.
    fn check_depth(&self) -> Result<(), Error> {
        match (self.algorithm, self.depth) {
            (Algorithm::Dfs | Algorithm::DfsClosed, None) => Err(Error::usage(
                "a depth-first search needs a depth to search to",
            )
            .with_hint(message![
                "add `",
                Parameter::Depth.is("D"),
                "`, or use `",
                Parameter::Algorithm.is("dfid"),
                "`, which finds the depth by itself"
            ])),
            (Algorithm::Dfs | Algorithm::DfsClosed, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("dfs"),
                "` and `dfs-closed` take a `",
                Parameter::Depth,
                "`"
            ])),
        }
    }

    /// The weight of the estimate, and the growth of bounds.
    fn check_factors(&self) -> Result<(), Error> {
        match (self.algorithm, self.weight) {
            (Algorithm::Wida | Algorithm::WeightedAStar, None) => {
                Err(
                    Error::usage("weighted searches need the weight of the estimate").with_hint(
                        message!["add `", Parameter::Weight.is("W"), "`, such as 1.5 or 3"],
                    ),
                )
            }
            (
                Algorithm::Wida
                | Algorithm::WeightedAStar
                | Algorithm::Anytime
                | Algorithm::BranchAndBound,
                Some(_),
            )
            | (_, None) => Ok(()),
            (_, Some(_)) => Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("wida"),
                "`, `wastar`, `anytime` and `dfbnb` take a `",
                Parameter::Weight,
                "`"
            ])),
        }?;
        if self.width.is_some() && self.algorithm != Algorithm::Beam {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("beam"),
                "` takes a `",
                Parameter::Width,
                "`"
            ]));
        }
        if self.growth.is_some() && self.algorithm != Algorithm::IdaCr {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("ida-cr"),
                "` takes a `",
                Parameter::Growth,
                "`"
            ]));
        }
        Ok(())
    }

    fn check_perimeter(&self) -> Result<(), Error> {
        let takes_one = self.is_by_cost() && self.algorithm != Algorithm::Auto;
        if self.perimeter.is_some() && !takes_one {
            return Err(Error::usage(message![
                self.algorithm.name(),
                " takes no `",
                Parameter::Perimeter,
                "`"
            ])
            .with_hint(message![
                "use `",
                Parameter::Algorithm.is("ida"),
                "`, `wida`, `ida-cr`, `dfbnb` or `ida-table`"
            ]));
        }
        Ok(())
    }

    fn check_table(&self) -> Result<(), Error> {
        let is_asked = !matches!(self.table, None | Some(TranspositionTable::None));
        let is_given = matches!(self.table, Some(TranspositionTable::Bytes(_)));
        let has_none = match self.algorithm {
            // A* has the memory first.
            Algorithm::Auto => is_given,
            // A bound that is too great ends within a tree, of which a table must know nothing.
            Algorithm::Budgeted => is_asked,
            _ => false,
        };
        if is_asked && !self.is_by_cost() || has_none {
            return Err(Error::usage(message![
                self.algorithm.name(),
                " takes no `",
                Parameter::Table,
                "`"
            ])
            .with_hint(message![
                "transposition tables are for `",
                Parameter::Algorithm.is("ida"),
                "`, `wida`, `ida-cr`, `dfbnb` and `ida-table`"
            ]));
        }
        if self.table == Some(TranspositionTable::Auto) && !self.algorithm.changes_between_bounds()
        {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("ida"),
                "` decides between two bounds whether a table pays"
            ])
            .with_hint(message![
                "give the size, such as `",
                Parameter::Table.is("64M"),
                "`"
            ]));
        }
        if self.table == Some(TranspositionTable::None) && self.algorithm == Algorithm::IdaTable {
            return Err(Error::usage("this algorithm has a transposition table")
                .with_hint(message!["use `", Parameter::Algorithm.is("ida"), "`"]));
        }
        if let (Some(TranspositionTable::Bytes(table)), Some(memory)) =
            (self.table, self.limits.memory)
            && table > memory
        {
            return Err(Error::usage(message![
                "a `",
                Parameter::Table,
                "` of this size needs more than the `",
                Parameter::Memory,
                "`"
            ]));
        }
        Ok(())
    }

    fn check_cost_bound(&self) -> Result<(), Error> {
        if self.cost_bound.is_some() && self.algorithm != Algorithm::BranchAndBound {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("dfbnb"),
                "` takes a `",
                Parameter::CostBound,
                "`"
            ]));
        }
        if self.cost_bound.is_some() && self.weight.is_some() {
            return Err(Error::usage(message![
                "`",
                Parameter::CostBound,
                "` and `",
                Parameter::Weight,
                "` contradict each other: a weight is for finding a first bound"
            ]));
        }
        Ok(())
    }

    /// The order of states, one state for all its images, and states on a disk.
    fn check_order_and_disk(&self) -> Result<(), Error> {
        if self.ties.is_some() && !self.algorithm.has_ties() {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("ucs"),
                "`, `astar`, `wastar` and `greedy` take `",
                Parameter::Ties,
                "`"
            ]));
        }
        if self.disk.is_some() && !self.algorithm.has_disk() {
            return Err(Error::usage(message![
                self.algorithm.name(),
                " takes no `",
                Parameter::Disk,
                "`"
            ])
            .with_hint(message![
                "use `",
                Parameter::Algorithm.is("astar"),
                "` or `ucs`"
            ]));
        }
        if self.disk.is_none() && self.disk_memory.is_some() {
            return Err(Error::usage(message![
                "`",
                Parameter::DiskMemory,
                "` limits what a search with `",
                Parameter::Disk,
                "` writes"
            ]));
        }
        if self.disk.is_some() && self.ties.is_some() {
            return Err(Error::usage(message![
                "a search with a `",
                Parameter::Disk,
                "` expands states of one score by path cost, and takes no `",
                Parameter::Ties,
                "`"
            ]));
        }
        let uses_symmetries =
            self.all.is_some() || self.algorithm.has_ties() && self.ties != Some(Ties::Nutshell);
        if self.symmetries && !uses_symmetries {
            return Err(Error::usage(message![
                "only `",
                Parameter::Algorithm.is("ucs"),
                "`, `astar`, `wastar` and `greedy` store one state for all its images, without `",
                Parameter::Ties.is("nutshell"),
                "`"
            ]));
        }
        Ok(())
    }

    /// Return the pruning: the requested one, if it is safe, or else the algorithm's default.
    ///
    /// # Errors
    /// When the algorithm detects duplicates by state, and moves would be pruned: that isn't safe.
    pub fn prune_spec(&self) -> Result<PruneSpec, Error> {
        if !self.algorithm.detects_duplicates() {
            let spec = self.prune.clone().unwrap_or(PruneSpec::Auto);
            // Only IDA* can change its machine between two bounds. Beside a table that would be
            // safe, since its keys hold the machine's state, but longer sequences save little
            // there: the table already cuts off most of what they reach, and more machine states
            // have fewer entries in common.
            let has_table = self.table_bytes(self.algorithm).is_some();
            let may_change = self.algorithm.changes_between_bounds() && !has_table;
            return Ok(match spec {
                PruneSpec::Auto if !may_change => PruneSpec::Length(FIRST_LENGTH),
                spec => spec,
            });
        }
        match &self.prune {
            None | Some(PruneSpec::None | PruneSpec::Auto) => Ok(PruneSpec::None),
            Some(PruneSpec::Parent) => Err(Error::usage(format!(
                "{} keeps all states that it has seen, and so leaves out parents already",
                self.algorithm.name()
            ))
            .with_hint(message!["leave out `", Parameter::Prune, "`"])),
            Some(PruneSpec::Length(_) | PruneSpec::File(_)) => Err(unsafe_pruning()),
        }
    }

    /// Return the bytes of the transposition table in a search by an algorithm, where it has one
    /// from the first bound on.
    pub(super) fn table_bytes(&self, algorithm: Algorithm) -> Option<usize> {
        match self.table {
            Some(TranspositionTable::Bytes(bytes)) => Some(bytes),
            _ if algorithm == Algorithm::IdaTable => {
                Some(self.limits.memory.unwrap_or(DEFAULT_TABLE_BYTES))
            }
            _ => None,
        }
    }

    /// Return the most bytes of the heuristic's tables and of a transposition table that is used
    /// where it pays, if the search decides that.
    pub(super) fn bytes_for_transpositions(&self) -> Option<usize> {
        let is_auto = match self.table {
            None => self.heuristic == HeuristicSpec::Auto && self.perimeter.is_none(),
            Some(table) => table == TranspositionTable::Auto,
        };
        let may_use_one = is_auto && self.algorithm.changes_between_bounds();
        may_use_one.then(|| self.bytes_for_heuristic())
    }

    /// Return the most bytes of the heuristic's tables.
    pub(super) fn bytes_for_heuristic(&self) -> usize {
        self.heuristic_memory
            .min(self.limits.memory.unwrap_or(usize::MAX))
    }

    /// Return the name of the search in texts for people.
    pub fn search_name(&self) -> String {
        let name = self.algorithm.name();
        match (self.table_bytes(self.algorithm), self.algorithm) {
            (None, _) | (_, Algorithm::IdaTable) => name.to_owned(),
            (Some(_), Algorithm::IdaCr) => format!("{name} and a transposition table"),
            (Some(_), _) => format!("{name} with a transposition table"),
        }
    }

    /// Return the guarantee for a solution that is found with an admissible heuristic.
    pub(crate) fn quality(&self) -> &'static str {
        let is_weighted = matches!(self.algorithm, Algorithm::Wida | Algorithm::WeightedAStar);
        match self.weight {
            // With a weight of at most 1, the estimate is still admissible.
            Some(weight) if is_weighted && weight.numerator() <= weight.denominator() => {
                Algorithm::Ida.quality()
            }
            _ => self.algorithm.quality(),
        }
    }

    /// Return the files that the options name.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        if let Some(PruneSpec::File(path)) = &self.prune {
            files.push(path.clone());
        }
        files.extend(self.heuristic.files());
        files
    }

    /// Return the settings that decide the preparations for pruning, as text.
    ///
    /// # Errors
    /// When pruning isn't safe.
    pub fn pruning_setting(&self) -> Result<String, Error> {
        let setting = pruning_setting(
            &self.prune_spec()?,
            self.split,
            self.algorithm.is_bounded_by_moves(),
            &self.limits,
        );
        // Trees count all states.
        Ok(format!("{setting}, for goals"))
    }

    /// Return the settings that decide the heuristic, as text.
    ///
    /// # Errors
    /// When pruning isn't safe.
    pub fn heuristic_setting(&self, env: &Environment) -> Result<String, Error> {
        let mut setting = format!(
            "{:?}, {} bytes, mirrored {}, duals {}, taken: {}",
            self.heuristic,
            self.bytes_for_heuristic(),
            self.mirrored,
            self.duals,
            self.algorithm.takes_heuristic()
        );
        // The choice depends on the searches with each heuristic.
        if self.heuristic == HeuristicSpec::Auto {
            setting.push_str(&format!(
                ", {}, {:?}, {}, {:?}, {}",
                self.algorithm.name(),
                self.bytes_for_transpositions(),
                self.pruning_setting()?,
                self.cycles,
                env.seed()
            ));
        }
        Ok(setting)
    }
}

/// Return the error for pruning in a search that detects duplicates by state.
pub(super) fn unsafe_pruning() -> Error {
    let refusal = UnsafeCombination {
        detection: DuplicateDetection::ClosedList,
    };
    Error::usage(refusal.to_string())
        .with_hint(message![
            "leave out `",
            Parameter::Prune,
            "`, or use `",
            Parameter::Algorithm.is("ida"),
            "` or `ida-table`, which may prune"
        ])
        .caused_by(refusal)
}

/// Return the settings that decide the preparations for pruning, as text. The kind of bound matters
/// only for machine files, which some searches refuse.
pub fn pruning_setting(
    spec: &PruneSpec,
    split: SplitChoice,
    by_moves: bool,
    limits: &Limits,
) -> String {
    let by_moves = by_moves && matches!(spec, PruneSpec::File(_));
    let Limits { time, memory, .. } = limits;
    format!("{spec:?}, split {split:?}, by moves: {by_moves}, {time:?}, {memory:?}")
}
