//! A custom search on packed states: count the tree of the 15-puzzle depth first.
//!
//! `own_search DEPTH` counts with the code below; `own_search DEPTH tree` counts with the search of
//! the crate that makes one node after the other.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use invariants::Invariants;
use search::{Bound, CompiledGame, PackedSearch, PackedTree, Searcher};

/// A search that counts the nodes down to a depth.
struct Count {
    depth: u32,
}

impl PackedSearch for Count {
    type Output = u64;

    fn run<T: PackedTree>(self, tree: &T) -> u64 {
        below(tree, &tree.root(), self.depth)
    }
}

fn below<T: PackedTree>(tree: &T, node: &T::Node, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => 1 + tree.n_children(node),
        _ => {
            let mut n_nodes = 1;
            tree.for_each_child(node, |_, child| n_nodes += below(tree, &child, depth - 1));
            n_nodes
        }
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().map_or(Ok(12), |text| text.parse())?;
    let by_crate = arguments.next().is_some();
    let text = domains::generate_reference("sliding-tiles:4:4")?;
    let game = psvn_ir::load(&text).game.ok_or("the game has errors")?;
    let start = game.parse_state("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")?;
    // The invariant of exactly one blank decides which few rules may come next.
    let known = Invariants::from_states(&game, std::slice::from_ref(&start));
    let searcher = Searcher::builder(&CompiledGame::new(&game))
        .invariants(move |preconditions| known.admits(preconditions))
        .max_macro_plies(1)
        .build();
    let n_nodes = if by_crate {
        let tree = searcher
            .run()
            .count_tree(&start, Bound::Depth(depth.into()))?;
        tree.levels.iter().map(|level| level.generated).sum()
    } else {
        searcher.run().on_packed(&start, Count { depth })?
    };
    println!("{n_nodes} nodes");
    Ok(())
}
