//! Large arrays, in large pages.
//!
//! Tables are accessed at random places. With pages of 4 KiB each access would first have to look
//! up its page, and in a virtual machine that takes longer than the access itself.

use crate::progress::BuildError;

/// The minimum size of an array that gains from large pages.
const LEAST_BYTES: usize = 4 << 20;

/// Return an array of zeros; an error instead of an abort when there is no memory.
pub(crate) fn zeros<T>(n: u64) -> Result<Vec<T>, BuildError>
where
    T: bytemuck::Zeroable,
{
    let bytes = u128::from(n) * size_of::<T>() as u128;
    let n = usize::try_from(n).map_err(|_| BuildError::OutOfMemory(bytes))?;
    match bytemuck::allocation::try_zeroed_slice_box(n) {
        Ok(mut array) => {
            ask_for(&mut array);
            Ok(array.into_vec())
        }
        Err(()) => Err(BuildError::OutOfMemory(bytes)),
    }
}

/// Ask the system to put an array in large pages, preferably before it is written to. No effect if
/// the system can't.
fn ask_for<T>(array: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};

        let bytes = size_of_val(array);
        if bytes < LEAST_BYTES {
            return;
        }
        let start: *mut T = array.as_mut_ptr();
        let start = start.cast::<u8>();
        let page = rustix::param::page_size();
        let skipped = start.align_offset(page);
        let whole = bytes.saturating_sub(skipped) / page * page;
        // SAFETY: the range lies within the array, which is borrowed, and this advice doesn't
        // change its content.
        let _ = unsafe { madvise(start.add(skipped).cast(), whole, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = array;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn arrays_stay_as_they_are() {
        let mut array: Vec<u32> = (0..3_000_000).collect();
        super::ask_for(&mut array);
        assert!(
            array
                .iter()
                .enumerate()
                .all(|(i, number)| i == *number as usize)
        );
        super::ask_for::<u8>(&mut []);
    }
}
