//! Searches for goals lose nothing if sequences count as equivalent whose ends differ only in
//! irrelevant variables: by brute force, on random games.
//!
//! The oracle knows neither relevance nor redundancy. It carries out all sequences from all states,
//! and compares the least costs of reaching a goal within any number of moves.

use std::collections::HashMap;

use fsm::{Dense, Machine, Unrestricted, WordAutomaton};
use move_prune::{Analysis, Options, Relevance, analyze, rules_without_effect_on};
use psvn_ir::testing::{SplitMix64, all_states, cases};
use psvn_ir::{CanonicalRule, Game, Value, VarId};

const N_MOVES: usize = 7;
const N_LOOKED_AT: usize = 3;
const N_TRACES: usize = 2;

/// Return a game of bits. The goals test the first three; the others are written, copied among each
/// other, and tested by rules that change nothing else. `leak` adds a rule that copies one of those
/// into one of the first.
fn random_text(seed: u64, leak: bool) -> String {
    let mut random = SplitMix64::new(seed);
    let n = N_LOOKED_AT + N_TRACES;
    let mut text = format!("{n}  {}\n", ["2"; N_LOOKED_AT + N_TRACES].join(" "));
    let n_rules = 5 + random.below(3);
    for rule in 0..n_rules {
        let only_traces = random.chance(20);
        let mut before = Vec::new();
        let mut after = Vec::new();
        for position in 0..n {
            let is_trace = position >= N_LOOKED_AT;
            let may_test = only_traces || !is_trace;
            let own = format!("X{position}");
            let tested = ["0", "1"][random.below(2)].to_owned();
            before.push(match random.below(3) {
                0 if may_test => tested,
                _ => own,
            });
        }
        for position in 0..n {
            let is_trace = position >= N_LOOKED_AT;
            // A bit copied into a relevant one must be relevant itself.
            let source = if is_trace {
                random.below(n)
            } else {
                random.below(N_LOOKED_AT)
            };
            after.push(match random.below(if is_trace { 3 } else { 5 }) {
                0 => ["0", "1"][random.below(2)].to_owned(),
                1 => before[source].clone(),
                _ => before[position].clone(),
            });
            if only_traces && !is_trace {
                after[position].clone_from(&before[position]);
            }
        }
        let cost = random.below(3);
        text += &format!(
            "{} => {} LABEL R{rule} COST {cost}\n",
            before.join(" "),
            after.join(" ")
        );
    }
    if leak {
        text += "X0 X1 X2 X3 X4 => X3 X1 X2 X3 X4 LABEL LEAK COST 1\n";
    }
    text += "GOAL 1 1 - - -\nGOAL A - A - -\n";
    text
}

fn game_of(seed: u64, leak: bool) -> Game {
    let text = random_text(seed, leak);
    let loaded = psvn_ir::load(&text);
    loaded
        .game
        .unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

fn rules_of(game: &Game) -> Vec<CanonicalRule> {
    game.rules().iter().map(|it| it.canonical.clone()).collect()
}

fn analysis_of(n_variables: usize, rules: &[CanonicalRule], length: usize) -> Analysis {
    analyze(n_variables, rules, &Options::up_to(length), |_| {})
}

fn machine_of(analysis: &Analysis) -> Dense {
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(analysis.n_rules as u32, words);
    automaton
        .expect("words of the rules")
        .build()
        .expect("a small machine")
}

/// For k = 0 .. `N_MOVES` the least cost of a path to a goal with at most k moves, from each state.
#[allow(
    clippy::iter_over_hash_type,
    reason = "least costs don't depend on the order"
)]
fn least_costs<M: Machine>(game: &Game, machine: &M) -> Vec<[u64; N_MOVES + 1]> {
    let states: Vec<_> = all_states(game).collect();
    let from = |start: &[Value]| {
        let mut best = u64::MAX;
        let mut layers = [u64::MAX; N_MOVES + 1];
        let mut frontier = HashMap::from([((start.to_vec(), machine.start()), 0)]);
        for layer in &mut layers {
            let goals = frontier
                .iter()
                .filter(|((state, _), _)| game.is_goal(state));
            best = goals.map(|(_, cost)| *cost).fold(best, u64::min);
            *layer = best;
            let mut next: HashMap<_, u64> = HashMap::new();
            for ((state, memory), cost) in frontier {
                for (letter, rule) in (0..).zip(game.rules()) {
                    let rule = &rule.canonical;
                    if !rule.applies_to(&state) {
                        continue;
                    }
                    let Some(memory) = machine.next(memory, letter) else {
                        continue;
                    };
                    let key = (rule.apply(&state).to_vec(), memory);
                    let known = next.entry(key).or_insert(u64::MAX);
                    *known = (*known).min(cost + rule.cost());
                }
            }
            frontier = next;
        }
        layers
    };
    states.iter().map(|state| from(state)).collect()
}

/// Check a range of games. Return the numbers of sequences that are left with and without goals.
fn check_goals(seeds: std::ops::Range<u64>) -> (u64, u64) {
    let (mut n_plain, mut n_for_goals) = (0, 0);
    for seed in seeds {
        let game = game_of(seed, seed % 5 == 4);
        let rules = rules_of(&game);
        let n_variables = game.n_variables();
        let relevance = Relevance::of(n_variables, &rules, game.goals());
        let ignored: Vec<VarId> = relevance.irrelevant().collect();
        let without = rules_without_effect_on(&rules, &ignored);
        let for_goals = analysis_of(n_variables, &without, 3);
        let plain = analysis_of(n_variables, &rules, 3);
        // Shorter forbidden words leave out more, so the test counts the words that are left.
        let left = |analysis: &Analysis| analysis.levels.get(2).map_or(0, |level| level.kept);
        n_plain += left(&plain);
        n_for_goals += left(&for_goals);
        let least = least_costs(&game, &Unrestricted);
        let pruned = least_costs(&game, &machine_of(&for_goals));
        assert!(
            least == pruned,
            "seed {seed}: {}",
            random_text(seed, seed % 5 == 4)
        );
    }
    (n_for_goals, n_plain)
}

#[test]
fn goals_keep_their_least_costs() {
    let (n_for_goals, n_plain) = check_goals(0..60);
    assert!(
        n_for_goals < n_plain,
        "{n_for_goals} sequences are left, {n_plain} without goals"
    );
}

#[test]
#[ignore = "takes 5 minutes: thousands of games"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_goals_of_many_games_keep_their_least_costs() {
    let seeds = 10_000..10_000 + cases(4_000);
    let n_games = seeds.end - seeds.start;
    let (n_for_goals, n_plain) = check_goals(seeds);
    println!(
        "{n_games} games: {n_for_goals} sequences of 3 are left for goals, {n_plain} of states"
    );
    assert!(n_for_goals < n_plain);
}

/// The first test would fail if a relevant variable were ignored.
#[test]
fn relevant_variables_must_not_be_ignored() {
    let loses = |seed: &u64| {
        let game = game_of(*seed, true);
        let rules = rules_of(&game);
        let ignored: Vec<VarId> = (N_LOOKED_AT..N_LOOKED_AT + N_TRACES)
            .map(VarId::from_index)
            .collect();
        let without = rules_without_effect_on(&rules, &ignored);
        let analysis = analysis_of(game.n_variables(), &without, 3);
        least_costs(&game, &Unrestricted) != least_costs(&game, &machine_of(&analysis))
    };
    assert!((0..20).any(|seed| loses(&seed)));
}
