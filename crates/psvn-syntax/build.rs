//! Makes the parser of `src/tree/grammar.lalrpop`.

fn main() {
    #[cfg(feature = "parser")]
    lalrpop::process_src().expect("a grammar without mistakes");
}
