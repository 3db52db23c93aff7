//! The preparation of a table: its abstract game, ranking and plan.

use abstraction::{AbstractGame, CostPartition, DEFAULT_RULE_LIMIT, Share};
use invariants::Invariants;
use psvn_ir::{Game, RuleId, Term, Value, VarId};

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
        let share = match (&recipe.charged_values, &recipe.charged_rules) {
            (None, None) => Share::Full,
            (None, Some(charged)) => Share::Rules(charged),
            (Some(charged_values), _) => {
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
        let ranking = crate::ranking::choose(game, &abstract_game, &invariants, kept, &is_tracked)?;
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

    /// Forbid steps that no concrete state allows: in which a dropped condition of the rule and a
    /// kept value contradict the invariants (Haslum, Bonet & Geffner 2005, "New Admissible
    /// Heuristics for Domain-Independent Planning", constrain abstractions in this way).
    ///
    /// Only for tables of rules with charged costs: the others are those of the abstract game.
    pub(crate) fn constrain(&mut self, game: &Game, recipe: &Recipe, options: &Options<'_>) {
        if recipe.charged_rules.is_none() || self.invariants.is_empty() {
            return;
        }
        let mut scratch = invariants::Scratch::new();
        for backward in &mut self.plan.rules {
            if options.should_stop() {
                return;
            }
            let rule = RuleId::from_index(backward.source);
            let origins = self.abstract_game.concrete_rules(rule);
            for (number, var) in self.abstract_game.variables().iter().enumerate() {
                let images = self.abstract_game.values(VarId::from_index(number));
                let n_images = images.iter().map(|it| it.index() + 1).max().unwrap_or(0);
                // An abstract value may stand for several, of which one is enough.
                let mut may_hold = vec![false; n_images];
                for origin in origins {
                    let before = game.rule(*origin).canonical.preconditions();
                    if !before[var.index()].is_own_variable(var.index()) {
                        may_hold.fill(true);
                        break;
                    }
                    let mut terms = before.to_vec();
                    for (value, image) in images.iter().enumerate() {
                        if !may_hold[image.index()] {
                            terms[var.index()] = Term::constant(Value::from_index(value));
                            let is_tied = |(i, term): (usize, &Term)| {
                                i != var.index() && term.as_variable() == Some(*var)
                            };
                            may_hold[image.index()] = before.iter().enumerate().any(is_tied)
                                || self.invariants.admits_with(&mut scratch, &terms);
                        }
                    }
                }
                let never = may_hold.iter().enumerate().filter(|(_, may)| !**may);
                let never = never.map(|(value, _)| (number as u32, value as u32));
                backward.forbidden.extend(never);
            }
        }
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
