//! Makes the parser of `src/tree/grammar.lalrpop`.

fn main() {
    if std::env::var_os("CARGO_FEATURE_PARSER").is_some() {
        if let Err(error) = lalrpop::process_src() {
            panic!("the grammar is wrong: {error}");
        }
    }
}
