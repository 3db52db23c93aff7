//! Heuristics as they are specified, or the one that pays.
//!
//! A [`HeuristicSpec`] names heuristics, patterns and files of tables, or says `auto`. [`prepare`]
//! makes what it names. For `auto` it tries some starts for a short time with the best heuristic
//! that needs no tables. If that isn't enough, it builds tables as long as building and searching
//! with them is expected to be less work than searching without: the crate `advisor` decides that
//! by numbers, and this crate brings the numbers. It lists tables and their prices, lets the caller
//! search some bounds ([`Trial`]), compares estimates on random walks, and builds.
//!
//! ```
//! use heuristic_choice::{HeuristicSpec, NoHost, Request, prepare};
//! use invariants::Invariants;
//! use search::{CompiledGame, Searcher};
//!
//! let text = domains::generate_reference("sliding-tiles:3:3").expect("a built-in game");
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! let starts = [game.parse_state("8 6 7 2 5 4 3 0 1")?];
//! let known = Invariants::from_states(&game, &starts);
//! let spec: HeuristicSpec = "auto".parse()?;
//! let host = NoHost::default();
//! let request = Request::new(&spec, &game, &starts, &known, &host);
//!
//! let compiled = CompiledGame::new(&game);
//! let searcher = Searcher::builder(&compiled).build();
//! let chosen = prepare(&request, &|bounds| {
//!     let mut run = searcher.run().limits(bounds.limits);
//!     run.ida_star_part(bounds.start, bounds.estimate, bounds.part).ok()
//! })?;
//! // A search of the 8-puzzle is shorter than looking for tables.
//! assert_eq!(chosen.estimate.to_string(), "linear-conflict");
//! assert_eq!(chosen.found[0].report.solution().map(|it| it.cost), Some(27));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Work is counted in [steps](steps_of_node), not timed, so that the choice is the same on every
//! machine and with any number of threads; only a limit on time reads the clock. Answers that a try
//! finds are kept.
//!
//! # What this crate doesn't know
//! How to search: the caller does, with a machine or without. Whom to tell, and where tables are
//! kept: its [`Host`] says.

mod auto;
mod error;
mod iterations;
mod kept_tables;
mod named_tables;
mod prepared;
mod spec;
mod specified;
pub mod tables;

use std::time::Instant;

use budget::{Limits, Watch};
use heuristics::{Combined, Name, Named};
use invariants::Invariants;
use psvn_ir::{Game, State};

pub use crate::auto::considered::{CandidateDecision, Considered};
pub use crate::auto::selection::DEFAULT_MEMORY;
pub use crate::auto::steps::steps_of_node;
pub use crate::auto::trial::{Found, SomeBounds, Trial, TriedStart, table_bytes};
pub use crate::error::PrepareError;
pub use crate::iterations::{iterations_of, next_nodes, only, searched_with_table};
pub use crate::prepared::{Choice, PreparedHeuristic};
pub use crate::spec::{HeuristicSpec, TableSpec};
pub use crate::specified::how_far;
pub use host::{Host, NoHost};

use crate::kept_tables::KeptTables;
use crate::named_tables::NamedTables;
use crate::specified::Building;
use host::HostExt;

/// A request for a heuristic, with its purpose.
pub struct Request<'a> {
    /// What is wanted.
    pub spec: &'a HeuristicSpec,
    /// The number of images under symmetries for which tables are looked up, apart from the state
    /// itself.
    pub mirrored: usize,
    /// Whether they are looked up for dual states.
    pub duals: bool,
    /// The game.
    pub game: &'a Game,
    /// The states that searches will start from.
    pub starts: &'a [State],
    /// The invariants of all states that the starts lead to.
    pub known: &'a Invariants,
    /// The most bytes of tables and of a transposition table together, if the search uses one where
    /// it pays.
    pub transpositions: Option<usize>,
    /// The nodes of a search, the time for choosing, and the bytes that tables may need, also while
    /// they are built. Tables that the specification names may take all that is left.
    pub limits: Limits,
    /// The most bytes that heuristics with a name may need; what is left in any case.
    pub memory_of_names: Option<usize>,
    /// Limits on all work, threads, the seed, events.
    pub host: &'a dyn Host,
}

impl<'a> Request<'a> {
    /// A request without further look-ups and transposition tables, with [`DEFAULT_MEMORY`] for
    /// tables.
    pub fn new(
        spec: &'a HeuristicSpec,
        game: &'a Game,
        starts: &'a [State],
        known: &'a Invariants,
        host: &'a dyn Host,
    ) -> Self {
        Self {
            spec,
            mirrored: 0,
            duals: false,
            game,
            starts,
            known,
            transpositions: None,
            limits: Limits {
                memory: Some(DEFAULT_MEMORY),
                ..Limits::default()
            },
            memory_of_names: None,
            host,
        }
    }

    /// Return the most bytes that tables may need.
    fn memory(&self) -> usize {
        self.limits.memory.unwrap_or(usize::MAX)
    }

    /// Return the limits on making heuristics with a name.
    fn named_limits(&self) -> Watch {
        Watch::new(self.host.limits(&Limits {
            nodes: None,
            memory: self.memory_of_names,
            ..self.limits.clone()
        }))
    }

    fn is_interrupted(&self) -> bool {
        self.host.is_interrupted()
    }
}

/// Make the requested heuristic. `trial` tries a heuristic on a start.
///
/// # Errors
/// When a heuristic doesn't fit the game, a table can't be read or built, or a start breaks an
/// assumption of a table.
pub fn prepare(
    request: &Request<'_>,
    trial: &Trial<'_>,
) -> Result<PreparedHeuristic, PrepareError> {
    let HeuristicSpec::Greatest { names, sums } = request.spec else {
        return Ok(auto::choose(request, trial));
    };
    let started = Instant::now();
    let (game, host) = (request.game, request.host);
    let limits = request.named_limits();
    let named = || -> Result<Named, PrepareError> {
        let named = Named::within(game, request.known, request.starts, names, &limits)?;
        if named.cuts_lack_instances() {
            let note = "the rules have too many instances with values in place of symbols, so \
                        lm-cut takes them with their symbols, and estimates less";
            host.note(note.to_owned());
        }
        Ok(named)
    };
    if sums.is_empty() {
        return Ok(PreparedHeuristic::given(named()?.into(), started.elapsed()));
    }
    let named = if names.is_empty() {
        None
    } else {
        Some(named()?)
    };
    let store = KeptTables::new(host);
    let make = |known| -> Result<Combined, PrepareError> {
        let building = Building {
            memory: request.limits.memory,
            host,
            mirrored: request.mirrored,
            duals: request.duals,
            known,
            store: &store,
        };
        let (patterns, words) = host.compute(|| specified::make(sums, game, &building))?;
        Ok(Combined::new(named.clone(), patterns, words))
    };
    // The invariants of the starts make tables smaller. They need not hold for dual states or for
    // all images.
    let mut estimate = make((!request.duals).then_some(request.known))?;
    if check_starts(&estimate, game, request.starts).is_err() && !request.duals {
        drop(estimate);
        estimate = make(None)?;
    }
    check_starts(&estimate, game, request.starts)?;
    if store.is_used()
        && let Some(tables) = NamedTables::new(sums, request.mirrored, request.duals)
    {
        tables.note(game, host);
    }
    Ok(PreparedHeuristic::given(estimate, started.elapsed()))
}

/// Refuse a heuristic for starts that break an assumption of its tables.
///
/// # Errors
/// When one does.
pub fn check_starts(
    estimate: &Combined,
    game: &Game,
    starts: &[State],
) -> Result<(), PrepareError> {
    for start in starts {
        estimate
            .check_start(game, start)
            .map_err(|violation| PrepareError::Start {
                start: game.format_state(start.values()),
                heuristic: estimate.to_string(),
                violation: Box::new(violation),
            })?;
    }
    Ok(())
}

fn is_zero(named: &Named) -> bool {
    named.names() == [Name::Zero]
}
