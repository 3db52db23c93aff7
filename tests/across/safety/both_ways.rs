//! The unsafe pruning of 2011, and how it goes wrong.

use psvn_ir::testing::cases;
use psvn_ir::{Game, RuleId};

use crate::safety::graph::{Graph, NEVER, least_costs};
use crate::safety::sequences::{Sequence, all_sequences, contains};
use crate::safety::{analysis_of, forbidding, game_of, load, machines, verify};

/// The pruning of 2011, which is not safe: a new sequence is compared with the older ones in *both*
/// directions, and an older one that is redundant with a newer one is pruned too. Of two equivalent
/// ones, the newer one is pruned. It exists here only to show that it is wrong.
fn redundant_both_ways(game: &Game, graph: &Graph, max_length: usize) -> Vec<Vec<u32>> {
    let sequences = all_sequences(game, graph, max_length);
    let mut pruned: Vec<Vec<u32>> = Vec::new();
    for (i, new) in sequences.iter().enumerate() {
        if pruned.iter().any(|part| contains(&new.letters, part)) {
            continue;
        }
        let older = &sequences[..i];
        if older.iter().any(|old| old.rule.makes_redundant(&new.rule)) {
            pruned.push(new.letters.clone());
            continue;
        }
        // The empty sequence never gets here: only a sequence that does nothing could replace it.
        let redundant = older
            .iter()
            .filter(|old| new.rule.makes_redundant(&old.rule));
        let redundant: Vec<Vec<u32>> = redundant.map(|old| old.letters.clone()).collect();
        pruned.extend(redundant);
    }
    pruned.sort();
    pruned.dedup();
    pruned
}

/// A traveler with two ways to the square and a hill behind it. The phenomenon is the one of the
/// slides "Move Pruning Gone Wrong" in Holte's talk on PSVN: three redundancies that block each
/// other. Here, too, none of them is wrong by itself:
///
/// 1. DRAIN BRIDGE and BRIDGE DRAIN are equivalent.
/// 2. BRIDGE DRAIN CROSS is redundant with DRAIN TUNNEL CRAWL, which leads to the same place and
///    needs no boots.
/// 3. TUNNEL CRAWL CLIMB is redundant with BRIDGE CROSS CLIMB, which needs boots just as CLIMB
///    does, but no dry tunnel.
///
/// Replacing by (1), (2) and (3) in turn runs in a circle: DRAIN BRIDGE CROSS CLIMB -> BRIDGE DRAIN
/// CROSS CLIMB -> DRAIN TUNNEL CRAWL CLIMB -> and again the first. In the order of the rules, (2)
/// replaces a word by a later one, and so a safe analysis does not use it.
const GONE_WRONG: &str = "
    DOMAIN feet 2 boots bare
    DOMAIN tunnel 2 dry flooded
    DOMAIN place 5 home bridge tunnel square hill
    3  feet tunnel place
    boots -       home   => - -   bridge  LABEL BRIDGE
    -     flooded -      => - dry -       LABEL DRAIN
    -     -       bridge => - -   square  LABEL CROSS
    boots -       square => - -   hill    LABEL CLIMB
    -     dry     home   => - -   tunnel  LABEL TUNNEL
    -     -       tunnel => - -   square  LABEL CRAWL
    GOAL  boots dry hill
";

fn labels(game: &Game, letters: &[u32]) -> String {
    let labels: Vec<&str> = letters
        .iter()
        .map(|letter| &*game.rule(RuleId(*letter)).label)
        .collect();
    labels.join(" ")
}

#[test]
fn move_pruning_gone_wrong() {
    let game = load(GONE_WRONG);
    let graph = Graph::complete(&game);
    let position = |text: &str| graph.names.iter().position(|name| name == text).unwrap();
    let (start, goal) = (position("boots flooded home"), position("boots dry hill"));

    // Both ways, each word of the circle is pruned.
    let both_ways = redundant_both_ways(&game, &graph, 3);
    let pruned: Vec<String> = both_ways.iter().map(|word| labels(&game, word)).collect();
    for word in ["DRAIN BRIDGE", "BRIDGE DRAIN CROSS", "TUNNEL CRAWL CLIMB"] {
        assert!(pruned.iter().any(|pruned| pruned == word), "{pruned:?}");
    }

    // There are five optimal solutions, of four moves each, and all of them are lost ...
    let sequences = all_sequences(&game, &graph, 4);
    let solves = |sequence: &&Sequence| sequence.meaning[start] == Some(goal);
    let solutions: Vec<&Sequence> = sequences.iter().filter(solves).collect();
    let solution_labels = |s: &&Sequence| labels(&game, &s.letters);
    assert_eq!(
        solutions.iter().map(solution_labels).collect::<Vec<_>>(),
        [
            "BRIDGE DRAIN CROSS CLIMB",
            "BRIDGE CROSS DRAIN CLIMB",
            "BRIDGE CROSS CLIMB DRAIN",
            "DRAIN BRIDGE CROSS CLIMB",
            "DRAIN TUNNEL CRAWL CLIMB",
        ]
    );
    let survives = |words: &[Vec<u32>]| {
        let survivors = solutions
            .iter()
            .filter(|solution| !words.iter().any(|part| contains(&solution.letters, part)));
        survivors.map(solution_labels).collect::<Vec<_>>()
    };
    assert_eq!(survives(&both_ways), [""; 0]);
    // ... and with them the goal.
    let machine = forbidding(game.rules().len(), &both_ways);
    assert_eq!(
        least_costs(&graph, &machine, start).last().unwrap()[goal],
        NEVER
    );

    // The order keeps one solution.
    let analysis = analysis_of(&game, 3);
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    assert_eq!(survives(&words), ["BRIDGE DRAIN CROSS CLIMB"]);
    for (kind, machine) in machines(&analysis) {
        let layers = least_costs(&graph, &machine, start);
        assert_eq!(layers.last().unwrap()[goal], 4, "{kind}");
    }
    for max_length in 1..=4 {
        verify("gone wrong", &game, max_length, &graph, graph.edges.len());
    }
}

/// The tests distinguish safe pruning from unsafe pruning.
#[test]
fn unsafe_pruning_loses_states_in_random_games() {
    let mut n_wrong = 0;
    for seed in 0..cases(400) {
        let game = game_of(seed);
        let graph = Graph::complete(&game);
        let unrestricted = forbidding(game.rules().len(), &[]);
        let both_ways = redundant_both_ways(&game, &graph, 3);
        let machine = forbidding(game.rules().len(), &both_ways);
        let is_wrong = |start: usize| {
            // Least costs only: a pruning that counts costs alone may need more moves.
            let last = |machine| least_costs(&graph, machine, start).pop();
            last(&unrestricted) != last(&machine)
        };
        n_wrong += usize::from((0..graph.edges.len()).any(is_wrong));
    }
    assert!(n_wrong >= 20, "{n_wrong}");
}
