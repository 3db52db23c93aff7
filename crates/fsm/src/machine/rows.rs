//! Rows as differences from other rows: the step to [`Compressed`](crate::Compressed) machines from
//! a table or from a trie.

/// Access to the rows of a machine, state by state, without a table of them.
///
/// All states are given by number: 0 is the rejecting one, the start state is 1.
pub(crate) trait Rows {
    /// Return the size of the alphabet.
    fn n_letters(&self) -> usize;

    /// Return the number of states, without the rejecting one.
    fn n_states(&self) -> usize;

    /// Write the numbers of the states that follow a state.
    fn read_row(&self, state: usize, row: &mut [u32]);
}

/// Rows of a machine that is built breadth first: each is stored as its difference from the row of
/// a *base*, an earlier state whose row is kept whole.
#[derive(Clone, Debug)]
pub(crate) struct LayeredRows {
    n_letters: usize,
    /// For each state, the place of its base's row among `bases`.
    base_of: Vec<u32>,
    /// Whole rows, one after the other.
    bases: Vec<u32>,
    /// For each state the end of its exceptions.
    ends: Vec<usize>,
    exceptions: Vec<(u32, u32)>,
}

impl LayeredRows {
    /// No states.
    pub(crate) fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            base_of: Vec::new(),
            bases: Vec::new(),
            ends: Vec::new(),
            exceptions: Vec::new(),
        }
    }

    /// Add the next state. Its row is that of the earlier state `like` except for some letters in
    /// ascending order. Without an earlier state, the rest of the row is `rest`.
    pub(crate) fn push(&mut self, like: Option<usize>, rest: u32, changes: &[(u32, u32)]) {
        let start = self.exceptions.len();
        match like {
            Some(earlier) => {
                self.base_of.push(self.base_of[earlier - 1]);
                let inherited = self.exceptions_of(earlier);
                // Changes override inherited entries of the same letters.
                let mut changes = changes.iter().peekable();
                for place in inherited {
                    let old = self.exceptions[place];
                    while let Some(change) = changes.next_if(|change| change.0 < old.0) {
                        self.exceptions.push(*change);
                    }
                    let change = changes.next_if(|change| change.0 == old.0);
                    self.exceptions.push(*change.unwrap_or(&old));
                }
                self.exceptions.extend(changes);
            }
            None => {
                self.base_of
                    .push((self.bases.len() / self.n_letters.max(1)) as u32);
                self.bases.resize(self.bases.len() + self.n_letters, rest);
                self.exceptions.extend_from_slice(changes);
            }
        }
        self.ends.push(self.exceptions.len());
        // A row with many exceptions is kept whole, so that similar rows have few.
        if self.exceptions.len() - start > 16.max(self.n_letters / 8) {
            let mut row = vec![0; self.n_letters];
            let state = self.ends.len();
            self.read_row(state, &mut row);
            self.base_of[state - 1] = (self.bases.len() / self.n_letters) as u32;
            self.bases.extend(row);
            self.exceptions.truncate(start);
            self.ends[state - 1] = start;
        }
    }

    /// Return the state after a letter.
    pub(crate) fn next(&self, state: usize, letter: u32) -> u32 {
        let exceptions = &self.exceptions[self.exceptions_of(state)];
        match exceptions.binary_search_by_key(&letter, |exception| exception.0) {
            Ok(found) => exceptions[found].1,
            Err(_) => {
                self.bases[self.base_of[state - 1] as usize * self.n_letters + letter as usize]
            }
        }
    }

    fn exceptions_of(&self, state: usize) -> std::ops::Range<usize> {
        let start = match state {
            1 => 0,
            _ => self.ends[state - 2],
        };
        start..self.ends[state - 1]
    }
}

impl Rows for LayeredRows {
    fn n_letters(&self) -> usize {
        self.n_letters
    }

    fn n_states(&self) -> usize {
        self.ends.len()
    }

    fn read_row(&self, state: usize, row: &mut [u32]) {
        let base = self.base_of[state - 1] as usize * self.n_letters;
        row.copy_from_slice(&self.bases[base..][..self.n_letters]);
        for (letter, next) in &self.exceptions[self.exceptions_of(state)] {
            row[*letter as usize] = *next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_overlay_what_is_inherited() {
        let mut rows = LayeredRows::new(4);
        rows.push(None, 1, &[(1, 2), (3, 0)]);
        rows.push(Some(1), 9, &[(0, 3), (1, 0)]);
        rows.push(Some(2), 9, &[(2, 7)]);
        let mut row = [0; 4];
        let expected = [[1, 2, 1, 0], [3, 0, 1, 0], [3, 0, 7, 0]];
        for (state, expected) in (1..).zip(expected) {
            rows.read_row(state, &mut row);
            assert_eq!(row, expected);
            for letter in 0..4 {
                assert_eq!(rows.next(state, letter), expected[letter as usize]);
            }
        }
    }

    #[test]
    fn a_row_with_many_exceptions_is_kept_whole() {
        let mut rows = LayeredRows::new(100);
        let changes: Vec<(u32, u32)> = (0..30).map(|letter| (letter, 2)).collect();
        rows.push(None, 1, &[]);
        rows.push(Some(1), 0, &changes);
        rows.push(Some(2), 0, &[(50, 0)]);
        assert_eq!(rows.exceptions, [(50, 0)]);
        assert_eq!(
            (rows.next(3, 29), rows.next(3, 30), rows.next(3, 50)),
            (2, 1, 0)
        );
    }
}
