//! Checks that the parser and the lexer in the repository were made from the files beside them.

use sha2::{Digest, Sha256};

/// The second line of each names the file it was made from. `psvn-grammar --check`, which the gate
/// runs, compares them with the output of LALRPOP and of logos.
fn assert_made_from(made: &str, source: &[u8]) {
    let hash: String = Sha256::digest(source)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        made.lines().nth(1),
        Some(format!("// {hash}").as_str()),
        "the file was changed: run `cargo run --locked -p psvn-grammar`"
    );
}

#[test]
fn the_parser_belongs_to_the_grammar() {
    assert_made_from(
        include_str!("../../src/tree/grammar.rs"),
        include_bytes!("../../src/tree/grammar.lalrpop"),
    );
}

#[test]
fn the_lexer_belongs_to_the_tokens() {
    assert_made_from(
        include_str!("../../src/text/tokens.rs"),
        include_bytes!("../../src/text/tokens.logos"),
    );
}
