//! Counts the tree of 4-peg Hanoi, and the smallest one that pruning by three rules can leave.

use ideal_tree::{Comparison, Order, Question};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = psvn_ir::load(&domains::generate("hanoi", &["4", "4"])?);
    let game = loaded.game.ok_or("a game without errors")?;
    let start = game.goal_state().ok_or("one goal state")?;
    let question = Question {
        max_length: 3,
        depth: 4,
        order: Order::LengthLexicographic,
        rule_order: None,
        most_differences: 0,
        growth: false,
    };
    let nothing_pruned = fsm::Unrestricted;
    let limits = budget::Limits::default();
    let compared = Comparison::make(&game, &start, &nothing_pruned, &question, &limits)?;
    assert_eq!(compared.ideal.nodes, [1, 3, 6, 12, 30]);
    assert_eq!(compared.machine.nodes, [1, 3, 15, 75, 393]);
    Ok(())
}
