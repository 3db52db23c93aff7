//! Checks of lengths inside abstraction blocks, made once the declarations are known.

use std::collections::HashMap;

use crate::Diagnostic;
use crate::ast::{AbstractionDecl, File, Item, Pieces};
use crate::diagnostic::report::Reporter;
use crate::text::wording::{counted, counted_len, quote};

/// Check the length of each mapping and projection of a game's abstraction blocks. Unknown names of
/// domains are no matter of syntax and are left alone.
pub(crate) fn check_blocks(file: &File, reporter: &mut Reporter) {
    let mut sizes = HashMap::new();
    for domain in &file.domains {
        sizes
            .entry(domain.name.text.to_ascii_lowercase())
            .or_insert(domain.size.value);
    }
    for item in &file.items {
        if let Item::Abstraction(block) = item {
            check_block(file, &sizes, block, reporter);
        }
    }
}

fn check_block(
    file: &File,
    sizes: &HashMap<String, u64>,
    block: &AbstractionDecl,
    reporter: &mut Reporter,
) {
    for mapping in &block.mappings {
        let name = mapping.domain.text.to_ascii_lowercase();
        let Some(size) = sizes.get(&name).copied().or_else(|| built_in_size(&name)) else {
            continue;
        };
        let actual = mapping.values.len();
        if actual as u64 != size {
            let message = format!(
                "this mapping has {}, domain {} has {}",
                counted_len(actual, "entry", "entries"),
                quote(&mapping.domain.text),
                counted(size, "value", "values"),
            );
            reporter.push(
                Diagnostic::error("wrong-mapping-length", message)
                    .at(mapping.span, "")
                    .hint("write, for each value of the domain in its order, the value that it becomes"),
            );
        }
    }
    if let Some(pieces) = &block.pieces {
        check_pieces(file, sizes, pieces, reporter);
    }
    let (Some(projection), Some(variables)) = (&block.projection, &file.variables) else {
        return;
    };
    let actual = projection.keep.len();
    if actual as u64 != variables.count.value {
        let message = format!(
            "this projection has {}, the game has {}",
            counted_len(actual, "entry", "entries"),
            counted(variables.count.value, "variable", "variables"),
        );
        reporter.push(
            Diagnostic::error("wrong-projection-length", message)
                .at(projection.span, "")
                .hint("one letter for each variable: K keeps it, P projects it away"),
        );
    }
}

/// Check a list of pieces, unless it is the mapping of a domain of that name.
fn check_pieces(
    file: &File,
    sizes: &HashMap<String, u64>,
    pieces: &Pieces,
    reporter: &mut Reporter,
) {
    let domain = sizes.get(&pieces.name.text.to_ascii_lowercase());
    let n_variables = file.variables.as_ref().map(|it| it.count.value);
    let Some(expected) = domain.copied().or(n_variables) else {
        return;
    };
    let actual = pieces.letters.len();
    if actual as u64 != expected {
        let message = format!(
            "this section has {}, and {expected} are needed",
            counted_len(actual, "entry", "entries"),
        );
        reporter.push(
            Diagnostic::error("wrong-mapping-length", message)
                .at(pieces.span, "")
                .hint("one letter for each variable: K keeps the piece that is there in the goal, P doesn't"),
        );
    }
    if domain.is_some() {
        return;
    }
    for letter in &pieces.letters {
        if !matches!(letter.text.as_str(), "K" | "k" | "P" | "p") {
            reporter.push(
                Diagnostic::error(
                    "bad-projection",
                    format!("{} is neither K nor P", quote(&letter.text)),
                )
                .at(letter.span, "K or P expected"),
            );
        }
    }
}

/// The size of the domains that need no declaration: `4` and `4n`.
fn built_in_size(name: &str) -> Option<u64> {
    let digits = name.strip_suffix('n').unwrap_or(name);
    crate::text::wording::number(digits).ok()
}
