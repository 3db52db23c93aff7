//! Lists of numbers in flat arrays.

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs of a list's number and an item.
    pub(crate) fn new(n_lists: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; n_lists + 1];
        for (list, _) in &pairs {
            starts[*list as usize + 1] += 1;
        }
        for list in 0..n_lists {
            starts[list + 1] += starts[list];
        }
        Self {
            starts,
            items: pairs.into_iter().map(|(_, item)| item).collect(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}
