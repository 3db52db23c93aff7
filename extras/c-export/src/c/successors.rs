//! The type of iterators, and the functions that begin and continue an iteration.

use std::fmt::Write;

use super::language::C;
use super::runtime;
use super::text::heading;
use crate::successors::{Form, RuleList};

/// Add the type of iterators and the function that continues an iteration.
pub(super) fn write_iterator(text: &mut String, form: &Form) {
    text.push_str(&heading("Successors"));
    match form {
        Form::Sets { n_words } => write_sets(text, *n_words),
        Form::Tree { most } => {
            let _ = writeln!(
                text,
                "/* The rules that apply, and how many of them have been returned. */\n\
                 typedef struct {{\n    int next;\n    int count;\n    int rules[{most}];\n}} \
                 ruleid_iterator_t;\n"
            );
            text.push_str(runtime::LISTED_RULES);
        }
    }
}

fn write_sets(text: &mut String, n_words: usize) {
    text.push_str(runtime::LOWEST_BIT);
    if n_words == 1 {
        text.push_str(
            "/* The rules that are yet to be returned: bit r is rule r. */\n\
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
        "/* The rules that are yet to be returned: bit b of word w is rule 64 w + b. */\n\
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

/// Add the function that begins an iteration over the rules of a direction.
pub(super) fn write_init(text: &mut String, form: &Form, list: &RuleList<'_>) {
    form.write_tables(text, &C, list);
    let _ = writeln!(
        text,
        "static inline void init_{}_iter(ruleid_iterator_t *iter, const state_t *state)\n{{",
        list.id
    );
    text.push_str(if list.has_tests() {
        "    const psvn_value_t *vars = state->vars;\n"
    } else {
        "    (void) state;\n"
    });
    let (before, behind) = match form {
        Form::Sets { n_words } => {
            text.push_str("    uint64_t *sets = iter->sets;\n");
            // Without rules all sets are empty, and none is declared.
            let before = if list.rules.is_empty() {
                ""
            } else {
                "    uint64_t set;\n"
            };
            let behind = match n_words {
                0..=1 => "",
                _ => "    iter->word = 0;\n",
            };
            (before, behind)
        }
        Form::Tree { .. } => (
            "    iter->next = 0;\n    iter->count = 0;\n",
            "    psvn_sort_rules(iter);\n",
        ),
    };
    text.push_str(before);
    form.write_body(text, &C, list);
    text.push_str(behind);
    text.push_str("}\n\n");
}
