//! Sums of tables that share the rules.

use abstraction::{Abstraction, n_rules_naming, rules_of_variables};
use pattern_databases::{AdditiveSet, Options, Patterns};
use psvn_ir::{Game, State, VarId};

use super::partition::Apart;
use super::{Collector, Kind};
use crate::Combined;

/// The weight of a gain of 1 in steps between variables, in the order of the game.
const GAIN: f64 = 100.0;

/// The maximum number of variables whose pairs are compared: each pair makes a small table.
const MOST_PAIRED: usize = 12;

/// Variables that rules are charged to, and those that belong to every pattern.
struct Payers {
    /// The variables that some rule is charged to.
    own: Vec<VarId>,
    /// The variables that nearly all rules name.
    shared: Vec<VarId>,
}

impl Payers {
    /// Find the variables; `None` where fewer than two pay, or rules move values that they don't
    /// name. Tables of values serve then.
    fn of(game: &Game) -> Option<Self> {
        let names_all = |rule: &psvn_ir::Rule| {
            let mut changes = rule.canonical.changes();
            changes.all(|(_, term)| term.is_constant())
        };
        if !game.rules().iter().all(names_all) {
            return None;
        }
        let named = n_rules_naming(game);
        let n_rules = game.rules().len();
        let all = || (0..game.n_variables()).map(VarId::from_index);
        // What most rules name belongs to no single pattern.
        let is_shared = |var: &VarId| named[var.index()] * 2 > n_rules;
        let shared: Vec<VarId> = all().filter(is_shared).collect();
        let rules = rules_of_variables(game, |var| !shared.contains(&var));
        let own: Vec<VarId> = all().filter(|var| !rules[var.index()].is_empty()).collect();
        (own.len() >= 2).then_some(Self { own, shared })
    }

    fn pattern(&self, game: &Game, part: &[usize]) -> Abstraction {
        let of_part = |var: VarId| part.iter().any(|i| self.own[*i] == var);
        Abstraction::identity(game).project(|var| of_part(var) || self.shared.contains(&var))
    }
}

/// Return, by pair of variables, how much more a sum estimates where both share a table.
fn gains(
    game: &Game,
    payers: &Payers,
    states: &[State],
    options: &Options<'_>,
) -> Option<Vec<Vec<f64>>> {
    let n = payers.own.len();
    // The mean of one part, where the others pay for their rules.
    let mean = |parts: &[Vec<usize>], number: usize| {
        let patterns: Vec<Abstraction> = parts
            .iter()
            .map(|part| payers.pattern(game, part))
            .collect();
        let table = AdditiveSet::build_one(game, &patterns, number, options).ok()?;
        Combined::new(None, Patterns::maximum(game, vec![table]).ok()?, "").mean_of(states)
    };
    let apart: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    let alone: Vec<f64> = (0..n).map(|i| mean(&apart, i)).collect::<Option<_>>()?;
    let mut gains = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..i {
            let others = (0..n).filter(|k| *k != i && *k != j).map(|k| vec![k]);
            let parts: Vec<Vec<usize>> = std::iter::once(vec![j, i]).chain(others).collect();
            let gain = mean(&parts, 0)? - alone[i] - alone[j];
            (gains[i][j], gains[j][i]) = (gain, gain);
        }
    }
    Some(gains)
}

impl Collector<'_> {
    /// Group the variables that rules are charged to, if rules name values of them.
    pub(super) fn by_rule(&mut self, samples: &[State]) {
        let game = self.game;
        let Some(payers) = Payers::of(game) else {
            return;
        };
        let n = payers.own.len();
        let near = Apart::new(n, |i, j| i.abs_diff(j) as f64);
        let patterns = |parts: &[Vec<usize>]| -> Vec<Abstraction> {
            parts
                .iter()
                .map(|part| payers.pattern(game, part))
                .collect()
        };
        let words = "variables";
        self.sums_of(&near, 2..=n, words, patterns);
        let is_sum = self.families.last().is_some_and(|family| {
            let first = &family.candidates[0];
            first.kind == Kind::Sum && first.words.ends_with(words)
        });
        if !is_sum || n > MOST_PAIRED || samples.is_empty() {
            return;
        }
        if let Some(gains) = gains(game, &payers, samples, self.options) {
            let apart = Apart::new(n, |i, j| i.abs_diff(j) as f64 - GAIN * gains[i][j]);
            self.sums_of(&apart, 2..=n, words, patterns);
        }
    }
}
