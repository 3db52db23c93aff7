//! The data kept for each node of a path.

use bytemuck::{Pod, Zeroable};

/// The maximum number of values of coordinates of a node, over all images.
pub(super) const MOST_VALUES: usize = 14;
/// The maximum number of images that are looked up.
pub(crate) const MOST_AXES: usize = 8;
/// The maximum number of coordinates.
pub(crate) const MOST_COORDINATES: usize = 7;
/// The distance of a state from which the goal can't be reached.
pub(crate) const DEAD: u8 = u8::MAX;

/// The data kept for a node: the values of the coordinates of each image of the state, and the
/// distance of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CoordinateMemo {
    pub(crate) values: [u32; MOST_VALUES],
    pub(crate) distances: [u8; MOST_AXES],
}

#[cfg(test)]
impl CoordinateMemo {
    pub(crate) fn distances(&self) -> &[u8] {
        &self.distances
    }
}
