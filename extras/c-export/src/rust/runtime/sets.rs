impl Iterator for RuleIter {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while let Some(set) = self.sets.get_mut(self.word) {
            if *set != 0 {
                let rule = 64 * self.word + set.trailing_zeros() as usize;
                *set &= *set - 1;
                return Some(rule);
            }
            self.word += 1;
        }
        None
    }
}
