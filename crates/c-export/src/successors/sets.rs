//! Bit sets: for each word of 64 rules, the intersection of what the values of variables allow.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::{CanonicalRule, TermKind};

use crate::c_text::{array, open_init};
use crate::runtime;

/// The rules of one direction as sets.
pub(crate) struct Sets {
    pub(crate) words: Vec<Word>,
    /// The number of values of each variable.
    pub(crate) sizes: Vec<usize>,
}

/// 64 rules.
pub(crate) struct Word {
    /// All of them: fewer than 64 in the last word.
    pub(crate) all: u64,
    /// By variable, the rules that test it for a value, and which of them.
    pub(crate) constants: BTreeMap<usize, Constants>,
    /// By two variables, the rules that demand equal values.
    pub(crate) equal: BTreeMap<(usize, usize), u64>,
}

#[derive(Default)]
pub(crate) struct Constants {
    pub(crate) testing: u64,
    by_value: BTreeMap<usize, u64>,
}

impl Constants {
    /// The only value that is tested for: a comparison does what a table would.
    pub(crate) fn single(&self) -> Option<usize> {
        match self.by_value.len() {
            1 => self.by_value.keys().next().copied(),
            _ => None,
        }
    }
}

impl Sets {
    pub(crate) fn of(rules: &[&CanonicalRule], domain_sizes: &[usize]) -> Self {
        Self {
            words: rules.chunks(64).map(Word::of).collect(),
            sizes: domain_sizes.to_vec(),
        }
    }

    /// The entries of all tables: one for each value of a variable.
    pub(crate) fn n_entries(&self) -> usize {
        let tables = self.words.iter().flat_map(|word| &word.constants);
        tables
            .filter(|(_, constants)| constants.single().is_none())
            .map(|(variable, _)| self.sizes[*variable])
            .sum()
    }

    /// Add the tables, and the function that fills an iterator of `n_words` words.
    pub(crate) fn write(&self, text: &mut String, id: &str, n_words: usize) {
        for (number, word) in self.words.iter().enumerate() {
            for (variable, constants) in &word.constants {
                if constants.single().is_none() {
                    let name = table(id, number, *variable);
                    let entries = (0..self.sizes[*variable])
                        .map(|value| hexadecimal(word.allowed(constants, value)));
                    array(text, "uint64_t", &name, entries, 0);
                }
            }
        }
        open_init(text, id);
        let uses_state = |word: &Word| !word.constants.is_empty() || !word.equal.is_empty();
        match self.words.iter().any(uses_state) {
            true => text.push_str("    const psvn_value_t *vars = state->vars;\n"),
            false => text.push_str("    (void) state;\n"),
        }
        text.push_str("    uint64_t set;\n");
        for (number, word) in self.words.iter().enumerate() {
            word.write(text, id, number);
        }
        for number in self.words.len()..n_words {
            let _ = writeln!(text, "    set = 0;\n    iter->sets[{number}] = set;");
        }
        if n_words > 1 {
            text.push_str("    iter->word = 0;\n");
        }
        text.push_str("}\n\n");
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
    pub(crate) fn allowed(&self, constants: &Constants, value: usize) -> u64 {
        let testing_it = constants.by_value.get(&value).unwrap_or(&0);
        testing_it | (self.all & !constants.testing)
    }

    fn write(&self, text: &mut String, id: &str, number: usize) {
        let _ = writeln!(text, "    set = {};", hexadecimal(self.all));
        for (variable, constants) in &self.constants {
            let untested = self.all & !constants.testing;
            let _ = match constants.single() {
                Some(value) => writeln!(
                    text,
                    "    set &= vars[{variable}] == {value} ? {} : {};",
                    hexadecimal(self.all),
                    hexadecimal(untested)
                ),
                None => {
                    let table = table(id, number, *variable);
                    writeln!(text, "    set &= {table}[vars[{variable}]];")
                }
            };
        }
        for ((first, second), rules) in &self.equal {
            let _ = writeln!(
                text,
                "    set &= vars[{first}] == vars[{second}] ? {} : {};",
                hexadecimal(self.all),
                hexadecimal(self.all & !rules)
            );
        }
        let _ = writeln!(text, "    iter->sets[{number}] = set;");
    }
}

fn table(id: &str, word: usize, variable: usize) -> String {
    format!("psvn_{id}_rules_{word}_{variable}")
}

fn hexadecimal(set: u64) -> String {
    format!("UINT64_C(0x{set:X})")
}

/// Add the type of iterators, and the function that goes on.
pub(crate) fn write_iterator(text: &mut String, n_words: usize) {
    text.push_str(runtime::LOWEST_BIT);
    if n_words == 1 {
        text.push_str(
            "/* The rules that are still to come: bit r is rule r. */\n\
             typedef struct {\n    uint64_t sets[1];\n} ruleid_iterator_t;\n\n\
             /* Return the next rule that applies, in ascending order, or -1 at the end. */\n\
             static inline int next_ruleid(ruleid_iterator_t *iter)\n{\n    \
             uint64_t set = iter->sets[0];\n    \
             if (set == 0) {\n        return -1;\n    }\n    \
             iter->sets[0] = set & (set - 1);\n    \
             return psvn_lowest_bit(set);\n}\n\n",
        );
        return;
    }
    let _ = writeln!(
        text,
        "/* The rules that are still to come: bit b of word w is rule 64 w + b. */\n\
         #define PSVN_NUM_WORDS {n_words}\n\
         typedef struct {{\n    uint64_t sets[PSVN_NUM_WORDS];\n    int word;\n}} ruleid_iterator_t;\n\n\
         /* Return the next rule that applies, in ascending order, or -1 at the end. */\n\
         static inline int next_ruleid(ruleid_iterator_t *iter)\n{{\n    \
         for (; iter->word < PSVN_NUM_WORDS; ++iter->word) {{\n        \
         uint64_t set = iter->sets[iter->word];\n        \
         if (set != 0) {{\n            \
         iter->sets[iter->word] = set & (set - 1);\n            \
         return 64 * iter->word + psvn_lowest_bit(set);\n        }}\n    }}\n    \
         return -1;\n}}\n"
    );
}
