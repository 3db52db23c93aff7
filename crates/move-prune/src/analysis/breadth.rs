//! The breadth-first search over words, one length at a time.

use budget::Progress;
use psvn_ir::{CanonicalRule, RuleId};

use crate::analysis::extension::{ComparedCosts, Extension};
use crate::analysis::kernel::{Kernel, Words};
use crate::analysis::options::Options;
use crate::analysis::result::Found;
use crate::generalization::demands::{Key, KeySpace};
use crate::generalization::pool::PackedLists;
use crate::limits::deepen;
use crate::words::{WordId, WordTree};

/// The kept words by length; the longest ones are extended next.
struct Levels {
    keys: KeySpace,
    n_rules: usize,
    tree: WordTree,
    /// The first of the words that are extended.
    first: WordId,
    /// The demands and costs of these words; costs only if rules differ in cost.
    demands: PackedLists,
    costs: Vec<u64>,
    with_costs: bool,
    /// The demands and costs of the longer words, if these will be extended.
    next: Option<(PackedLists, Vec<u64>)>,
    /// The first word whose children have not been added yet.
    next_parent: WordId,
}

/// Search length by length, up to the greatest one or until a limit is reached.
pub(crate) fn search(
    n_variables: usize,
    rules: &[CanonicalRule],
    keys: KeySpace,
    options: &Options<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Found {
    let mut kernel = Kernel::new(n_variables, rules, keys, options, ComparedCosts::NoMore);
    let mut words = Levels::new(kernel.context.keys, rules.len(), !kernel.context.uniform);
    let mut n_redundant = 0;
    let deepened = deepen(options.max_length, |length| {
        let span = tracing::debug_span!("level", length);
        let _entered = span.enter();
        let n_parents = words.begin(length < options.max_length);
        let level = kernel.grow(&mut words, length, n_parents, progress)?;
        words.end();
        n_redundant = kernel.n_redundant();
        tracing::debug!(?level, "level complete");
        let is_last = level.kept == 0;
        Ok((level, is_last))
    });
    if deepened.stopped.is_some() {
        words.tree.abandon_level();
    }
    // No word is extended after this.
    words.demands = PackedLists::new(words.keys);
    words.next = None;
    words.tree.shrink();
    Found {
        max_length: deepened.max_length,
        stopped: deepened.stopped,
        complete_below: None,
        levels: deepened.levels,
        rests_on_knowledge: kernel.rests_on_knowledge(),
        redundant: kernel.into_redundant(n_redundant, &words),
        kept: words.tree,
    }
}

impl Levels {
    fn new(keys: KeySpace, n_rules: usize, with_costs: bool) -> Self {
        let mut demands = PackedLists::new(keys);
        demands.push(&[]);
        Self {
            keys,
            n_rules,
            tree: WordTree::new(),
            first: WordId::EMPTY,
            demands: PackedLists::new(keys),
            costs: Vec::new(),
            with_costs,
            next: Some((demands, vec![0])),
            next_parent: WordId::EMPTY,
        }
    }

    /// Make the longest words the ones to extend, and return their number.
    fn begin(&mut self, will_go_on: bool) -> usize {
        let longest = self.tree.of_length(self.tree.depth());
        let n_parents = longest.len();
        self.first = WordId(self.next_id().0 - n_parents as u32);
        self.next_parent = self.first;
        let demands = will_go_on.then(|| (PackedLists::new(self.keys), Vec::new()));
        let last = std::mem::replace(&mut self.next, demands);
        (self.demands, self.costs) = last.expect("longer words were to come");
        n_parents
    }

    /// Note that all longer words were kept.
    fn end(&mut self) {
        self.open_up_to(WordId(self.first.0 + self.n_parents()));
        self.tree.close_level();
    }

    fn n_parents(&self) -> u32 {
        self.tree.of_length(self.tree.depth()).len() as u32
    }

    /// Note that no more children of the words before `end` will come.
    fn open_up_to(&mut self, end: WordId) {
        for word in self.next_parent.0..end.0 {
            self.tree.open(WordId(word));
        }
        self.next_parent = end.max(self.next_parent);
    }
}

impl Words for Levels {
    fn word(&self, place: usize) -> WordId {
        WordId(self.first.0 + place as u32)
    }

    fn read(&self, place: usize, demands: &mut Vec<Key>) -> u64 {
        self.demands.read(place, demands);
        self.costs.get(place).copied().unwrap_or(0)
    }

    fn rules(&self, _: usize) -> impl Iterator<Item = RuleId> {
        (0..self.n_rules).map(RuleId::from_index)
    }

    fn letters(&self, place: usize) -> impl Iterator<Item = (RuleId, WordId)> {
        self.tree.children(self.tree.suffix(self.word(place)))
    }

    fn n_letters(&self, place: usize) -> usize {
        match self.word(place) {
            WordId::EMPTY => self.n_rules,
            word => self.tree.n_children(self.tree.suffix(word)),
        }
    }

    fn next_id(&self) -> WordId {
        self.tree.next_id()
    }

    fn keep(&mut self, word: &Extension, demands: &[Key]) {
        self.open_up_to(WordId(word.parent.0 + 1));
        self.tree.push(word.parent, word.letter, word.suffix);
        if let Some((lists, costs)) = &mut self.next {
            lists.push(demands);
            if self.with_costs {
                costs.push(word.cost);
            }
        }
    }

    fn has_room(&self) -> bool {
        self.tree.has_room()
    }

    fn bytes(&self) -> usize {
        let next = self.next.as_ref();
        let next = next.map_or(0, |(lists, costs)| lists.bytes() + bytes_of(costs));
        self.tree.bytes() + self.demands.bytes() + bytes_of(&self.costs) + next
    }

    fn spell(&self, word: WordId, last: Option<RuleId>) -> Box<[RuleId]> {
        self.tree.spell(word, last)
    }
}

fn bytes_of(costs: &Vec<u64>) -> usize {
    costs.capacity() * size_of::<u64>()
}
