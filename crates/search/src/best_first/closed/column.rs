//! Columns: long arrays of records that grow without being moved.

use crate::best_first::budget::Budget;
use crate::run::limits::StopReason;

/// Records in a segment.
const SEGMENT: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 13;

/// The initial capacity of the first segment, in records.
const FIRST: usize = 64;

/// An array of records of `stride` items each, in segments of fixed size.
///
/// A plain vector holds its old and its new allocation while it grows: up to three times its
/// content. Here only the first segment is ever moved.
#[derive(Debug)]
pub(crate) struct Column<T> {
    stride: usize,
    len: usize,
    segments: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub(crate) fn new(stride: usize) -> Self {
        Self {
            stride,
            len: 0,
            segments: Vec::new(),
        }
    }

    /// Return the number of records.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Return the record at a place.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> &[T] {
        let start = (at & (SEGMENT - 1)) * self.stride;
        &self.segments[at >> SEGMENT_BITS][start..start + self.stride]
    }

    /// Return the record at a place, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, at: usize) -> &mut [T] {
        let start = (at & (SEGMENT - 1)) * self.stride;
        &mut self.segments[at >> SEGMENT_BITS][start..start + self.stride]
    }

    /// Append a record.
    #[inline]
    pub(crate) fn push(&mut self, record: &[T], budget: &mut Budget) -> Result<(), StopReason> {
        debug_assert_eq!(record.len(), self.stride);
        self.make_room(budget)?;
        self.segments[self.len >> SEGMENT_BITS].extend_from_slice(record);
        self.len += 1;
        Ok(())
    }

    /// Make room for one more record, so that the next `push` succeeds.
    #[inline]
    pub(crate) fn make_room(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        match self.segments.get(self.len >> SEGMENT_BITS) {
            Some(segment) if segment.len() < segment.capacity() => Ok(()),
            _ => self.grow(budget),
        }
    }

    #[cold]
    fn grow(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        let number = self.len >> SEGMENT_BITS;
        if number == self.segments.len() {
            budget.push(&mut self.segments, Vec::new())?;
        }
        let segment = &mut self.segments[number];
        let records = if number > 0 {
            SEGMENT
        } else {
            (2 * self.len).max(FIRST)
        };
        budget.grow(segment, records * self.stride)
    }

    /// Remove the last record. Its room is kept.
    pub(crate) fn pop(&mut self) {
        self.len -= 1;
        let segment = &mut self.segments[self.len >> SEGMENT_BITS];
        segment.truncate(segment.len() - self.stride);
    }

    /// Return the size of the column in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let items: usize = self.segments.iter().map(Vec::capacity).sum();
        items * size_of::<T>() + self.segments.capacity() * size_of::<Vec<T>>()
    }

    /// Convert the items of all records. Only one segment at a time exists in both forms.
    pub(crate) fn convert<U: Copy>(
        self,
        budget: &mut Budget,
        convert: impl Fn(T) -> U,
    ) -> Result<Column<U>, StopReason> {
        let mut converted = Column::new(self.stride);
        converted.len = self.len;
        budget.grow(&mut converted.segments, self.segments.capacity())?;
        let header_bytes = self.segments.capacity() * size_of::<Vec<T>>();
        for old in self.segments {
            let mut segment = Vec::new();
            budget.grow(&mut segment, old.capacity())?;
            segment.extend(old.iter().map(|item| convert(*item)));
            budget.release(old.capacity() * size_of::<T>());
            converted.segments.push(segment);
        }
        budget.release(header_bytes);
        Ok(converted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_where_they_are_and_bytes_are_counted() {
        let mut budget = Budget::new(None);
        let mut column = Column::new(3);
        let n = 3 * SEGMENT + 17;
        for i in 0..n as u32 {
            column.push(&[i, i + 1, i + 2], &mut budget).unwrap();
            assert!(budget.peak() >= column.bytes());
        }
        assert_eq!(column.len(), n);
        column.get_mut(SEGMENT + 1)[2] = 7;
        for i in [0, 1, SEGMENT - 1, SEGMENT, 3 * SEGMENT + 16] {
            assert_eq!(column.get(i)[..2], [i as u32, i as u32 + 1]);
        }
        let wide = column.convert(&mut budget, u64::from).unwrap();
        assert_eq!(
            wide.get(SEGMENT + 1),
            [SEGMENT as u64 + 1, SEGMENT as u64 + 2, 7]
        );
        // The bytes claimed and not released are the bytes held.
        budget.release(wide.bytes());
        assert!(budget.affords(usize::MAX));
    }

    #[test]
    fn a_column_that_may_not_grow_keeps_what_it_has() {
        let mut budget = Budget::new(Some(10_000));
        let mut column = Column::new(1);
        let mut n = 0_u64;
        while column.push(&[n], &mut budget).is_ok() {
            n += 1;
        }
        // Growth from 512 items to 1024 would take 12,288 bytes and the header for a moment.
        assert_eq!((n, column.len()), (512, 512));
        assert_eq!(column.get(511), [511]);
        assert!(budget.peak() <= 10_000);
    }
}
