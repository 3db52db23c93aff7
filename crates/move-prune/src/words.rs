//! The tree of kept words.

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
    /// The first of the node's children, which stand next to each other.
    first_child: u32,
}

/// All words that were kept, by length and then by the numbers of their rules.
///
/// Since words are added in that order, the children of a word are neighbors, and so are the words
/// of one length.
#[derive(Clone, Debug)]
pub struct WordTree {
    nodes: Vec<Node>,
    /// Where the words of each length begin, and the end of the last complete length.
    levels: Vec<u32>,
}

impl Default for WordTree {
    fn default() -> Self {
        Self::new()
    }
}

impl WordTree {
    /// The tree with the empty word only.
    pub fn new() -> Self {
        let root = Node {
            parent: WordId::EMPTY,
            letter: RuleId(0),
            suffix: WordId::EMPTY,
            first_child: 1,
        };
        Self {
            nodes: vec![root],
            levels: vec![0, 1],
        }
    }

    /// The number of kept words, the empty one included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the empty word is always kept.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The length of the longest words whose length is complete.
    pub fn depth(&self) -> usize {
        self.levels.len() - 2
    }

    /// The words of one length.
    ///
    /// # Panics
    /// When `length` is greater than [`depth`](Self::depth).
    pub fn of_length(&self, length: usize) -> impl ExactSizeIterator<Item = WordId> + use<> {
        (self.levels[length]..self.levels[length + 1]).map(WordId)
    }

    /// The kept words with one more letter, in order, with that letter.
    pub fn children(&self, word: WordId) -> impl Iterator<Item = (RuleId, WordId)> + '_ {
        let start = self.nodes[word.index()].first_child;
        let end = match self.nodes.get(word.index() + 1) {
            Some(next) => next.first_child,
            None => start,
        };
        (start..end).map(|child| (self.nodes[child as usize].letter, WordId(child)))
    }

    /// The word without its first letter.
    pub fn suffix(&self, word: WordId) -> WordId {
        self.nodes[word.index()].suffix
    }

    /// The letters of a word.
    pub fn letters(&self, word: WordId) -> Vec<RuleId> {
        let mut letters = Vec::new();
        let mut node = word;
        while node != WordId::EMPTY {
            letters.push(self.nodes[node.index()].letter);
            node = self.nodes[node.index()].parent;
        }
        letters.reverse();
        letters
    }

    /// The bytes that the tree holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    /// Gives all letters other names.
    pub(crate) fn rename_letters(&mut self, mut rename: impl FnMut(&mut RuleId)) {
        for node in self.nodes.iter_mut().skip(1) {
            rename(&mut node.letter);
        }
    }

    /// Notes that children pushed from now on belong to `word`. Words must be opened in order.
    pub(crate) fn open(&mut self, word: WordId) {
        self.nodes[word.index()].first_child = self.next_id().0;
    }

    /// Adds a child of the word that was opened last.
    pub(crate) fn push(&mut self, parent: WordId, letter: RuleId, suffix: WordId) -> WordId {
        let id = self.next_id();
        self.nodes.push(Node {
            parent,
            letter,
            suffix,
            first_child: 0,
        });
        id
    }

    /// Whether there are numbers left for many more words.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < (u32::MAX / 2) as usize
    }

    /// Notes that all words of the next length were added.
    pub(crate) fn close_level(&mut self) {
        let end = self.next_id().0;
        let start = self.levels[self.levels.len() - 1];
        // Until they are opened, the new words have no children.
        for node in &mut self.nodes[start as usize..] {
            node.first_child = end;
        }
        self.levels.push(end);
    }

    fn next_id(&self) -> WordId {
        WordId(u32::try_from(self.nodes.len()).expect("has_room was asked before"))
    }
}
