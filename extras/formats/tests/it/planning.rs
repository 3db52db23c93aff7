//! The generated tasks can be solved, and their mutex groups hold.

use std::collections::BTreeSet;

use formats::planning::{blocks, gripper, tasks};
use formats::sas::{parse, to_psvn, write};
use psvn_ir::LoadLimits;

use crate::breadth::{game_layers, load};
use crate::interpreter::task_layers;

#[test]
fn all_tasks_are_read_and_their_mutex_groups_are_proved() {
    let tasks = tasks();
    assert!(tasks.len() >= 30);
    let kinds: BTreeSet<&str> = tasks
        .iter()
        .filter_map(|(name, _)| name.split('-').next())
        .collect();
    assert_eq!(kinds.len(), 7);
    for (name, task) in &tasks {
        let read = parse(&write(task), &LoadLimits::default())
            .unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let imported = to_psvn(&read, &LoadLimits::default()).unwrap();
        assert!(imported.notes.is_empty(), "{name}: {:?}", imported.notes);
        let (game, start) = load(&imported.text);
        assert_eq!(game.rules().len(), task.operators.len(), "{name}");
        assert!(start.is_some());
    }
}

#[test]
fn small_tasks_keep_their_states_and_can_be_solved() {
    let mut n_tried = 0;
    for (name, task) in tasks() {
        let expected = task_layers_within(&task, 3000);
        let Some(expected) = expected else {
            continue;
        };
        n_tried += 1;
        let imported = to_psvn(&task, &LoadLimits::default()).unwrap();
        let (game, start) = load(&imported.text);
        assert_eq!(game_layers(&game, &start.unwrap()), expected, "{name}");
        assert!(
            expected.iter().any(|(_, goals)| *goals > 0),
            "{name} has no solution"
        );
    }
    assert!(n_tried >= 15, "{n_tried}");
}

/// The states of a task, if there are at most `most`.
fn task_layers_within(task: &formats::sas::Task, most: usize) -> Option<Vec<(usize, usize)>> {
    let layers = task_layers(task, most);
    let n: usize = layers.iter().map(|(n, _)| n).sum();
    (n <= most).then_some(layers)
}

#[test]
fn seeds_make_the_same_tasks() {
    assert_eq!(blocks(4, 7), blocks(4, 7));
    assert_ne!(blocks(4, 7), blocks(4, 8));
    // Two moves; and for each ball, hand and room, a pick and a drop.
    assert_eq!(gripper(2).operators.len(), 2 + 2 * 2 * 2 * 2);
}
