//! Disjoint sets (union-find).

/// A partition of the numbers below `n` into sets that can be joined.
///
/// The least member of a set represents it. Takes 4 bytes per number. The amortized time per call
/// is constant in practice.
///
/// ```
/// let mut sets = psvn_ir::DisjointSets::new(4);
/// assert!(sets.join(3, 1));
/// assert!(!sets.join(1, 3), "they are one set already");
/// assert_eq!([0, 1, 2, 3].map(|i| sets.root(i)), [0, 1, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// A member of the same set, not greater than the number itself.
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Put each number below `n` into its own set.
    ///
    /// # Panics
    /// When `n` is greater than 2^32.
    pub fn new(n: usize) -> Self {
        assert!(n as u64 <= 1 << 32, "numbers have 32 bits");
        Self {
            parent: (0..n as u64).map(|i| i as u32).collect(),
        }
    }

    /// Return the least member of the set of `i`.
    ///
    /// # Panics
    /// When there is no such number.
    pub fn root(&mut self, i: usize) -> usize {
        let mut i = i as u32;
        while self.parent[i as usize] != i {
            let parent = self.parent[i as usize];
            self.parent[i as usize] = self.parent[parent as usize];
            i = self.parent[i as usize];
        }
        i as usize
    }

    /// Join the sets of two numbers. Return whether they were different sets.
    ///
    /// # Panics
    /// When there is no such number.
    pub fn join(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.root(i), self.root(j));
        self.parent[i.max(j)] = i.min(j) as u32;
        i != j
    }
}
