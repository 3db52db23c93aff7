//! Which keys are safe, and how much work they save.

use fsm::{Machine, SharedMachine, Unrestricted, WordAutomaton};
use psvn_ir::{Game, State};

use super::inclusion::Inclusions;
use super::keys::Keys;
use super::setup::TableSetup;
use crate::front::by_book::ByBook;
use crate::front::by_cost::ByCost;
use crate::front::planned::AnyPlanned;
use crate::front::searcher::Searcher;
use crate::game::compiled::CompiledGame;
use crate::heuristic::ZeroHeuristic;
use crate::heuristic::erased::Erased;
use crate::heuristic::weight::Weight;
use crate::run::deepening::Raise;
use crate::run::limits::{Checkpoints, Limits, Watch};
use crate::run::options::{CycleDetection, Options};
use crate::run::report::{Outcome, SolveReport};

/// Run a search by a plan, and one by the interpreter, with any keys.
fn runs(
    game: &Game,
    start: &State,
    machine: &SharedMachine,
    keys: Keys<'_>,
    bytes: usize,
) -> [SolveReport; 2] {
    let game = CompiledGame::new(game);
    let mut check = |_| Ok(());
    let planned = AnyPlanned::new(&game, machine, None, &mut Checkpoints::new(&mut check));
    let table = Some(TableSetup { bytes, keys });
    let (cycles, weight, raise) = (CycleDetection::None, Weight::ONE, Raise::ToLeast);
    let by_plan = ByCost {
        cycles,
        weight,
        raise,
        options: Options::default(),
        table,
    };
    let by_book = ByBook {
        game: &game,
        machine,
        cycles,
        weight,
        raise,
        table,
    };
    let limits = Limits::default();
    let mut watch = Watch::new(&limits, None);
    let planned = planned.unwrap().unwrap();
    let by_plan = by_plan.run(&game, &planned, start, &ZeroHeuristic, &mut watch);
    let by_book = by_book.run(start, Erased(&ZeroHeuristic), &mut watch);
    [by_plan.unwrap(), by_book.unwrap().unwrap()]
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
    let compiled = CompiledGame::new(&game);
    let builder = || Searcher::builder(&compiled).machine(machine.clone());
    let naive = Keys::StateOnly(&machine);
    for (searcher, naive) in [builder(), builder().interpreted()].into_iter().zip(runs(
        &game,
        &start,
        &machine,
        naive,
        1 << 12,
    )) {
        assert_eq!(naive.outcome, Outcome::NoSolution);
        assert!(naive.table.unwrap().cutoffs > 0);
        let mut search = searcher.build().run().transposition_table(1 << 12);
        let ours = search.ida_star(&start, &ZeroHeuristic).unwrap();
        let solution = ours.solution().unwrap();
        let labels = solution.moves.iter().map(|id| &*game.rule(*id).label);
        assert_eq!(labels.collect::<Vec<_>>(), ["R2", "R3"]);
    }
    // Without a machine there is one machine state, and the keys are the same.
    let machine = SharedMachine::new(Unrestricted);
    let searcher = Searcher::builder(&compiled).build();
    let mut search = searcher.run().transposition_table(1 << 12);
    for naive in runs(&game, &start, &machine, Keys::StateOnly(&machine), 1 << 12) {
        assert!(naive.solved());
    }
    assert!(search.ida_star(&start, &ZeroHeuristic).unwrap().solved());
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
        let exact = runs(&game, &start, &machine, Keys::Exact(&machine), 1 << 20);
        let ours = runs(
            &game,
            &start,
            &machine,
            Keys::Inclusion(&inclusions),
            1 << 20,
        );
        for (exact, ours) in exact.into_iter().zip(ours) {
            let cost = |report: &SolveReport| report.solution().map(|it| it.cost);
            assert_eq!(cost(&ours), cost(&exact));
            by_inclusion += ours.totals.expanded;
            by_equality += exact.totals.expanded;
        }
    }
    // The two differ by some percent here.
    assert!(
        by_inclusion * 100 < by_equality * 98,
        "{by_inclusion} {by_equality}"
    );
}
