//! One table, with the abstraction that leads to it.

use std::sync::Arc;
use std::time::Instant;

use abstraction::{AbstractGame, Abstraction, CostPartition, DEFAULT_RULE_LIMIT, Share, Symmetry};
use invariants::{Invariants, Violation};
use psvn_ir::{ContentHash, DomainId, Game, State, Value, VarId};
use search::{Cell, DEAD_END, Heuristic, RankedTable};

use crate::build::{self, Plan};
use crate::dual::Dual;
use crate::file::store;
use crate::progress::{BuildError, Options};
use crate::ranking::symmetric::{self, Images};
use crate::ranking::{Numbers, Ranking, up_to_symmetries};
use crate::table::{Table, Width};

/// The data that determine a table's ranks, apart from the game: everything that a file must
/// record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The merged and dropped values and variables; in a table with charged costs, the tracked
    /// ones.
    pub(crate) abstraction: Abstraction,
    /// By domain and value: whether its cost is charged to the table. `None` if costs aren't
    /// charged to values.
    pub(crate) charged_values: Option<Vec<Vec<bool>>>,
}

impl Recipe {
    /// Make the recipe of an abstraction without costs charged to values.
    pub(crate) fn of(abstraction: Abstraction) -> Self {
        Self {
            abstraction,
            charged_values: None,
        }
    }
}

/// The size of a table before anything is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The number of entries of the table; saturated at 128 bits.
    pub entries: u128,
    /// The bytes that ranking takes besides the entries, as long as the table exists.
    pub class_bytes: u128,
    /// The number of ranks that are searched: more than the entries if some values are tracked but
    /// not kept.
    pub ranks: u128,
    /// The bytes needed for building, if one byte is enough for each distance.
    pub building_bytes: u128,
    /// The approximate time to build on one core, in steps of a nanosecond on a typical processor:
    /// a count that is the same on every machine.
    pub work: u128,
    /// The ranking, in a few words.
    pub ranking: String,
    /// The size of the abstract game. If it has very many rules, `n_rules` is only an upper bound.
    pub game: abstraction::Statistics,
}

impl Sizes {
    /// Compare the bytes for building with the limit, or else with the computer's memory.
    ///
    /// # Errors
    /// If more is needed. The table may still be built if far fewer states than ranks are reached,
    /// so that they can be listed.
    pub fn check_memory(&self, options: &Options<'_>) -> Result<(), BuildError> {
        options.check_memory(self.building_bytes)
    }
}

/// The minimum number of ranks for a ranking up to symmetries: with fewer, there is little to gain.
const LEAST_SYMMETRIC: u128 = 1 << 16;

/// Sizes are computed from the rules themselves up to this number of rules, and from their number
/// beyond it.
const MOST_RULES_MADE: u128 = 10_000;

/// A pattern database: the least costs from abstract states to abstract goals, by perfect rank.
///
/// As a [`Heuristic`] it is admissible for all states that satisfy the [invariants](Self::assumed)
/// that were known when it was built: those of the goal states unless others were given. It is also
/// consistent, unless it was built with values that are tracked and not kept
/// ([`is_consistent`](Self::is_consistent)). The estimate of a state that breaks the invariants is
/// 0 where that is detected; use [`check_start`](Self::check_start).
#[derive(Debug)]
pub struct PatternDatabase {
    pub(crate) game: ContentHash,
    pub(crate) recipe: Recipe,
    pub(crate) assumed: Vec<String>,
    pub(crate) invariants: Arc<Invariants>,
    pub(crate) reader: StateReader,
    pub(crate) ranking: Arc<Ranking>,
    pub(crate) table: Arc<Table>,
    pub(crate) unit: u64,
    pub(crate) is_saturated: bool,
    pub(crate) is_consistent: bool,
    pub(crate) transform: Transform,
}

/// The state that is looked up in place of a state: itself, its dual, or the image of either under
/// a symmetry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transform {
    pub(crate) dual: Option<Dual>,
    /// The same map in the form that the reader applies.
    pub(crate) symmetry: Option<Arc<Symmetry>>,
}

/// The reader of the abstract state in a concrete one.
#[derive(Clone, Debug)]
pub(crate) struct StateReader {
    /// By abstract variable: its concrete variable.
    pub(crate) variables: Vec<u32>,
    /// By abstract variable: the number of its map of values.
    maps: Vec<u32>,
    /// By domain: the abstract value of each value.
    values: Vec<Vec<u32>>,
}

impl StateReader {
    fn new(game: &Game, abstract_game: &AbstractGame) -> Self {
        let mut values = vec![Vec::new(); game.domains().len()];
        let mut maps = Vec::new();
        for (i, var) in abstract_game.variables().iter().enumerate() {
            let domain = game.variables()[var.index()].index();
            maps.push(domain as u32);
            if values[domain].is_empty() {
                let images = abstract_game.values(VarId::from_index(i));
                values[domain] = images.iter().map(|value| value.0).collect();
            }
        }
        Self {
            variables: abstract_game.variables().iter().map(|var| var.0).collect(),
            maps,
            values,
        }
    }

    /// Return the abstract value of an abstract variable.
    #[inline(always)]
    pub(crate) fn value(&self, var: usize, concrete: impl Fn(usize) -> usize) -> u32 {
        let map = &self.values[self.maps[var] as usize];
        map[concrete(self.variables[var] as usize)]
    }

    /// Return the reader of the images of states under a symmetry.
    fn mirrored(&self, game: &Game, symmetry: &Symmetry) -> Self {
        let mut from = vec![0; game.n_variables()];
        for var in (0..game.n_variables()).map(VarId::from_index) {
            from[symmetry.variable(var).index()] = var.0;
        }
        let variables = self.variables.iter().map(|var| from[*var as usize]);
        let values = self.values.iter().enumerate().map(|(domain, images)| {
            let values = (0..images.len()).map(Value::from_index);
            let image = |value| images[symmetry.value(domain, value).index()];
            values.map(image).collect()
        });
        Self {
            variables: variables.collect(),
            maps: self.maps.clone(),
            values: values.collect(),
        }
    }

    /// Return, by domain, the abstract value of each value; empty where no variable has the domain.
    pub(crate) fn values(&self) -> &[Vec<u32>] {
        &self.values
    }

    /// Return the concrete variable of an abstract one.
    fn variable(&self, var: usize) -> VarId {
        VarId(self.variables[var])
    }

    /// Return the abstract value of each concrete one, at an abstract variable.
    fn values_of(&self, var: usize) -> &[u32] {
        &self.values[self.maps[var] as usize]
    }

    /// Return the abstract value of a concrete one, at an abstract variable.
    pub(crate) fn abstract_value(&self, var: usize, value: usize) -> u32 {
        self.values[self.maps[var] as usize][value]
    }
}

/// The preparation of a table.
pub(crate) struct Prepared {
    pub(crate) abstract_game: AbstractGame,
    pub(crate) plan: Plan,
    pub(crate) invariants: Invariants,
    pub(crate) reader: StateReader,
}

impl Prepared {
    pub(crate) fn new(
        game: &Game,
        recipe: &Recipe,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let charges;
        let share = match &recipe.charged_values {
            None => Share::Full,
            Some(charged_values) => {
                charges = CostPartition::of(game);
                Share::Charged {
                    partition: &charges,
                    charged_values,
                }
            }
        };
        let abstraction = &recipe.abstraction;
        let counts = AbstractGame::count_rules(game, abstraction)?;
        options.check_memory(build::bytes_of_rules(&counts, game.n_variables()))?;
        let abstract_game =
            AbstractGame::with_share(game, abstraction, &share, DEFAULT_RULE_LIMIT)?;
        if game.goals().is_empty() {
            return Err(BuildError::NoGoal);
        }
        let known = options.invariants.clone();
        let invariants = known.unwrap_or_else(|| Invariants::from_goals(game));
        // Values that are tracked and not charged come last, so that they can be left out of the
        // table.
        let is_tracked = |var: VarId, value: u32| {
            let Some(charged_values) = &recipe.charged_values else {
                return false;
            };
            let domain = game.variables()[abstract_game.variables()[var.index()].index()];
            let images = abstract_game.values(var).iter().enumerate();
            let mut concrete = images.filter(|(_, image)| image.0 == value).map(|(v, _)| v);
            match (concrete.next(), concrete.next()) {
                (Some(value), None) => !charged_values[domain.index()][value],
                _ => false,
            }
        };
        let kept = abstraction.pieces_at();
        let ranking = crate::ranking::choose(game, &abstract_game, &invariants, kept, is_tracked)?;
        let n_kept = ranking.as_partial_permutation().map(|places| {
            let kept = |item: &&crate::ranking::partial_permutation::Item| {
                !is_tracked(VarId(places.vars[0]), item.value)
            };
            places.items.iter().filter(kept).count()
        });
        let n_kept = n_kept.filter(|_| recipe.charged_values.is_some());
        let reader = StateReader::new(game, &abstract_game);
        let plan = Plan::new(&abstract_game, ranking, n_kept)?;
        Ok(Self {
            abstract_game,
            plan,
            invariants,
            reader,
        })
    }

    /// Rank states up to symmetries of the game, if pieces are ranked and that is worth it.
    pub(crate) fn up_to_symmetries(&mut self, options: &Options<'_>) {
        let ranking = &self.plan.ranking;
        if self.plan.shared.is_some() {
            return;
        }
        let Some((images, [_, class_bytes])) = images(&self.abstract_game, ranking) else {
            return;
        };
        if options.check_memory(class_bytes).is_err() {
            return;
        }
        if let Some(ranking) = ranking.up_to(images, || options.should_stop()) {
            self.plan.ranking = ranking;
        }
    }

    fn sizes(&self) -> Sizes {
        let shared = self.plan.shared.as_ref();
        Sizes {
            entries: self.plan.n_entries(),
            class_bytes: self.plan.ranking.class_bytes(),
            ranks: self.plan.ranking.size(),
            building_bytes: self.plan.bytes_needed(),
            work: self.plan.work(),
            ranking: shared.unwrap_or(&self.plan.ranking).describe(),
            game: self.abstract_game.statistics(),
        }
    }
}

/// Return the symmetries up to which states are ranked, if they are, with the number of ranks and
/// the bytes that ranking takes.
fn images(abstract_game: &AbstractGame, ranking: &Ranking) -> Option<(Images, [u128; 2])> {
    if ranking.size() < LEAST_SYMMETRIC {
        return None;
    }
    let images = ranking.images(abstract_game.game())?;
    let sizes = symmetric::sizes(ranking.as_oriented_pieces()?, &images);
    Some((images, sizes))
}

impl PatternDatabase {
    /// Build the table of an abstraction. If pieces are ranked and the game has symmetries that map
    /// kept pieces to kept pieces, the table has one entry for all states that these symmetries map
    /// to each other.
    ///
    /// # Errors
    /// If the abstract game can't be made or has no goal, the table would be too large, or the work
    /// was interrupted.
    pub fn build(
        game: &Game,
        abstraction: &Abstraction,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let recipe = Recipe::of(abstraction.clone());
        Self::from_recipe(game, recipe, options)
    }

    pub(crate) fn from_recipe(
        game: &Game,
        recipe: Recipe,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let started = Instant::now();
        let mut prepared = Prepared::new(game, &recipe, options)?;
        let name = options.store.map(|_| {
            let assumed = prepared.invariants.to_lines(game);
            store::name(game, &recipe, &assumed)
        });
        if let Some(name) = &name
            && let Some(kept) = Self::kept(name, game, &recipe, &prepared, options)?
        {
            return Ok(kept);
        }
        prepared.up_to_symmetries(options);
        let may_be_kept = prepared.may_be_kept(options);
        let table = Self::from_prepared(game, recipe, prepared, options)?;
        if let Some(name) = name.filter(|_| may_be_kept) {
            table.keep(&name, game, started.elapsed(), options);
        }
        Ok(table)
    }

    /// Return whether the store of the options has the table of an abstraction. The file may still
    /// turn out to be damaged when it is read.
    pub fn is_kept(game: &Game, abstraction: &Abstraction, options: &Options<'_>) -> bool {
        let recipe = Recipe::of(abstraction.clone());
        Self::is_recipe_kept(game, &recipe, options)
    }

    pub(crate) fn is_recipe_kept(game: &Game, recipe: &Recipe, options: &Options<'_>) -> bool {
        options.store.is_some_and(|store| {
            let assumed = match &options.invariants {
                Some(known) => known.to_lines(game),
                None => Invariants::from_goals(game).to_lines(game),
            };
            store.has(&store::name(game, recipe, &assumed))
        })
    }

    fn from_prepared(
        game: &Game,
        recipe: Recipe,
        prepared: Prepared,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let is_consistent = prepared.plan.shared.is_none();
        let built = prepared
            .plan
            .build(prepared.abstract_game.game(), options)?;
        let mut table = Self::of_parts(game, recipe, prepared.invariants, prepared.reader, built);
        table.is_consistent &= is_consistent;
        Ok(table)
    }

    /// Make a table whose entries are those of single ranks.
    pub(crate) fn of_parts(
        game: &Game,
        recipe: Recipe,
        invariants: Invariants,
        reader: StateReader,
        built: build::Built,
    ) -> Self {
        Self {
            game: game.content_hash(),
            recipe,
            assumed: invariants.to_lines(game),
            invariants: Arc::new(invariants),
            reader,
            ranking: Arc::new(built.ranking),
            table: Arc::new(built.table),
            transform: Transform::default(),
            unit: built.unit,
            is_consistent: !built.is_saturated,
            is_saturated: built.is_saturated,
        }
    }

    /// Return how large the table of an abstraction would be.
    ///
    /// # Errors
    /// If the abstract game can't be made or has no goal.
    pub fn sizes(
        game: &Game,
        abstraction: &Abstraction,
        options: &Options<'_>,
    ) -> Result<Sizes, BuildError> {
        let recipe = Recipe::of(abstraction.clone());
        Self::sizes_of(game, &recipe, options)
    }

    pub(crate) fn sizes_of(
        game: &Game,
        recipe: &Recipe,
        options: &Options<'_>,
    ) -> Result<Sizes, BuildError> {
        let abstraction = &recipe.abstraction;
        let counts = AbstractGame::count_rules(game, abstraction)?;
        // The kept values of a table with charged costs depend on its rules. It drops no variable,
        // so its rules are at most those of the game, once for each value that they move. And rules
        // that may be too many are made as for building.
        if recipe.charged_values.is_some() || build::may_be_too_many(&counts) {
            return Ok(Prepared::new(game, recipe, options)?.sizes());
        }
        // Rules that read dropped variables write values that they don't test. So they permute
        // nothing, and the ranking doesn't depend on them.
        let abstract_game = if counts.are_multiplied && counts.forward > MOST_RULES_MADE {
            AbstractGame::without_rules(game, abstraction)?
        } else {
            AbstractGame::with_share(game, abstraction, &Share::Full, DEFAULT_RULE_LIMIT)?
        };
        if game.goals().is_empty() {
            return Err(BuildError::NoGoal);
        }
        let known = options.invariants.clone();
        let invariants = known.unwrap_or_else(|| Invariants::from_goals(game));
        let kept = abstraction.pieces_at();
        let ranking =
            crate::ranking::choose(game, &abstract_game, &invariants, kept, |_, _| false)?;
        let mut statistics = abstract_game.statistics();
        if statistics.n_rules == 0 {
            statistics.n_rules = usize::try_from(counts.forward).unwrap_or(usize::MAX);
        }
        let rules = build::bytes_of_rules(&counts, game.n_variables());
        if let Some((images, [n, class_bytes])) = images(&abstract_game, &ranking) {
            let bytes = build::bytes_of_levels(n).saturating_add(class_bytes);
            return Ok(Sizes {
                entries: n,
                class_bytes,
                ranks: n,
                building_bytes: bytes.saturating_add(rules),
                work: build::work_up_to_symmetries(n, class_bytes, counts.backward),
                ranking: up_to_symmetries(&ranking.describe(), images.len()),
                game: statistics,
            });
        }
        Ok(Sizes {
            entries: ranking.size(),
            class_bytes: 0,
            ranks: ranking.size(),
            building_bytes: build::bytes_of_levels(ranking.size()).saturating_add(rules),
            work: build::work(&ranking, counts.backward),
            ranking: ranking.describe(),
            game: statistics,
        })
    }

    /// Return the abstraction. With charged costs, it tracks more values than the table keeps.
    pub fn abstraction(&self) -> &Abstraction {
        &self.recipe.abstraction
    }

    /// Return the pattern of the table: the abstraction or, if costs are charged to values, the one
    /// that keeps only these values.
    pub fn pattern(&self, game: &Game) -> Abstraction {
        match &self.recipe.charged_values {
            None => self.recipe.abstraction.clone(),
            Some(charged_values) => Abstraction::keep_values(game, |domain, value| {
                charged_values[domain.index()][value.index()]
            }),
        }
    }

    /// Return the values of a domain whose costs are charged to the table, if costs are charged to
    /// values.
    pub fn charged_values(&self, domain: DomainId) -> Option<Vec<Value>> {
        let charged = &self.recipe.charged_values.as_ref()?[domain.index()];
        let values = charged.iter().enumerate().filter(|(_, charged)| **charged);
        Some(values.map(|(value, _)| Value::from_index(value)).collect())
    }

    /// Return the number of entries. If they are for states [up to symmetries](Self::build), they
    /// are fewer than the states that [`distribution`](Self::distribution) counts.
    pub fn n_entries(&self) -> u64 {
        self.table.n()
    }

    /// Return the width of an entry.
    pub fn width(&self) -> Width {
        self.table.width()
    }

    /// Return the size of the table in bytes.
    pub fn n_bytes(&self) -> u64 {
        // A mapped file holds more than the table.
        self.table.width().bytes(self.table.n()) as u64
    }

    /// Return the ranking.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Return whether some entries are less than the distance because it doesn't fit their width.
    pub fn is_saturated(&self) -> bool {
        self.is_saturated
    }

    /// Return whether no estimate exceeds the cost of a step plus the estimate after it. An entry
    /// that is the least over the places of values that aren't kept may violate this, since the
    /// least may be at different places.
    pub fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    /// Describe the invariants that were used. Estimates are admissible for states that satisfy
    /// them.
    pub fn assumed(&self) -> &[String] {
        &self.assumed
    }

    /// Check that a state satisfies the assumed invariants.
    ///
    /// # Errors
    /// The first invariant that it breaks.
    ///
    /// # Panics
    /// If the state belongs to another game.
    pub fn check_start(&self, game: &Game, state: &State) -> Result<(), Violation> {
        let mut looked_up = state.clone();
        if let Some(dual) = &self.transform.dual {
            let values: Vec<usize> = state.values().iter().map(|value| value.index()).collect();
            let Some(image) = dual.state(|var| values[var]) else {
                // Its estimate is 0.
                return Ok(());
            };
            let image = image[..values.len()].iter().map(|value| Value(*value));
            looked_up = State::new(image.collect::<Vec<_>>());
        }
        if let Some(symmetry) = &self.transform.symmetry {
            looked_up = symmetry.image(game, looked_up.values());
        }
        self.invariants.check_state(game, &looked_up)
    }

    /// Return the same table, looked up for the image of a state under a symmetry: admissible and
    /// consistent if the table is. Nothing is built, and entries need no further memory.
    ///
    /// # Panics
    /// If the symmetry belongs to another game.
    #[must_use]
    pub fn mirrored(&self, game: &Game, symmetry: &Symmetry) -> Self {
        Self {
            reader: self.reader.mirrored(game, symmetry),
            transform: Transform {
                symmetry: Some(Arc::new(symmetry.clone())),
                dual: self.transform.dual.clone(),
            },
            ..self.shared()
        }
    }

    /// Return the same table, looked up for the [dual state](Dual), or for its image: admissible,
    /// but not consistent.
    #[must_use]
    pub fn of_duals(&self, dual: &Dual) -> Self {
        Self {
            transform: Transform {
                dual: Some(dual.clone()),
                ..self.transform.clone()
            },
            is_consistent: false,
            ..self.shared()
        }
    }

    /// Copy the table from a mapped file to the program's memory, where look-ups at random places
    /// are faster. Unchanged if there is no memory, or if it is already there.
    #[must_use]
    pub fn in_memory(mut self) -> Self {
        if self.table.is_mapped()
            && let Some(table) = self.table.in_memory()
        {
            self.table = Arc::new(table);
        }
        self
    }

    fn shared(&self) -> Self {
        Self {
            game: self.game,
            recipe: self.recipe.clone(),
            assumed: self.assumed.clone(),
            invariants: Arc::clone(&self.invariants),
            reader: self.reader.clone(),
            ranking: Arc::clone(&self.ranking),
            table: Arc::clone(&self.table),
            unit: self.unit,
            is_saturated: self.is_saturated,
            is_consistent: self.is_consistent,
            transform: self.transform.clone(),
        }
    }

    /// Return whether two tables share their entries.
    pub(crate) fn shares_entries(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.table, &other.table)
    }

    /// Return the map to dual states, if these are looked up.
    pub(crate) fn dual(&self) -> Option<&Dual> {
        self.transform.dual.as_ref()
    }

    /// Return the number of abstract states by distance, ascending, and the number of those from
    /// which no goal is reachable.
    pub fn distribution(&self) -> (Vec<(u64, u64)>, u64) {
        let mut counts = vec![0_u64; self.table.width().unreached() as usize + 1];
        for rank in 0..self.table.n() {
            let entry = self.table.get(rank);
            counts[entry.unwrap_or(self.table.width().unreached()) as usize] +=
                self.ranking.n_states(rank);
        }
        let unreached = counts.pop().unwrap_or(0);
        let by_distance = counts.into_iter().enumerate();
        let by_distance = by_distance
            .filter(|(_, n)| *n > 0)
            .map(|(distance, n)| (distance as u64 * self.unit, n))
            .collect();
        (by_distance, unreached)
    }

    /// Return the estimate of a rank.
    #[inline(always)]
    pub(crate) fn at(&self, rank: u64) -> u64 {
        self.table
            .get(rank)
            .map_or(DEAD_END, |entry| entry * self.unit)
    }

    /// Read a number from the abstract state; also `None` if a state has no dual.
    #[inline(always)]
    pub(crate) fn with_values<C: Cell, T>(
        &self,
        state: &[C],
        read: impl FnOnce(&dyn Fn(usize) -> u32) -> Option<T>,
    ) -> Option<T> {
        match &self.transform.dual {
            Some(dual) => {
                let image = dual.state(|var| state[var].index())?;
                read(&|var| self.reader.value(var, |concrete| image[concrete] as usize))
            }
            None => read(&|var| self.reader.value(var, |concrete| state[concrete].index())),
        }
    }

    #[inline(always)]
    pub(crate) fn rank_of<C: Cell>(&self, state: &[C]) -> Option<u64> {
        if self.transform.dual.is_some() {
            return self.with_values(state, |value| self.ranking.rank(value));
        }
        self.ranking
            .rank(|var| self.reader.value(var, |concrete| state[concrete].index()))
    }
}

impl RankedTable for PatternDatabase {
    fn numbers(&self) -> Option<Vec<(VarId, Vec<u64>)>> {
        if self.transform.dual.is_some() {
            return None;
        }
        let of_variable = |(var, numbers): Numbers| {
            let number = |value| {
                let mut numbers = numbers.iter();
                let found = numbers.find(|(abstract_value, _)| *abstract_value == value);
                found.map_or(0, |(_, number)| *number)
            };
            let values = self.reader.values_of(var).iter();
            (
                self.reader.variable(var),
                values.map(|it| number(*it)).collect(),
            )
        };
        Some(
            self.ranking
                .as_sum()?
                .into_iter()
                .map(of_variable)
                .collect(),
        )
    }

    fn at(&self, rank: u64) -> u64 {
        self.at(rank)
    }

    fn fetch(&self, rank: u64) {
        self.table.fetch(rank);
    }
}

impl Heuristic for PatternDatabase {
    type Memo = ();

    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.rank_of(state).map_or(0, |rank| self.at(rank))
    }

    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>> {
        Some(vec![vec![self]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compare rankings before rules are made, and with them.
    #[test]
    fn sizes_need_no_rules() {
        for (reference, patterns) in [
            (
                &["rubik", "2"][..],
                &["project 1-3", "project 20-24", "project 1-24"][..],
            ),
            (
                &["sliding-tiles", "3", "3"],
                &["project 1-4", "keep 0 1 project 1-5"],
            ),
            (&["topspin", "7", "4"], &["project 2-5"]),
            (&["hanoi", "3", "4"], &["project 1-6", "project 5 7 9"]),
        ] {
            let text = domains::generate(reference[0], &reference[1..]).expect("a built-in game");
            let game = psvn_ir::load(&text).game.expect("a game without errors");
            let known = Invariants::from_goals(&game);
            for pattern in patterns {
                let abstraction = Abstraction::from_pattern(&game, pattern).expect("a pattern");
                let counts = AbstractGame::count_rules(&game, &abstraction).expect("counts");
                let options = Options::default();
                let sizes = PatternDatabase::sizes(&game, &abstraction, &options).expect("sizes");
                let recipe = Recipe::of(abstraction.clone());
                let mut prepared = Prepared::new(&game, &recipe, &options).expect("a plan");
                let by_state = prepared.plan.ranking.clone();
                prepared.up_to_symmetries(&options);
                let ranking = &prepared.plan.ranking;
                assert_eq!(
                    (sizes.entries, sizes.ranks),
                    (ranking.size(), ranking.size())
                );
                assert_eq!(sizes.ranking, ranking.describe(), "{reference:?} {pattern}");
                assert_eq!(sizes.game, prepared.abstract_game.statistics());
                assert!(sizes.building_bytes >= prepared.plan.bytes_needed() && sizes.work > 0);
                if counts.are_multiplied {
                    let without = AbstractGame::without_rules(&game, &abstraction).expect("a game");
                    let chosen =
                        crate::ranking::choose(&game, &without, &known, None, |_, _| false);
                    assert_eq!(
                        chosen.as_ref().ok(),
                        Some(&by_state),
                        "{reference:?} {pattern}"
                    );
                }
            }
        }
    }

    /// Files of earlier versions have an entry for each state where new tables have one up to
    /// symmetries.
    #[test]
    fn files_with_an_entry_for_each_state_can_be_read() {
        let text = domains::generate("rubik", &["3"]).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let pattern = "pieces w/g w/r w/b w/o";
        let recipe = Recipe::of(Abstraction::from_pattern(&game, pattern).expect("a pattern"));
        let options = Options::default();
        let prepared = Prepared::new(&game, &recipe, &options).expect("a plan");
        let by_state = PatternDatabase::from_prepared(&game, recipe.clone(), prepared, &options);
        let symmetric = PatternDatabase::from_recipe(&game, recipe, &options);
        let tables = [by_state.expect("a table"), symmetric.expect("a table")];
        assert_eq!(tables[0].n_entries(), 190_080);
        assert!(tables[1].n_entries() < 190_080 / 6);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("edges.pdb");
        for table in &tables {
            let mut file = std::fs::File::create(&path).expect("a file");
            table.write(&game, &mut file).expect("written");
            let read = PatternDatabase::open(&path, &game).expect("a table");
            assert_eq!(read.n_entries(), table.n_entries());
            assert_eq!(read.ranking().describe(), table.ranking().describe());
            assert_eq!(read.distribution(), tables[0].distribution());
        }
    }
}
