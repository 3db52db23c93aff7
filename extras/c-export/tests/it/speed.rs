//! Prints the speed beside that of the library's own counting; tests nothing.

use std::time::Instant;

use crate::compiler::{Build, Program};
use crate::games::walk;
use crate::oracle::Subject;

/// The games of Table 4 of Burch & Holte 2011, with depths that take the program about a second.
#[test]
#[ignore = "takes 60 seconds: measures speeds"]
fn manual_nodes_per_second_of_a_counter() {
    println!("game  length  nodes  C nodes/s  library nodes/s  ratio");
    for (reference, length, depth) in [
        ("arrow:16", 2, 15),
        ("blocks:10", 2, 10),
        ("sliding-tiles:3:3", 2, 24),
        ("sliding-tiles:4:4", 6, 18),
        ("pancake:9", 3, 8),
        ("hanoi:4:8", 3, 11),
        ("rubik:2", 3, 6),
        ("topspin:14:3", 3, 9),
        ("work-or-golf", 3, 13),
        ("gripper:10", 3, 14),
    ] {
        let subject = Subject::built_in(reference, length);
        let program = Program::of("count.c", &subject.to_c(), Build::Fast);
        let start = walk(&subject, 0);
        let text = subject.game.format_state(start.values());
        let begun = Instant::now();
        let printed = program.run(&[&depth.to_string(), &text]);
        let c_time = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let counted = subject.counts(&start, depth, false);
        let library_time = begun.elapsed().as_secs_f64();
        assert_eq!(printed, counted, "{reference}");
        let nodes: u64 = printed
            .lines()
            .map(|line| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap())
            .sum();
        println!(
            "{reference}  {length}  {nodes}  {:.1} M  {:.1} M  {:.3}",
            nodes as f64 / c_time / 1e6,
            nodes as f64 / library_time / 1e6,
            library_time / c_time
        );
    }
}
