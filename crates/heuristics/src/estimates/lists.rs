//! Many short lists of numbers, in one piece of memory.

/// Lists of numbers, by number.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// Where each list begins in `items`, and where the last one ends.
    starts: Box<[u32]>,
    items: Box<[u32]>,
}

impl Lists {
    pub(crate) fn new(lists: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend_from_slice(list);
            starts.push(items.len() as u32);
        }
        Self {
            starts: starts.into(),
            items: items.into(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }

    #[inline]
    pub(crate) fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Return, for each of `n` items, the lists that have it.
    pub(crate) fn turned(&self, n: usize) -> Self {
        let mut turned = vec![Vec::new(); n];
        for number in 0..self.len() as u32 {
            for item in self.of(number) {
                turned[*item as usize].push(number);
            }
        }
        Self::new(&turned)
    }
}
