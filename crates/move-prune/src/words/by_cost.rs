//! The kept words during a search by cost.

use std::cmp::Ordering;
use std::ops::Range;

use psvn_ir::RuleId;

use crate::words::{WordId, WordTree, spell};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: WordId,
    letter: RuleId,
    /// The word without its first letter.
    suffix: WordId,
    /// The head of a list of runs of children, or [`NONE`].
    first_run: u32,
}

/// The children of one word by letters of one cost. They are found together, so they are neighbors.
#[derive(Clone, Copy, Debug)]
struct Run {
    class: u32,
    start: u32,
    end: u32,
    next: u32,
}

/// A tree of words whose numbers follow the order by cost.
///
/// Unlike in a [`WordTree`], the children of a word are not all neighbors, since they differ in
/// cost. Letters of the same cost are a *class*, and the children by letters of one class are
/// neighbors.
#[derive(Clone, Debug)]
pub(crate) struct BucketTree {
    nodes: Vec<Node>,
    runs: Vec<Run>,
}

impl BucketTree {
    /// Make the tree with the empty word only.
    pub(crate) fn new() -> Self {
        let root = Node {
            parent: WordId::EMPTY,
            letter: RuleId(0),
            suffix: WordId::EMPTY,
            first_run: NONE,
        };
        Self {
            nodes: vec![root],
            runs: Vec::new(),
        }
    }

    fn node(&self, word: WordId) -> &Node {
        &self.nodes[word.0 as usize]
    }

    /// Return the number that the next word gets.
    pub(crate) fn next_id(&self) -> WordId {
        WordId(u32::try_from(self.nodes.len()).expect("has_room was asked before"))
    }

    /// Return whether there are numbers left for many more words.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < (u32::MAX / 2) as usize
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.runs.capacity() * size_of::<Run>()
    }

    pub(crate) fn suffix(&self, word: WordId) -> WordId {
        self.node(word).suffix
    }

    /// Return the letters of a word, followed by one more if there is one.
    pub(crate) fn spell(&self, word: WordId, last: Option<RuleId>) -> Box<[RuleId]> {
        spell(word, last, |word| {
            let node = self.node(word);
            (node.parent, node.letter)
        })
    }

    /// Add a word. The children of a word by letters of one class must be added consecutively, by
    /// letter.
    pub(crate) fn push(
        &mut self,
        parent: WordId,
        letter: RuleId,
        suffix: WordId,
        class: u32,
    ) -> WordId {
        let id = self.next_id();
        let nodes = &self.nodes;
        let is_of = |run: &&mut Run| {
            run.class == class && run.end == id.0 && nodes[run.start as usize].parent == parent
        };
        if let Some(run) = self.runs.last_mut().filter(is_of) {
            run.end += 1;
        } else {
            let run = self.runs.len() as u32;
            let first_run = &mut self.nodes[parent.0 as usize].first_run;
            self.runs.push(Run {
                class,
                start: id.0,
                end: id.0 + 1,
                next: std::mem::replace(first_run, run),
            });
        }
        self.nodes.push(Node {
            parent,
            letter,
            suffix,
            first_run: NONE,
        });
        id
    }

    fn runs(&self, word: WordId) -> impl Iterator<Item = &Run> + '_ {
        let run = |place: u32| self.runs.get(place as usize);
        std::iter::successors(run(self.node(word).first_run), move |last| run(last.next))
    }

    fn child_range(&self, word: WordId, class: u32) -> Range<u32> {
        let run = self.runs(word).find(|run| run.class == class);
        run.map_or(0..0, |run| run.start..run.end)
    }

    /// Return the words with one more letter of a class, by letter.
    pub(crate) fn children(
        &self,
        word: WordId,
        class: u32,
    ) -> impl Iterator<Item = (RuleId, WordId)> + '_ {
        self.child_range(word, class)
            .map(|child| (self.nodes[child as usize].letter, WordId(child)))
    }

    /// Return the number of those.
    pub(crate) fn n_children(&self, word: WordId, class: u32) -> usize {
        self.child_range(word, class).len()
    }

    /// Compare two words of the same length by their letters.
    pub(crate) fn compare(&self, a: WordId, b: WordId) -> Ordering {
        let (mut a, mut b) = (a, b);
        // The letters below the last common parent are the first in which they may differ.
        let mut order = Ordering::Equal;
        while a != b {
            let (left, right) = (self.node(a), self.node(b));
            order = left.letter.cmp(&right.letter);
            (a, b) = (left.parent, right.parent);
        }
        order
    }

    /// Return the words before `end`, renumbered by length and then by letters. `n_levels` is at
    /// least the length of the longest ones.
    pub(crate) fn into_word_tree(self, end: WordId, n_levels: usize) -> WordTree {
        let mut tree = WordTree::new();
        let mut numbers = vec![WordId::EMPTY; end.0 as usize];
        let mut level = vec![WordId::EMPTY];
        let mut children: Vec<(RuleId, WordId)> = Vec::new();
        for _ in 0..n_levels {
            let mut next_level = Vec::new();
            for parent in level {
                let number = numbers[parent.0 as usize];
                tree.open(number);
                children.clear();
                let runs = self
                    .runs(parent)
                    .flat_map(|run| run.start..run.end.min(end.0));
                children.extend(runs.map(|child| (self.node(WordId(child)).letter, WordId(child))));
                children.sort_unstable();
                for (letter, child) in &children {
                    let suffix = numbers[self.suffix(*child).0 as usize];
                    numbers[child.0 as usize] = tree.push(number, *letter, suffix);
                    next_level.push(*child);
                }
            }
            tree.close_level();
            level = next_level;
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_by_class_and_in_the_end_by_letter() {
        // Letters 0 and 2 cost little, 1 and 3 a lot.
        let mut tree = BucketTree::new();
        let root = WordId::EMPTY;
        let cheap = [0, 2].map(|letter| tree.push(root, RuleId(letter), root, 0));
        let cheap_pair = tree.push(cheap[1], RuleId(0), cheap[0], 0);
        let costly = [1, 3].map(|letter| tree.push(root, RuleId(letter), root, 1));
        let mixed = tree.push(cheap[1], RuleId(3), costly[1], 1);
        let letters = |class: u32| tree.children(root, class).map(|(letter, _)| letter.0);
        assert!(letters(0).eq([0, 2]) && letters(1).eq([1, 3]) && letters(2).next().is_none());
        assert!(tree.children(cheap[1], 0).eq([(RuleId(0), cheap_pair)]));
        assert!(tree.children(cheap[0], 0).eq([]));
        assert_eq!(tree.compare(costly[0], cheap[1]), Ordering::Less);
        assert_eq!(tree.compare(mixed, cheap_pair), Ordering::Greater);
        assert_eq!(tree.compare(mixed, mixed), Ordering::Equal);

        let end = tree.next_id();
        let words = tree.into_word_tree(end, 3);
        let of_length = |length: usize| {
            let letters = words.of_length(length).map(|word| words.letters(word));
            letters.collect::<Vec<_>>()
        };
        let word = |letters: &[u32]| letters.iter().copied().map(RuleId).collect::<Vec<_>>();
        assert_eq!(of_length(1), [0, 1, 2, 3].map(|letter| word(&[letter])));
        assert_eq!(of_length(2), [word(&[2, 0]), word(&[2, 3])]);
        assert_eq!((of_length(3).len(), words.depth()), (0, 3));
        let ends = words.of_length(2).map(|w| words.letters(words.suffix(w)));
        assert!(ends.eq([word(&[0]), word(&[3])]));
    }
}
