//! Tasks whose operators only carry facts from place to place, read as puzzles with pieces.
//!
//! In the cube of the planning competition of 2023, each operator has hundreds of conditional
//! effects: what was true of one place is true of another afterwards. A rule for each case would be
//! one for each state. But such an operator permutes the facts ([`carries`]). Facts that are
//! carried into each other form an orbit, and the number of them that hold never changes: each that
//! holds is a piece ([`kinds`]). Kinds of pieces that move alike share their places, and facts that
//! always move together are the orientations of a piece in one place ([`shapes`]). So the task is a
//! puzzle of pieces that change places and turn, and each operator one rule.
//!
//! All of this is found in the facts, and holds by construction: each step compares what every
//! operator does to every fact.

mod carries;
mod kinds;
mod refusal;
mod shapes;

use std::collections::HashSet;
use std::fmt::Write as _;

use psvn_ir::{LoadLimits, LoadStop};

use self::carries::Carries;
use self::kinds::{Kind, kinds};
pub(super) use self::refusal::NotCarried;
use self::refusal::Refusal;
use self::shapes::{Shape, shapes};
use super::task::Task;
use crate::imported::{Imported, Rejected};
use crate::meter::Meter;
use crate::twisty::{Encoding, Move, Multiples, Puzzle, Set, to_psvn_within};
use crate::words::{call, fact as fact_word};

/// Whether some operator has effects with conditions. Without any, a rule for each operator does.
pub(super) fn may_help(task: &Task) -> bool {
    let mut effects = task.operators.iter().flat_map(|it| &it.effects);
    effects.any(|effect| !effect.conditions.is_empty())
}

/// Read a task as a puzzle, or say why it isn't one.
///
/// # Errors
/// When a limit is reached.
pub(super) fn puzzle_of(
    task: &Task,
    limits: &LoadLimits<'_>,
) -> Result<Result<Puzzle, NotCarried>, LoadStop> {
    match find(task, &Meter::new(limits)) {
        Ok(found) => Ok(Ok(found)),
        Err(Refusal::NotCarried(reason)) => Ok(Err(reason)),
        Err(Refusal::Stopped(stop)) => Err(stop),
    }
}

fn find(task: &Task, meter: &Meter<'_>) -> Result<Puzzle, Refusal> {
    let mut labels = HashSet::new();
    let mut operators = task.operators.iter();
    if let Some(twice) = operators.find(|it| !labels.insert(call(&it.name))) {
        let operator = twice.name.clone();
        return Err(NotCarried::Names { operator }.into());
    }
    let carries = Carries::of(task, meter)?;
    let kinds = kinds(task, &carries, meter)?;
    let shapes = shapes(&kinds, meter)?;
    let operators = task.operators.iter().enumerate();
    let moves = operators.map(|(number, operator)| Move {
        name: call(&operator.name),
        turns: shapes.iter().map(|it| it.turns[number].clone()).collect(),
        cost: task.cost_of(operator),
        span: operator.span,
        multiples: Multiples::None,
    });
    let sets = (1..).zip(&shapes).map(|(number, shape)| Set {
        name: format!("pieces{number}"),
        orientations: shape.orientations,
        distinct: distinct(shape),
        solved: shape.goal.clone(),
        span: task.goal_span,
    });
    Ok(Puzzle {
        heading: Some(heading(task, &carries, &kinds, &shapes)),
        moves: moves.collect(),
        sets: sets.collect(),
        start: shapes.iter().map(|shape| shape.start.clone()).collect(),
        ..Puzzle::default()
    })
}

/// Lines of comments that say which facts the pieces stand for.
fn heading(task: &Task, carries: &Carries, kinds: &[Kind], shapes: &[Shape]) -> String {
    let mut heading = String::from(
        "# A planning task, translated from SAS+. Its operators move pieces, whose stickers are\n\
         # numbered; each piece stands for the fact that holds where it belongs.\n#\n",
    );
    for (number, shape) in (1..).zip(shapes) {
        for (piece, kind) in (1..).zip(&shape.kinds) {
            let facts = kinds[*kind].goal.iter().map(|place| {
                let fact = carries.fact(kinds[*kind].places[*place]);
                fact_word(&task.variables[fact.variable].facts[fact.value])
            });
            let facts = facts.collect::<Vec<_>>().join(" ");
            let _ = writeln!(heading, "# pieces{number}, {piece}: {facts}");
        }
    }
    heading.push_str("#\n");
    heading
}

/// Write the puzzle of a task, with the start in the comment line `# start:`.
///
/// # Errors
/// When a limit is reached.
pub(super) fn to_psvn(
    task: &Task,
    puzzle: &Puzzle,
    limits: &LoadLimits<'_>,
) -> Result<Imported, Rejected> {
    let mut imported = to_psvn_within(puzzle, Encoding::Stickers, 1, limits)?;
    // Labels stand for the names of operators, as plans have them.
    let operators = task.operators.iter();
    let names = operators.map(|it| (call(&it.name), it.name.clone()));
    imported.names = names.collect();
    Ok(imported)
}

/// The number of orientations that can be told apart in each place: those of empty ones can't.
fn distinct(shape: &Shape) -> Vec<usize> {
    let is_piece = shape.goal.pieces.iter().map(|it| *it < shape.kinds.len());
    is_piece
        .map(|is_piece| if is_piece { shape.orientations } else { 1 })
        .collect()
}
