//! The tree of words to extend, and the trie of duplicate words, read backward.

/// Marks a missing node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    letter: u32,
    /// The state that the word leads to.
    state: u32,
}

/// The words without duplicate parts, in the order in which they were found.
pub(super) struct Tree {
    n_letters: usize,
    nodes: Vec<Node>,
    /// For each state, the first word that leads to it.
    first: Vec<u32>,
    level_start: u32,
    /// The duplicate words, from their last letter to their first: a row of children for each node.
    /// The beginning of a word is examined only if its end agrees.
    backward: Vec<u32>,
    /// For each node of `backward`, whether a duplicate word begins there.
    is_word: Vec<bool>,
}

impl Tree {
    /// Make the tree of the empty word, which leads to state 0.
    pub(super) fn new(n_letters: usize) -> Self {
        let root = Node {
            parent: NONE,
            letter: NONE,
            state: 0,
        };
        Self {
            n_letters,
            nodes: vec![root],
            first: vec![0],
            level_start: 0,
            backward: vec![NONE; n_letters],
            is_word: vec![false],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.first.capacity() + self.backward.capacity()) * size_of::<u32>()
    }

    /// Return whether there are numbers left for many more words.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < (NONE / 2) as usize
    }

    /// Return the words that were added since the last call: those of the last length. Words added
    /// from now on have the next length.
    pub(super) fn next_parents(&mut self) -> std::ops::Range<u32> {
        let end = self.nodes.len() as u32;
        std::mem::replace(&mut self.level_start, end)..end
    }

    /// Return the state that a word leads to.
    pub(super) fn state(&self, node: u32) -> u32 {
        self.nodes[node as usize].state
    }

    /// Return the first word that leads to a state.
    pub(super) fn first(&self, state: u32) -> u32 {
        self.first[state as usize]
    }

    /// Add a word; `is_first` if it leads to the next new state.
    pub(super) fn push(&mut self, parent: u32, letter: u32, state: u32, is_first: bool) {
        if is_first {
            debug_assert_eq!(state as usize, self.first.len());
            self.first.push(self.nodes.len() as u32);
        }
        self.nodes.push(Node {
            parent,
            letter,
            state,
        });
    }

    /// Return the letters of a word.
    pub(super) fn word(&self, node: u32) -> Vec<u32> {
        let mut word: Vec<u32> = self.backward_from(node).collect();
        word.reverse();
        word
    }

    /// Return the letters of a word from the last one to the first.
    fn backward_from(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let nodes =
            std::iter::successors(Some(node), |node| Some(self.nodes[*node as usize].parent));
        nodes
            .take_while(|node| *node != 0)
            .map(|node| self.nodes[node as usize].letter)
    }

    /// Note a duplicate word.
    pub(super) fn forbid(&mut self, word: &[u32]) {
        let mut node = 0;
        for letter in word.iter().rev() {
            let place = node * self.n_letters + *letter as usize;
            if self.backward[place] == NONE {
                self.backward[place] = self.is_word.len() as u32;
                self.is_word.push(false);
                let end = self.backward.len() + self.n_letters;
                self.backward.resize(end, NONE);
            }
            node = self.backward[place] as usize;
        }
        self.is_word[node] = true;
    }

    /// Return whether a word with one more letter ends with a duplicate word.
    ///
    /// Checking the word without its first letter would not suffice: a word may be possible from
    /// the start although its end is not.
    pub(super) fn is_forbidden(&self, word: u32, letter: u32) -> bool {
        let mut node = 0;
        for letter in std::iter::once(letter).chain(self.backward_from(word)) {
            match self.backward[node * self.n_letters + letter as usize] {
                NONE => return false,
                next => node = next as usize,
            }
            if self.is_word[node] {
                return true;
            }
        }
        false
    }
}
