//! Lists of rows that begin at whole lines of the cache.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

/// 64 bytes at a multiple of 64.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Rows in lines. A new list begins with a new line, and one more line than needed is there: a
/// kernel may read whole lines, wherever it begins.
#[derive(Clone)]
pub(super) struct Lines<R> {
    lines: Vec<Line>,
    row: PhantomData<R>,
}

impl<R: Pod> Lines<R> {
    /// The rows of a line.
    const PER_LINE: usize = size_of::<Line>() / size_of::<R>();

    pub(super) fn new() -> Self {
        Self {
            lines: vec![Line::zeroed()],
            row: PhantomData,
        }
    }

    /// Adds a list. Says the place of its first row.
    pub(super) fn push(&mut self, rows: impl ExactSizeIterator<Item = R>) -> u32 {
        let start = (self.lines.len() - 1) * Self::PER_LINE;
        let n_lines = rows.len().div_ceil(Self::PER_LINE);
        self.lines
            .resize(self.lines.len() + n_lines, Line::zeroed());
        let places = &mut bytemuck::cast_slice_mut::<Line, R>(&mut self.lines)[start..];
        for (place, row) in places.iter_mut().zip(rows) {
            *place = row;
        }
        u32::try_from(start).expect("fewer than 2^32 rows")
    }

    /// All rows.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[R] {
        bytemuck::cast_slice(&self.lines)
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}
