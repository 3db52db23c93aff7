//! Kept sequences of rules, found by what they change.

use macro_compose::compose_all;
use move_prune::{Analysis, Order};
use psvn_ir::{CanonicalRule, Game, RuleId, VarId};

/// What comes earlier in the order of sequences has the smaller key.
pub(crate) type Key = (u64, usize, Vec<u32>);

/// A set of positions. Those 128 apart count as one, so a test for subsets may pass too much.
type Positions = u128;

struct Kept {
    key: Key,
    word: Box<[RuleId]>,
    rule: CanonicalRule,
    tested: Positions,
    changed: Positions,
}

/// The kept sequences of an analysis, in its order.
pub(crate) struct Generalizers {
    kept: Vec<Kept>,
    /// For each position the sequences that change it, in order.
    changing: Vec<Vec<u32>>,
    order: Order,
    ranks: Vec<u32>,
}

impl Generalizers {
    pub(crate) fn of(game: &Game, analysis: &Analysis, rule_order: Option<&[RuleId]>) -> Self {
        let n_rules = game.rules().len();
        let in_file: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        let mut ranks = vec![0; n_rules];
        for (rank, rule) in rule_order.unwrap_or(&in_file).iter().enumerate() {
            ranks[rule.index()] = RuleId::from_index(rank).0;
        }
        let mut all = Self {
            kept: Vec::new(),
            changing: vec![Vec::new(); game.n_variables()],
            order: analysis.order,
            ranks,
        };
        for length in 0..=analysis.max_length.min(analysis.kept.depth()) {
            for letters in analysis.kept_letters(length) {
                let word: Box<[RuleId]> = letters.iter().map(|it| RuleId(*it)).collect();
                let rules = word.iter().map(|it| &game.rule(*it).canonical);
                let rule = compose_all(game.n_variables(), rules).expect("kept, so possible");
                all.kept.push(Kept {
                    key: all.key(&word, rule.cost()),
                    tested: positions(rule.tests().map(|(position, _)| position)),
                    changed: positions(rule.changes().map(|(position, _)| position)),
                    word,
                    rule,
                });
            }
        }
        all.kept.sort_by(|a, b| a.key.cmp(&b.key));
        for (place, kept) in all.kept.iter().enumerate() {
            for (position, _) in kept.rule.changes() {
                all.changing[position.index()].push(RuleId::from_index(place).0);
            }
        }
        all
    }

    /// The place of a sequence in the order.
    pub(crate) fn key(&self, word: &[RuleId], cost: u64) -> Key {
        let cost = match self.order {
            Order::LengthLexicographic => 0,
            Order::CostLengthLexicographic => cost,
        };
        let ranks = word.iter().map(|rule| self.ranks[rule.index()]);
        (cost, word.len(), ranks.collect())
    }

    /// The first kept sequence that comes before a key and makes a macro-rule redundant. Adds the
    /// number of sequences that were compared to `steps`.
    pub(crate) fn replacement(
        &self,
        rule: &CanonicalRule,
        key: &Key,
        steps: &mut u64,
    ) -> Option<&[RuleId]> {
        let tested = positions(rule.tests().map(|(position, _)| position));
        let changed = positions(rule.changes().map(|(position, _)| position));
        let fits = |place: usize| {
            let kept = &self.kept[place];
            kept.tested & !tested == 0
                && changed & !kept.changed == 0
                && kept.rule.makes_redundant(rule)
        };
        let rarest = rule
            .changes()
            .map(|(position, _)| &self.changing[position.index()])
            .min_by_key(|places| places.len());
        let end = self.kept.partition_point(|kept| kept.key < *key);
        let found = match rarest {
            Some(places) => {
                let places = &places[..places.partition_point(|place| (*place as usize) < end)];
                *steps += places.len() as u64;
                let mut places = places.iter().map(|place| *place as usize);
                places.find(|place| fits(*place))
            }
            // What changes nothing is replaced by doing nothing.
            None => (0..end).find(|place| fits(*place)),
        };
        found.map(|place| &*self.kept[place].word)
    }
}

fn positions(positions: impl Iterator<Item = VarId>) -> Positions {
    positions.fold(0, |set, position| set | 1 << (position.0 % 128))
}
