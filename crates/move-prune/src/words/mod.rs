//! The tree of kept words.

pub(crate) mod by_cost;
pub(crate) mod order;

use std::ops::Range;

use psvn_ir::RuleId;

/// A kept word: a node of the tree. The numbers follow the order of the words, by length first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WordId(pub u32);

impl WordId {
    /// The empty word.
    pub const EMPTY: WordId = WordId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: WordId,
    letter: RuleId,
    /// The word without its first letter.
    suffix: WordId,
}

/// All words that were kept, by length and then by the numbers of their rules.
///
/// Since words are added in that order, the children of a word are neighbors, and so are the words
/// of one length.
#[derive(Clone, Debug)]
pub struct WordTree {
    nodes: Vec<Node>,
    /// The first child of each word that was extended. The children of a word are neighbors.
    first_child: Vec<u32>,
    /// The first word of each length, and the end of the last complete length.
    levels: Vec<u32>,
}

impl Default for WordTree {
    fn default() -> Self {
        Self::new()
    }
}

impl WordTree {
    /// Make the tree with the empty word only.
    pub fn new() -> Self {
        let root = Node {
            parent: WordId::EMPTY,
            letter: RuleId(0),
            suffix: WordId::EMPTY,
        };
        Self {
            nodes: vec![root],
            first_child: Vec::new(),
            levels: vec![0, 1],
        }
    }

    /// Return the number of kept words, the empty one included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the empty word is always kept.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Return the length of the longest words in complete levels.
    pub fn depth(&self) -> usize {
        self.levels.len() - 2
    }

    /// Return the words of one length.
    ///
    /// # Panics
    /// When `length` is greater than [`depth`](Self::depth).
    pub fn of_length(&self, length: usize) -> impl ExactSizeIterator<Item = WordId> + use<> {
        (self.levels[length]..self.levels[length + 1]).map(WordId)
    }

    fn child_range(&self, word: WordId) -> Range<u32> {
        let end = self.nodes.len() as u32;
        let first_child = |word: usize| self.first_child.get(word).copied().unwrap_or(end);
        first_child(word.index())..first_child(word.index() + 1)
    }

    /// Return the kept words with one more letter, in order, with that letter.
    pub fn children(&self, word: WordId) -> impl Iterator<Item = (RuleId, WordId)> + '_ {
        self.child_range(word)
            .map(|child| (self.nodes[child as usize].letter, WordId(child)))
    }

    /// Return the number of those.
    pub(crate) fn n_children(&self, word: WordId) -> usize {
        self.child_range(word).len()
    }

    /// Return the word without its first letter.
    pub fn suffix(&self, word: WordId) -> WordId {
        self.nodes[word.index()].suffix
    }

    /// Return the letters of a word.
    pub fn letters(&self, word: WordId) -> Vec<RuleId> {
        self.spell(word, None).into_vec()
    }

    /// Return the letters of a word, followed by one more if there is one.
    pub(crate) fn spell(&self, word: WordId, last: Option<RuleId>) -> Box<[RuleId]> {
        spell(word, last, |word| {
            let node = &self.nodes[word.index()];
            (node.parent, node.letter)
        })
    }

    /// Return the bytes that the tree holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.first_child.capacity() * size_of::<u32>()
    }

    /// Return all letters other names.
    pub(crate) fn rename_letters(&mut self, mut rename: impl FnMut(&mut RuleId)) {
        for node in self.nodes.iter_mut().skip(1) {
            rename(&mut node.letter);
        }
    }

    /// Note that children pushed from now on belong to `word`. Words must be opened in order,
    /// without gaps.
    pub(crate) fn open(&mut self, word: WordId) {
        debug_assert_eq!(self.first_child.len(), word.index());
        self.first_child.push(self.next_id().0);
    }

    /// Add a child of the word that was opened last.
    pub(crate) fn push(&mut self, parent: WordId, letter: RuleId, suffix: WordId) -> WordId {
        let id = self.next_id();
        self.nodes.push(Node {
            parent,
            letter,
            suffix,
        });
        id
    }

    /// Return whether there are numbers left for many more words.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < (u32::MAX / 2) as usize
    }

    /// Note that all words of the next length have been added.
    pub(crate) fn close_level(&mut self) {
        self.levels.push(self.next_id().0);
    }

    /// Take out the words added since then.
    pub(crate) fn abandon_level(&mut self) {
        let (first, end) = (self.levels[self.depth()], self.levels[self.depth() + 1]);
        self.nodes.truncate(end as usize);
        self.first_child.truncate(first as usize);
    }

    /// Free unused memory.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.first_child.shrink_to_fit();
    }

    /// Return the number that the next word gets.
    pub(crate) fn next_id(&self) -> WordId {
        WordId(u32::try_from(self.nodes.len()).expect("has_room was asked before"))
    }
}

/// Return the letters of a word, followed by one more if there is one. `node` returns a word's
/// parent and last letter.
pub(crate) fn spell(
    word: WordId,
    last: Option<RuleId>,
    node: impl Fn(WordId) -> (WordId, RuleId),
) -> Box<[RuleId]> {
    let upward = || {
        std::iter::successors(Some(word), |word| Some(node(*word).0))
            .take_while(|word| *word != WordId::EMPTY)
    };
    // Counted first, so that the list never moves: an analysis ends with very many of them.
    let length = upward().count() + usize::from(last.is_some());
    let mut letters = Vec::with_capacity(length);
    letters.extend(last);
    letters.extend(upward().map(|word| node(word).1));
    letters.reverse();
    letters.into()
}
