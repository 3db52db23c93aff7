//! The functions of histories.

use std::fmt::Write;

use super::language::C;
use crate::direction::Direction;

/// Add the functions of the history of a direction.
pub(super) fn write(text: &mut String, direction: &Direction<'_>) {
    let id = direction.names.id;
    if !direction.is_backward() {
        text.push_str(
            "/* The history of the empty path, in both directions. */\n\
             #define init_history 0\n\n",
        );
    }
    let Some(history) = &direction.history else {
        let _ = writeln!(
            text,
            "/* No sequence is pruned: there is one history, and all rules are valid after it. */\n\
             static inline int {id}_rule_valid_for_history(int history, int ruleid)\n{{\n    \
             (void) history;\n    (void) ruleid;\n    return 1;\n}}\n\n\
             static inline int next_{id}_history(int history, int ruleid)\n{{\n    \
             (void) ruleid;\n    return history;\n}}\n"
        );
        return;
    };
    let (about, step) = if history.is_compressed() {
        (COMPRESSED, COMPRESSED_STEP)
    } else {
        (TABLE, TABLE_STEP)
    };
    text.push_str(about);
    history.write_tables(text, &C, id);
    let _ = writeln!(
        text,
        "\n/* Return the next history plus 1, or 0. */\n\
         static inline int psvn_{id}_step(int history, int ruleid)\n{{\n{}}}\n",
        step.replace("DIR", id)
    );
    let _ = writeln!(
        text,
        "/* Return 0 if the rule may be left out after a path with this history, otherwise 1. */\n\
         static inline int {id}_rule_valid_for_history(int history, int ruleid)\n{{\n    \
         return psvn_{id}_step(history, ruleid) != 0;\n}}\n\n\
         /* Return the history of the path with one more rule. If that isn't valid, the path is \
         forgotten, so\n * that nothing is pruned on its account. */\n\
         static inline int next_{id}_history(int history, int ruleid)\n{{\n    \
         int next = psvn_{id}_step(history, ruleid);\n    \
         return next == 0 ? init_history : next - 1;\n}}\n"
    );
}

const TABLE: &str = "\
/* A row for each history: after each rule the next history plus 1, or 0 where a sequence that
 * ends with the rule is redundant. */
";

const TABLE_STEP: &str = "    \
    return (int) psvn_DIR_histories[(size_t) history * num_DIR_rules + (size_t) ruleid];
";

const COMPRESSED: &str = "\
/* What comes after each rule: the next history plus 1, or 0 where a sequence that ends with the rule
 * is redundant. Some rows are whole. Each history has one of them as its base, and the rules where
 * it differs, in ascending order, with what comes after these instead. */
";

const COMPRESSED_STEP: &str = "    \
    size_t low = psvn_DIR_exceptions_of[history];
    const size_t end = psvn_DIR_exceptions_of[history + 1];
    size_t high = end;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((int) psvn_DIR_exceptions[middle] < ruleid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < end && (int) psvn_DIR_exceptions[low] == ruleid) {
        return (int) psvn_DIR_nexts[low];
    }
    return (int) psvn_DIR_base_rows[psvn_DIR_base_of[history] + (size_t) ruleid];
";
