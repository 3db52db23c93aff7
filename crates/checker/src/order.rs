//! The orders in which a replacement must come before the word that it replaces.

use psvn_ir::RuleId;

/// The order on words in which a replacement must come before the word that it replaces.
///
/// It must be *nested*: if A comes before B, then X A Y comes before X B Y. Otherwise replacements
/// could form a cycle, and every path to a state could be pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// Shorter words first; words of one length by their first different letter. Rules are in the
    /// order of the game, or in [another one](WordOrder::with_ranks).
    LengthLexicographic,
    /// Words of lower cost first; words of the same cost as in the other order. A replacement may
    /// be longer than the word that it replaces, so pruning by this order is safe for searches that
    /// are bounded by cost, but not for those that are bounded by the number of moves.
    CostLengthLexicographic,
    /// Words of lower cost first; words of the same cost have no order. Pruning by it loses no
    /// solution of least cost.
    Cost,
}

/// An order on the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRanks(Vec<u32>);

/// Why a list of rules isn't an order: it names a rule twice, or leaves one out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("an order of {n_rules} rules names each of them once; this one has {} in place {}", rule.0, place + 1)]
pub struct NoOrder {
    /// The length of the list.
    pub n_rules: usize,
    /// The first place, from 0, that is wrong.
    pub place: usize,
    /// The rule there, which came before or isn't among the first `n_rules`.
    pub rule: RuleId,
}

impl RuleRanks {
    /// Make an order of rules from a list of all of them, first ones first.
    ///
    /// # Errors
    /// A rule is listed twice, or one is missing.
    pub fn new(order: &[RuleId]) -> Result<Self, NoOrder> {
        let n_rules = order.len();
        let mut ranks: Vec<Option<u32>> = vec![None; n_rules];
        for (place, &rule) in order.iter().enumerate() {
            match ranks.get_mut(rule.index()) {
                Some(rank @ None) => *rank = Some(place as u32),
                _ => {
                    return Err(NoOrder {
                        n_rules,
                        place,
                        rule,
                    });
                }
            }
        }
        // All entries are different, so none is missing.
        Ok(Self(ranks.into_iter().flatten().collect()))
    }

    fn rank(&self, rule: RuleId) -> Option<u32> {
        self.0.get(rule.index()).copied()
    }
}

/// An order on words, with the order on rules that breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordOrder<'a> {
    order: Order,
    ranks: Option<&'a RuleRanks>,
}

impl From<Order> for WordOrder<'_> {
    /// Rules are in the order of the game.
    fn from(order: Order) -> Self {
        Self { order, ranks: None }
    }
}

impl<'a> WordOrder<'a> {
    /// Make an order on words from an order on rules other than that of the game.
    pub fn with_ranks(order: Order, ranks: &'a RuleRanks) -> Self {
        Self {
            order,
            ranks: Some(ranks),
        }
    }

    /// Whether words are compared by cost first.
    pub(crate) fn is_by_cost(self) -> bool {
        match self.order {
            Order::LengthLexicographic => false,
            Order::CostLengthLexicographic | Order::Cost => true,
        }
    }

    /// Whether two words of the same cost and length are compared.
    pub(crate) fn is_total(self) -> bool {
        self.order != Order::Cost
    }

    /// Whether the rule has a place in the order.
    pub(crate) fn knows(self, rule: RuleId) -> bool {
        self.ranks.is_none_or(|ranks| ranks.rank(rule).is_some())
    }

    /// Whether one word, given with its cost, comes before another. All rules must be known.
    pub(crate) fn is_before(self, a: (&[RuleId], u128), b: (&[RuleId], u128)) -> bool {
        if self.is_by_cost() && a.1 != b.1 {
            return a.1 < b.1;
        }
        if !self.is_total() {
            return false;
        }
        let (a, b) = (a.0, b.0);
        if a.len() != b.len() {
            return a.len() < b.len();
        }
        a.iter()
            .zip(b)
            .find(|(a, b)| a != b)
            .is_some_and(|(a, b)| self.rank(*a) < self.rank(*b))
    }

    /// Whether one rule comes before another. Both must be known.
    pub(crate) fn is_rule_before(self, a: u32, b: u32) -> bool {
        self.rank(RuleId(a)) < self.rank(RuleId(b))
    }

    fn rank(self, rule: RuleId) -> Option<u32> {
        match self.ranks {
            None => Some(rule.0),
            Some(ranks) => ranks.rank(rule),
        }
    }
}
