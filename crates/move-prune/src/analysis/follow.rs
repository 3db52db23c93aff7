//! The rules that can follow a sequence, as far as constants show.

use bitvec::vec::BitVec;
use psvn_ir::{CanonicalRule, RuleId, Term, Value};

/// A set of rules of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSet(BitVec<u64>);

impl RuleSet {
    /// Make the set of the first `n` rules.
    pub(crate) fn all(n: usize) -> Self {
        Self(BitVec::repeat(true, n))
    }

    /// Make the empty set, with room for the first `n` rules.
    pub(crate) fn none(n: usize) -> Self {
        Self(BitVec::repeat(false, n))
    }

    /// Return whether the rule is in the set.
    #[inline]
    pub(crate) fn contains(&self, rule: RuleId) -> bool {
        // On words, because bitvec's own indexing is many times slower and this is a hot path.
        self.0.as_raw_slice()[rule.index() / 64] >> (rule.index() % 64) & 1 == 1
    }

    /// Add a rule.
    pub(crate) fn insert(&mut self, rule: RuleId) {
        self.0.set(rule.index(), true);
    }

    /// Remove a rule.
    pub(crate) fn remove(&mut self, rule: RuleId) {
        self.0.set(rule.index(), false);
    }

    /// Keep the rules that are in both sets.
    #[inline]
    pub(crate) fn intersect(&mut self, other: &RuleSet) {
        for (word, other) in self
            .0
            .as_raw_mut_slice()
            .iter_mut()
            .zip(other.0.as_raw_slice())
        {
            *word &= other;
        }
    }

    /// Make this set equal to another one of the same game.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &RuleSet) {
        self.0
            .as_raw_mut_slice()
            .copy_from_slice(other.0.as_raw_slice());
    }
}

/// The rules that allow a known constant at one position.
#[derive(Clone, Debug)]
struct PositionIndex {
    /// The rules that test the position for a constant, by constant.
    testing: Vec<(Value, Testing)>,
    /// Rules that don't test the position for any constant.
    indifferent: RuleSet,
}

/// Rules that test a position for the same constant.
///
/// If each rule tests for a different constant, a set for each constant would take memory for the
/// square of the number of rules, so short lists replace sets of few rules.
#[derive(Clone, Debug)]
enum Testing {
    Few(Box<[RuleId]>),
    /// These rules and the indifferent ones.
    Many(RuleSet),
}

/// Maps a position and its constant to the rules that can still follow.
///
/// In games with preconditions, most pairs of rules can't follow each other, and most of those
/// contradict each other in a constant. A look-up is much cheaper than a composition.
#[derive(Clone, Debug)]
pub(crate) struct FollowIndex {
    /// `None` where no rule tests for a constant.
    positions: Vec<Option<PositionIndex>>,
    all: RuleSet,
}

impl FollowIndex {
    /// Index the rules of a game over `n_variables` positions. Takes memory proportional to the
    /// number of rules times the number of positions.
    pub(crate) fn new(n_variables: usize, rules: &[CanonicalRule]) -> Self {
        let all = RuleSet::all(rules.len());
        let positions = (0..n_variables).map(|position| PositionIndex::new(position, rules));
        let positions = positions.collect();
        Self { positions, all }
    }

    /// Set `candidates` to the rules whose constants don't contradict the actions of a sequence.
    /// All others can't follow; a candidate may still fail to follow.
    pub(crate) fn candidates(&self, actions: &[Term], candidates: &mut RuleSet) {
        candidates.copy_from(&self.all);
        let mut still = Vec::new();
        for (index, action) in self.positions.iter().zip(actions) {
            let (Some(index), Some(constant)) = (index, action.as_constant()) else {
                continue;
            };
            match index.testing.binary_search_by_key(&constant, |(v, _)| *v) {
                Ok(slot) => match &index.testing[slot].1 {
                    Testing::Many(tolerant) => candidates.intersect(tolerant),
                    Testing::Few(rules) => {
                        still.clear();
                        still.extend(rules.iter().filter(|rule| candidates.contains(**rule)));
                        candidates.intersect(&index.indifferent);
                        for rule in &still {
                            candidates.insert(*rule);
                        }
                    }
                },
                Err(_) => candidates.intersect(&index.indifferent),
            }
        }
    }

    /// Return an empty set of the right size for [`candidates`](Self::candidates).
    pub(crate) fn empty_set(&self) -> RuleSet {
        RuleSet::none(self.all.0.len())
    }
}

impl PositionIndex {
    fn new(position: usize, rules: &[CanonicalRule]) -> Option<Self> {
        let constant_of = |rule: &CanonicalRule| rule.preconditions()[position].as_constant();
        let mut tests: Vec<(Value, RuleId)> = Vec::new();
        for (i, rule) in rules.iter().enumerate() {
            if let Some(constant) = constant_of(rule) {
                tests.push((constant, RuleId::from_index(i)));
            }
        }
        if tests.is_empty() {
            return None;
        }
        let mut indifferent = RuleSet::all(rules.len());
        for (_, rule) in &tests {
            indifferent.remove(*rule);
        }
        tests.sort_unstable();
        let same = tests.chunk_by(|one, other| one.0 == other.0);
        let testing = same.map(|same| {
            let of_value = same.iter().map(|(_, rule)| *rule);
            // A list takes 32 bits for each rule, a set one bit for each rule of the game.
            let testing = if same.len() <= rules.len() / 32 {
                Testing::Few(of_value.collect())
            } else {
                let mut tolerant = indifferent.clone();
                of_value.for_each(|rule| tolerant.insert(rule));
                Testing::Many(tolerant)
            };
            (same[0].0, testing)
        });
        Some(Self {
            testing: testing.collect(),
            indifferent,
        })
    }
}
