//! Soak runs: random games, searched in every way, against brute force.
//!
//! `engines` runs the searches of the crate `search` with machines and heuristics of its own.
//! `requests` asks the facade as a user does: any algorithm with any heuristic, perimeter, pruning,
//! split and limit, and it judges every statement of the answer, also "no solution" and lower
//! bounds. `imports` does so for planning tasks and twisty puzzles, and `spaces` explores each game
//! with every storage. Graphs listed by code of the tests alone are the oracle (`oracle`).

#![allow(clippy::print_stdout, reason = "a long run says what it tried")]

mod engines;
mod imports;
mod oracle;
mod random_text;
mod requests;
mod spaces;
mod tally;
