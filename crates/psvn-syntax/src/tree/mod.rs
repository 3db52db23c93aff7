//! From tokens with a role to the syntax tree.

pub(crate) mod lengths;
pub(crate) mod nodes;

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
pub(crate) mod grammar {
    //! What LALRPOP made of `grammar.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/tree/grammar.rs"));
}
