//! The `psvn` command.
fn main() {}
