//! Building a table, or reading it from a store.

use std::sync::Arc;
use std::time::Instant;

use abstraction::Abstraction;
use invariants::Invariants;
use psvn_ir::Game;

use super::prepared::Prepared;
use super::reader::StateReader;
use super::recipe::Recipe;
use super::{PatternDatabase, Transform};
use crate::build;
use crate::file::store;
use crate::progress::{BuildError, Options};

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
        let _span = tracing::info_span!("table").entered();
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
        prepared.constrain(game, &recipe, options);
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

    pub(super) fn from_prepared(
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
}
