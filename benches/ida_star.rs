//! IDA* with Manhattan distance in the 15-puzzle: the toolkit, from the rules of the game and a sum
//! of numbers by place and value, and a program written by hand.
//!
//! Prints a table.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

mod instances;
mod manhattan;

use fsm::Dense;
use invariants::Invariants;
use psvn_ir::Term;
use psvn_toolkit::{analyze, analyze_reachable, built_in, machine};
use search::{CompiledGame, Searcher, SolveReport};

use instances::{INSTANCES, manhattan_distance};
use manhattan::{Solved, solve_fifteen};
use psvn_benches::rounds::{Contestant, Speed, rounds};

/// The number of times that each contestant solves each instance.
const N_ROUNDS: usize = 5;

/// The length of the toolkit's longer machine.
const DEEP: usize = 12;

/// The toolkit's report in the terms of the program written by hand.
fn solved(report: &SolveReport) -> Solved {
    let (last, before) = report
        .iterations
        .split_last()
        .expect("there is an iteration");
    let before_last = before.iter().map(|iteration| iteration.generated).sum();
    Solved {
        length: report.solution().map_or(0, |it| it.length() as u64),
        generated: before_last + last.generated,
        before_last,
    }
}

fn main() {
    let game = built_in("sliding-tiles:4:4");
    let compiled = CompiledGame::new(&game);
    let sums = manhattan_distance(&game);
    let short = machine(&analyze(&game, 2));
    let deep = machine(&analyze_reachable(&game, DEEP));
    println!(
        "million generated nodes a second; beside the deep machine also the nodes and the time"
    );
    println!(
        "| instance | length | nodes, length 2 | toolkit | forbidden counted | by hand | times by hand | nodes, length {DEEP} | toolkit | times faster |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (number, length, board) in INSTANCES {
        let text: Vec<String> = board.iter().map(u8::to_string).collect();
        let start = game
            .parse_state(&text.join(" "))
            .expect("boards are states");
        let known = Invariants::from_states(&game, std::slice::from_ref(&start));
        let search = |machine: &Dense, count_forbidden| {
            let mut search = Searcher::builder(&compiled)
                .machine(machine.clone())
                .invariants({
                    let known = known.clone();
                    move |preconditions: &[Term]| known.admits(preconditions)
                })
                .build()
                .run()
                .count_forbidden(count_forbidden);
            let (start, sums) = (&start, &sums);
            move || solved(&search.ida_star(start, sums).expect("the start is a state"))
        };
        let mut contestants = [
            search(&short, false),
            search(&short, true),
            search(&deep, false),
        ];
        let [ours, _, deeper] = contestants.each_mut().map(|it| it());
        let hand = solve_fifteen(&board);
        assert_eq!([ours.length, deeper.length, hand.length], [length; 3]);
        assert_eq!(ours.before_last, hand.before_last, "instance {number}");
        let mut in_rounds: Vec<Contestant<'_>> = contestants
            .into_iter()
            .map(|mut solve| -> Contestant<'_> { Box::new(move || solve().generated) })
            .collect();
        in_rounds.push(Box::new(|| solve_fifteen(&board).generated));
        let speeds = rounds(N_ROUNDS, &mut in_rounds);
        let million = |speed: &Speed| speed.best() / 1e6;
        let seconds = |solved: Solved, speed: &Speed| solved.generated as f64 / speed.best();
        println!(
            "| {number} | {length} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {} | {:.0} | {:.2} |",
            ours.generated,
            million(&speeds[0]),
            million(&speeds[1]),
            million(&speeds[3]),
            speeds[0].times(&speeds[3]),
            deeper.generated,
            million(&speeds[2]),
            seconds(hand, &speeds[3]) / seconds(deeper, &speeds[2]),
        );
    }
}
