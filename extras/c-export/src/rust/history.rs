//! The functions of histories.

use std::fmt::Write;

use super::language::Rust;
use crate::direction::Direction;

/// Add the functions of the history of a direction.
pub(super) fn write(text: &mut String, direction: &Direction<'_>) {
    let (id, upper) = (direction.names.id, direction.names.upper);
    let Some(history) = &direction.history else {
        let _ = writeln!(
            text,
            "/// Whether a rule may not be left out after a path with this history: no sequence is pruned.\n\
             pub fn {id}_rule_valid_for_history(history: History, rule: usize) -> bool {{\n    true\n}}\n\n\
             /// The history of the path with one more rule.\n\
             pub fn next_{id}_history(history: History, rule: usize) -> History {{\n    history\n}}"
        );
        return;
    };
    history.write_tables(text, &Rust, id);
    let step = if history.is_compressed() {
        COMPRESSED_STEP
    } else {
        TABLE_STEP
    };
    let step = step.replace("UPPER", upper);
    let _ = writeln!(
        text,
        "\n/// The next history plus 1, or 0 where a sequence that ends with the rule is redundant.\n\
         #[inline]\n\
         fn {id}_step(history: History, rule: usize) -> u32 {{\n{step}}}\n\n\
         /// Whether a rule may not be left out after a path with this history.\n\
         pub fn {id}_rule_valid_for_history(history: History, rule: usize) -> bool {{\n    \
         {id}_step(history, rule) != 0\n}}\n\n\
         /// The history of the path with one more rule. If that isn't valid, the path is\n\
         /// forgotten, so that nothing is pruned on its account.\n\
         pub fn next_{id}_history(history: History, rule: usize) -> History {{\n    \
         {id}_step(history, rule).checked_sub(1).unwrap_or(INIT_HISTORY)\n}}"
    );
}

const TABLE_STEP: &str = "    \
    u32::from(UPPER_HISTORIES[history as usize * NUM_UPPER_RULES + rule])
";

const COMPRESSED_STEP: &str = "    \
    // The base row is whole. Where this one differs, its exceptions say so, in ascending order.
    let first = UPPER_EXCEPTIONS_OF[history as usize] as usize;
    let end = UPPER_EXCEPTIONS_OF[history as usize + 1] as usize;
    let exceptions = &UPPER_EXCEPTIONS[first..end];
    match exceptions.binary_search_by(|exception| (*exception as usize).cmp(&rule)) {
        Ok(found) => u32::from(UPPER_NEXTS[first + found]),
        Err(_) => u32::from(UPPER_BASE_ROWS[UPPER_BASE_OF[history as usize] as usize + rule]),
    }
";
