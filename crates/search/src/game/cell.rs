//! Cells: the values inside a packed state, and their width.

use psvn_ir::Value;

/// The number of cells in a block. A state of up to 16 variables is one block, which is copied and
/// compared as an array of fixed size.
pub(crate) const BLOCK: usize = 16;

/// Sixteen cells. Cells beyond the last variable are 0 in every state.
pub(crate) type Block<C> = [C; BLOCK];

mod sealed {
    pub trait Sealed {}
}

/// One value of a packed state: `u8`, `u16` or `u32`, the narrowest that holds every value of the
/// game. Sealed.
pub trait Cell:
    sealed::Sealed + bytemuck::Pod + Eq + Default + std::fmt::Debug + Send + Sync
{
    /// The largest number of values that a domain may have.
    const CAPACITY: usize;

    /// Pack a value.
    ///
    /// # Panics
    /// When it doesn't fit.
    fn pack(value: Value) -> Self;

    /// Return the value.
    fn value(self) -> Value;

    /// Return the value as an index.
    #[inline]
    fn index(self) -> usize {
        self.value().index()
    }

    /// Mix sixteen cells into a running hash.
    #[doc(hidden)]
    fn mix(hash: u64, block: &[Self; BLOCK]) -> u64;
}

macro_rules! cell {
    ($type:ty) => {
        impl sealed::Sealed for $type {}

        impl Cell for $type {
            const CAPACITY: usize = (<$type>::MAX as usize).saturating_add(1);

            #[inline]
            fn pack(value: Value) -> Self {
                <$type>::try_from(value.0).expect("the cell was chosen to hold every value")
            }

            #[inline]
            fn value(self) -> Value {
                Value(u32::from(self))
            }

            #[inline]
            fn mix(mut hash: u64, block: &[Self; BLOCK]) -> u64 {
                for cells in block.chunks_exact(8 / size_of::<$type>()) {
                    let word = cells.iter().rev().fold(0, |word: u64, cell| {
                        word << (<$type>::BITS % 64) | u64::from(*cell)
                    });
                    // An odd multiplier (from the golden ratio) moves low bits up, the shift moves
                    // high ones down.
                    hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    hash ^= hash >> 29;
                }
                hash
            }
        }
    };
}

cell!(u8);
cell!(u16);
cell!(u32);

/// Return whether two packed states are equal.
#[inline]
pub(crate) fn rows_equal<C: Cell>(a: &[Block<C>], b: &[Block<C>]) -> bool {
    match (a, b) {
        ([a], [b]) => a == b,
        _ => a == b,
    }
}

/// Hash a packed state.
#[inline]
pub(crate) fn hash_row<C: Cell>(row: &[Block<C>]) -> u64 {
    row.iter().fold(0, C::mix)
}
