//! Which rules can follow a sequence, as far as constants tell.

use bitvec::vec::BitVec;
use psvn_ir::{CanonicalRule, RuleId, Term, Value};

/// A set of rules of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(BitVec<u64>);

impl RuleSet {
    /// All of the first `n` rules.
    pub fn all(n: usize) -> Self {
        Self(BitVec::repeat(true, n))
    }

    /// None of the first `n` rules.
    pub fn none(n: usize) -> Self {
        Self(BitVec::repeat(false, n))
    }

    /// Whether the rule is in the set.
    #[inline]
    pub fn contains(&self, rule: RuleId) -> bool {
        // On words, because bitvec's own indexing is many times slower and this is a hot path.
        self.0.as_raw_slice()[rule.index() / 64] >> (rule.index() % 64) & 1 == 1
    }

    /// Adds a rule.
    pub fn insert(&mut self, rule: RuleId) {
        self.0.set(rule.index(), true);
    }

    /// Removes a rule.
    pub fn remove(&mut self, rule: RuleId) {
        self.0.set(rule.index(), false);
    }

    /// Keeps what is in both sets.
    #[inline]
    pub fn intersect(&mut self, other: &RuleSet) {
        for (word, other) in self
            .0
            .as_raw_mut_slice()
            .iter_mut()
            .zip(other.0.as_raw_slice())
        {
            *word &= other;
        }
    }

    /// Makes this set equal to another one of the same game.
    #[inline]
    pub fn copy_from(&mut self, other: &RuleSet) {
        self.0
            .as_raw_mut_slice()
            .copy_from_slice(other.0.as_raw_slice());
    }

    /// The rules in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.0.iter_ones().map(RuleId::from_index)
    }

    /// The number of rules in the set.
    pub fn len(&self) -> usize {
        self.0.count_ones()
    }

    /// Whether no rule is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.not_any()
    }
}

/// For one position: which rules tolerate a known constant there.
#[derive(Clone, Debug)]
struct PositionIndex {
    /// Rules that test the position for the constant, or don't test it for any; by constant.
    tolerate: Vec<(Value, RuleSet)>,
    /// Rules that don't test the position for any constant.
    indifferent: RuleSet,
}

/// From a position and the constant that stands there to the rules that can still follow.
///
/// Most pairs of rules of a game with preconditions can't follow each other, and most of those
/// contradict each other in a constant. Looking that up is much cheaper than composing.
#[derive(Clone, Debug)]
pub struct FollowIndex {
    /// `None` where no rule tests for a constant.
    positions: Vec<Option<PositionIndex>>,
    all: RuleSet,
}

impl FollowIndex {
    /// Indexes the rules of a game over `n_variables` positions.
    pub fn new(n_variables: usize, rules: &[CanonicalRule]) -> Self {
        let all = RuleSet::all(rules.len());
        let positions = (0..n_variables)
            .map(|position| {
                let constant_of =
                    |rule: &CanonicalRule| rule.preconditions()[position].as_constant();
                let mut values: Vec<Value> = rules.iter().filter_map(constant_of).collect();
                values.sort_unstable();
                values.dedup();
                if values.is_empty() {
                    return None;
                }
                let mut indifferent = RuleSet::none(rules.len());
                for (i, rule) in rules.iter().enumerate() {
                    if constant_of(rule).is_none() {
                        indifferent.insert(RuleId::from_index(i));
                    }
                }
                let mut tolerate: Vec<(Value, RuleSet)> = values
                    .into_iter()
                    .map(|value| (value, indifferent.clone()))
                    .collect();
                for (i, rule) in rules.iter().enumerate() {
                    if let Some(constant) = constant_of(rule) {
                        let slot = tolerate.binary_search_by_key(&constant, |(value, _)| *value);
                        tolerate[slot.expect("each constant was listed")]
                            .1
                            .insert(RuleId::from_index(i));
                    }
                }
                Some(PositionIndex {
                    tolerate,
                    indifferent,
                })
            })
            .collect();
        Self { positions, all }
    }

    /// Sets `candidates` to the rules whose constants don't contradict the actions of a sequence.
    /// Those that are left out can't follow; those that are in may turn out not to.
    pub fn candidates(&self, actions: &[Term], candidates: &mut RuleSet) {
        candidates.copy_from(&self.all);
        for (index, action) in self.positions.iter().zip(actions) {
            if let (Some(index), Some(constant)) = (index, action.as_constant()) {
                let tolerant = match index.tolerate.binary_search_by_key(&constant, |(v, _)| *v) {
                    Ok(slot) => &index.tolerate[slot].1,
                    Err(_) => &index.indifferent,
                };
                candidates.intersect(tolerant);
            }
        }
    }

    /// An empty set of the right size for [`candidates`](Self::candidates).
    pub fn empty_set(&self) -> RuleSet {
        RuleSet::none(self.all.0.len())
    }
}
