//! The kinds of pieces of an orbit.

use super::group::Group;

/// The kinds of pieces of one orbit, while they are found.
pub(super) struct Kinds<'a> {
    group: &'a Group,
    radix: usize,
    pub(super) codes: Vec<u32>,
    pub(super) contents: Vec<Vec<u32>>,
    pub(super) counts: Vec<usize>,
    /// By kind: whether its orientations differ.
    pub(super) oriented: Vec<bool>,
    pub(super) n_orientations: usize,
    /// The sum of all orientations in the goal.
    pub(super) sum: u64,
    rest: Option<usize>,
}

impl<'a> Kinds<'a> {
    pub(super) fn new(group: &'a Group, radix: usize, n_contents: usize) -> Self {
        Self {
            group,
            radix,
            codes: vec![u32::MAX; n_contents],
            contents: Vec::new(),
            counts: Vec::new(),
            oriented: Vec::new(),
            n_orientations: 0,
            sum: 0,
            rest: None,
        }
    }

    fn place_of(&self, content: &[u32]) -> usize {
        let digits = content.iter();
        digits.fold(0, |code, value| code * self.radix + *value as usize)
    }

    pub(super) fn are_all_oriented(&self) -> bool {
        self.oriented.iter().all(|oriented| *oriented)
    }

    /// Add a piece that is distinguished. `None` when its number of orientations is neither one nor
    /// that of others.
    pub(super) fn add(&mut self, content: &[u32]) -> Option<()> {
        let place = self.place_of(content);
        if self.codes[place] == u32::MAX {
            let orbit = self.group.orbit(content);
            match (orbit.len(), self.n_orientations) {
                (n, known) if n == known => {}
                (n, 0) => self.n_orientations = n,
                (1, _) => {}
                // All pieces so far had one orientation, and need room for more now.
                (n, 1) => self.widen(n),
                _ => return None,
            }
            let (kind, m) = (self.counts.len(), self.n_orientations);
            for (o, content) in orbit.iter().enumerate() {
                let place = self.place_of(content);
                self.codes[place] = (kind * m + o) as u32;
            }
            let padding = std::iter::repeat_n(orbit[0].clone(), m - orbit.len());
            self.oriented.push(orbit.len() == m);
            self.contents.extend(orbit);
            self.contents.extend(padding);
            self.counts.push(0);
        }
        let code = self.codes[place] as usize;
        self.counts[code / self.n_orientations] += 1;
        self.sum += (code % self.n_orientations) as u64;
        Some(())
    }

    /// Make room for `m` orientations where there was room for one.
    fn widen(&mut self, m: usize) {
        let codes = self.codes.iter_mut().filter(|code| **code != u32::MAX);
        codes.for_each(|code| *code *= m as u32);
        let contents = std::mem::take(&mut self.contents).into_iter();
        let widened = contents.flat_map(|content| std::iter::repeat_n(content, m));
        self.contents = widened.collect();
        self.oriented.fill(false);
        self.n_orientations = m;
    }

    /// Add a piece of the rest, which all look alike.
    pub(super) fn add_to_rest(&mut self, content: &[u32]) {
        let m = self.n_orientations.max(1);
        self.n_orientations = m;
        let known = self.codes[self.place_of(content)];
        if known != u32::MAX {
            // The piece has the values of a kept piece.
            self.counts[known as usize / m] += 1;
            return;
        }
        let kind = *self.rest.get_or_insert_with(|| {
            self.counts.push(0);
            self.oriented.push(false);
            self.contents
                .extend(std::iter::repeat_n(content.to_vec(), m));
            self.counts.len() - 1
        });
        for content in self.group.orbit(content) {
            let place = self.place_of(&content);
            self.codes[place] = (kind * m) as u32;
        }
        self.counts[kind] += 1;
    }
}
