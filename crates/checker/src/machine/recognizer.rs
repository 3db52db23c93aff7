//! Recognizes words of a list wherever they end.

use std::collections::HashMap;

use ahash::RandomState;

#[derive(Debug, Default)]
struct Node {
    /// Sorted by letter.
    children: Vec<(u32, u32)>,
    ends_word: bool,
}

/// A plain trie of the words: no failure function, no table.
///
/// The word read is represented by the nodes that spell a suffix of it, longest first, without the
/// root: all beginnings of listed words that may still continue. These lists of nodes are numbered
/// in order of discovery; the first one is empty.
#[derive(Debug)]
pub(crate) struct Recognizer {
    nodes: Vec<Node>,
    live: Vec<Box<[u32]>>,
    number_of: HashMap<Box<[u32]>, u32, RandomState>,
    /// The list that is being made.
    next: Vec<u32>,
}

/// A new number for something in memory.
pub(crate) fn number(n_before: usize) -> u32 {
    u32::try_from(n_before).expect("fewer than 2^32 of them fit in memory")
}

/// The number of the list for the empty word.
pub(crate) const NOTHING_READ: u32 = 0;

impl Recognizer {
    pub(crate) fn new(words: &[impl AsRef<[u32]>]) -> Self {
        let mut nodes = vec![Node::default()];
        for word in words {
            let mut node = 0;
            for letter in word.as_ref() {
                let fresh = number(nodes.len());
                let children = &mut nodes[node].children;
                node = match children.binary_search_by_key(letter, |(letter, _)| *letter) {
                    Ok(place) => children[place].1,
                    Err(place) => {
                        children.insert(place, (*letter, fresh));
                        nodes.push(Node::default());
                        fresh
                    }
                } as usize;
            }
            nodes[node].ends_word = true;
        }
        Self {
            nodes,
            live: vec![Box::default()],
            number_of: HashMap::from_iter([(Box::default(), NOTHING_READ)]),
            next: Vec::new(),
        }
    }

    /// Whether the empty word is in the list.
    pub(crate) fn has_empty_word(&self) -> bool {
        self.nodes[0].ends_word
    }

    /// The state after one more letter, as the number of its list; `None` if a word ends there.
    pub(crate) fn step(&mut self, live: u32, letter: u32) -> Option<u32> {
        (!self.grow(live, letter)).then(|| self.number_of_next())
    }

    /// The state after one more letter, and whether a word ends there.
    pub(crate) fn read_on(&mut self, live: u32, letter: u32) -> (bool, u32) {
        let ends_word = self.grow(live, letter);
        (ends_word, self.number_of_next())
    }

    /// Make the list after one more letter. Return whether a word ends there.
    fn grow(&mut self, live: u32, letter: u32) -> bool {
        self.next.clear();
        let mut ends_word = false;
        // Every live node may grow, and a word may begin with this letter.
        for node in self.live[live as usize].iter().copied().chain([0]) {
            let children = &self.nodes[node as usize].children;
            if let Ok(place) = children.binary_search_by_key(&letter, |(letter, _)| *letter) {
                let child = children[place].1;
                ends_word |= self.nodes[child as usize].ends_word;
                self.next.push(child);
            }
        }
        ends_word
    }

    /// The number of the list that was made.
    fn number_of_next(&mut self) -> u32 {
        if let Some(number) = self.number_of.get(self.next.as_slice()) {
            return *number;
        }
        let number = number(self.live.len());
        self.live.push(self.next.as_slice().into());
        self.number_of.insert(self.next.as_slice().into(), number);
        number
    }
}
