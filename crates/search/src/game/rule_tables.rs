//! Sets of rules by value: tables from which the rules that apply are intersected.

/// For each value of something that is read from a state, the set of rules that the value doesn't
/// rule out. Sets are bits, so that intersections come in the order of rules.
#[derive(Clone, Debug)]
pub(crate) struct RuleTables {
    /// The set of all rules.
    all: Box<[u64]>,
    /// One set after the other.
    sets: Vec<u64>,
}

impl RuleTables {
    /// Begin without sets.
    pub(crate) fn new(n_rules: usize) -> Self {
        let mut all = vec![!0_u64; n_rules.div_ceil(64).max(1)].into_boxed_slice();
        let last = all.len() - 1;
        all[last] = match n_rules - last * 64 {
            64 => !0,
            used => (1 << used) - 1,
        };
        Self {
            all,
            sets: Vec::new(),
        }
    }

    /// Add an empty set for each of `n_values` values. Return the place of the first one.
    pub(crate) fn add(&mut self, n_values: usize) -> usize {
        let place = self.sets.len();
        self.sets.resize(place + n_values * self.all.len(), 0);
        place
    }

    /// Make the set of a value that of all rules.
    #[inline]
    pub(crate) fn fill(&mut self, place: usize, value: usize) {
        let n_words = self.all.len();
        self.sets[place + value * n_words..][..n_words].copy_from_slice(&self.all);
    }

    /// Record that a value rules out a rule.
    pub(crate) fn rule_out(&mut self, place: usize, value: usize, rule: usize) {
        self.sets[place + value * self.all.len() + rule / 64] &= !(1 << (rule % 64));
    }

    /// Return the set of all rules.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[u64] {
        &self.all
    }

    /// Return the length of a set.
    #[inline(always)]
    pub(crate) fn n_words(&self) -> usize {
        self.all.len()
    }

    /// Return the number of bytes of all sets, with some more.
    pub(crate) fn bytes_with(&self, n_values: usize) -> usize {
        let more = n_values.saturating_mul(self.n_words());
        (self.sets.len() + more).saturating_mul(size_of::<u64>())
    }

    /// Return the set of a value.
    #[inline(always)]
    pub(crate) fn set(&self, place: usize, value: usize) -> &[u64] {
        &self.sets[place + value * self.all.len()..][..self.all.len()]
    }

    /// Return the 64 rules from number `64 * word` on in the set of a value.
    #[inline(always)]
    pub(crate) fn word(&self, place: usize, value: usize, word: usize) -> u64 {
        self.sets[place + value * self.all.len() + word]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_rules_that_are_not_ruled_out() {
        for (n_rules, all) in [
            (0, vec![0]),
            (3, vec![7]),
            (64, vec![!0]),
            (65, vec![!0, 1]),
        ] {
            let mut tables = RuleTables::new(n_rules);
            assert_eq!(tables.all(), all);
            let _ = tables.add(3);
            let place = tables.add(2);
            assert_eq!(tables.set(place, 1), vec![0; all.len()]);
            tables.fill(place, 0);
            tables.fill(place, 1);
            assert_eq!(tables.bytes_with(0), 5 * 8 * all.len());
            let Some(last) = n_rules.checked_sub(1) else {
                continue;
            };
            tables.rule_out(place, 1, last);
            assert_eq!(tables.set(place, 0), all);
            let mut fewer = all;
            fewer[last / 64] -= 1 << (last % 64);
            assert_eq!(tables.set(place, 1), fewer);
            assert_eq!(tables.word(place, 1, last / 64), fewer[last / 64]);
        }
    }
}
