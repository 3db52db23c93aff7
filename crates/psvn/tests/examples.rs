//! What the examples say of themselves holds.

#[path = "../examples/lost_solution.rs"]
mod lost_solution;

#[test]
fn pruning_beside_a_closed_list_loses_the_solution() {
    lost_solution::main().expect("a game that can be analyzed");
}
