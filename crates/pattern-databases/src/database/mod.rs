//! One table, with the abstraction that leads to it.

mod building;
mod prepared;
mod reader;
mod recipe;
mod sizes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use abstraction::{Abstraction, Symmetry};
use invariants::{Invariants, Violation};
use psvn_ir::{ContentHash, DomainId, Game, State, Value, VarId};
use search::{Cell, DEAD_END, Heuristic, Properties, RankedTable, count_lookups};

pub(crate) use self::prepared::Prepared;
pub(crate) use self::reader::StateReader;
pub(crate) use self::recipe::Recipe;
pub use self::sizes::Sizes;
use crate::dual::Dual;
use crate::ranking::{Numbers, Ranking};
use crate::table::{Table, Width};

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

impl PatternDatabase {
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
        let unreached = self.table.width().unreached();
        let mut counts = vec![0_u64; unreached as usize + 1];
        let pieces = self.ranking.as_symmetric_pieces();
        for rank in 0..self.table.n() {
            let entry = self.table.get(rank).unwrap_or(unreached);
            counts[entry as usize] += pieces.map_or(1, |pieces| pieces.n_states(rank));
        }
        let unreached = counts.pop().unwrap_or(0);
        let by_distance = counts.into_iter().enumerate();
        let by_distance = by_distance
            .filter(|(_, n)| *n > 0)
            .map(|(distance, n)| (distance as u64 * self.unit, n))
            .collect();
        (by_distance, unreached)
    }

    /// Return the estimate of a rank. The caller counts the look-up, once for several of them, as a
    /// count between them makes code slower.
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
        count_lookups(1);
        self.at(rank)
    }

    fn fetch(&self, rank: u64) {
        self.table.fetch(rank);
    }
}

impl PatternDatabase {
    /// Return the estimate of a state.
    #[inline]
    pub(crate) fn of<C: Cell>(&self, state: &[C]) -> u64 {
        let Some(rank) = self.rank_of(state) else {
            return 0;
        };
        count_lookups(1);
        self.at(rank)
    }
}

impl Heuristic for PatternDatabase {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.of(state)
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            ranked_tables: Some(vec![vec![self]]),
            ..Properties::default()
        }
    }
}
