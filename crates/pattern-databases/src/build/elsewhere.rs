//! Tables whose distances other programs find, such as several processes together.

use abstraction::Abstraction;
use psvn_ir::Game;

use crate::backward::Backward;
use crate::build::expand::Expansion;
use crate::build::expand::choice::expander_for;
use crate::build::levels::{ByteEntry, Entry, ShortEntry};
use crate::build::{Built, MOST_RANKS, Plan, goal_ranks};
use crate::database::{PatternDatabase, Prepared, Recipe};
use crate::file::store;
use crate::progress::{BuildError, Options, Reporter};
use crate::table::Table;

/// A table before its distances are known, for programs that find them in their own way. Distances
/// and costs count in units, of which all costs are multiples.
///
/// ```
/// use abstraction::Abstraction;
/// use pattern_databases::{Options, PatternDatabase, TablePlan};
///
/// let text = domains::generate("sliding-tiles", &["2", "3"])?;
/// let game = psvn_ir::load(&text).game.expect("a game without errors");
/// let pattern = Abstraction::from_pattern(&game, "keep 0 1 2")?;
/// let plan = TablePlan::new(&game, &pattern, &Options::default())?;
/// let (mut distances, mut layer) = (plan.distances(100), plan.goal_ranks());
/// let mut known = vec![false; plan.n_ranks() as usize];
/// assert_eq!(plan.costs(), [1]);
/// let mut walker = plan.walker(&[1]);
/// for distance in 0.. {
///     let mut next = Vec::new();
///     for rank in layer {
///         if !std::mem::replace(&mut known[rank as usize], true) {
///             distances.set(rank, distance);
///             walker(rank, &mut |before| next.push(before));
///         }
///     }
///     if next.is_empty() {
///         break;
///     }
///     layer = next;
/// }
/// let table = plan.finish(&game, distances);
/// let built = PatternDatabase::build(&game, &pattern, &Options::default())?;
/// assert_eq!(table.distribution(), built.distribution());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TablePlan {
    recipe: Recipe,
    prepared: Prepared,
    name: String,
    goals: Vec<u64>,
    n_ranks: u64,
    may_have_shorts: bool,
}

impl std::fmt::Debug for TablePlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TablePlan")
            .field("ranking", &self.prepared.plan.ranking)
            .finish_non_exhaustive()
    }
}

/// A function that calls its second argument with each rank from which one step of certain costs
/// leads to its first argument.
pub type Walker<'p> = Box<dyn FnMut(u64, &mut dyn FnMut(u64)) + 'p>;

/// Memory for the distances of ranks, which become known one by one.
#[derive(Clone, Debug)]
pub struct Distances {
    entries: Entries,
}

/// The greatest value of an entry: its rank isn't reached.
#[derive(Clone, Debug)]
enum Entries {
    Bytes(Vec<u8>),
    Shorts(Vec<u16>),
}

impl Distances {
    /// Set the distance of a rank. A distance that is too large is stored as the greatest one
    /// possible.
    ///
    /// # Panics
    /// If the table has no such rank.
    pub fn set(&mut self, rank: u64, distance: u64) {
        match &mut self.entries {
            Entries::Bytes(bytes) => bytes[rank as usize] = distance.min(ByteEntry::MAX) as u8,
            Entries::Shorts(shorts) => {
                shorts[rank as usize] = distance.min(ShortEntry::MAX) as u16;
            }
        }
    }
}

impl TablePlan {
    /// Prepare the table of an abstraction.
    ///
    /// # Errors
    /// When the abstract game can't be made or has no goal, or the table would be too large.
    pub fn new(
        game: &Game,
        abstraction: &Abstraction,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let recipe = Recipe::of(abstraction.clone());
        let mut prepared = Prepared::new(game, &recipe, options)?;
        prepared.up_to_symmetries(options);
        let plan = &prepared.plan;
        let needed = plan.bytes_needed();
        options.check_memory(needed)?;
        if plan.ranking.size() > MOST_RANKS {
            return Err(BuildError::OutOfMemory(needed));
        }
        let n_ranks = plan.ranking.size() as u64;
        let reporter = Reporter::new(options, plan.unit, n_ranks);
        let mut goals = Vec::new();
        goal_ranks(
            prepared.abstract_game.game(),
            &plan.ranking,
            n_ranks,
            &reporter,
            &mut |rank| goals.push(rank),
        );
        reporter.poll()?;
        goals.sort_unstable();
        goals.dedup();
        let assumed = prepared.invariants.to_lines(game);
        Ok(Self {
            name: store::name(game, &recipe, &assumed),
            may_have_shorts: plan.may_have_shorts(options),
            recipe,
            prepared,
            goals,
            n_ranks,
        })
    }

    /// Return all data that determine the table, as text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Return the abstract game.
    pub fn abstract_game(&self) -> &Game {
        self.prepared.abstract_game.game()
    }

    /// Return the number of ranks, which are the numbers below it.
    pub fn n_ranks(&self) -> u64 {
        self.n_ranks
    }

    /// Return the ranks of goals, ascending.
    pub fn goal_ranks(&self) -> Vec<u64> {
        self.goals.clone()
    }

    /// Return the cost of a unit of distance.
    pub fn unit(&self) -> u64 {
        self.prepared.plan.unit
    }

    /// Return the different costs of rules, in units, ascending.
    pub fn costs(&self) -> Vec<u64> {
        let rules = self.prepared.plan.rules.iter();
        let mut costs: Vec<u64> = rules.map(|rule| rule.cost).collect();
        costs.sort_unstable();
        costs.dedup();
        costs
    }

    /// Return the greatest distance that the table can hold; greater ones are stored as this one.
    pub fn most(&self) -> u64 {
        if self.may_have_shorts {
            ShortEntry::MAX
        } else {
            ByteEntry::MAX
        }
    }

    /// Return a function from a rank to its predecessors by the rules of these costs. It has
    /// buffers of its own, so each thread needs one.
    pub fn walker(&self, costs: &[u64]) -> Walker<'_> {
        self.prepared.plan.walker(costs)
    }

    /// Return memory for distances up to `greatest`, none of them known.
    pub fn distances(&self, greatest: u64) -> Distances {
        let n = self.n_ranks as usize;
        let entries = if greatest >= ByteEntry::MAX && self.may_have_shorts {
            Entries::Shorts(vec![u16::MAX; n])
        } else {
            Entries::Bytes(vec![u8::MAX; n])
        };
        Distances { entries }
    }

    /// Return the table with these distances: the same as [`PatternDatabase::build`] makes.
    pub fn finish(&self, game: &Game, distances: Distances) -> PatternDatabase {
        let (table, is_saturated) = match distances.entries {
            Entries::Bytes(bytes) => {
                let is_saturated = bytes.contains(&(ByteEntry::MAX as u8));
                (Table::from_bytes(bytes), is_saturated)
            }
            Entries::Shorts(shorts) => {
                let is_saturated = shorts.contains(&(ShortEntry::MAX as u16));
                (Table::from_shorts(&shorts), is_saturated)
            }
        };
        let built = Built {
            table,
            ranking: self.prepared.plan.ranking.clone(),
            unit: self.prepared.plan.unit,
            is_saturated,
        };
        let (invariants, reader) = (&self.prepared.invariants, &self.prepared.reader);
        let recipe = self.recipe.clone();
        PatternDatabase::of_parts(game, recipe, invariants.clone(), reader.clone(), built)
    }
}

impl Plan {
    /// Return the expander that is also used for building here, for the rules of some costs.
    fn walker(&self, costs: &[u64]) -> Walker<'_> {
        let rules = self.rules.iter().filter(|rule| costs.contains(&rule.cost));
        let rules: Vec<Backward> = rules.cloned().collect();
        let mut expansion = Expansion::new(&expander_for(&self.ranking, &rules, None));
        Box::new(move |rank, each| {
            expansion.waiting.push(rank);
            let (found, _) = expansion.expand_some();
            found.iter().for_each(|before| each(before.rank));
        })
    }
}
