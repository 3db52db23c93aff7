//! The best move in a game of two heaps.

use game_tree::{Analyzer, BoardEvaluation, NoMove, Settings, Turn, TwoPlayerGame, Value};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Take one or more from one of the heaps. The player who takes the last one wins.
    let loaded = psvn_ir::load(
        "DOMAIN player 2 A B
         3  player 3 3
         A 2 - => B 1 -  LABEL left-1     B 2 - => A 1 -  LABEL left-1
         A 2 - => B 0 -  LABEL left-2     B 2 - => A 0 -  LABEL left-2
         A 1 - => B 0 -  LABEL left-1     B 1 - => A 0 -  LABEL left-1
         A - 2 => B - 1  LABEL right-1    B - 2 => A - 1  LABEL right-1
         A - 2 => B - 0  LABEL right-2    B - 2 => A - 0  LABEL right-2
         A - 1 => B - 0  LABEL right-1    B - 1 => A - 0  LABEL right-1
         GOAL - 0 0",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    let game = TwoPlayerGame::new(&game, Turn::find(&game)?, NoMove::Draw)?;
    let mut analyzer = Analyzer::new(&game, BoardEvaluation, Settings::default());

    let start = game.game().parse_state("A 1 2")?;
    let analysis = analyzer.analyze(&start, 10, |_| ())?;
    for rule in &analysis.line {
        println!("{}", game.game().rule(*rule).label);
    }
    assert_eq!(analysis.value(), Some(Value::Win(Some(3))));
    Ok(())
}
