//! Arrays and pairs for hot loops, always inlined.
//!
//! `array::map`, `array::from_fn` and `Iterator::zip` of slices aren't always: they may become
//! calls, and inside a kernel such a call isn't compiled for the kernel's instructions.

/// Return an array of these elements, by index.
#[inline(always)]
pub(crate) fn array<T: Copy + Default, const N: usize>(element: impl Fn(usize) -> T) -> [T; N] {
    let mut elements = [T::default(); N];
    for (i, place) in elements.iter_mut().enumerate() {
        *place = element(i);
    }
    elements
}

/// Iterate over the elements of two slices in step, up to the end of the shorter one.
#[inline(always)]
pub(crate) fn pairs<'s, A, B>(
    one: &'s [A],
    other: &'s [B],
) -> impl Iterator<Item = (&'s A, &'s B)> {
    let n = one.len().min(other.len());
    let (one, other) = (&one[..n], &other[..n]);
    (0..n).map(move |i| (&one[i], &other[i]))
}
