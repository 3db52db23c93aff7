//! Well-known planning tasks, generated from a few numbers.
//!
//! Each generator writes a task like a translator: one variable for each set of exclusive facts
//! that it finds, and no operator that can never be used.

mod builder;
mod carrying;
mod cubes;
mod grids;
mod stacking;

pub use carrying::{gripper, logistics, satellite};
pub use cubes::cube;
pub use grids::{pegsol, sokoban, visit_all};
pub use stacking::blocks;

use crate::sas::Task;

/// Return the tasks for measurements, each with its name, from small to large.
pub fn tasks() -> Vec<(String, Task)> {
    let mut found = Vec::new();
    let mut add = |name: String, task: Task| found.push((name, task));
    for (n, seed) in [(3, 2), (3, 5), (4, 1), (4, 2), (5, 1)] {
        add(format!("blocks-{n}-{seed}"), blocks(n, seed));
    }
    for n in 1..=5 {
        add(format!("gripper-{n}"), gripper(n));
    }
    for (cities, packages, seed) in [(2, 1, 1), (2, 2, 1), (2, 2, 2), (2, 3, 1), (3, 2, 1)] {
        let name = format!("logistics-{cities}-{packages}-{seed}");
        add(name, logistics(cities, packages, seed));
    }
    for (satellites, targets, seed) in [(1, 2, 1), (1, 3, 1), (2, 2, 1), (2, 3, 1), (2, 4, 1)] {
        let name = format!("satellite-{satellites}-{targets}-{seed}");
        add(name, satellite(satellites, targets, seed));
    }
    for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)] {
        add(
            format!("visit-all-{rows}-{columns}"),
            visit_all(rows, columns),
        );
    }
    for (number, level) in grids::SOKOBAN_LEVELS.iter().enumerate() {
        add(format!("sokoban-{}", number + 1), sokoban(level));
    }
    for (rows, columns, jumps, seed) in [
        (1, 6, 3, 1),
        (3, 3, 5, 1),
        (3, 4, 8, 1),
        (4, 4, 9, 1),
        (4, 4, 12, 2),
    ] {
        let name = format!("pegsol-{rows}-{columns}-{jumps}-{seed}");
        add(name, pegsol(rows, columns, jumps, seed));
    }
    found
}

/// Return cubes after 4 to 14 random quarter turns, each with its name.
pub fn cubes() -> Vec<(String, Task)> {
    let numbers = (4..=14).step_by(2);
    numbers
        .map(|turns| (format!("cube-{turns}"), cube(turns, 1)))
        .collect()
}
