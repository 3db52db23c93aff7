//! Blocks world with a hand.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "blocks",
    usage: "blocks N",
    summary: "blocks world with a hand: N blocks on a table, 2*N*N rules (10 blocks: 200)",
    options: &[],
    example: "blocks 10",
    build,
};

/// The value for no block: an empty hand, nothing on top, only the table below.
const NONE: usize = 0;

/// The variable for the block on top of `block` (from 1).
fn over(block: usize) -> usize {
    2 * block - 1
}

/// The variable for the block below `block` (from 1).
fn under(block: usize) -> usize {
    2 * block
}

/// Rules kind by kind: pick up from the table, put down on the table, unstack, stack; blocks in
/// order within each.
///
/// A held block has nothing over and nothing under it. Putting it down also tests that. No
/// reachable state needs this test, but it makes each rule the exact inverse of its counterpart, so
/// the redundant pairs are the cycles of length 2.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_blocks = args.number("N", 1..=1_000)?;
    args.finish()?;
    args.check_size(2 * n_blocks + 1, 2 * n_blocks * n_blocks)?;

    let mut game = Game::new(about(n_blocks));
    let blocks: Vec<String> = (1..=n_blocks)
        .map(|block| format!("{}={block}", under(block) + 1))
        .collect();
    let towers = format!("blank 0\nlayout: towers 1 {}", blocks.join(" "));
    game.grid(n_blocks + 1, n_blocks, &towers);
    game.start("usual", vec![NONE; 2 * n_blocks + 1]);
    game.domain("block", NONE..=n_blocks);
    game.variables(["block"], "what the hand holds");
    for block in 1..=n_blocks {
        game.variables(
            ["block", "block"],
            &format!("block {block}: what is over it, what is under it"),
        );
    }
    for block in 1..=n_blocks {
        let rule = Rule::new(format!("pickup-{block}")).change(0, NONE, block);
        game.rule(noted(rule, block == 1, "Pick a block up from the table.").test_free(block));
    }
    for block in 1..=n_blocks {
        let rule = Rule::new(format!("putdown-{block}")).change(0, block, NONE);
        game.rule(noted(rule, block == 1, "Put the held block on the table.").test_free(block));
    }
    for (first, block, support) in pairs(n_blocks) {
        let rule = Rule::new(format!("unstack-{block}-{support}"))
            .change(0, NONE, block)
            .test(over(block), NONE)
            .change(under(block), support, NONE)
            .change(over(support), block, NONE);
        game.rule(noted(rule, first, "Take a block from the top of another."));
    }
    for (first, block, support) in pairs(n_blocks) {
        let rule = Rule::new(format!("stack-{block}-{support}"))
            .change(0, block, NONE)
            .test(over(block), NONE)
            .change(under(block), NONE, support)
            .change(over(support), NONE, block);
        game.rule(noted(rule, first, "Put the held block on top of another."));
    }
    game.goal(
        tower(n_blocks),
        "One tower: block 1 at the bottom, each block on the one before.",
    );
    Ok(game)
}

impl Rule {
    /// Test that nothing is over or under `block`.
    fn test_free(self, block: usize) -> Self {
        self.test(over(block), NONE).test(under(block), NONE)
    }
}

/// Add a comment in front of the first rule of a kind.
fn noted(rule: Rule, first: bool, note: &str) -> Rule {
    if first { rule.note(note) } else { rule }
}

/// All ordered pairs of different blocks; the flag marks the first pair.
fn pairs(n_blocks: usize) -> impl Iterator<Item = (bool, usize, usize)> {
    (1..=n_blocks)
        .flat_map(move |block| (1..=n_blocks).map(move |support| (block, support)))
        .filter(|(block, support)| block != support)
        .enumerate()
        .map(|(index, (block, support))| (index == 0, block, support))
}

/// The state of one tower in the order of the numbers, by variable.
fn tower(n_blocks: usize) -> Vec<usize> {
    let mut state = vec![NONE];
    for block in 1..=n_blocks {
        state.push(if block == n_blocks { NONE } else { block + 1 });
        state.push(block - 1);
    }
    state
}

fn about(n_blocks: usize) -> [String; 4] {
    [
        format!("Blocks world with a hand, {n_blocks} blocks"),
        "A hand moves one block at a time: it picks up a block from the table or from the top of\n\
         another block, and puts it on the table or on a block with nothing on it. There is room for\n\
         all blocks on the table. The goal is one tower."
            .to_owned(),
        format!(
            "Encoding: the hand, then for each block what is over it and what is under it. The {} values\n\
             are 0 for no block (an empty hand, nothing on top, only the table below) and the blocks'\n\
             numbers. A held block has 0 over and 0 under it; rules that put it down test this too, so\n\
             that each of them undoes exactly what its counterpart does.",
            n_blocks + 1
        ),
        "Source: Slaney & Thiebaux, \"Blocks World revisited\" (2001); Burch & Holte, \"Automatic Move\n\
         Pruning in General Single-Player Games\" (2011), with 10 blocks and 200 rules."
            .to_owned(),
    ]
}
