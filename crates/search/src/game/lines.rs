//! Lists of packed states that begin at cache-line boundaries.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

/// 64 bytes at a multiple of 64.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line([u8; 64]);

impl Line {
    /// Return the packed states in it.
    #[inline(always)]
    pub(crate) fn packed_states<R: Pod>(&self) -> &[R] {
        bytemuck::cast_slice(&self.0)
    }

    /// Return its first byte.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }
}

/// Packed states in lines. Each list begins with a new line, and one extra line follows the last
/// list, since a kernel may read whole lines wherever it begins. The rest of the last line of a
/// list is filled with copies of its last packed state.
#[derive(Clone)]
pub(crate) struct Lines<R> {
    lines: Vec<Line>,
    packed: PhantomData<R>,
}

impl<R: Pod> Lines<R> {
    /// The packed states of a line.
    const PER_LINE: usize = size_of::<Line>() / size_of::<R>();

    pub(crate) fn new() -> Self {
        Self {
            lines: vec![Line::zeroed()],
            packed: PhantomData,
        }
    }

    /// Add a list of `n` packed states, given by their numbers. Return the place of the first one.
    pub(crate) fn push(&mut self, n: usize, get: &mut dyn FnMut(usize) -> R) -> u32 {
        let start = (self.lines.len() - 1) * Self::PER_LINE;
        let n_lines = n.div_ceil(Self::PER_LINE);
        let padded = self.lines.len() + n_lines;
        self.lines.resize(padded, Line::zeroed());
        let end = start + n_lines * Self::PER_LINE;
        let places = &mut bytemuck::cast_slice_mut::<Line, R>(&mut self.lines)[start..end];
        let mut last = R::zeroed();
        for (i, place) in places.iter_mut().enumerate() {
            if i < n {
                last = get(i);
            }
            *place = last;
        }
        u32::try_from(start).expect("fewer than 2^32 packed_states")
    }

    /// Return all packed states.
    #[inline(always)]
    pub(crate) fn packed_states(&self) -> &[R] {
        bytemuck::cast_slice(&self.lines)
    }

    /// Return the lines with the `n` packed states of a list that begins at a place.
    #[inline(always)]
    pub(crate) fn of_list(&self, start: u32, n: usize) -> &[Line] {
        let first = start as usize / Self::PER_LINE;
        &self.lines[first..first + n.div_ceil(Self::PER_LINE)]
    }

    /// Return the bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}
