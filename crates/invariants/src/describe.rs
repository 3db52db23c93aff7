//! Invariants with the reasons why they hold, for readers.

use psvn_ir::Game;

use crate::conserved::balance::{Effect, Effects};
use crate::conserved::fact_set::FactSet;
use crate::conserved::touching::Touching;
use crate::counts::Count;
use crate::invariants::Invariants;

/// An invariant and the reason why it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The invariant, as [`Invariants::to_lines`] writes it.
    pub statement: String,
    /// One sentence without a full stop.
    pub reason: String,
}

impl Invariants {
    /// Return each line of [`to_lines`](Self::to_lines) with its reason.
    ///
    /// # Panics
    /// If the invariants belong to another game.
    pub fn describe(&self, game: &Game) -> Vec<Description> {
        if self.is_empty() {
            // The facts of a game that is too large have no numbers.
            return Vec::new();
        }
        let mut effects = Effects::default();
        let rules = game.rules().iter();
        let effects = rules.map(|rule| effects.of(&rule.canonical, &self.index));
        let effects: Vec<Effect> = effects.collect();
        let touching = Touching::new(&self.index, &effects);
        let counts = self.counts.iter();
        let counts = counts.map(|count| self.count_reason(game, &effects, &touching, count));
        let reasons = counts.chain(std::iter::repeat_n(
            "no start holds it, and no rule that can apply leads there".to_owned(),
            self.n_never_lines(game),
        ));
        let rest = "no start holds both, and no rule that can apply leads from a state without such \
                    pairs to one with them";
        self.to_lines(game)
            .into_iter()
            .zip(reasons.chain(std::iter::repeat(rest.to_owned())))
            .map(|(statement, reason)| Description { statement, reason })
            .collect()
    }

    fn count_reason(
        &self,
        game: &Game,
        effects: &[Effect],
        touching: &Touching<'_>,
        count: &Count,
    ) -> String {
        let set = FactSet::new(&self.index, &count.facts);
        let is_conserved = touching.conserve(&self.index, &count.facts, &set);
        let mut n_moving = 0;
        let mut n_trading = 0;
        let mut n_assuming = 0;
        let mut example = None;
        for (rule, effect) in game.rules().iter().zip(effects) {
            let trades = effect.constants.iter().any(|(fact, _)| set.has(*fact));
            let moves = effect.flows.iter().any(|flow| {
                let mut vars = flow.to.iter().chain(&flow.from);
                vars.any(|var| set.touches(*var))
            });
            match (trades, moves) {
                (false, false) => continue,
                _ if !is_conserved && !effect.balances(&set) => n_assuming += 1,
                (true, _) => n_trading += 1,
                (false, true) => n_moving += 1,
            }
            example.get_or_insert(&rule.label);
        }
        let Some(example) = example else {
            return "no rule changes any of them".to_owned();
        };
        if n_assuming > 0 {
            let number = n_trading + n_moving + n_assuming;
            format!(
                "where exactly one of these facts holds, each of the {number} rules that touch them, \
                 such as `{example}`, leaves exactly one"
            )
        } else if n_trading == 0 {
            format!(
                "the {n_moving} rules that touch these variables, such as `{example}`, only move values \
                 among them"
            )
        } else {
            format!(
                "each of the {} rules that touch these facts, such as `{example}`, makes as many of them \
                 true as false",
                n_trading + n_moving
            )
        }
    }
}
