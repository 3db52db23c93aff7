//! The order of open nodes.

/// The rank of an open node: nodes with less f come first; among those with equal f, nodes with
/// more g.
///
/// Of two nodes with equal f, the one with more g has the lower estimate. With this order the last
/// layer of a search is not expanded in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rank {
    pub(crate) f: u128,
    pub(crate) g: u64,
}

impl Ord for Rank {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.f.cmp(&other.f).then(other.g.cmp(&self.g))
    }
}

impl PartialOrd for Rank {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
