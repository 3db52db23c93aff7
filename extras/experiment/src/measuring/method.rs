//! The work of a method: its command, with the options read.

use std::path::PathBuf;

use psvn::analysis::{Pruning, SplitChoice};
use psvn::solve::named_options::{Table, chosen, of_two, put, set, wrong};
use psvn::solve::{PruneSpec, SearchOptions};
use psvn::text::units::parse_duration;
use psvn::text::{Choice, OptionName};
use psvn::{Error, Limits, message};

use crate::run::Group;

/// The options of the commands that an experiment sets by itself, or that only choose what is
/// shown of a result.
const NOT_OF_METHODS: &[&str] = &[
    "animate",
    "boards",
    "explain",
    "instance-format",
    "instances",
    "layout",
    "map",
    "output",
    "scramble",
    "show-states",
    "start",
    "words",
];

/// The option of searches from starts that are proved to have no solution.
const SEARCH_ANYWAY: &str = "search-anyway";

/// The moves of a whole game where none are given: all of tic-tac-toe.
const DEPTH_OF_OPENINGS: u32 = 9;

/// The options of counts of trees.
const OF_TREES: &Table<TreeOptions> = &[
    (&["depth"], |o, v| put(&mut o.depth, v.parse::<u64>())),
    (&["prune"], |o, v| put(&mut o.prune, v.parse::<PruneSpec>())),
    (&["invariants"], |o, v| {
        put(&mut o.within_invariants, of_two(v, "start", "none"))
    }),
    (&["split"], |o, v| {
        put(&mut o.split, chosen::<SplitChoice>(v))
    }),
    (&["nodes"], |o, v| {
        put(&mut o.limits.nodes, v.parse::<u64>())
    }),
    (&["time"], |o, v| put(&mut o.limits.time, parse_duration(v))),
];

/// The options of counts after openings.
const OF_OPENINGS: &Table<OpeningsOptions> = &[
    (&["moves"], |o, v| put(&mut o.moves, v.parse::<u32>())),
    (&["depth"], |o, v| put(&mut o.depth, v.parse::<u32>())),
    (&["algorithm"], |o, v| {
        put(&mut o.algorithm, chosen::<OpeningsAlgorithm>(v))
    }),
    (&["nodes"], |o, v| {
        put(&mut o.limits.nodes, v.parse::<u64>())
    }),
    (&["time"], |o, v| put(&mut o.limits.time, parse_duration(v))),
];

/// The work of a method, with all of its options.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Looks for a solution.
    Solve {
        /// The options of the search.
        options: Box<SearchOptions>,
        /// Whether starts are searched that are proved to have no solution.
        search_anyway: bool,
    },
    /// Counts a tree.
    Tree(TreeOptions),
    /// Looks for redundant words.
    Analyze(Box<Pruning>),
    /// Looks ahead after all openings of a game of two players.
    Openings(OpeningsOptions),
}

/// Options of a count of a tree.
#[derive(Clone, Debug)]
pub(crate) struct TreeOptions {
    /// The greatest depth that is counted.
    pub(crate) depth: u64,
    /// The pruning.
    pub(crate) prune: PruneSpec,
    /// Whether sequences are compared within the invariants of the starts; else in all states, as
    /// for published counts.
    pub(crate) within_invariants: bool,
    /// Whether rules are split by values of variables; unless given, where it pays, within the
    /// invariants.
    pub(crate) split: Option<SplitChoice>,
    /// The nodes and the time. A flag that interrupts takes the
    /// place of the environment's cancellation.
    pub(crate) limits: Limits,
}

impl TreeOptions {
    /// Count to a depth without pruning, within the invariants of the starts and without limits.
    pub(crate) fn to_depth(depth: u64) -> Self {
        Self {
            depth,
            prune: PruneSpec::None,
            within_invariants: true,
            split: None,
            limits: Limits::default(),
        }
    }

    /// Whether rules are split.
    pub(super) fn split_choice(&self) -> SplitChoice {
        self.split
            .unwrap_or_else(|| SplitChoice::usual(self.within_invariants))
    }
}

/// Options of a count after all openings: Table 7-1 of "Algorithms in a Nutshell".
#[derive(Clone, Debug)]
pub(crate) struct OpeningsOptions {
    /// The moves of each opening, at least 1.
    pub(crate) moves: u32,
    /// The number of moves of an opening and of the look-ahead after it together.
    pub(crate) depth: u32,
    /// How positions are valued.
    pub(crate) algorithm: OpeningsAlgorithm,
    /// The nodes and the time. A flag that interrupts takes the
    /// place of the environment's cancellation.
    pub(crate) limits: Limits,
}

/// How positions are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpeningsAlgorithm {
    /// By all positions below them.
    Minimax,
    /// The same, without the positions that can't change the value.
    AlphaBeta,
}

impl Choice for OpeningsAlgorithm {
    const ALL: &'static [Self] = &[Self::Minimax, Self::AlphaBeta];

    fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alpha-beta",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Minimax => "Visit all positions",
            Self::AlphaBeta => "Leave out positions that can't change the value",
        }
    }
}

/// Whether a command takes instances.
pub(super) fn takes_instances(command: &str) -> Result<bool, String> {
    match command {
        "solve" | "tree" => Ok(true),
        "analyze" | "openings" => Ok(false),
        other => Err(format!(
            "there is no command `{other}`; use solve, tree, analyze or openings"
        )),
    }
}

impl Work {
    /// Read the method of a group of cells. The limits of the experiment are those of the method,
    /// unless it has its own.
    ///
    /// # Errors
    /// When the method has options that its command doesn't take, or lacks some that it needs: each
    /// error with the option, if it is about a single one.
    pub(crate) fn read(group: &Group<'_>) -> Result<Self, Vec<(Option<String>, Error)>> {
        let mut options = Pairs::of(group);
        let method = options.method(group.method.command.as_str());
        if options.errors.is_empty() {
            Ok(method)
        } else {
            Err(options.errors)
        }
    }

    /// The files that its options name.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Work::Solve { options, .. } => options.files(),
            Work::Tree(options) => match &options.prune {
                PruneSpec::File(path) => vec![path.clone()],
                _ => Vec::new(),
            },
            Work::Analyze(_) | Work::Openings(_) => Vec::new(),
        }
    }
}

/// The options of a group of cells, names with values, and what is wrong with them.
struct Pairs {
    all: Vec<(String, String)>,
    errors: Vec<(Option<String>, Error)>,
}

impl Pairs {
    /// Read the method of a command, as far as its options are right.
    fn method(&mut self, command: &str) -> Work {
        match command {
            "tree" => {
                let depth = self.required("depth", str::parse).unwrap_or(0);
                let mut tree = TreeOptions::to_depth(depth);
                self.each(|name, value| set(&mut tree, OF_TREES, name, value));
                Work::Tree(tree)
            }
            "analyze" => {
                let mut pruning = Pruning::default();
                self.each(|name, value| pruning.set(name, value));
                Work::Analyze(Box::new(pruning))
            }
            "openings" => {
                let moves = self.required("moves", str::parse).unwrap_or(1);
                let algorithm = self.required("algorithm", chosen);
                let mut openings = OpeningsOptions {
                    moves,
                    depth: DEPTH_OF_OPENINGS,
                    algorithm: algorithm.unwrap_or(OpeningsAlgorithm::Minimax),
                    limits: Limits::default(),
                };
                self.each(|name, value| set(&mut openings, OF_OPENINGS, name, value));
                if openings.moves == 0 {
                    let error = Error::usage("an opening has at least one move");
                    self.errors.push((Some("moves".to_owned()), error));
                }
                Work::Openings(openings)
            }
            _ => {
                let mut search = SearchOptions::default();
                let mut search_anyway = false;
                self.each(|name, value| match name {
                    SEARCH_ANYWAY => {
                        search_anyway = true;
                        Ok(())
                    }
                    _ => search.set(name, value),
                });
                Work::Solve {
                    options: Box::new(search),
                    search_anyway,
                }
            }
        }
    }

    /// Collect the options, with the limits that the command takes in front.
    fn of(group: &Group<'_>) -> Self {
        let given = group.options;
        let (foreign, given): (Vec<_>, Vec<_>) = given
            .iter()
            .partition(|(name, _)| NOT_OF_METHODS.contains(&name.as_str()));
        let errors = foreign.into_iter().map(|(name, _)| {
            let error = Error::usage(format!("`{name}` isn't an option of methods"));
            (Some(name.clone()), error)
        });
        let command = group.method.command.as_str();
        let takes_nodes = command != "analyze";
        let takes_memory = matches!(command, "analyze" | "solve");
        let limits = group.limits;
        let nodes = limits.nodes.map(|nodes| nodes.to_string());
        let limits = [
            ("time", limits.time.clone()),
            ("nodes", nodes.filter(|_| takes_nodes)),
            ("memory", limits.memory.clone().filter(|_| takes_memory)),
        ];
        let limits = limits.into_iter().filter_map(|(name, value)| {
            let value = value.filter(|_| !group.options.contains_key(name))?;
            Some((name.to_owned(), value))
        });
        let given = given.into_iter().map(|(name, value)| {
            let value = value.clone().unwrap_or_else(|| "true".to_owned());
            (name.clone(), value)
        });
        Self {
            all: limits.chain(given).collect(),
            errors: errors.collect(),
        }
    }

    /// Pass each option on.
    fn each(&mut self, mut take: impl FnMut(&str, &str) -> Result<(), Error>) {
        for (name, value) in &self.all {
            if let Err(error) = take(name, value) {
                let is_known = self.errors.iter().any(|(at, _)| at.as_ref() == Some(name));
                if !is_known {
                    self.errors.push((Some(name.clone()), error));
                }
            }
        }
    }

    /// Read the value of an option that is needed.
    fn required<T, E: std::fmt::Display>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let Some((_, value)) = self.all.iter().find(|(known, _)| known == name) else {
            let name = OptionName(name.to_owned());
            let error = Error::usage(message!["it needs `", name, "`"]);
            self.errors.push((None, error));
            return None;
        };
        match read(value) {
            Ok(value) => Some(value),
            Err(why) => {
                let error = wrong(name, value, why);
                self.errors.push((Some(name.to_owned()), error));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use psvn::{Environment, Error};

    use crate::measuring::measurer::Measurer;
    use crate::measuring::specification::Specification;
    use crate::{PRESETS, Plan};

    /// Read a specification with all of its methods.
    fn planned(specification: &Specification) -> Result<Plan, String> {
        let env = Environment::default();
        let spec = specification.parse(&env).expect("a specification");
        let plan = Plan::new(spec, &mut Measurer::new(&env, PathBuf::new()));
        plan.map_err(|errors| {
            let said = errors.0.iter().map(|error| {
                let hint = error.hint.as_ref().map(|hint| format!(" ({hint})"));
                format!("{}{}", error.message, hint.unwrap_or_default())
            });
            said.collect::<Vec<String>>().join("; ")
        })
    }

    /// Read one method.
    fn method(options: &str) -> Result<Plan, String> {
        let text = format!(
            "title = 'One'\n[[domain]]\nname = 'p'\nfile = 'gen:pancake:4'\n\
             instances = [{{ goal = true }}]\n[[method]]\nname = 'm'\n{options}\n"
        );
        planned(&Specification {
            source: psvn::text::Source::new("one.toml", text),
            folder: PathBuf::new(),
            results: PathBuf::new(),
        })
    }

    #[test]
    fn methods_of_all_presets_are_read() -> Result<(), Error> {
        for preset in PRESETS {
            // The whole ones differ by the number of their games and starts.
            for quick in [false, true] {
                let plan = planned(&Specification::preset(preset.name, quick)?);
                let plan = plan.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
                assert!(!plan.cells.is_empty(), "{}", preset.name);
            }
        }
        Ok(())
    }

    #[test]
    fn options_have_the_names_of_the_library_and_of_the_command() {
        for options in [
            "stats = true\ntime = '1s'",
            "count_depths = true\nheuristic = ['gap', 'goal-count']",
            "search-anyway = true\nnodes = 5",
            "command = 'analyze'\noperators = 'labels'\nmax-length = 3",
            "command = 'analyze'\nletters = 'labels'",
            "command = 'analyze'\nfor = 'goals'",
            "command = 'tree'\ndepth = 3\ninvariants = 'none'\nprune = 'parent'",
            "command = 'openings'\nmoves = 1\nalgorithm = 'alpha-beta'",
        ] {
            assert!(
                method(options).is_ok(),
                "{options}: {:?}",
                method(options).err()
            );
        }
    }

    #[test]
    fn other_options_and_values_are_refused() {
        let message = |options: &str| method(options).expect_err("not an option");
        for (options, expected) in [
            ("pruning = 2", "a similar argument exists: 'prune'"),
            ("perimter = 2", "a similar argument exists: 'perimeter'"),
            ("xyz = 2", "'xyz' found (the options are algorithm, depth,"),
            (
                "prune = 'two'",
                "`prune` is `two`: expected `auto`, a length",
            ),
            ("nodes = 'many'", "`nodes` is `many`: invalid digit"),
            (
                "cycles = 'all'",
                "`cycles` is `all`: choose one of none, parent, path",
            ),
            (
                "stats = 'yes'",
                "`stats` is `yes`: choose one of true, false",
            ),
            ("output = 'x.svg'", "`output` isn't an option of methods"),
            ("explain = true", "`explain` isn't an option of methods"),
            (
                "command = 'analyze'\nideal = true",
                "unexpected argument 'ideal'",
            ),
            ("command = 'tree'", "it needs `depth`"),
            (
                "command = 'tree'\ndepth = 'x'",
                "`depth` is `x`: invalid digit",
            ),
            ("command = 'openings'\nmoves = 1", "it needs `algorithm`"),
            (
                "command = 'openings'\nmoves = 0\nalgorithm = 'minimax'",
                "an opening has at least one move",
            ),
            (
                "algorithm = 'dfbnb'\nweight = 2\ncost-bound = 9",
                "contradict each other",
            ),
        ] {
            let message = message(options);
            assert!(message.contains(expected), "{options}: {message}");
        }
    }
}
