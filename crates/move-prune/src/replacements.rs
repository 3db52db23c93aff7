//! The kept words of an analysis, as replacements for other macro-rules.

use budget::{StopReason, Watch};
use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::analysis::{Admits, Analysis};
use crate::generalization::closed::Closure;
use crate::generalization::demands::{Facts, Key, KeySpace, KnownDemands};
use crate::generalization::retrieval::{Costs, DiscriminationTree};
use crate::words::WordId;
use crate::words::order::Order;

/// The number of sequences stored at once.
const STORED_AT_ONCE: usize = 1 << 12;

/// The number of sequences made between two checks of the limits.
const WORDS_BETWEEN_CHECKS: usize = 1 << 8;

/// The key of a sequence in the order: its cost if costs count, its length, its rules' ranks.
type Place = (u64, usize, Box<[u32]>);

/// The kept sequences of an analysis, indexed by their effects. For a macro-rule that is no
/// sequence of the analysis, such as that of parts of rules, finds the sequence before a place in
/// the order that makes the macro-rule redundant.
pub struct Replacements<'a> {
    /// The sequences in their order.
    words: Vec<Box<[RuleId]>>,
    places: Vec<Place>,
    /// Their costs.
    costs: Vec<u64>,
    keys: KeySpace,
    known: KnownDemands,
    tree: DiscriminationTree,
    order: Order,
    ranks: Vec<u32>,
    n_variables: usize,
    admits: &'a dyn Admits,
}

/// Scratch space for queries.
pub struct ReplacementRoom {
    facts: Facts,
    closure: Closure,
}

/// The verdict of an analysis about a macro-rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'r> {
    /// No state that matters allows it.
    Impossible,
    /// No kept sequence makes it redundant.
    Kept,
    /// It is redundant with these rules.
    Redundant(&'r [RuleId]),
}

/// The bytes that a sequence takes besides those in the index, about: itself, its place, its cost.
fn bytes_of_word(length: usize) -> usize {
    let list = length * size_of::<u32>() + 16;
    2 * list + size_of::<Box<[RuleId]>>() + size_of::<Place>() + size_of::<u64>()
}

impl<'a> Replacements<'a> {
    /// Index the kept sequences of an analysis of some rules. The order of rules and the knowledge
    /// about states are those of the analysis.
    ///
    /// # Errors
    /// When a limit on time or memory stops it, or there are too many demands for 32-bit numbers.
    ///
    /// # Panics
    /// When the analysis is of other rules.
    pub fn of(
        n_variables: usize,
        rules: &[CanonicalRule],
        analysis: &Analysis,
        rule_order: Option<&[RuleId]>,
        admits: &'a dyn Admits,
        watch: &Watch,
    ) -> Result<Self, StopReason> {
        let keys = KeySpace::of(n_variables, rules).ok_or(StopReason::TooLarge)?;
        let in_file = || (0..rules.len()).map(RuleId::from_index).collect();
        let rule_order: Vec<RuleId> = rule_order.map_or_else(in_file, <[RuleId]>::to_vec);
        let mut ranks = vec![0; rules.len()];
        for (rank, rule) in (0..).zip(&rule_order) {
            ranks[rule.index()] = rank;
        }
        let mut all = Self {
            words: Vec::new(),
            places: Vec::new(),
            costs: Vec::new(),
            keys,
            known: KnownDemands::none(keys),
            tree: DiscriminationTree::new(keys),
            order: analysis.order,
            ranks,
            n_variables,
            admits,
        };
        let longest = analysis.max_length.min(analysis.kept.depth());
        let n_kept: usize = (0..=longest)
            .map(|length| analysis.kept.of_length(length).len())
            .sum();
        watch.check_resources(n_kept * bytes_of_word(longest))?;
        let kept = (0..=longest).flat_map(|length| analysis.kept.of_length(length));
        let mut words: Vec<Box<[RuleId]>> = kept
            .map(|word| analysis.kept.letters(word).into())
            .collect();
        let cost = |word: &[RuleId]| word.iter().map(|rule| rules[rule.index()].cost()).sum();
        words.sort_by_cached_key(|word| all.place(word, cost(word)));
        all.words = words;
        all.costs = all.words.iter().map(|word| cost(word)).collect();
        let places = all.words.iter().zip(&all.costs);
        all.places = places.map(|(word, cost)| all.place(word, *cost)).collect();
        let bytes = n_kept * bytes_of_word(longest);
        watch.check_resources(bytes)?;
        all.store(rules, bytes, watch)?;
        Ok(all)
    }

    /// Store the sequences, which take some bytes by themselves.
    fn store(
        &mut self,
        rules: &[CanonicalRule],
        bytes: usize,
        watch: &Watch,
    ) -> Result<(), StopReason> {
        let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
        let identity = CanonicalRule::identity(self.n_variables);
        let mut composer = Composer::new(self.n_variables);
        let mut closure = Closure::default();
        let mut blind = Vec::new();
        let mut demands: Vec<Key> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        // The empty sequence is already stored.
        let mut first = 1;
        while first < self.words.len() {
            let some = first..(first + STORED_AT_ONCE).min(self.words.len());
            demands.clear();
            ends.clear();
            for (number, word) in self.words[some.clone()].iter().enumerate() {
                if number.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                    watch.check_resources(bytes + self.tree.bytes())?;
                }
                composer.load(&identity);
                for rule in word {
                    let appended = composer.append(&prepared[rule.index()]);
                    appended.expect("what is kept is possible");
                }
                let (p, a) = (composer.preconditions(), composer.actions());
                let closed = closure.close(Some(self.admits), p, a);
                let closed = closed.expect("what no state allows isn't kept");
                blind.clear();
                self.known.list_blind(self.keys, (p, a), closed, &mut blind);
                self.known.note_blind(&blind);
                let start = demands.len();
                self.keys.push_demands(p, a, &mut demands);
                self.known.note(self.keys, &demands[start..]);
                ends.push(demands.len());
            }
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let lists = starts.zip(&ends).map(|(start, end)| &demands[start..*end]);
            let ids = some
                .clone()
                .map(|place| WordId(RuleId::from_index(place).0));
            let words: Vec<(WordId, &[Key])> = ids.zip(lists).collect();
            self.tree.insert(&words, Costs::Each(&self.costs));
            first = some.end;
        }
        Ok(())
    }

    /// Return the bytes that it holds, about.
    pub fn bytes(&self) -> usize {
        let longest = self.words.last().map_or(0, |word| word.len());
        self.words.len() * bytes_of_word(longest) + self.tree.bytes()
    }

    fn place(&self, word: &[RuleId], cost: u64) -> Place {
        let cost = match self.order {
            Order::LengthLexicographic => 0,
            Order::CostLengthLexicographic => cost,
            // Words of one cost have one place.
            Order::Cost => return (cost, 0, Box::default()),
        };
        let ranks = word.iter().map(|rule| self.ranks[rule.index()]);
        (cost, word.len(), ranks.collect())
    }

    /// Make scratch space for queries.
    pub fn room(&self) -> ReplacementRoom {
        ReplacementRoom {
            facts: Facts::new(self.keys),
            closure: Closure::default(),
        }
    }

    /// Return the kept sequences, the empty one included.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Judge a macro-rule with these preconditions, actions and cost, whose place in the order is
    /// that of some rules.
    pub fn verdict(
        &self,
        room: &mut ReplacementRoom,
        preconditions: &[Term],
        actions: &[Term],
        cost: u64,
        rules: &[RuleId],
    ) -> Verdict<'_> {
        let closed = room
            .closure
            .close(Some(self.admits), preconditions, actions);
        let Some(closed) = closed else {
            return Verdict::Impossible;
        };
        room.facts
            .list(closed.preconditions, closed.actions, &self.known);
        let place = self.place(rules, cost);
        let end = self.places.partition_point(|it| *it < place);
        let before = WordId(RuleId::from_index(end).0);
        let found = self
            .tree
            .find(&room.facts, before, cost, Costs::Each(&self.costs));
        match found {
            Some(word) if word.0 < before.0 => Verdict::Redundant(&self.words[word.0 as usize]),
            _ => Verdict::Kept,
        }
    }
}
