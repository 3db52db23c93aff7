//! The sizes of tables before they are built.

use abstraction::{AbstractGame, Abstraction, DEFAULT_RULE_LIMIT, Share};
use invariants::Invariants;
use psvn_ir::{Game, Term, Value, VarId};

use super::PatternDatabase;
use super::prepared::{Prepared, images};
use super::recipe::Recipe;
use crate::build::{self, work};
use crate::progress::{BuildError, Options};
use crate::ranking::{Ranking, up_to_symmetries};

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

/// Sizes are computed from the rules themselves up to this number of rules, and from their number
/// beyond it.
const MOST_RULES_MADE: u128 = 10_000;

impl Prepared {
    fn sizes(&self, game: &Game, is_constrained: bool) -> Sizes {
        let shared = self.plan.shared.as_ref();
        Sizes {
            entries: self.plan.n_entries(),
            class_bytes: self.plan.ranking.class_bytes(),
            ranks: self.plan.ranking.size(),
            building_bytes: self.plan.bytes_needed(),
            work: self.plan.work(
                self.abstract_game.game(),
                admitted(game, &self.abstract_game, &self.invariants),
                is_constrained,
            ),
            ranking: shared.unwrap_or(&self.plan.ranking).describe(),
            game: self.abstract_game.statistics(),
        }
    }
}

impl PatternDatabase {
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
        if recipe.charged_values.is_some()
            || recipe.charged_rules.is_some()
            || build::may_be_too_many(&counts)
        {
            let prepared = Prepared::new(game, recipe, options)?;
            return Ok(prepared.sizes(game, recipe.charged_rules.is_some()));
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
            crate::ranking::choose(game, &abstract_game, &invariants, kept, &|_, _| false)?;
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
                work: work::up_to_symmetries(n, class_bytes, counts.backward),
                ranking: up_to_symmetries(&ranking.describe(), images.len()),
                game: statistics,
            });
        }
        Ok(Sizes {
            entries: ranking.size(),
            class_bytes: 0,
            ranks: ranking.size(),
            building_bytes: build::bytes_of_levels(ranking.size()).saturating_add(rules),
            work: without_symmetries(
                &abstract_game,
                &ranking,
                counts.backward,
                admitted(game, &abstract_game, &invariants),
            ),
            ranking: ranking.describe(),
            game: statistics,
        })
    }
}

/// Estimate the work by the backward rules if there are few of them.
fn without_symmetries(
    abstract_game: &AbstractGame,
    ranking: &Ranking,
    n_backward: u128,
    admits: impl FnMut(&[u32]) -> bool,
) -> u128 {
    let game = abstract_game.game();
    let rules = if game.rules().is_empty() {
        Vec::new()
    } else {
        game.backward_rules(MOST_RULES_MADE as usize)
            .unwrap_or_default()
    };
    if rules.is_empty() {
        let is_free = |rule: &&psvn_ir::Rule| rule.canonical.tests().next().is_none();
        let n_free = game.rules().iter().filter(is_free).count();
        return work::of_number(ranking, n_backward, n_free as u128);
    }
    let rules: Vec<_> = rules.iter().map(|rule| &rule.canonical).collect();
    work::of_rules(game, ranking, &rules, admits, false)
}

/// Return a function that says whether a game may have a state with this abstract state.
fn admitted<'a>(
    game: &'a Game,
    abstract_game: &'a AbstractGame,
    invariants: &'a Invariants,
) -> impl FnMut(&[u32]) -> bool + 'a {
    let mut scratch = invariants::Scratch::new();
    // By variable and abstract value: the value, if there is only one.
    let value_of = |number: usize| {
        let images = abstract_game.values(VarId::from_index(number)).iter();
        let n_images = images.clone().map(|it| it.index() + 1).max().unwrap_or(0);
        let (mut firsts, mut lasts) = (vec![None; n_images], vec![None; n_images]);
        for (value, image) in images.enumerate() {
            let value = Value::from_index(value);
            firsts[image.index()].get_or_insert(value);
            lasts[image.index()] = Some(value);
        }
        let only = |(first, last): (Option<Value>, Option<Value>)| first.filter(|_| first == last);
        firsts.into_iter().zip(lasts).map(only).collect::<Vec<_>>()
    };
    let variables = abstract_game.variables();
    let values: Vec<Vec<Option<Value>>> = (0..variables.len()).map(value_of).collect();
    let free: Vec<Term> = (0..game.n_variables())
        .map(|var| Term::variable(VarId::from_index(var)))
        .collect();
    move |state| {
        let mut terms = free.clone();
        for ((number, var), value) in variables.iter().enumerate().zip(state) {
            if let Some(value) = values[number][*value as usize] {
                terms[var.index()] = Term::constant(value);
            }
        }
        invariants.admits_with(&mut scratch, &terms)
    }
}
