//! A decision tree: nested tests that list the rules that apply.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::{CanonicalRule, Term, TermKind, VarId};

use crate::c_text::{all_of, open_init};

/// Tests are nested this deep at most: compilers have limits of their own.
const MOST_NESTED: usize = 60;

/// What is left to be tested of some rules.
pub(crate) struct Node {
    /// The rules of which no more than a few tests are left, with these.
    pub(crate) rules: Vec<(usize, Vec<(VarId, Term)>)>,
    /// One after the other: a variable, and the rules that test it, by value.
    pub(crate) branches: Vec<(VarId, BTreeMap<u32, Node>)>,
}

/// A rule on its way into the tree: its number, and its tests that aren't decided yet.
type Open = (usize, Vec<(VarId, Term)>);

impl Node {
    /// The tree of some rules, each of which stands in one place of it.
    pub(crate) fn of(rules: &[&CanonicalRule]) -> Self {
        let open = |(number, rule): (usize, &&CanonicalRule)| (number, rule.tests().collect());
        Self::grow(rules.iter().enumerate().map(open).collect(), 0)
    }

    fn grow(mut open: Vec<Open>, depth: usize) -> Self {
        let mut node = Self {
            rules: Vec::new(),
            branches: Vec::new(),
        };
        // How many of the open rules test each variable for a value.
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

    /// The most rules that one state can find here: of each branch one value.
    pub(crate) fn most(&self) -> usize {
        let of_branch = |(_, children): &(VarId, BTreeMap<u32, Node>)| {
            let most = children.values().map(Node::most).max();
            most.unwrap_or(0)
        };
        self.rules.len() + self.branches.iter().map(of_branch).sum::<usize>()
    }

    fn write(&self, text: &mut String, indent: usize) {
        for (number, tests) in &self.rules {
            let tests = conditions(tests);
            let add = format!("iter->rules[iter->count++] = {number};");
            let _ = match tests.is_empty() {
                true => writeln!(text, "{:indent$}{add}", ""),
                false => writeln!(
                    text,
                    "{0:indent$}if ({1}) {{\n{0:indent$}    {add}\n{0:indent$}}}",
                    "",
                    all_of(&tests, indent + 4)
                ),
            };
        }
        for (var, children) in &self.branches {
            let _ = writeln!(text, "{:indent$}switch (vars[{}]) {{", "", var.0);
            for (value, child) in children {
                let _ = writeln!(text, "{:indent$}case {value}:", "");
                child.write(text, indent + 4);
                let _ = writeln!(text, "{:indent$}    break;", "");
            }
            let _ = writeln!(
                text,
                "{0:indent$}default:\n{0:indent$}    break;\n{0:indent$}}}",
                ""
            );
        }
    }
}

/// The tests for values.
fn constants(tests: &[(VarId, Term)]) -> impl Iterator<Item = (VarId, u32)> + '_ {
    tests
        .iter()
        .filter_map(|(var, term)| term.as_constant().map(|value| (*var, value.0)))
}

/// Add the type of iterators, and the function that goes on.
pub(crate) fn write_iterator(text: &mut String, most: usize) {
    let _ = writeln!(
        text,
        "/* The rules that apply, and how many of them were given out. */\n\
         typedef struct {{\n    int next;\n    int count;\n    int rules[{most}];\n}} \
         ruleid_iterator_t;\n"
    );
    text.push_str(include_str!("../runtime/listed_rules.c"));
}

/// Add the function that lists the rules of a direction.
pub(crate) fn write_init(text: &mut String, id: &str, rules: &[&CanonicalRule]) {
    open_init(text, id);
    let node = Node::of(rules);
    match rules.iter().any(|rule| rule.tests().next().is_some()) {
        true => text.push_str("    const psvn_value_t *vars = state->vars;\n"),
        false => text.push_str("    (void) state;\n"),
    }
    text.push_str("    iter->next = 0;\n    iter->count = 0;\n");
    node.write(text, 4);
    text.push_str("    psvn_sort_rules(iter);\n}\n\n");
}

/// Tests as conditions that C and Rust write alike.
pub(crate) fn conditions(tests: &[(VarId, Term)]) -> Vec<String> {
    let condition = |(var, term): &(VarId, Term)| match term.kind() {
        TermKind::Constant(value) => format!("vars[{}] == {}", var.0, value.0),
        TermKind::Variable(other) => format!("vars[{}] == vars[{}]", var.0, other.0),
    };
    tests.iter().map(condition).collect()
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
