//! From `--heuristic` to the estimate that a search uses.

mod auto;
mod spec;
mod tables;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heuristics::{Combined, Name, Named};
use invariants::Invariants;
use psvn_ir::{Game, State};

pub(crate) use self::auto::{Found, Trial};
pub(crate) use self::spec::HeuristicSpec;

use self::tables::Building;
use crate::choices::Algorithm;
use crate::failure::Failure;
use crate::progress::ProgressMode;

/// What `--help` says behind the options.
pub(crate) const HELP: &str = "\
Heuristics. Those marked * may estimate too high, so that solutions may not be of least cost:
  manhattan         distances of the pieces from their places in the goal, found from the rules
  linear-conflict   that, and what tiles in the wrong order in a line need more (sliding tiles)
  gap               neighbors that are no neighbors in the goal (pancakes, TopSpin, ..)
  misplaced         values out of their places, divided by the most that a rule puts right
  goal-count        goal conditions not met, divided by the most that a rule makes true
  plain-goal-count* goal conditions not met
  weak              misplaced tiles (sliding tiles)
  good*, bad*       evaluators of a textbook for the 8-puzzle
  zero              0
  FILE.pdb          a pattern database that `psvn pdb` has built
  'keep 0-4'        a pattern database that is built for a pattern; see `psvn pdb`
  'pieces w/g w/r'  the same, for some pieces of a cube and the like
  a.pdb+b.pdb       the sum of pattern databases that were built to be added up
  a,b+c,..          the greatest of several
  auto              the one without * that estimates the starts highest; where a second of work isn't
                    enough, pattern databases that are chosen, built and used if building pays; the same
                    on every machine, unless --time stops it; --explain prints how to name it";

/// The heuristic of a run.
pub(crate) struct Heuristic {
    pub(crate) estimate: Combined,
    /// Why it was chosen, if it wasn't the user's choice.
    pub(crate) reason: Option<String>,
    /// The options that name what was chosen, so that it can be taken again without choosing, if it wasn't the user's choice.
    pub(crate) options: Option<String>,
    /// What was found while it was chosen.
    pub(crate) found: Vec<Found>,
    /// What it took to choose it, and to build or open its tables.
    pub(crate) elapsed: Duration,
}

/// What the user asks for, and what for.
pub(crate) struct Request<'a> {
    pub(crate) spec: &'a HeuristicSpec,
    /// The most bytes that tables may need, also while they are built.
    pub(crate) memory: usize,
    /// For how many images under symmetries tables are looked up, apart from the state itself.
    pub(crate) mirrored: usize,
    /// Whether they are looked up for dual states.
    pub(crate) duals: bool,
    pub(crate) algorithm: Algorithm,
    pub(crate) game: &'a Game,
    pub(crate) starts: &'a [State],
    /// What is known of all states that the starts lead to.
    pub(crate) known: &'a Invariants,
    pub(crate) seed: u64,
    /// The most nodes of a search.
    pub(crate) nodes: Option<u64>,
    /// The most time for choosing.
    pub(crate) time: Option<Duration>,
    /// When tables that the user names must be built.
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: &'a Arc<AtomicBool>,
    pub(crate) progress: ProgressMode,
}

impl Request<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl Heuristic {
    /// The one that knows nothing.
    pub(crate) fn zero(game: &Game) -> Result<Self, Failure> {
        let zero = Named::new(game, &Invariants::none(game), &[Name::Zero]);
        Ok(Self {
            estimate: zero.map_err(misfit)?.into(),
            reason: None,
            options: None,
            found: Vec::new(),
            elapsed: Duration::ZERO,
        })
    }

    /// Makes what the user asks for. `trial` tries a heuristic on a start.
    pub(crate) fn prepare(request: &Request<'_>, trial: &Trial<'_>) -> Result<Self, Failure> {
        if !request.algorithm.takes_heuristic() && !request.spec.is_zero() {
            return Err(Failure::usage(format!(
                "{} takes no heuristic",
                request.algorithm.name()
            ))
            .hint("use `--algorithm ida`, `wida`, `ida-cr`, `dfbnb`, `ida-table`, `astar` or `wastar`, or leave out `--heuristic`"));
        }
        let HeuristicSpec::Greatest { names, sums } = request.spec else {
            return Ok(auto::choose(request, trial));
        };
        let started = Instant::now();
        let game = request.game;
        let named = || Named::new(game, request.known, names).map_err(misfit);
        if sums.is_empty() {
            return Ok(Self {
                estimate: named()?.into(),
                reason: None,
                options: None,
                found: Vec::new(),
                elapsed: started.elapsed(),
            });
        }
        let named = if names.is_empty() {
            None
        } else {
            Some(named()?)
        };
        let make = |known| -> Result<Combined, Failure> {
            let building = Building {
                memory: request.memory,
                interrupt: request.interrupt,
                deadline: request.deadline,
                mirrored: request.mirrored,
                duals: request.duals,
                known,
            };
            let (patterns, words) = tables::make(sums, game, &building)?;
            Ok(Combined::new(named.clone(), patterns, words))
        };
        let broken = |estimate: &Combined| {
            let mut starts = request.starts.iter();
            starts.find_map(|start| {
                let violation = estimate.check_start(game, start).err()?;
                Some((start, violation))
            })
        };
        // What is known of the starts makes tables smaller. It need not hold for dual states, nor for all images.
        let mut estimate = make((!request.duals).then_some(request.known))?;
        if broken(&estimate).is_some() && !request.duals {
            drop(estimate);
            estimate = make(None)?;
        }
        if let Some((start, violation)) = broken(&estimate) {
            return Err(Failure::input(format!(
                "the start {} breaks what {estimate} assumes: {violation}",
                game.format_state(start.values())
            ))
            .hint("a table holds for states that have the invariants of the goals"));
        }
        Ok(Self {
            estimate,
            reason: None,
            options: None,
            found: Vec::new(),
            elapsed: started.elapsed(),
        })
    }

    /// Whether it is the one that knows nothing.
    pub(crate) fn is_zero(&self) -> bool {
        self.estimate.patterns().is_none() && self.estimate.named().is_some_and(is_zero)
    }

    /// Whether solutions of least cost are found with it.
    pub(crate) fn is_admissible(&self) -> bool {
        self.estimate.is_admissible()
    }
}

fn is_zero(named: &Named) -> bool {
    named.names() == [Name::Zero]
}

fn misfit(misfit: heuristics::Misfit) -> Failure {
    Failure::usage(misfit.to_string()).hint("`--heuristic auto` takes one that fits")
}
