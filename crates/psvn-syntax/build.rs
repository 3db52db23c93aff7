//! Generates the parser from `src/tree/grammar.lalrpop`.

#[cfg(feature = "parser")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new()
        .use_cargo_dir_conventions()
        .emit_rerun_directives(true)
        .process()
}

#[cfg(not(feature = "parser"))]
fn main() {}
