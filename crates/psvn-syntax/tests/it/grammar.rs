//! Checks that the parser in the repository was made from the grammar beside it.

use sha2::{Digest, Sha256};

/// The second line of the parser names the grammar it was made from. `psvn-grammar --check`, which
/// the gate runs, compares the parser with the output of LALRPOP.
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
