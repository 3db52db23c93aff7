//! All sequences of rules, and the redundant ones, found by comparing each with all.

use macro_compose::compose_all;
use psvn_ir::testing::cases;
use psvn_ir::{CanonicalRule, Game, RuleId};

use crate::safety::graph::Graph;
use crate::safety::{analysis_of, game_of};

/// A sequence of rules that some state allows.
pub(crate) struct Sequence {
    pub(crate) letters: Vec<u32>,
    pub(crate) rule: CanonicalRule,
    /// Where it leads from each state, if it can be used there.
    pub(crate) meaning: Vec<Option<usize>>,
}

impl Sequence {
    /// Whether it makes another one redundant, by the effects of the two on each state.
    fn replaces(&self, other: &Self) -> bool {
        let mut states = self.meaning.iter().zip(&other.meaning);
        self.rule.cost() <= other.rule.cost()
            && states.all(|(own, other)| other.is_none() || own == other)
    }
}

/// All sequences up to a length that some state allows, in length-lexicographic order.
pub(crate) fn all_sequences(game: &Game, graph: &Graph, max_length: usize) -> Vec<Sequence> {
    let mut sequences = vec![Sequence {
        letters: Vec::new(),
        rule: CanonicalRule::identity(game.n_variables()),
        meaning: (0..graph.edges.len()).map(Some).collect(),
    }];
    let mut first = 0;
    for _ in 0..max_length {
        let end = sequences.len();
        for parent in std::mem::replace(&mut first, end)..end {
            for letter in 0..game.rules().len() as u32 {
                let parent = &sequences[parent];
                let letters = [&parent.letters[..], &[letter]].concat();
                let step = |state: usize| {
                    let edge = graph.edges[state].iter().find(|edge| edge.0 == letter);
                    edge.map(|edge| edge.1)
                };
                let meaning: Vec<_> = parent.meaning.iter().map(|s| s.and_then(step)).collect();
                let rules = letters.iter().map(|l| &game.rule(RuleId(*l)).canonical);
                if let Ok(rule) = compose_all(game.n_variables(), rules) {
                    sequences.push(Sequence {
                        letters,
                        rule,
                        meaning,
                    });
                }
            }
        }
    }
    sequences
}

pub(crate) fn contains(word: &[u32], part: &[u32]) -> bool {
    word.windows(part.len()).any(|window| window == part)
}

/// The words that are redundant with *any* earlier one, kept or not, and contain no shorter
/// redundant word: each compared with all, as terms and by its effect on every state.
pub(crate) fn quadratic_oracle(game: &Game, graph: &Graph, max_length: usize) -> Vec<Vec<u32>> {
    redundant_among(&all_sequences(game, graph, max_length), |_, _| true)
}

/// The same for sequences in any order in which parts come before the whole, where an earlier one
/// may replace a later one if the test says so.
pub(crate) fn redundant_among(
    sequences: &[Sequence],
    may_replace: impl Fn(&Sequence, &Sequence) -> bool,
) -> Vec<Vec<u32>> {
    let mut redundant: Vec<Vec<u32>> = Vec::new();
    for (i, sequence) in sequences.iter().enumerate() {
        let mut replaced = false;
        for earlier in &sequences[..i] {
            let as_terms = earlier.rule.makes_redundant(&sequence.rule);
            assert_eq!(as_terms, earlier.replaces(sequence));
            replaced |= as_terms && may_replace(earlier, sequence);
        }
        if replaced
            && !redundant
                .iter()
                .any(|part| contains(&sequence.letters, part))
        {
            redundant.push(sequence.letters.clone());
        }
    }
    redundant
}

/// Return the number of redundant words.
fn compare_with_oracle(seeds: std::ops::Range<u64>, max_length: usize) -> usize {
    let mut n_redundant = 0;
    for seed in seeds {
        let game = game_of(seed);
        let graph = Graph::complete(&game);
        let expected = quadratic_oracle(&game, &graph, max_length);
        let analysis = analysis_of(&game, max_length);
        let found: Vec<Vec<u32>> = analysis.redundant_letters().collect();
        assert_eq!(found, expected, "seed {seed}");
        // Words that are neither impossible nor redundant are kept, in order.
        let possible = all_sequences(&game, &graph, max_length);
        let is_kept = |s: &&Sequence| !expected.iter().any(|part| contains(&s.letters, part));
        let expected: Vec<&[u32]> = possible
            .iter()
            .filter(is_kept)
            .map(|s| &*s.letters)
            .collect();
        let kept: Vec<Vec<u32>> = (0..=max_length)
            .flat_map(|length| analysis.kept_letters(length))
            .collect();
        assert_eq!(kept, expected, "seed {seed}");
        n_redundant += found.len();
    }
    n_redundant
}

#[test]
fn exactly_the_redundant_words_are_found() {
    let n_redundant = compare_with_oracle(0..cases(1_000), 3);
    assert!(n_redundant > 10_000, "{n_redundant}");
}

#[test]
fn exactly_the_redundant_words_are_found_at_length_4() {
    let n_redundant = compare_with_oracle(0..cases(200), 4);
    assert!(n_redundant > 3_000, "{n_redundant}");
}
