//! Bit sets: for each word of 64 rules, the intersection of the sets that the variables' values
//! allow.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::{CanonicalRule, TermKind};

use crate::language::{Element, Language};

/// The rules of one direction as sets.
pub(super) struct Sets {
    words: Vec<Word>,
    /// The number of values of each variable.
    sizes: Vec<usize>,
}

/// 64 rules.
struct Word {
    /// All of them: fewer than 64 in the last word.
    all: u64,
    /// By variable, the values that rules test it for, each with these rules.
    constants: BTreeMap<usize, Constants>,
    /// By two variables, the rules that demand equal values.
    equal: BTreeMap<(usize, usize), u64>,
}

#[derive(Default)]
struct Constants {
    testing: u64,
    by_value: BTreeMap<usize, u64>,
}

impl Constants {
    /// The value that is tested for, if it is the only one: a comparison replaces the table.
    fn single(&self) -> Option<usize> {
        match self.by_value.len() {
            1 => self.by_value.keys().next().copied(),
            _ => None,
        }
    }
}

impl Sets {
    pub(super) fn of(rules: &[&CanonicalRule], domain_sizes: &[usize]) -> Self {
        Self {
            words: rules.chunks(64).map(Word::of).collect(),
            sizes: domain_sizes.to_vec(),
        }
    }

    /// The entries of all tables: one for each value of a variable.
    pub(super) fn n_entries(&self) -> usize {
        let tables = self.words.iter().flat_map(|word| &word.constants);
        tables
            .filter(|(_, constants)| constants.single().is_none())
            .map(|(variable, _)| self.sizes[*variable])
            .sum()
    }

    /// Add the tables of the rules that values allow.
    pub(super) fn write_tables<L: Language>(&self, text: &mut String, language: &L, id: &str) {
        for (number, word) in self.words.iter().enumerate() {
            for (variable, constants) in &word.constants {
                if constants.single().is_some() {
                    continue;
                }
                let name = table(language, id, number, *variable);
                let size = self.sizes[*variable];
                let sets = (0..size).map(|value| language.set(word.allowed(constants, value)));
                language.add_table(text, &name, Element::Set, size, sets);
            }
        }
    }

    /// Add the statements that fill the `n_words` sets of an iterator.
    pub(super) fn write_body<L: Language>(
        &self,
        text: &mut String,
        language: &L,
        id: &str,
        n_words: usize,
    ) {
        for (number, word) in self.words.iter().enumerate() {
            word.write(text, language, id, number);
        }
        for number in self.words.len()..n_words {
            let _ = writeln!(text, "    sets[{number}] = 0;");
        }
    }
}

impl Word {
    fn of(rules: &[&CanonicalRule]) -> Self {
        let mut word = Self {
            all: u64::MAX >> (64 - rules.len()),
            constants: BTreeMap::new(),
            equal: BTreeMap::new(),
        };
        for (number, rule) in rules.iter().enumerate() {
            let bit = 1_u64 << number;
            for (var, term) in rule.tests() {
                match term.kind() {
                    TermKind::Constant(value) => {
                        let constants = word.constants.entry(var.index()).or_default();
                        constants.testing |= bit;
                        *constants.by_value.entry(value.index()).or_default() |= bit;
                    }
                    TermKind::Variable(other) => {
                        *word.equal.entry((other.index(), var.index())).or_default() |= bit;
                    }
                }
            }
        }
        word
    }

    /// The rules that a value allows.
    fn allowed(&self, constants: &Constants, value: usize) -> u64 {
        let testing_it = constants.by_value.get(&value).unwrap_or(&0);
        testing_it | (self.all & !constants.testing)
    }

    fn write<L: Language>(&self, text: &mut String, language: &L, id: &str, number: usize) {
        let all = language.set(self.all);
        let _ = writeln!(text, "    set = {all};");
        let mut restrict = |allowed: String| {
            let _ = writeln!(text, "    set &= {allowed};");
        };
        for (variable, constants) in &self.constants {
            let value = format!("vars[{variable}]");
            restrict(match constants.single() {
                Some(constant) => {
                    let untested = language.set(self.all & !constants.testing);
                    language.choice(&format!("{value} == {constant}"), &all, &untested)
                }
                None => language.entry(&table(language, id, number, *variable), &value),
            });
        }
        for ((first, second), rules) in &self.equal {
            let rest = language.set(self.all & !rules);
            let condition = format!("vars[{first}] == vars[{second}]");
            restrict(language.choice(&condition, &all, &rest));
        }
        let _ = writeln!(text, "    sets[{number}] = set;");
    }
}

fn table<L: Language>(language: &L, id: &str, word: usize, variable: usize) -> String {
    language.table(id, &format!("rules_{word}_{variable}"))
}
