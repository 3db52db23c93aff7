//! Which keys are safe, and how much work they save, in searches by the interpreter. Searches by a
//! plan are in `tests/it`.

use fsm::{Machine, SharedMachine, Unrestricted, WordAutomaton};
use psvn_ir::{Game, State};

use super::inclusion::Inclusions;
use super::keys::Keys;
use super::setup::TableSetup;
use crate::front::bounded::by_book::ByBook;
use crate::game::compiled::CompiledGame;
use crate::heuristic::ZeroHeuristic;
use crate::heuristic::weight::Weight;
use crate::run::deepening::Raise;
use crate::run::limits::{Limits, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{Outcome, SolveReport};

/// Run a search with any keys.
fn run(
    game: &Game,
    start: &State,
    machine: &SharedMachine,
    keys: Keys<'_>,
    bytes: usize,
) -> SolveReport {
    let game = CompiledGame::new(game);
    let by_book = ByBook {
        game: &game,
        machine,
        cycles: CycleDetection::None,
        weight: Weight::ONE,
        raise: Raise::ToLeast,
        table: Some(TableSetup { bytes, keys }),
    };
    let limits = Limits::default();
    let mut watch = Watch::new(&limits, None);
    let report = by_book.run(start, &ZeroHeuristic, &mut watch);
    report.unwrap().unwrap()
}

/// Figure 1 of Burch & Holte 2011: the machine forbids R1 R3 in favor of R2 R3, and R1 comes first
/// in the search. Both lead to the state from which R3 leads to the goal.
#[test]
fn the_naive_key_loses_the_only_solution_and_ours_does_not() {
    let text = domains::generate_reference("ghi").unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let place = lines.iter().position(|line| line.ends_with("LABEL R2"));
    lines.swap(place.unwrap(), place.unwrap() + 1);
    let game = psvn_ir::load(&lines.join("\n")).game.unwrap();
    assert_eq!(&*game.rule(psvn_ir::RuleId(0)).label, "R1");
    let automaton = WordAutomaton::forbidding(3, &[vec![0_u32, 2]]).unwrap();
    let machine = SharedMachine::new(automaton.build().unwrap());
    let start = game.parse_state("0 0 0 0").unwrap();
    let naive = run(&game, &start, &machine, Keys::StateOnly(&machine), 1 << 12);
    assert_eq!(naive.outcome, Outcome::NoSolution);
    assert!(naive.table.unwrap().cutoffs > 0);
    let ours = run(&game, &start, &machine, Keys::Exact(&machine), 1 << 12);
    let solution = ours.solution().unwrap();
    let labels = solution.moves.iter().map(|id| &*game.rule(*id).label);
    assert_eq!(labels.collect::<Vec<_>>(), ["R2", "R3"]);
    // Without a machine there is one machine state, and the keys are the same.
    let machine = SharedMachine::new(Unrestricted);
    assert!(run(&game, &start, &machine, Keys::StateOnly(&machine), 1 << 12).solved());
}

/// Beside a machine with many states, entries of machine states that allow more save work.
#[test]
fn inclusion_is_stronger_than_equality() {
    let text = domains::generate_reference("pancake:7").unwrap();
    let game = psvn_ir::load(&text).game.unwrap();
    let rules: Vec<_> = game.rules().iter().map(|r| r.canonical.clone()).collect();
    let options = move_prune::Options::up_to(4);
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let machine = WordAutomaton::forbidding(rules.len() as u32, &words)
        .and_then(|automaton| automaton.build())
        .unwrap();
    let inclusions = Inclusions::new(&machine, rules.len()).unwrap();
    assert!(machine.start() != machine.next(machine.start(), 0).unwrap());
    let machine = SharedMachine::new(machine);
    let (mut by_inclusion, mut by_equality) = (0, 0);
    for start in ["5 2 7 1 4 6 3", "2 4 6 1 3 5 7", "7 3 1 5 2 6 4"] {
        let start = game.parse_state(start).unwrap();
        let exact = run(&game, &start, &machine, Keys::Exact(&machine), 1 << 20);
        let ours = run(
            &game,
            &start,
            &machine,
            Keys::Inclusion(&inclusions),
            1 << 20,
        );
        let cost = |report: &SolveReport| report.solution().map(|it| it.cost);
        assert_eq!(cost(&ours), cost(&exact));
        by_inclusion += ours.totals.expanded;
        by_equality += exact.totals.expanded;
    }
    // The two differ by some percent here.
    assert!(
        by_inclusion * 100 < by_equality * 98,
        "{by_inclusion} {by_equality}"
    );
}
