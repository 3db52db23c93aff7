//! Writes `crates/psvn-syntax/src/tree/grammar.rs`, the parser, from `grammar.lalrpop` beside it.
//!
//! The parser is kept in the repository, because LALRPOP and what it needs would take a good part
//! of the time to build the command. `cargo run --locked -p psvn-grammar` writes it anew after a
//! change of the grammar; with `--check` it only compares, and fails when the parser is another
//! one.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

/// The parser that belongs to a grammar, as the text of a Rust module.
///
/// Its second line is the SHA-256 of the grammar. A test of `psvn-syntax` compares it, which needs
/// no LALRPOP.
fn parser(grammar: &Path) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    lalrpop::Configuration::new()
        .set_in_dir(grammar.parent().ok_or("the grammar is in no folder")?)
        .set_out_dir(folder.path())
        .emit_rerun_directives(false)
        .emit_whitespace(false)
        .log_quiet()
        .process()?;
    let mut text = String::from(
        "// Written by `cargo run --locked -p psvn-grammar` from grammar.lalrpop with the SHA-256\n// ",
    );
    for byte in Sha256::digest(fs::read(grammar)?) {
        write!(text, "{byte:02x}")?;
    }
    text.push('\n');
    text.push_str(&fs::read_to_string(folder.path().join("grammar.rs"))?);
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    let only_check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(_) => return Err("usage: psvn-grammar [--check]".into()),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/psvn-syntax/src/tree");
    let target = folder.join("grammar.rs");
    let text = parser(&folder.join("grammar.lalrpop"))?;
    if fs::read_to_string(&target).is_ok_and(|present| present == text) {
        println!("grammar.rs is the parser of grammar.lalrpop");
    } else if only_check {
        return Err("grammar.rs isn't the parser of grammar.lalrpop: \
             run `cargo run --locked -p psvn-grammar`"
            .into());
    } else {
        fs::write(&target, text)?;
        println!("wrote grammar.rs");
    }
    Ok(())
}
