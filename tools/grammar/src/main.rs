//! Writes the parser and the lexer of `psvn-syntax`, each beside the file that it is made from:
//! `grammar.rs` from `grammar.lalrpop`, and `tokens.rs` from `tokens.logos`.
//!
//! Both are kept in the repository, because LALRPOP, the generator of logos and what they need
//! would take a good part of the time to build the command. `cargo run --locked -p psvn-grammar`
//! writes them anew after a change; with `--check` it only compares, and fails when one of them is
//! another one.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The first two lines of what is made from `source`; the second one is its SHA-256.
///
/// A test of `psvn-syntax` compares it, which needs no generator.
fn head(source: &Path) -> Result<String, Box<dyn Error>> {
    let name = source.file_name().ok_or("no name of a file")?.display();
    let mut text = format!(
        "// Written by `cargo run --locked -p psvn-grammar` from {name} with the SHA-256\n// "
    );
    for byte in Sha256::digest(fs::read(source)?) {
        write!(text, "{byte:02x}")?;
    }
    text.push('\n');
    Ok(text)
}

/// The parser that belongs to a grammar, as the text of a Rust module.
fn parser(grammar: &Path) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    lalrpop::Configuration::new()
        .set_in_dir(grammar.parent().ok_or("the grammar is in no folder")?)
        .set_out_dir(folder.path())
        .emit_rerun_directives(false)
        .emit_whitespace(false)
        .log_quiet()
        .process()?;
    Ok(fs::read_to_string(folder.path().join("grammar.rs"))?)
}

/// The lexer that belongs to an enumeration of tokens, as the text of a Rust module.
///
/// It is the code that `#[derive(Logos)]` stands for, as `cargo fmt` leaves it.
fn lexer(tokens: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(tokens)?;
    let enumeration = logos_codegen::strip_attributes(text.parse()?);
    let code = logos_codegen::generate(text.parse()?).to_string();
    // Where a macro is expanded, this would be an error of the compiler.
    if let Some(at) = code.rfind("compile_error") {
        return Err(format!("a mistake in the tokens: {}", &code[at..]).into());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("tokens.rs");
    fs::write(&file, format!("{enumeration} {code}"))?;
    let status = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path", ROOT])
        .arg(&file)
        .status()
        .map_err(|error| format!("rustfmt: {error}"))?;
    if !status.success() {
        return Err(format!("rustfmt: {status}").into());
    }
    Ok(fs::read_to_string(file)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let only_check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(_) => return Err("usage: psvn-grammar [--check]".into()),
    };
    let crate_sources = Path::new(ROOT).join("crates/psvn-syntax/src");
    let grammar = crate_sources.join("tree/grammar.lalrpop");
    let tokens = crate_sources.join("text/tokens.logos");
    for (source, body) in [(&grammar, parser(&grammar)?), (&tokens, lexer(&tokens)?)] {
        let text = head(source)? + &body;
        let target = source.with_extension("rs");
        let [source, name] =
            [source, &target].map(|path| path.file_name().unwrap_or_default().display());
        if fs::read_to_string(&target).is_ok_and(|present| present == text) {
            println!("{name} belongs to {source}");
        } else if only_check {
            return Err(format!(
                "{name} doesn't belong to {source}: run `cargo run --locked -p psvn-grammar`"
            )
            .into());
        } else {
            fs::write(&target, text)?;
            println!("wrote {name}");
        }
    }
    Ok(())
}
