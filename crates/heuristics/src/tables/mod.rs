//! Pattern databases that are worth trying for a game, from small to large.
//!
//! Nothing is built here, and the quality of a table isn't known in advance: to measure it,
//! [build](Candidate::build) the table and estimate [`sample_states`] and the starts. Candidates
//! come in [families](Family), ordered by size. Those of one family are made in the same way, so
//! that a small one predicts the large ones.

mod coordinates;
mod gains;
mod kept;
mod partition;
mod pieces;
mod rules;
mod samples;

use std::ops::RangeInclusive;

use abstraction::{AbstractGame, Abstraction, CostPartition};
use invariants::Invariants;
use pattern_databases::{
    AdditiveSet, BuildError, CoordinatePattern, CoordinateTable, Dual, Options, PatternDatabase,
    Patterns, Sizes,
};
use psvn_ir::{DomainId, Game, State, Value, VarId};

use self::gains::gains;
use self::partition::{Apart, Closeness, groups};
pub(crate) use self::samples::representative_states;
pub use self::samples::{ends_of_long_walks, sample_states, sample_states_unless};

/// The maximum number of tables of one candidate. More are slow to look up, and the incremental
/// look-up supports no more.
const MOST_TABLES: usize = 8;
/// The maximum number of tables in a maximum: each costs a look-up, and a sum would gain more.
const MOST_OF_MAXIMUM: usize = 4;
/// The maximum number of values of one pattern.
const MOST_VALUES: usize = 12;
/// The maximum number of backward rules of an abstract game: each is tried on each state.
const MOST_ABSTRACT_RULES: u128 = 50_000;
/// The maximum number of rules, and of variables: larger games are too large for many abstract
/// games.
const MOST_RULES: usize = 20_000;
const MOST_VARIABLES: usize = 256;
/// The maximum number of values whose pairs are considered.
const MOST_PAIRED: usize = 40;
/// The maximum distance of two values in the goal that are compared as a pair: others have little
/// gain.
const NEAR: usize = 2;
/// The weights of the largest gain, in steps between places in the goal. Each weight makes a
/// family.
const WEIGHTS: [f64; 2] = [12.0, 35.0];

/// How tables are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The sum, also looked up for an image under a symmetry.
    Sum,
    Greatest,
    /// The maximum, also looked up for duals, and for this number of images under symmetries.
    Duals(usize),
    /// The maximum, also looked up for this number of images under symmetries.
    Pieces(usize),
    /// A table of coordinates, and whether it is looked up for duals.
    Coordinates(CoordinatePattern, bool),
}

impl Kind {
    /// Return the options for its tables: invariants of the starts need not hold for duals.
    fn of_options<'o>(&self, options: &Options<'o>) -> Options<'o> {
        let invariants = match self {
            Kind::Duals(_) => None,
            _ => options.invariants.clone(),
        };
        Options {
            budget: options.budget.clone(),
            progress: options.progress,
            invariants,
            store: options.store,
        }
    }
}

/// Tables that can be built.
#[derive(Clone, Debug)]
pub struct Candidate {
    kind: Kind,
    patterns: Vec<Abstraction>,
    words: String,
    work: u128,
    bytes: u128,
    peak_bytes: u128,
}

/// Candidates that are made in the same way, in order of increasing work.
#[derive(Clone, Debug)]
pub struct Family {
    /// The candidates; at least one.
    pub candidates: Vec<Candidate>,
}

impl Candidate {
    fn new(
        game: &Game,
        kind: Kind,
        patterns: Vec<Abstraction>,
        words: String,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let sizes: Vec<Sizes> = match kind {
            Kind::Sum => AdditiveSet::sizes(game, &patterns, options)?,
            Kind::Greatest | Kind::Duals(_) | Kind::Pieces(_) | Kind::Coordinates(..) => {
                let options = kind.of_options(options);
                let sizes = patterns.iter();
                sizes
                    .map(|pattern| PatternDatabase::sizes(game, pattern, &options))
                    .collect::<Result<_, _>>()?
            }
        };
        Ok(Self::sized(kind, patterns, words, &sizes))
    }

    /// Make a candidate whose tables have these sizes.
    fn sized(kind: Kind, patterns: Vec<Abstraction>, words: String, sizes: &[Sizes]) -> Self {
        let sum = |of: fn(&Sizes) -> u128| {
            sizes
                .iter()
                .fold(0, |sum: u128, it| sum.saturating_add(of(it)))
        };
        let bytes = sum(|sizes| sizes.entries.saturating_add(sizes.class_bytes));
        let most = sizes.iter().map(|sizes| sizes.building_bytes).max();
        Self {
            kind,
            patterns,
            words,
            work: sum(|sizes| sizes.work),
            bytes,
            peak_bytes: bytes.saturating_add(most.unwrap_or(0)),
        }
    }

    /// Describe it in a few words.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Return whether another candidate has the same tables.
    pub fn is_same(&self, other: &Self) -> bool {
        let among = |pattern: &Abstraction| other.patterns.contains(pattern);
        self.kind == other.kind
            && self.patterns.len() == other.patterns.len()
            && self.patterns.iter().all(among)
    }

    /// Estimate how long building takes on one core, in steps of a nanosecond: a count that is the
    /// same on every machine (see [`Sizes::work`]).
    pub fn work(&self) -> u128 {
        self.work
    }

    /// Return whether its tables are looked up for duals of states, too.
    pub fn has_duals(&self) -> bool {
        matches!(self.kind, Kind::Duals(_) | Kind::Coordinates(_, true))
    }

    /// Return the tables as named by `--heuristic`, and the number of images under symmetries that
    /// are looked up besides the state itself. `None` if no name can be written.
    pub fn named(&self, game: &Game) -> Option<(String, usize)> {
        if let Kind::Coordinates(pattern, _) = &self.kind {
            return Some((pattern.to_text(game), 0));
        }
        let names: Option<Vec<String>> =
            self.patterns.iter().map(|it| it.to_pattern(game)).collect();
        let names = names?;
        let is_clear = |name: &String| !name.contains(['+', ',']) && !name.ends_with(".pdb");
        let between = match self.kind {
            Kind::Sum => "+",
            Kind::Greatest | Kind::Duals(_) | Kind::Pieces(_) | Kind::Coordinates(..) => ",",
        };
        let n_mirrored = match self.kind {
            Kind::Sum => 1,
            Kind::Greatest | Kind::Coordinates(..) => 0,
            Kind::Duals(n_images) | Kind::Pieces(n_images) => n_images,
        };
        names
            .iter()
            .all(is_clear)
            .then(|| (names.join(between), n_mirrored))
    }

    /// Return the bytes of the tables with a byte for each distance (half of it if distances are
    /// short, twice if they are long), and of the lists for ranks.
    pub fn bytes(&self) -> u128 {
        self.bytes
    }

    /// Return the peak of the bytes needed while it is built.
    pub fn peak_bytes(&self) -> u128 {
        self.peak_bytes
    }

    /// Return whether the store of the options has all of the tables, so that they needn't be
    /// built.
    pub fn is_kept(&self, game: &Game, options: &Options<'_>) -> bool {
        match &self.kind {
            Kind::Coordinates(pattern, duals) => {
                CoordinateTable::is_kept(game, pattern, options)
                    && (!duals || CoordinateTable::are_duals_kept(game, pattern, options))
            }
            Kind::Sum => AdditiveSet::are_kept(game, &self.patterns, options),
            Kind::Greatest | Kind::Duals(_) | Kind::Pieces(_) => {
                let options = self.kind.of_options(options);
                let mut patterns = self.patterns.iter();
                patterns.all(|pattern| PatternDatabase::is_kept(game, pattern, &options))
            }
        }
    }

    /// Build the tables.
    ///
    /// # Errors
    /// If a limit is reached first, or the work is interrupted.
    pub fn build(&self, game: &Game, options: &Options<'_>) -> Result<Patterns, BuildError> {
        match &self.kind {
            Kind::Coordinates(pattern, duals) => {
                let mut table = CoordinateTable::build(game, pattern, options)?;
                if *duals {
                    table.add_duals(game, options)?;
                }
                Patterns::of_coordinates(game, table)
            }
            Kind::Sum => {
                let sum = AdditiveSet::build(game, &self.patterns, options)?;
                Ok(Patterns::sum(game, sum)?.with_further_lookups(game, 1, false))
            }
            Kind::Greatest => {
                let tables = self.patterns.iter();
                let tables = tables.map(|pattern| PatternDatabase::build(game, pattern, options));
                Patterns::maximum(game, tables.collect::<Result<_, _>>()?)
            }
            Kind::Duals(n_images) | Kind::Pieces(n_images) => {
                let options = self.kind.of_options(options);
                let tables = self.patterns.iter();
                let tables = tables.map(|pattern| PatternDatabase::build(game, pattern, &options));
                let patterns = Patterns::maximum(game, tables.collect::<Result<_, _>>()?)?;
                Ok(patterns.with_further_lookups(game, *n_images, self.has_duals()))
            }
        }
    }
}

/// Return the candidates for a game and states that satisfy the invariants of the options, none of
/// which needs more than `memory` bytes.
///
/// Values that are close together in the goal are kept together (Felner, Korf & Hanan 2004,
/// "Additive Pattern Database Heuristics", partition the tiles of puzzles in this way by hand): as
/// sums where costs can be charged to values, and as maxima. Several families of sums differ in how
/// they weight the closeness of values against the gain of a pair on `samples`. Of pieces that
/// rules move as wholes, a candidate keeps some that are close together, or that many symmetries of
/// the game map to each other, and is looked up for images under symmetries as well. Where rules
/// only permute positions, there are large tables of [coordinates](CoordinateTable). Variables are
/// kept from the first and from the last one on; groups of which one is on are kept as wholes. The
/// first family is the whole game.
///
/// The limits and the interrupt flag of the options apply here, too: if they stop the work, there
/// are fewer candidates.
pub fn families(
    game: &Game,
    known: &Invariants,
    options: &Options<'_>,
    memory: u128,
    samples: &[State],
) -> Vec<Family> {
    if game.goals().is_empty()
        || game.rules().len() > MOST_RULES
        || game.n_variables() > MOST_VARIABLES
    {
        return Vec::new();
    }
    let mut collector = Collector {
        game,
        options,
        memory,
        families: Vec::new(),
    };
    let whole = vec![Abstraction::identity(game)];
    let mut candidates = Vec::new();
    collector.add(
        &mut candidates,
        Kind::Greatest,
        whole,
        "a table of the whole game".to_owned(),
    );
    collector.end(candidates);
    collector.by_piece();
    collector.by_coordinate();
    collector.by_value(samples);
    collector.by_rule(samples);
    collector.by_variable(known);
    collector.families
}

struct Collector<'a> {
    game: &'a Game,
    options: &'a Options<'a>,
    memory: u128,
    families: Vec<Family>,
}

impl Collector<'_> {
    /// Add a candidate if it can be built. Return whether it can.
    fn add(
        &self,
        to: &mut Vec<Candidate>,
        kind: Kind,
        patterns: Vec<Abstraction>,
        words: String,
    ) -> bool {
        let has_few_rules = |pattern: &Abstraction| {
            let counts = AbstractGame::count_rules(self.game, pattern);
            counts.is_ok_and(|counts| counts.backward <= MOST_ABSTRACT_RULES)
        };
        if self.options.should_stop() || !patterns.iter().all(has_few_rules) {
            return false;
        }
        let candidate = Candidate::new(self.game, kind, patterns, words, self.options);
        candidate.is_ok_and(|candidate| self.add_sized(to, candidate))
    }

    /// Add a candidate if it fits the memory. Return whether it does.
    fn add_sized(&self, to: &mut Vec<Candidate>, candidate: Candidate) -> bool {
        if candidate.peak_bytes > self.memory {
            return false;
        }
        // A larger candidate with no more work than a smaller one is useless.
        if to.last().is_none_or(|last| last.work < candidate.work) {
            to.push(candidate);
        }
        true
    }

    fn end(&mut self, candidates: Vec<Candidate>) {
        if !candidates.is_empty() {
            self.families.push(Family { candidates });
        }
    }

    /// Group values of the domain that most variables have, if each has one place in the goal.
    fn by_value(&mut self, samples: &[State]) {
        let game = self.game;
        let Some(goal) = game.goal_state() else {
            return;
        };
        let Some(domain) = most_common_domain(game) else {
            return;
        };
        let charges = CostPartition::of(game);
        let mut place: Vec<Option<usize>> = vec![None; game.domain(domain).size()];
        let mut twice = vec![false; place.len()];
        for (var, value) in goal.values().iter().enumerate() {
            if game.variables()[var] == domain {
                twice[value.index()] |= place[value.index()].replace(var).is_some();
            }
        }
        let single: Vec<(Value, usize)> = place
            .iter()
            .enumerate()
            .filter(|(value, _)| {
                !twice[*value] && !charges.is_tested(domain, Value::from_index(*value))
            })
            .filter_map(|(value, place)| Some((Value::from_index(value), (*place)?)))
            .collect();
        if single.len() < 3 {
            return;
        }
        let closeness = Closeness::new(game);
        let values: Vec<Value> = single.iter().map(|(value, _)| *value).collect();
        let places: Vec<usize> = single.iter().map(|(_, place)| *place).collect();
        let patterns = |parts: &[Vec<usize>]| -> Vec<Abstraction> {
            let pattern = |part: &Vec<usize>| {
                let kept: Vec<Value> = part.iter().map(|i| values[*i]).collect();
                Abstraction::keep_values(game, |id, value| id == domain && kept.contains(&value))
            };
            parts.iter().map(pattern).collect()
        };
        let far = Apart::far(&closeness, &places);
        let sizes = 2..=MOST_VALUES.min(values.len());
        self.sums(&far, sizes.clone(), patterns);
        let is_near = |i: usize, j: usize| closeness.between(places[i], places[j]) <= NEAR;
        let is_sum = self.families.last().is_some_and(|family| {
            let kind = &family.candidates[0].kind;
            values.len() <= MOST_PAIRED && !samples.is_empty() && *kind == Kind::Sum
        });
        if is_sum && let Some(gains) = gains(game, domain, &values, is_near, samples, self.options)
        {
            let greatest = gains.iter().flatten().copied().fold(f64::EPSILON, f64::max);
            for weight in WEIGHTS.map(|weight| weight / greatest) {
                let apart = Apart::new(values.len(), |i, j| {
                    closeness.between(places[i], places[j]) as f64 - weight * gains[i][j]
                });
                self.sums(&apart, sizes.clone(), patterns);
            }
        }
        self.greatest(&far, sizes.clone(), patterns);
        if Dual::find(game).is_some() {
            self.with_duals(&far, sizes, patterns);
        }
    }

    /// Add the sums of tables of groups of values.
    fn sums(
        &mut self,
        apart: &Apart,
        sizes: RangeInclusive<usize>,
        patterns: impl Fn(&[Vec<usize>]) -> Vec<Abstraction>,
    ) {
        self.sums_of(apart, sizes, "values", patterns);
    }

    /// Add the sums of tables of groups of items.
    fn sums_of(
        &mut self,
        apart: &Apart,
        sizes: RangeInclusive<usize>,
        items: &str,
        patterns: impl Fn(&[Vec<usize>]) -> Vec<Abstraction>,
    ) {
        let mut candidates = Vec::new();
        for size in sizes {
            if self.options.should_stop() {
                break;
            }
            // One table alone needs no charged costs: it is among the maxima.
            if !(2..=MOST_TABLES).contains(&apart.len().div_ceil(size)) {
                continue;
            }
            let parts = groups(apart, size);
            let sizes: Vec<String> = parts.iter().map(|part| part.len().to_string()).collect();
            let words = format!("the sum of tables of {} {items}", sizes.join("-"));
            if !self.add(&mut candidates, Kind::Sum, patterns(&parts), words) {
                break;
            }
        }
        self.end(candidates);
    }

    /// Add the maxima of tables of groups of values.
    fn greatest(
        &mut self,
        apart: &Apart,
        sizes: RangeInclusive<usize>,
        patterns: impl Fn(&[Vec<usize>]) -> Vec<Abstraction>,
    ) {
        let mut candidates = Vec::new();
        for size in sizes {
            if self.options.should_stop() {
                break;
            }
            let mut parts = groups(apart, size);
            parts.retain(|part| part.len() == size);
            parts.truncate(MOST_OF_MAXIMUM);
            // More tables are better, but one large table gives better estimates than several small
            // ones.
            let fits = (1..=parts.len()).rev().any(|n| {
                let words = match n {
                    1 => format!("a table of {size} values"),
                    _ => format!("the greatest of {n} tables of {size} values"),
                };
                self.add(
                    &mut candidates,
                    Kind::Greatest,
                    patterns(&parts[..n]),
                    words,
                )
            });
            if !fits {
                break;
            }
        }
        self.end(candidates);
    }

    /// Add one or two tables of groups of values, looked up for images and duals as well.
    fn with_duals(
        &mut self,
        apart: &Apart,
        sizes: RangeInclusive<usize>,
        patterns: impl Fn(&[Vec<usize>]) -> Vec<Abstraction>,
    ) {
        for n_tables in [1, 2] {
            let mut candidates = Vec::new();
            for size in sizes.clone() {
                let mut parts = groups(apart, size);
                parts.retain(|part| part.len() == size);
                if self.options.should_stop() || parts.len() < n_tables {
                    break;
                }
                let words = match n_tables {
                    1 => format!("a table of {size} values and its duals"),
                    _ => format!("the greatest of {n_tables} tables of {size} values and duals"),
                };
                let n_images = MOST_TABLES / (2 * n_tables) - 1;
                let patterns = patterns(&parts[..n_tables]);
                if !self.add(&mut candidates, Kind::Duals(n_images), patterns, words) {
                    break;
                }
            }
            self.end(candidates);
        }
    }

    /// Add the first variables, and the last ones; groups of which one is on stay together.
    fn by_variable(&mut self, known: &Invariants) {
        let units = units(self.game, known);
        let n = units.len();
        if n < 2 {
            return;
        }
        for from_end in [true, false] {
            let mut candidates = Vec::new();
            for size in 1..n {
                let kept = if from_end {
                    &units[n - size..]
                } else {
                    &units[..size]
                };
                let mut keep = vec![false; self.game.n_variables()];
                kept.iter().flatten().for_each(|var| keep[*var] = true);
                let n_kept = keep.iter().filter(|keep| **keep).count();
                let which = if from_end { "last" } else { "first" };
                let words = format!("a table of the {which} {n_kept} variables");
                let pattern =
                    Abstraction::identity(self.game).project(|var: VarId| keep[var.index()]);
                if !self.add(&mut candidates, Kind::Greatest, vec![pattern], words) {
                    break;
                }
            }
            self.end(candidates);
        }
    }
}

fn most_common_domain(game: &Game) -> Option<DomainId> {
    let mut count = vec![0_usize; game.domains().len()];
    game.variables()
        .iter()
        .for_each(|domain| count[domain.index()] += 1);
    let most = *count.iter().max()?;
    count
        .iter()
        .position(|n| *n == most)
        .map(DomainId::from_index)
}

/// Return the variables in order, with groups of which exactly one is known to be on as one unit.
fn units(game: &Game, known: &Invariants) -> Vec<Vec<usize>> {
    let n = game.n_variables();
    let mut taken = vec![false; n];
    let mut units: Vec<Vec<usize>> = Vec::new();
    for count in known.counts().filter(|count| count.number == 1) {
        let mut vars: Vec<usize> = count.facts.iter().map(|fact| fact.var.index()).collect();
        vars.dedup();
        let is_new = vars.len() == count.facts.len() && vars.iter().all(|var| !taken[*var]);
        if is_new && vars.len() > 1 && vars.len() < n {
            vars.iter().for_each(|var| taken[*var] = true);
            units.push(vars);
        }
    }
    units.extend((0..n).filter(|var| !taken[*var]).map(|var| vec![var]));
    units.sort_by_key(|vars| vars[0]);
    units
}
