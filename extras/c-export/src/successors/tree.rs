//! A decision tree: nested tests that list the rules that apply.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::{CanonicalRule, Term, VarId};

use crate::goals::condition;
use crate::language::Language;

/// The greatest depth of nested tests: compilers limit it.
const MOST_NESTED: usize = 60;

/// The remaining tests of some rules.
pub(super) struct Node {
    /// The rules with only a few remaining tests, with these tests.
    rules: Vec<Open>,
    /// One after the other: a variable, and the rules that test it, by value.
    branches: Vec<(VarId, BTreeMap<u32, Node>)>,
}

/// A rule on its way into the tree: its number, and its undecided tests.
type Open = (usize, Vec<(VarId, Term)>);

impl Node {
    /// The tree of some rules, each of which has one place in it.
    pub(super) fn of(rules: &[&CanonicalRule]) -> Self {
        let open = |(number, rule): (usize, &&CanonicalRule)| (number, rule.tests().collect());
        Self::grow(rules.iter().enumerate().map(open).collect(), 0)
    }

    fn grow(mut open: Vec<Open>, depth: usize) -> Self {
        let mut node = Self {
            rules: Vec::new(),
            branches: Vec::new(),
        };
        // For each variable, the number of open rules that test it for a value.
        let mut uses: BTreeMap<VarId, usize> = BTreeMap::new();
        for (var, _) in open.iter().flat_map(|(_, tests)| constants(tests)) {
            *uses.entry(var).or_default() += 1;
        }
        loop {
            let most = uses.values().max().copied().unwrap_or(0);
            let chosen = uses.iter().find(|(_, n)| **n == most).map(|(var, _)| *var);
            // A branch for one rule is a condition like any other.
            let Some(var) = chosen.filter(|_| most > 1 && depth < MOST_NESTED) else {
                node.rules.extend(open);
                return node;
            };
            let mut by_value: BTreeMap<u32, Vec<Open>> = BTreeMap::new();
            let mut rest = Vec::new();
            for (number, mut tests) in open {
                let test = constants(&tests).find(|(tested, _)| *tested == var);
                match test {
                    None => rest.push((number, tests)),
                    Some((_, value)) => {
                        for (tested, _) in constants(&tests) {
                            uses.entry(tested).and_modify(|n| *n -= 1);
                        }
                        tests.retain(|(tested, _)| *tested != var);
                        by_value.entry(value).or_default().push((number, tests));
                    }
                }
            }
            let children = by_value.into_iter();
            let children = children.map(|(value, open)| (value, Self::grow(open, depth + 1)));
            node.branches.push((var, children.collect()));
            open = rest;
        }
    }

    /// The most rules that one state can find here: one value of each branch.
    pub(super) fn most(&self) -> usize {
        let of_branch = |(_, children): &(VarId, BTreeMap<u32, Node>)| {
            let most = children.values().map(Node::most).max();
            most.unwrap_or(0)
        };
        self.rules.len() + self.branches.iter().map(of_branch).sum::<usize>()
    }

    /// Add the statements that list the rules that apply.
    pub(super) fn write<L: Language>(&self, text: &mut String, language: &L, indent: usize) {
        for (number, tests) in &self.rules {
            let list_it = language.list_rule(*number);
            if tests.is_empty() {
                let _ = writeln!(text, "{:indent$}{list_it}", "");
            } else {
                let conditions = tests.iter().map(|(var, term)| condition(*var, term));
                let conditions: Vec<String> = conditions.collect();
                text.push_str(&language.guarded(indent, &conditions, &list_it));
            }
        }
        for (var, children) in &self.branches {
            let (first, last) = language.cases(indent, &format!("vars[{}]", var.0));
            text.push_str(&first);
            for (value, child) in children {
                let (first, last, inside) = language.case(indent, *value);
                text.push_str(&first);
                child.write(text, language, inside);
                text.push_str(&last);
            }
            text.push_str(&last);
        }
    }
}

/// The tests for values.
fn constants(tests: &[(VarId, Term)]) -> impl Iterator<Item = (VarId, u32)> + '_ {
    tests
        .iter()
        .filter_map(|(var, term)| term.as_constant().map(|value| (*var, value.0)))
}

#[cfg(test)]
mod tests {
    use psvn_ir::Value;

    use super::*;

    fn rule(preconditions: &[Option<u32>]) -> CanonicalRule {
        let term = |(i, value): (usize, &Option<u32>)| match value {
            Some(value) => Term::constant(Value(*value)),
            None => Term::variable(VarId::from_index(i)),
        };
        let terms: Vec<Term> = preconditions.iter().enumerate().map(term).collect();
        CanonicalRule::canonicalize(&terms, &terms, 1)
    }

    #[test]
    fn rules_that_test_for_different_values_exclude_each_other() {
        let rules = [
            rule(&[Some(0), None]),
            rule(&[Some(1), None]),
            rule(&[Some(1), Some(2)]),
            rule(&[None, Some(2)]),
            rule(&[None, None]),
        ];
        let rules: Vec<&CanonicalRule> = rules.iter().collect();
        // At 1 2 all but the first rule apply.
        assert_eq!(Node::of(&rules).most(), 4);
        assert_eq!(Node::of(&[]).most(), 0);
    }
}
