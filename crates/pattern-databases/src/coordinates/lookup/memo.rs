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

/// The number of values in whose places the distances of duals are kept, where they are free.
const DUAL_VALUES: usize = MOST_AXES / size_of::<u32>();

/// Return whether this number of values leaves room for the distances of duals.
pub(crate) fn has_room_for_duals(n_values: usize) -> bool {
    n_values + DUAL_VALUES <= MOST_VALUES
}

/// The data kept for a node: the values of the coordinates of each image of the state, and the
/// distance of each. If there is room, the last values are the distances of the images' duals, or
/// lower bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CoordinateMemo {
    pub(crate) values: [u32; MOST_VALUES],
    pub(crate) distances: [u8; MOST_AXES],
}

impl CoordinateMemo {
    /// Return the distances of duals.
    #[inline(always)]
    pub(crate) fn duals(&self) -> &[u8; MOST_AXES] {
        let values = self.values.last_chunk::<DUAL_VALUES>();
        bytemuck::cast_ref(values.expect("the memo has places for them"))
    }

    #[inline(always)]
    pub(crate) fn duals_mut(&mut self) -> &mut [u8; MOST_AXES] {
        let values = self.values.last_chunk_mut::<DUAL_VALUES>();
        bytemuck::cast_mut(values.expect("the memo has places for them"))
    }
}
