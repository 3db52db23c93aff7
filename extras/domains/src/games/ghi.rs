//! The small game in which move pruning and a transposition table interfere with each other.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "ghi",
    usage: "ghi",
    summary: "three rules on which move pruning with a transposition table misses the only solution",
    options: &[],
    example: "ghi",
    build,
};

fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    args.finish()?;
    let mut game = Game::new([
        "The graph-history-interaction example",
        "From 0 0 0 0 the goal is two moves away: R2, R3. The word R1 R3 is redundant with R2 R3, and\n\
         R1 and R2 lead to the same state 0 0 1 0. A search that prunes R1 R3, tries R1 first, and stores\n\
         0 0 1 0 as a failure in a transposition table finds nothing after R2 either: the two techniques\n\
         together are unsafe.\n\n\
         R2 stands first: of two words the later one is pruned, and the figure prunes R1 R3 in favor of\n\
         R2 R3. With R1 first, both would be kept.",
        "Encoding: four 0/1 variables; A and B are whatever the first two hold. R2 loses the second.",
        "Source: Burch & Holte, \"Automatic Move Pruning in General Single-Player Games\" (2011), Figure 1.",
    ]);
    game.grid(1, 4, "");
    game.domain("bit", ["0", "1"]);
    game.variables(vec!["bit"; 4], "");
    game.rule(
        Rule::new("R2")
            .change(0, "A", "A")
            .change(1, "-", "A")
            .change(2, 0, 1)
            .change(3, 0, 0),
    );
    game.rule(
        Rule::new("R1")
            .change(0, "A", "B")
            .change(1, "B", "A")
            .change(2, 0, 1)
            .change(3, 0, 0),
    );
    game.rule(
        Rule::new("R3")
            .change(0, 0, 1)
            .change(1, 0, 1)
            .change(2, 1, 0)
            .change(3, 0, 1),
    );
    game.goal([1, 1, 0, 1], "");
    Ok(game)
}
