impl RuleIter {
    fn add(&mut self, rule: u32) {
        self.rules[self.count] = rule;
        self.count += 1;
    }

    fn sort(&mut self) {
        self.rules[..self.count].sort_unstable();
    }
}

impl Iterator for RuleIter {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let rule = *self.rules[..self.count].get(self.next)?;
        self.next += 1;
        Some(rule as usize)
    }
}
