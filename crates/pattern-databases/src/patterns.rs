//! Several tables together: sums that are proved admissible, and maxima of sums.

use abstraction::{Abstraction, Charge, CostPartition, NotAdditive, Symmetry};
use psvn_ir::{Game, State};
use search::{
    Cell, DEAD_END, Estimated, Heuristic, Memo, PathNode, Properties, RankedTable, Sibling,
};

use crate::coordinates::CoordinateTable;
use crate::database::{PatternDatabase, Prepared, Recipe, Sizes};
use crate::dual::Dual;
pub use crate::lookup::PatternMemo;
use crate::lookup::symmetric;
use crate::lookup::{Lookup, MOST_TABLES};
use crate::progress::{BuildError, Options};

/// Tables whose sum is admissible, since no step is charged to two of them (see [`CostPartition`]).
///
/// If costs are charged to values, each table keeps the places of its own values and, during the
/// build, tracks the places of the values that rules test for, such as the blank; an entry is the
/// least over the places of these.
#[derive(Debug)]
pub struct AdditiveSet {
    pub(crate) tables: Vec<PatternDatabase>,
    uncovered: Vec<String>,
}

impl AdditiveSet {
    /// Build a table for each pattern, with costs shared so that the sum is admissible.
    ///
    /// # Errors
    /// If the sum can't be proved admissible, and as for [`PatternDatabase::build`].
    pub fn build(
        game: &Game,
        patterns: &[Abstraction],
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let (recipes, uncovered) = recipes(game, patterns)?;
        let mut tables: Vec<Option<PatternDatabase>> = recipes.iter().map(|_| None).collect();
        for number in largest_first(game, &recipes, options)? {
            let recipe = recipes[number].clone();
            tables[number] = Some(PatternDatabase::from_recipe(game, recipe, options)?);
        }
        Ok(Self {
            tables: tables.into_iter().flatten().collect(),
            uncovered,
        })
    }

    /// Build one table of a set that is additive as a whole, for programs that keep each table in a
    /// file.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    ///
    /// # Panics
    /// If there is no pattern with this number.
    pub fn build_one(
        game: &Game,
        patterns: &[Abstraction],
        number: usize,
        options: &Options<'_>,
    ) -> Result<PatternDatabase, BuildError> {
        let (mut recipes, _) = recipes(game, patterns)?;
        PatternDatabase::from_recipe(game, recipes.swap_remove(number), options)
    }

    /// Return how large the tables would be.
    ///
    /// # Errors
    /// If the sum can't be proved admissible, or an abstract game can't be made.
    pub fn sizes(
        game: &Game,
        patterns: &[Abstraction],
        options: &Options<'_>,
    ) -> Result<Vec<Sizes>, BuildError> {
        let (recipes, _) = recipes(game, patterns)?;
        let sizes = |recipe: &Recipe| PatternDatabase::sizes_of(game, recipe, options);
        recipes.iter().map(sizes).collect()
    }

    /// Return whether the store of the options has all tables of such a set; `false` if the sum
    /// can't be proved admissible.
    pub fn are_kept(game: &Game, patterns: &[Abstraction], options: &Options<'_>) -> bool {
        recipes(game, patterns).is_ok_and(|(recipes, _)| {
            let is_kept = |recipe| PatternDatabase::is_recipe_kept(game, recipe, options);
            recipes.iter().all(is_kept)
        })
    }

    /// Return the names of the values that cost something to move and are charged to no pattern.
    ///
    /// # Errors
    /// If the sum can't be proved admissible.
    pub fn uncovered(game: &Game, patterns: &[Abstraction]) -> Result<Vec<String>, BuildError> {
        recipes(game, patterns).map(|(_, uncovered)| uncovered)
    }

    /// Combine tables that were built separately, or read from files.
    ///
    /// # Errors
    /// If their sum is not known to be admissible.
    pub fn from_tables(game: &Game, tables: Vec<PatternDatabase>) -> Result<Self, BuildError> {
        if tables.iter().any(|table| table.game != game.content_hash()) {
            return Err(BuildError::OtherGame);
        }
        let patterns: Vec<Abstraction> = tables.iter().map(|table| table.pattern(game)).collect();
        if tables
            .iter()
            .any(|table| table.recipe.charged_rules.is_some())
        {
            check_rules(game, &tables)?;
            return Ok(Self {
                tables,
                uncovered: Vec::new(),
            });
        }
        let charges = CostPartition::of(game);
        let charge = charges.split(game, &patterns)?;
        if let (Charge::ByRule(_), [_, _, ..]) = (&charge, &tables[..]) {
            // They were built alone, so each has the full costs.
            return Err(BuildError::FullCosts(0));
        }
        // A table with all costs must not be added to others, even if it has other values.
        let full = tables
            .iter()
            .position(|table| table.recipe.charged_values.is_none());
        if let (Charge::ByValue(_), Some(full)) = (&charge, full)
            && tables.len() > 1
        {
            return Err(BuildError::FullCosts(full));
        }
        Ok(Self {
            uncovered: charges.uncovered(game, &charge),
            tables,
        })
    }

    /// Return the tables.
    pub fn tables(&self) -> &[PatternDatabase] {
        &self.tables
    }

    /// Return the names of the values that cost something to move and are charged to no table.
    pub fn not_covered(&self) -> &[String] {
        &self.uncovered
    }
}

/// Check that no rule is charged to two tables.
fn check_rules(game: &Game, tables: &[PatternDatabase]) -> Result<(), BuildError> {
    let mut payer = vec![None; game.rules().len()];
    for (number, table) in tables.iter().enumerate() {
        let Some(charged) = &table.recipe.charged_rules else {
            return match tables.len() {
                1 => Ok(()),
                _ => Err(BuildError::FullCosts(number)),
            };
        };
        for (id, rule) in game.rules_with_ids().filter(|(id, _)| charged[id.index()]) {
            if let Some(other) = payer[id.index()].replace(number) {
                let shared = NotAdditive::SharedRule {
                    label: rule.label.to_string(),
                    cost: rule.canonical.cost(),
                    patterns: (other, number),
                };
                return Err(shared.into());
            }
        }
    }
    Ok(())
}

/// Return the numbers of recipes in the order in which their tables are built: those that are kept,
/// then the one that needs the most memory first. So a table that doesn't fit is found before
/// others are built in vain, and the fewest others are in memory meanwhile.
fn largest_first(
    game: &Game,
    recipes: &[Recipe],
    options: &Options<'_>,
) -> Result<Vec<usize>, BuildError> {
    let numbers = 0..recipes.len();
    let (mut order, missing): (Vec<usize>, Vec<usize>) = numbers
        .partition(|number| PatternDatabase::is_recipe_kept(game, &recipes[*number], options));
    if missing.len() < 2 {
        order.extend(missing);
        return Ok(order);
    }
    let mut by_size = Vec::new();
    for number in missing {
        let plan = Prepared::new(game, &recipes[number], options)?.plan;
        by_size.push((std::cmp::Reverse(plan.bytes_needed()), number));
    }
    by_size.sort_unstable();
    order.extend(by_size.into_iter().map(|(_, number)| number));
    Ok(order)
}

/// Return the recipe of each table, and the values that are charged to none.
pub(crate) fn recipes(
    game: &Game,
    patterns: &[Abstraction],
) -> Result<(Vec<Recipe>, Vec<String>), BuildError> {
    if patterns.iter().any(|pattern| !pattern.fits(game)) {
        return Err(abstraction::AbstractionError::OtherGame.into());
    }
    let charges = CostPartition::of(game);
    let charge = charges.split(game, patterns)?;
    let uncovered = charges.uncovered(game, &charge);
    let recipes = match charge {
        Charge::ByVariable => patterns
            .iter()
            .map(|pattern| Recipe::of(pattern.clone()))
            .collect(),
        Charge::ByValue(charged_values) => charged_values
            .into_iter()
            .map(|charged_values| Recipe {
                abstraction: charges.tracking(game, &charged_values),
                charged_values: Some(charged_values),
                charged_rules: None,
            })
            .collect(),
        Charge::ByRule(charged_rules) => patterns
            .iter()
            .zip(charged_rules)
            .map(|(pattern, charged_rules)| Recipe {
                charged_rules: Some(charged_rules),
                ..Recipe::of(pattern.clone())
            })
            .collect(),
    };
    Ok((recipes, uncovered))
}

/// The bytes of tables from which on the children of a node are looked up together. Smaller ones
/// stay in the processor's caches.
const LEAST_BYTES_FOR_BATCHES: u64 = 16 << 20;

/// The maximum of several sums of tables, as a heuristic that looks up only what a move changes; or
/// a table of coordinates.
///
/// A sum has one table or several, which an [`AdditiveSet`] has proved additive. All tables must
/// belong to the same game.
#[derive(Debug)]
pub struct Patterns {
    sums: Vec<Vec<PatternDatabase>>,
    lookup: Option<Lookup>,
    coordinates: Option<Box<CoordinateTable>>,
}

impl Patterns {
    /// Take the maximum of these sums for states of a game.
    ///
    /// # Errors
    /// If a table belongs to another game.
    pub fn new(game: &Game, sums: Vec<AdditiveSet>) -> Result<Self, BuildError> {
        let sums: Vec<Vec<PatternDatabase>> = sums.into_iter().map(|sum| sum.tables).collect();
        let hash = game.content_hash();
        if sums.iter().flatten().any(|table| table.game != hash) {
            return Err(BuildError::OtherGame);
        }
        let lookup = Lookup::new(game, &sums);
        Ok(Self {
            sums,
            lookup,
            coordinates: None,
        })
    }

    /// Use a table of coordinates.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn of_coordinates(game: &Game, table: CoordinateTable) -> Result<Self, BuildError> {
        if table.game() != game.content_hash() {
            return Err(BuildError::OtherGame);
        }
        Ok(Self {
            sums: Vec::new(),
            lookup: None,
            coordinates: Some(Box::new(table)),
        })
    }

    /// Use one sum.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn sum(game: &Game, sum: AdditiveSet) -> Result<Self, BuildError> {
        Self::new(game, vec![sum])
    }

    /// Take the maximum of single tables.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn maximum(game: &Game, tables: Vec<PatternDatabase>) -> Result<Self, BuildError> {
        let alone = |table| AdditiveSet {
            tables: vec![table],
            uncovered: Vec::new(),
        };
        Self::new(game, tables.into_iter().map(alone).collect())
    }

    /// Add further look-ups in the same tables: up to `n_mirrored` for each sum, for images of the
    /// state under symmetries of the game, and, if `duals` is set and duals are proved equally far
    /// from the goal, for the [dual states](Dual) of the state and of these images. All tables of a
    /// sum are looked up for the same image.
    ///
    /// At most eight tables are looked up: more would be slow, so they are left out.
    #[must_use]
    pub fn with_further_lookups(self, game: &Game, n_mirrored: usize, duals: bool) -> Self {
        let mut sums = self.sums;
        let mut left = MOST_TABLES.saturating_sub(sums.iter().map(Vec::len).sum());
        let symmetries = match n_mirrored {
            0 => Vec::new(),
            _ => Symmetry::find(game, symmetric::MOST_SYMMETRIES),
        };
        let dual = if duals { Dual::find(game) } else { None };
        for number in 0..sums.len() {
            let n_tables = sums[number].len().max(1);
            let most = n_mirrored.min(left / n_tables);
            let images = symmetric::mirrored(game, &symmetries, &sums, &sums[number], most);
            left -= images.len() * n_tables;
            let of_sum = |sum: &Vec<PatternDatabase>| symmetric::dual(game, dual.as_ref()?, sum);
            let duals = std::iter::once(&sums[number]).chain(&images);
            let duals: Vec<Vec<PatternDatabase>> =
                duals.filter_map(of_sum).take(left / n_tables).collect();
            left -= duals.len() * n_tables;
            sums.extend(images);
            sums.extend(duals);
        }
        let lookup = Lookup::new(game, &sums);
        Self {
            sums,
            lookup,
            coordinates: self.coordinates,
        }
    }

    /// Return the bytes of all tables, and of the lists for their ranks. A table that is looked up
    /// several times counts once.
    pub fn n_bytes(&self) -> u64 {
        let tables: Vec<&PatternDatabase> = self.sums.iter().flatten().collect();
        let is_first = |i: &usize| {
            let mut before = tables[..*i].iter();
            !before.any(|other| other.shares_entries(tables[*i]))
        };
        let first = (0..tables.len()).filter(is_first);
        let bytes = |i: usize| tables[i].n_bytes() + tables[i].ranking.class_bytes() as u64;
        let coordinates = self.coordinates.as_ref().map_or(0, |it| it.n_bytes());
        first.map(bytes).sum::<u64>() + coordinates
    }

    /// Return the table of coordinates, if it is one.
    pub fn coordinates(&self) -> Option<&CoordinateTable> {
        self.coordinates.as_deref()
    }

    /// Look up duals of states, too, if it is a table of coordinates for which this can be done
    /// quickly. Return whether they are looked up.
    ///
    /// # Errors
    /// If a limit is reached: then nothing changes.
    pub fn add_duals_of_coordinates(
        &mut self,
        game: &Game,
        options: &Options<'_>,
    ) -> Result<bool, BuildError> {
        let Some(table) = &mut self.coordinates else {
            return Ok(false);
        };
        table.add_duals(game, options)?;
        Ok(table.has_duals())
    }

    /// Return the sums.
    pub fn sums(&self) -> &[Vec<PatternDatabase>] {
        &self.sums
    }

    /// Return whether estimates of children use those of their parents.
    pub fn is_incremental(&self) -> bool {
        self.lookup.is_some() || self.coordinates.is_some()
    }

    /// Return whether ranks are computed from the places of pieces, which takes longer than from
    /// those of values.
    pub fn are_of_pieces(&self) -> bool {
        matches!(self.lookup, Some(Lookup::Pieces(_)))
    }

    /// Return whether all tables are [consistent](PatternDatabase::is_consistent).
    pub fn is_consistent(&self) -> bool {
        let mut tables = self.sums.iter().flatten();
        let mut coordinates = self.coordinates.iter();
        coordinates.all(|it| it.is_consistent()) && tables.all(PatternDatabase::is_consistent)
    }

    /// Check that a state satisfies the tables' assumptions.
    ///
    /// # Errors
    /// The first invariant that it breaks.
    pub fn check_start(&self, game: &Game, state: &State) -> Result<(), invariants::Violation> {
        let mut tables = self.sums.iter().flatten();
        tables.try_for_each(|table| table.check_start(game, state))
    }
}

impl Patterns {
    /// Return the estimate, or a lower bound on it once that is more than `cutoff`.
    #[inline]
    fn estimate_within<C: Cell>(&self, state: &[C], cutoff: u64) -> u64 {
        let mut greatest = 0;
        for sum in &self.sums {
            let mut total = 0_u64;
            for table in sum {
                let estimate = table.of(state);
                if estimate == DEAD_END {
                    return DEAD_END;
                }
                total = total.saturating_add(estimate);
            }
            greatest = total.max(greatest);
            if greatest > cutoff {
                break;
            }
        }
        greatest
    }
}

impl Heuristic for Patterns {
    fn estimate(&self, state: &[u32]) -> u64 {
        match &self.coordinates {
            Some(table) => table.estimate(state),
            None => self.estimate_within(state, u64::MAX),
        }
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        if let Some(table) = &self.coordinates {
            return table.start(state, memo);
        }
        let Some(lookup) = &self.lookup else {
            return self.estimate_within(state, u64::MAX);
        };
        let (estimate, of_lookup) = lookup.start(&self.sums, state);
        memo.write(of_lookup);
        estimate
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        if let Some(table) = &self.coordinates {
            return table.children(node, siblings, states, estimated);
        }
        let Some(lookup) = &self.lookup else {
            let children = states.chunks_exact(node.state.len()).zip(siblings);
            for ((state, sibling), estimated) in children.zip(estimated) {
                estimated.estimate = self.estimate_within(state, sibling.cutoff);
            }
            return;
        };
        let memo = node.memo.read();
        let cells = (node.state, states);
        if let ([sibling], [estimated]) = (siblings, &mut *estimated) {
            let child = lookup.child(&self.sums, *sibling, cells, memo);
            (estimated.estimate, *estimated.memo.get_mut()) = child;
            return;
        }
        let mut found = |number: usize, estimate, memo: PatternMemo| {
            estimated[number].estimate = estimate;
            estimated[number].memo.write(memo);
        };
        lookup.children(&self.sums, siblings, cells, memo, &mut found);
    }

    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        if let Some(table) = &self.coordinates {
            table.reject(memo, siblings, rejected);
        }
    }

    fn properties(&self) -> Properties<'_> {
        if let Some(table) = &self.coordinates {
            return table.properties();
        }
        let has_batches = match &self.lookup {
            Some(Lookup::Values(values)) => {
                values.has_batches() && self.n_bytes() >= LEAST_BYTES_FOR_BATCHES
            }
            Some(Lookup::Pieces(pieces)) => pieces.has_batches(),
            None => false,
        };
        let lists = self.sums.iter().map(|list| {
            let tables = list.iter().map(|table| table as &dyn RankedTable);
            tables.collect()
        });
        Properties {
            has_batches,
            ranked_tables: Some(lists.collect()),
            ..Properties::default()
        }
    }
}
