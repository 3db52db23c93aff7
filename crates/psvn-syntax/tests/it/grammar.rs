//! The parser in the repository is that of the grammar beside it.

use sha2::{Digest, Sha256};

/// The parser says in its second line which grammar it was made from. That it is what LALRPOP makes
/// of it is compared by `psvn-grammar --check`, which the gate runs.
#[test]
fn the_parser_belongs_to_the_grammar() {
    let grammar = include_bytes!("../../src/tree/grammar.lalrpop");
    let parser = include_str!("../../src/tree/grammar.rs");
    let hash: String = Sha256::digest(grammar)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        parser.lines().nth(1),
        Some(format!("// {hash}").as_str()),
        "the grammar was changed: run `cargo run --locked -p psvn-grammar`"
    );
}
