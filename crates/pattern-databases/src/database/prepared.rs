//! The preparation of a table: its abstract game, ranking and plan.

use abstraction::{AbstractGame, CostPartition, DEFAULT_RULE_LIMIT, Share};
use invariants::Invariants;
use psvn_ir::{Game, VarId};

use super::reader::StateReader;
use super::recipe::Recipe;
use crate::build::{self, Plan};
use crate::progress::{BuildError, Options};
use crate::ranking::Ranking;
use crate::ranking::symmetric::{self, Images};

/// The minimum number of ranks for a ranking up to symmetries: with fewer, there is little to gain.
const LEAST_SYMMETRIC: u128 = 1 << 16;

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
}

/// Return the symmetries up to which states are ranked, if they are, with the number of ranks and
/// the bytes that ranking takes.
pub(super) fn images(
    abstract_game: &AbstractGame,
    ranking: &Ranking,
) -> Option<(Images, [u128; 2])> {
    if ranking.size() < LEAST_SYMMETRIC {
        return None;
    }
    let images = ranking.images(abstract_game.game())?;
    let sizes = symmetric::sizes(ranking.as_oriented_pieces()?, &images);
    Some((images, sizes))
}
