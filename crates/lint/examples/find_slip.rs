//! Finds a move that wraps around the edge of a board, although the game is valid.

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = psvn_ir::load(
        "6  6 6 6 6 6 6                       # a 2 x 3 sliding-tile puzzle
         A 0 - - - - => 0 A - - - -  LABEL L   - A 0 - - - => - 0 A - - -  LABEL L
         ; The next move wraps around from the end of the first row.
         - - A 0 - - => - - 0 A - -  LABEL L   - - - - A 0 => - - - - 0 A  LABEL L
         0 A - - - - => A 0 - - - -  LABEL R   - 0 A - - - => - A 0 - - -  LABEL R
         - - 0 A - - => - - A 0 - -  LABEL R   - - - - 0 A => - - - - A 0  LABEL R
         0 - - A - - => A - - 0 - -  LABEL D   - 0 - - A - => - A - - 0 -  LABEL D
         - - 0 - - A => - - A - - 0  LABEL D   A - - 0 - - => 0 - - A - -  LABEL U
         - A - - 0 - => - 0 - - A -  LABEL U   - - A - - 0 => - - 0 - - A  LABEL U
         GOAL 0 1 2 3 4 5",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    let found = lint::lint(&game);
    for diagnostic in &found {
        println!("{}: {}", diagnostic.code, diagnostic.message);
    }
    assert!(found.iter().any(|it| it.code == "irregular-grid"));
    Ok(())
}
