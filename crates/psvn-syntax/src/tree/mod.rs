//! From tokens with a role to the syntax tree.
//!
//! The module `grammar` is what LALRPOP makes of `grammar.lalrpop` when the crate is built.

pub(crate) mod lengths;
pub(crate) mod nodes;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::pedantic,
        clippy::unwrap_used,
        clippy::allow_attributes_without_reason,
        unused,
        missing_docs,
        unreachable_pub,
        reason = "LALRPOP writes this code"
    )]
    pub(crate) grammar,
    "/tree/grammar.rs"
);
