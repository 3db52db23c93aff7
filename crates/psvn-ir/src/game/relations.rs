//! How the rules of a game relate to each other: inverses and duplicates.

use std::collections::HashMap;

use ahash::RandomState;

use crate::game::Game;
use crate::ids::{RuleId, VarId};
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::Term;

/// The most rules that are compared with a rule whose exact inverse is not in the game.
const MOST_CANDIDATES: usize = 10_000;

/// The most terms that are compared for all rules together, without those of the exact inverses.
const MOST_COMPARED: usize = 50_000_000;

/// Which rule undoes which, and which do the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relations {
    inverse: Vec<Option<RuleId>>,
    duplicate_of: Vec<Option<RuleId>>,
}

/// The rules that change a position, by what they change it to.
struct Changing {
    to_constant: HashMap<(VarId, Term), Vec<RuleId>, RandomState>,
    to_unknown: Vec<Vec<RuleId>>,
}

impl Changing {
    fn list(&mut self, position: VarId, action: Term) -> &mut Vec<RuleId> {
        if action.is_constant() {
            self.to_constant.entry((position, action)).or_default()
        } else {
            &mut self.to_unknown[position.index()]
        }
    }

    /// The rules that may have the same effect at a position as a rule with this action.
    fn candidates(&self, position: VarId, action: Term) -> [&[RuleId]; 2] {
        let same = self.to_constant.get(&(position, action));
        let same = same.map_or(&[][..], Vec::as_slice);
        [same, &self.to_unknown[position.index()]]
    }
}

impl Relations {
    /// Compare the rules of a game.
    ///
    /// The exact inverse of each rule is looked up. If there is none, rules that change the same
    /// positions are compared one by one, up to limits that only games with more than ten thousand
    /// rules reach.
    pub fn of(game: &Game) -> Self {
        let n = game.n_variables();
        type Sides<'a> = (&'a [Term], &'a [Term]);
        fn sides(rule: &CanonicalRule) -> Sides<'_> {
            (rule.preconditions(), rule.actions())
        }
        let mut by_sides: HashMap<Sides<'_>, RuleId, RandomState> = HashMap::default();
        let mut changing = Changing {
            to_constant: HashMap::default(),
            to_unknown: vec![Vec::new(); n],
        };
        let mut duplicate_of = Vec::with_capacity(game.rules().len());
        for (id, rule) in game.rules_with_ids() {
            let first = *by_sides.entry(sides(&rule.canonical)).or_insert(id);
            duplicate_of.push((first != id).then_some(first));
            for (position, action) in rule.canonical.changes() {
                changing.list(position, action).push(id);
            }
        }
        let mut left = MOST_COMPARED;
        let mut inverse_of = |rule: &CanonicalRule| {
            let inverse = rule.inverse()?;
            if let Some(id) = by_sides.get(&sides(&inverse)) {
                return Some(*id);
            }
            // A more general rule must change every position that the exact inverse changes. Where
            // the inverse writes a constant, it must write the same one.
            let candidates = inverse
                .changes()
                .map(|(position, action)| changing.candidates(position, action));
            let candidates = candidates.min_by_key(|[some, others]| some.len() + others.len())?;
            let mut first_of = |candidates: &[RuleId]| {
                let most = MOST_CANDIDATES.min(left / n.max(1)).min(candidates.len());
                let mut tried = candidates[..most].iter();
                let generalizes = |id: &&RuleId| game.rule(**id).canonical.generalizes(&inverse);
                let found = tried.find(generalizes).copied();
                left -= (most - tried.len()) * n;
                found
            };
            let found = candidates.map(&mut first_of);
            found.into_iter().flatten().min()
        };
        let inverse = game
            .rules()
            .iter()
            .map(|rule| inverse_of(&rule.canonical))
            .collect();
        Self {
            inverse,
            duplicate_of,
        }
    }

    /// Return a rule that undoes this one: it applies wherever this one leads, and leads back. The
    /// exact inverse is preferred, then the first more general rule.
    pub fn inverse(&self, rule: RuleId) -> Option<RuleId> {
        self.inverse[rule.index()]
    }

    /// Return the first rule with the same preconditions and actions, if it comes before this one.
    pub fn duplicate_of(&self, rule: RuleId) -> Option<RuleId> {
        self.duplicate_of[rule.index()]
    }
}
