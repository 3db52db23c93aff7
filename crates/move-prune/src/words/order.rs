//! The orders on words in which replacements come first.

use std::str::FromStr;

/// The order in which words are compared. A word is pruned only in favor of an earlier one.
///
/// All orders are *nested* (if A comes before B, then X A Y comes before X B Y) and well-founded
/// (no sequence of ever earlier words is infinite). Safety requires nothing more. The first two are
/// total: they break ties by the numbers of the rules, or by their places in the rule order that
/// was given.
///
/// # What a search must be bounded by
/// By length first, a replacement is no longer than the word that it replaces, and costs no more.
/// So a pruned search reaches each state at its least cost, and at its least cost within any number
/// of moves.
///
/// By cost first, a replacement may be longer. A search that is bounded by *cost* loses nothing;
/// one that is bounded by the *number of moves* may lose states, unless no replacement is longer:
///
/// ```
/// use move_prune::{Options, Order, analyze};
/// use psvn_ir::CanonicalRule;
///
/// let game = psvn_ir::load("
///     1  3
///     0 => 2  LABEL FLY   COST 5
///     0 => 1  LABEL WALK  COST 1
///     1 => 2  LABEL SWIM  COST 1
///     GOAL 2
/// ").game.expect("a game without errors");
/// let rules = game.rules().iter().map(|rule| rule.canonical.clone());
/// let rules: Vec<CanonicalRule> = rules.collect();
/// let mut options = Options::up_to(2);
/// // By length, the only word that flying could be replaced by comes too late.
/// assert!(analyze(1, &rules, &options, |_| ()).redundant.is_empty());
/// // By cost it comes first. Now the goal is two moves away and no longer one.
/// options.order = Order::CostLengthLexicographic;
/// let analysis = analyze(1, &rules, &options, |_| ());
/// assert_eq!(analysis.redundant_letters().collect::<Vec<_>>(), [[0]]);
/// assert_eq!(analysis.redundant[0].replacement.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Shorter words first; words of one length by their letters, from left to right.
    #[default]
    LengthLexicographic,
    /// Cheaper words first; words of one cost by length, and then by their letters. It also prunes
    /// a word that costs more, even a single rule, in favor of longer ones that cost less.
    ///
    /// If all rules cost the same, this order equals the other.
    CostLengthLexicographic,
    /// Cheaper words first; words of one cost aren't compared. A word is pruned only where another
    /// one costs less, so no solution of least cost has such a part: a pruned search meets *all* of
    /// them, where by the other orders it meets one.
    Cost,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 3] = [
        Self::LengthLexicographic,
        Self::CostLengthLexicographic,
        Self::Cost,
    ];

    /// Return its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LengthLexicographic => "length-lexicographic",
            Self::CostLengthLexicographic => "cost-length-lexicographic",
            Self::Cost => "cost",
        }
    }
}

/// A text names no order of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the orders are `length-lexicographic`, `cost-length-lexicographic` and `cost`")]
pub struct UnknownOrder;

impl FromStr for Order {
    type Err = UnknownOrder;

    fn from_str(text: &str) -> Result<Self, UnknownOrder> {
        let mut all = Self::ALL.into_iter();
        all.find(|order| order.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownOrder)
    }
}
