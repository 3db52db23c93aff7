//! Heuristics by name, by pattern, from files, or chosen because they pay.

mod auto;
mod databases;
pub(crate) mod iterations;
mod kept_tables;
mod named_tables;
mod spec;
pub mod table_errors;
mod tables;

use std::time::{Duration, Instant};

use budget::{Limits, StopReason, Watch};
pub use heuristics::Name;
use heuristics::{Combined, Named};
use invariants::Invariants;
use psvn_ir::State;

pub use self::auto::{
    CandidateDecision, Considered, DEFAULT_MEMORY, Found, SomeBounds, Trial, TriedStart,
};
pub(crate) use self::auto::{steps_of_node, table_bytes};
pub use self::databases::{
    AbstractedGame, DistanceCount, Pattern, PatternTables, TableCheck, TableFigures, TableOptions,
    TableSize, TablesReport, WrittenTables,
};
pub use self::spec::{HeuristicSpec, TableSpec};

use self::kept_tables::KeptTables;
use self::named_tables::NamedTables;
use self::tables::Building;
use crate::environment::Environment;
use crate::error::Error;
use crate::text::algorithm::Algorithm;
use crate::text::{Parameter, Setting, Terms, message};

/// A heuristic that is ready for searches, with the reasons for its choice.
pub struct Heuristic {
    /// Estimates the remaining cost.
    pub estimate: Combined,
    /// Why it was chosen, if `auto` chose it.
    pub reason: Option<String>,
    /// If `auto` chose it, the settings that name the choice, so that it can be repeated without
    /// choosing again.
    pub settings: Option<Vec<Setting>>,
    /// The choices that were considered, each with its expected cost; empty where no tables were
    /// considered.
    pub considered: Vec<Considered>,
    /// The answers that were found during the choice.
    pub found: Vec<Found>,
    /// What tries have shown about starts, while it was chosen.
    pub tried: Vec<TriedStart>,
    /// Whether a transposition table pays beside it, as tries showed.
    pub has_transpositions: bool,
    /// The time to choose it, and to build or open its tables.
    pub elapsed: Duration,
}

/// A request for a heuristic, with its purpose.
pub struct Request<'a> {
    /// The user's specification.
    pub spec: &'a HeuristicSpec,
    /// The number of images under symmetries for which tables are looked up, apart from the state
    /// itself.
    pub mirrored: usize,
    /// Whether they are looked up for dual states.
    pub duals: bool,
    /// The search that will use it.
    pub algorithm: Algorithm,
    /// The game.
    pub game: &'a psvn_ir::Game,
    /// The states that searches will start from.
    pub starts: &'a [State],
    /// The invariants of all states that the starts lead to.
    pub known: &'a Invariants,
    /// The most bytes of tables and of a transposition table together, if the search uses one where
    /// it pays.
    pub transpositions: Option<usize>,
    /// The nodes of a search, the time for choosing, and the bytes that tables may need, also while
    /// they are built. Tables that the user names may take all that is left of the environment's
    /// budget.
    pub limits: Limits,
    /// The most bytes that heuristics with a name may need; those of the environment's budget in
    /// any case.
    pub memory_of_names: Option<usize>,
    /// Threads, seed, cancellation, progress.
    pub env: &'a Environment,
}

impl Request<'_> {
    /// Return the most bytes that tables may need.
    fn memory(&self) -> usize {
        self.limits.memory.unwrap_or(usize::MAX)
    }

    /// Return the limits on making heuristics with a name.
    fn named_limits(&self) -> Watch {
        Watch::new(self.env.limits(&Limits {
            nodes: None,
            memory: self.memory_of_names,
            ..self.limits.clone()
        }))
    }

    fn is_interrupted(&self) -> bool {
        self.env.is_cancelled()
    }
}

impl Heuristic {
    /// Make the heuristic that is 0 everywhere.
    ///
    /// # Errors
    /// Never, as it fits every game.
    pub fn zero(game: &psvn_ir::Game) -> Result<Self, Error> {
        let zero = Named::new(game, &Invariants::none(game), &[Name::Zero]);
        Ok(Self::named(zero.map_err(misfit)?.into(), Duration::ZERO))
    }

    /// A heuristic that wasn't chosen among others.
    fn named(estimate: Combined, elapsed: Duration) -> Self {
        Self {
            estimate,
            reason: None,
            settings: None,
            considered: Vec::new(),
            found: Vec::new(),
            tried: Vec::new(),
            has_transpositions: false,
            elapsed,
        }
    }

    /// Make the requested heuristic. `trial` tries a heuristic on a start.
    ///
    /// # Errors
    /// When a heuristic doesn't fit the game, a table can't be read or built, or a start breaks an
    /// assumption of a table.
    pub fn prepare(request: &Request<'_>, trial: &Trial<'_>) -> Result<Self, Error> {
        let _span = tracing::info_span!("prepare heuristic").entered();
        if !request.algorithm.takes_heuristic() && !request.spec.is_zero() {
            return Err(takes_none(request.algorithm));
        }
        let HeuristicSpec::Greatest { names, sums } = request.spec else {
            return Ok(auto::choose(request, trial));
        };
        let started = Instant::now();
        let game = request.game;
        let limits = request.named_limits();
        let named = || -> Result<Named, Error> {
            let named = Named::within(game, request.known, names, &limits).map_err(misfit)?;
            if named.cuts_lack_instances() {
                request.env.note(
                    "the rules have too many instances with values in place of symbols, so \
                     lm-cut takes them with their symbols, and estimates less",
                );
            }
            Ok(named)
        };
        if sums.is_empty() {
            return Ok(Self::named(named()?.into(), started.elapsed()));
        }
        let named = if names.is_empty() {
            None
        } else {
            Some(named()?)
        };
        let store = KeptTables::new(request.env);
        let make = |known| -> Result<Combined, Error> {
            let building = Building {
                memory: request.limits.memory,
                env: request.env,
                mirrored: request.mirrored,
                duals: request.duals,
                known,
                store: &store,
            };
            let (patterns, words) = request
                .env
                .install(|| tables::make(sums, game, &building))?;
            Ok(Combined::new(named.clone(), patterns, words))
        };
        let broken = |estimate: &Combined| {
            let mut starts = request.starts.iter();
            starts.find_map(|start| {
                let violation = estimate.check_start(game, start).err()?;
                Some((start, violation))
            })
        };
        // The invariants of the starts make tables smaller. They need not hold for dual states or
        // for all images.
        let mut estimate = make((!request.duals).then_some(request.known))?;
        if broken(&estimate).is_some() && !request.duals {
            drop(estimate);
            estimate = make(None)?;
        }
        if let Some((start, violation)) = broken(&estimate) {
            return Err(breaks(game, start, &estimate, &violation));
        }
        if store.is_used()
            && let Some(tables) = NamedTables::new(sums, request.mirrored, request.duals)
        {
            tables.note(game, request.env);
        }
        Ok(Self::named(estimate, started.elapsed()))
    }

    /// Refuse a search that can't be made with it.
    pub(crate) fn check(
        &self,
        algorithm: Algorithm,
        game: &psvn_ir::Game,
        starts: &[State],
    ) -> Result<(), Error> {
        if !algorithm.takes_heuristic() && !self.is_zero() {
            return Err(takes_none(algorithm));
        }
        for start in starts {
            let checked = self.estimate.check_start(game, start);
            checked.map_err(|violation| breaks(game, start, &self.estimate, &violation))?;
        }
        Ok(())
    }

    /// Estimate the cost from a state to a goal; `None` where no goal can be reached.
    pub fn of_state(&self, state: &State) -> Option<u64> {
        Some(self.estimate.of_state(state)).filter(|it| *it != search::DEAD_END)
    }

    /// Return whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.estimate.patterns().is_none() && self.estimate.named().is_some_and(is_zero)
    }

    /// Return the settings that name the choice, in a program's terms.
    pub fn settings_in_terms_of(&self, terms: &dyn Terms) -> Option<String> {
        let settings = self.settings.as_ref()?.iter();
        let settings: Vec<String> = settings.map(|it| terms.setting(it)).collect();
        Some(settings.join(" "))
    }

    /// Return whether solutions of least cost are found with it.
    pub fn is_admissible(&self) -> bool {
        self.estimate.is_admissible()
    }
}

fn takes_none(algorithm: Algorithm) -> Error {
    Error::usage(format!("{} takes no heuristic", algorithm.name())).with_hint(message![
        "use `",
        Parameter::Algorithm.is("ida"),
        "`, `wida`, `ida-cr`, `dfbnb`, `ida-table`, `astar`, `wastar` or `greedy`, or leave out `",
        Parameter::Heuristic,
        "`"
    ])
}

fn breaks(
    game: &psvn_ir::Game,
    start: &State,
    estimate: &Combined,
    violation: &invariants::Violation,
) -> Error {
    Error::input(format!(
        "the start {} breaks what {estimate} assumes: {violation}",
        game.format_state(start.values())
    ))
    .with_hint("a table holds for states that have the invariants of the goals")
}

fn is_zero(named: &Named) -> bool {
    named.names() == [Name::Zero]
}

fn misfit(misfit: heuristics::Misfit) -> Error {
    if let heuristics::Refusal::Stopped { reason } = misfit.refusal {
        let name = misfit.name;
        let why = format!(
            "the heuristic `{name}` wasn't made, because {}",
            reason.clause()
        );
        return match reason {
            StopReason::Interrupted => Error::interrupted(why),
            _ => Error::limit(why),
        };
    }
    Error::usage(misfit.to_string()).with_hint(message![
        "`",
        Parameter::Heuristic.is("auto"),
        "` takes one that fits"
    ])
}
