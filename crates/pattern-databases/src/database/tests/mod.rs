//! Tables that are built in one of several ways, and forecasts of them.

mod reach;
mod ways_to_build;

use abstraction::{AbstractGame, Abstraction};
use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game};

use super::{PatternDatabase, Prepared, Recipe, Sizes};
use crate::build;
use crate::build::Built;
use crate::progress::{BuildError, Options};
use crate::ranking::Ranking;

fn prepared(game: &Game, pattern: &Abstraction) -> Result<(Recipe, Prepared), BuildError> {
    let recipe = Recipe::of(pattern.clone());
    let prepared = Prepared::new(game, &recipe, &Options::default())?;
    Ok((recipe, prepared))
}

/// Build a table with an entry for each state, whatever symmetries there are.
fn by_state(game: &Game, pattern: &Abstraction) -> Result<PatternDatabase, BuildError> {
    let (recipe, prepared) = prepared(game, pattern)?;
    PatternDatabase::from_prepared(game, recipe, prepared, &Options::default())
}

/// A ranking with the distance of each rank.
struct Entries {
    /// The ranking.
    ranking: Ranking,
    /// By rank: the distance, and the number of states with the rank.
    entries: Vec<(Option<u64>, u64)>,
}

impl Entries {
    fn of(Built { table, ranking, .. }: Built) -> Self {
        let n_states = |rank| ranking.n_states(rank);
        Self {
            entries: (0..table.n())
                .map(|rank| (table.get(rank), n_states(rank)))
                .collect(),
            ranking,
        }
    }
}

/// Find the entries of a table with an entry for each state, or with one for all those that this
/// number of symmetries maps to each other. `None` if there are not as many.
fn entries(
    game: &Game,
    pattern: &Abstraction,
    n_symmetries: Option<usize>,
) -> Result<Option<Entries>, BuildError> {
    let (_, mut prepared) = prepared(game, pattern)?;
    let abstract_game = prepared.abstract_game.game();
    if let Some(n) = n_symmetries {
        let ranking = &prepared.plan.ranking;
        let images = ranking.images(abstract_game).filter(|it| it.len() == n);
        match images.and_then(|images| ranking.up_to(images, || false)) {
            Some(ranking) => prepared.plan.ranking = ranking,
            None => return Ok(None),
        }
    }
    let built = prepared.plan.build(abstract_game, &Options::default())?;
    Ok(Some(Entries::of(built)))
}

/// Return the entries of a table of single values that share costs, by regions and rank by rank.
/// `None` if no value moves freely.
fn by_regions_and_ranks(
    game: &Game,
    pattern: &Abstraction,
) -> Result<Option<[Vec<u8>; 2]>, BuildError> {
    let options = Options::default();
    let (recipes, _) = crate::patterns::recipes(game, std::slice::from_ref(pattern))?;
    let prepared = Prepared::new(game, &recipes[0], &options)?;
    build::by_regions_and_ranks(&prepared.plan, prepared.abstract_game.game(), &options)
}

/// The rankings of a table before and after its rules are made.
struct Rankings {
    /// The one with an entry for each state.
    by_state: Ranking,
    /// The one up to symmetries.
    symmetric: Ranking,
    /// The bytes that are needed to build the latter.
    bytes: u128,
    /// The size of the abstract game.
    statistics: abstraction::Statistics,
    /// The ranking chosen without rules, where merged values multiply these.
    without_rules: Option<Option<Ranking>>,
}

/// Return the sizes of a table with its rankings.
fn sizes(game: &Game, pattern: &Abstraction) -> Result<(Sizes, Rankings), BuildError> {
    let options = Options::default();
    let counts = AbstractGame::count_rules(game, pattern)?;
    let sizes = PatternDatabase::sizes(game, pattern, &options)?;
    let (_, mut prepared) = prepared(game, pattern)?;
    let by_state = prepared.plan.ranking.clone();
    prepared.up_to_symmetries(&options);
    let without_rules = if counts.are_multiplied {
        let without = AbstractGame::without_rules(game, pattern)?;
        let known = Invariants::from_goals(game);
        Some(crate::ranking::choose(game, &without, &known, None, &|_, _| false).ok())
    } else {
        None
    };
    let rankings = Rankings {
        by_state,
        symmetric: prepared.plan.ranking.clone(),
        bytes: prepared.plan.bytes_needed(),
        statistics: prepared.abstract_game.statistics(),
        without_rules,
    };
    Ok((sizes, rankings))
}

/// Estimate the number of states that are reached, with at most this many tests of rules.
fn reach(game: &Game, pattern: &Abstraction, most: u128) -> Result<Option<f64>, BuildError> {
    let (_, prepared) = prepared(game, pattern)?;
    let plan = &prepared.plan;
    let rules: Vec<&CanonicalRule> = plan.rules.iter().map(|it| &it.rule).collect();
    let found = build::reach::walk(prepared.abstract_game.game(), &plan.ranking, &rules, most);
    Ok(found.and_then(|reach| reach.states))
}
