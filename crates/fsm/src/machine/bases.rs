//! The choice of the rows of a machine that are kept whole.

use crate::machine::dense::Dense;

/// The number of first rows that may become base rows. States are usually numbered breadth first,
/// so these rows belong to short words, and later rows resemble them.
const N_FIRST: usize = 128;

/// The number of further rows that may become base rows, spread evenly over all states.
const N_SPREAD: usize = 128;

/// The approximate number of states, spread evenly, from which the saving of candidates is
/// computed.
const N_SAMPLED: usize = 8192;

/// The maximum size of an alphabet with [`Layout::Bitmap`](crate::Layout::Bitmap): for larger ones
/// the number of marks would not fit in a byte.
pub(crate) const MAX_BITMAP_LETTERS: usize = 256;

/// Whole rows, and for each state the nearest.
pub(crate) struct Bases {
    /// The rows, one after the other.
    pub(crate) rows: Vec<u32>,
    /// For each state the number of its row.
    pub(crate) base_of: Vec<u32>,
    /// For each state, the number of letters in which it differs from its base row.
    pub(crate) n_exceptions: Vec<u32>,
}

impl Bases {
    /// Compare a sample of rows with at most 256 *candidates*, and drop those that don't save the
    /// memory that they take. Then refer each row to the nearest remaining one, or to the first of
    /// several. A row that is near none is kept whole.
    pub(crate) fn choose(machine: &Dense) -> Self {
        let n_letters = machine.n_letters() as usize;
        let n_states = machine.n_states();
        let mut candidates = Candidates::of(machine);
        let mut row = vec![0; n_letters];
        // The saving of each candidate compared with the nearest earlier one.
        let mut saved = vec![0_usize; candidates.len()];
        let every = n_states.div_ceil(N_SAMPLED).max(1);
        for state in (1..=n_states).step_by(every) {
            read_row(machine, state, &mut row);
            let (nearest, distance, otherwise) = candidates.nearest(&row);
            saved[nearest] += otherwise - distance;
        }
        // The first candidate is kept for rows that are near no other.
        candidates.retain(|candidate| candidate == 0 || saved[candidate] * every > n_letters);
        let mut bases = Self {
            rows: Vec::new(),
            base_of: Vec::with_capacity(n_states),
            n_exceptions: Vec::with_capacity(n_states),
        };
        let n_candidates = candidates.len();
        // Exceptions of large alphabets take two words, see `Layout::List`.
        let exception_words = if n_letters > MAX_BITMAP_LETTERS { 2 } else { 1 };
        let mut n_own = 0;
        let mut own = Vec::new();
        for state in 1..=n_states {
            read_row(machine, state, &mut row);
            let (nearest, distance, _) = candidates.nearest(&row);
            if distance * exception_words >= n_letters.max(1) {
                bases.base_of.push((n_candidates + n_own) as u32);
                bases.n_exceptions.push(0);
                own.extend_from_slice(&row);
                n_own += 1;
            } else {
                bases.base_of.push(nearest as u32);
                bases.n_exceptions.push(distance as u32);
            }
        }
        bases.rows = candidates.rows;
        bases.rows.extend(own);
        bases
    }
}

struct Candidates {
    n_letters: usize,
    n: usize,
    rows: Vec<u32>,
}

impl Candidates {
    fn of(machine: &Dense) -> Self {
        let n_letters = machine.n_letters() as usize;
        let n_states = machine.n_states();
        let first = 1..=n_states.min(N_FIRST);
        let behind = n_states - first.clone().count();
        let spread =
            (1..=N_SPREAD.min(behind)).map(|i| N_FIRST + i * behind / N_SPREAD.min(behind));
        let mut candidates = Self {
            n_letters,
            n: 0,
            rows: Vec::new(),
        };
        let mut row = vec![0; n_letters];
        for state in first.chain(spread) {
            read_row(machine, state, &mut row);
            candidates.rows.extend_from_slice(&row);
            candidates.n += 1;
        }
        candidates
    }

    fn len(&self) -> usize {
        self.n
    }

    fn row(&self, candidate: usize) -> &[u32] {
        &self.rows[candidate * self.n_letters..][..self.n_letters]
    }

    /// Return the nearest candidate, its distance, and the distance of the nearest before it (or
    /// the number of letters).
    fn nearest(&self, row: &[u32]) -> (usize, usize, usize) {
        let mut nearest = (0, usize::MAX, self.n_letters);
        for candidate in 0..self.n {
            let differ = self.row(candidate).iter().zip(row);
            let distance: u32 = differ.map(|(a, b)| u32::from(a != b)).sum();
            let distance = distance as usize;
            if distance < nearest.1 {
                nearest = (candidate, distance, nearest.1.min(self.n_letters));
            }
        }
        nearest
    }

    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.n).filter(|candidate| keep(*candidate)).collect();
        self.rows = kept.iter().flat_map(|c| self.row(*c).to_vec()).collect();
        self.n = kept.len();
    }
}

/// Write the numbers of the states that follow a state, which is given by its number too.
pub(crate) fn read_row(machine: &Dense, state: usize, row: &mut [u32]) {
    for (slot, next) in row.iter_mut().zip(machine.successors(state)) {
        *slot = next as u32;
    }
}
