//! Arrays and pairs for hot loops, always inlined.
//!
//! `array::map`, `array::from_fn` and `Iterator::zip` of slices aren't: where a crate is compiled
//! in several units they may become calls, one for each short loop. Inside a kernel such a call
//! isn't even compiled for the kernel's instructions. `Vec::extend` and `Iterator::fold` may become
//! calls as well; a loop doesn't.

/// Return an array of these elements, by index.
#[inline(always)]
pub fn array<T: Copy + Default, const N: usize>(element: impl Fn(usize) -> T) -> [T; N] {
    let mut elements = [T::default(); N];
    for (i, place) in elements.iter_mut().enumerate() {
        *place = element(i);
    }
    elements
}

/// Iterate over the elements of two slices in step, up to the end of the shorter one.
#[inline(always)]
pub fn pairs<'s, A, B>(
    one: &'s [A],
    other: &'s [B],
) -> impl DoubleEndedIterator<Item = (&'s A, &'s B)> + ExactSizeIterator + Clone {
    let n = one.len().min(other.len());
    let (one, other) = (&one[..n], &other[..n]);
    (0..n).map(move |i| (&one[i], &other[i]))
}

/// Iterate over the elements of two slices in step, up to the end of the shorter one, and let the
/// first ones be changed.
#[inline(always)]
pub fn pairs_mut<'s, A, B>(
    one: &'s mut [A],
    other: &'s [B],
) -> impl DoubleEndedIterator<Item = (&'s mut A, &'s B)> + ExactSizeIterator {
    let n = one.len().min(other.len());
    let (one, other) = (&mut one[..n], &other[..n]);
    one.iter_mut().enumerate().map(move |(i, a)| (a, &other[i]))
}
