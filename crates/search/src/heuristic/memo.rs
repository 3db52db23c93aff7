//! The data that heuristics keep for the nodes of a path.

use bytemuck::{Pod, from_bytes, from_bytes_mut};

/// The maximum size of the data in a [`Memo`].
pub const MEMO_BYTES: usize = 64;

/// The data that a [heuristic](crate::Heuristic) keeps for a node of a path: a block of
/// [`MEMO_BYTES`] bytes that only the heuristic understands. All bytes are 0 at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Memo([u8; MEMO_BYTES]);

impl Default for Memo {
    fn default() -> Self {
        Self([0; MEMO_BYTES])
    }
}

impl Memo {
    /// Return the data. Its type must be the one that was written; it has room, or the program
    /// doesn't compile.
    #[inline(always)]
    pub fn read<T: Pod>(&self) -> &T {
        const { Self::assert_room::<T>() };
        from_bytes(&self.0[..size_of::<T>()])
    }

    /// Return the data for writing, as for [`read`](Self::read).
    #[inline(always)]
    pub fn get_mut<T: Pod>(&mut self) -> &mut T {
        const { Self::assert_room::<T>() };
        from_bytes_mut(&mut self.0[..size_of::<T>()])
    }

    /// Write the data.
    #[inline(always)]
    pub fn write<T: Pod>(&mut self, data: T) {
        *self.get_mut() = data;
    }

    const fn assert_room<T>() {
        assert!(size_of::<T>() <= MEMO_BYTES);
        assert!(align_of::<T>() <= align_of::<Self>());
    }
}
