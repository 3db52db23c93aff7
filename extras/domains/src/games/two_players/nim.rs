//! Nim.

use super::squares::board_with_turn;
use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule, Token};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "nim",
    usage: "nim HEAP..",
    summary: "two players take from heaps; who takes the last one wins",
    options: &[],
    example: "nim 3 4 5",
    build,
};

/// Rules of player A, then of B; by heap, by the number taken from 1, and by the heap's size
/// from 1. Variables: the turn, then the heaps.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let heaps = args.numbers("HEAP", 1..=200)?;
    args.finish()?;
    let n_rules: usize = heaps.iter().map(|heap| heap * (heap + 1)).sum();
    args.check_size(1 + heaps.len(), n_rules)?;

    let sizes: Vec<String> = heaps.iter().map(ToString::to_string).collect();
    let mut game = Game::new([
        format!("Nim with heaps of {}, a game for two players", sizes.join(", ")),
        "A and B take any number of things, at least one, from one heap in turn. Who takes the last one\n\
         has won. A begins, and wins unless the binary numbers of the heaps, added without carrying, give 0."
            .to_owned(),
        "Encoding: whose turn it is, then what is left of each heap. Rule h1-2 takes 2 from heap 1; it\n\
         stands for a rule for each player and each size of the heap, and these share its label. The\n\
         goal is that nothing is left. The start: the first value of each variable."
            .to_owned(),
        "Source: Bouton, \"Nim, A Game with a Complete Mathematical Theory\" (1901).".to_owned(),
        "players: 2".to_owned(),
    ]);
    let all_heaps = (1..=heaps.len()).collect();
    board_with_turn(&mut game, "blank 0", vec![all_heaps]);
    game.domain("player", ["A", "B"]);
    let mut distinct = heaps.clone();
    distinct.sort_unstable();
    distinct.dedup();
    for heap in distinct {
        game.domain(&domain_name(heap), (0..=heap).rev());
    }
    game.variables(["player"], "whose turn it is");
    game.variables(heaps.iter().map(|heap| domain_name(*heap)), "heaps");
    for (player, other) in [("A", "B"), ("B", "A")] {
        let mut note = Some(format!("{player} moves."));
        for (index, heap) in heaps.iter().enumerate() {
            for taken in 1..=*heap {
                for before in taken..=*heap {
                    let mut rule = Rule::new(format!("h{}-{taken}", index + 1))
                        .change(0, player, other)
                        .change(1 + index, before, before - taken);
                    if let Some(note) = note.take() {
                        rule = rule.note(note);
                    }
                    game.rule(rule);
                }
            }
        }
    }
    let mut nothing_left: Vec<Token> = vec!["0".to_owned(); 1 + heaps.len()];
    nothing_left[0] = "-".to_owned();
    game.goal(nothing_left, "Nothing is left.");
    Ok(game)
}

fn domain_name(heap: usize) -> String {
    format!("heap{heap}")
}
