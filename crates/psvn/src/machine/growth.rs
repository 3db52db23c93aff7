//! The growth of the sequences that a machine file accepts.

use std::path::Path;

use fsm::{Dense, Growth, Machine, OpenFile};
use move_prune::{Analysis, Limits};

use crate::analysis::engine::machines::{self as build, DEFAULT_BUDGET};
use crate::analysis::engine::{self, Task};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, machine_file as file};

/// Compute the growth of the sequences of rules that a file's machine accepts, and in which each
/// rule can follow the one before it. Where letters are operators, a sequence of rules is accepted
/// if its operators are. Sequences of operators would say little, since nearly every operator can
/// follow every other one by some of its rules. `None` if that takes too much memory.
///
/// # Errors
/// When the file is damaged, or the time is over.
pub(super) fn growth_of_file(
    path: &Path,
    file: &OpenFile,
    swaps: &[(u32, u32)],
    game: &Game,
    env: &Environment,
) -> Result<Option<Growth>, Error> {
    let known = file::assumptions(file, path, game.ir())?;
    let split = file::split_game_of(file, path, game.ir())?;
    let searched = split.map(|split| game.with_rules_of(split.game().clone()));
    let game = searched.as_ref().unwrap_or(game);
    let task = Task::up_to(2, Some(&known), env.limits(&Limits::default()));
    let pairs = engine::analyze(game, &task, env);
    let growth = match pairs.stopped {
        // Without all pairs, the growth isn't known.
        Some(_) => None,
        None => growth_of_words(path, file, swaps, &pairs, &|| env.is_over())?,
    };
    if growth.is_none() && env.is_over() {
        return Err(env.over("the branching factor was measured"));
    }
    Ok(growth)
}

/// Compute the growth of the sequences that a file's words allow, by the pairs of rules that can
/// follow each other. `None` if that takes too much memory, or `stop` says that there is no time.
fn growth_of_words(
    path: &Path,
    file: &OpenFile,
    swaps: &[(u32, u32)],
    pairs: &Analysis,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Growth>, Error> {
    let words: Result<Vec<Box<[u32]>>, fsm::FileError> =
        file.words().map(|word| Ok(word?.word)).collect();
    let words = words.map_err(|error| super::unreadable(path, &error))?;
    let n_letters = file.machine().n_letters();
    let machine = build::forbidding(n_letters, words)?;
    let operator_of = file.operator_of();
    if !operator_of.is_empty() {
        let n_rules = u32::try_from(operator_of.len()).expect("rules have ids of 32 bits");
        if Dense::bytes_for(machine.n_states(), n_rules) > DEFAULT_BUDGET as u128 {
            return Ok(None);
        }
        let machine = over_rules(&machine, operator_of)?;
        return build::growth_of_possible(&machine, pairs, None, DEFAULT_BUDGET, stop);
    }
    let sleep: Option<Dense> = if swaps.is_empty() {
        None
    } else {
        let order = Some(file.rule_order()).filter(|order| !order.is_empty());
        Some(build::sleep_machine(n_letters, swaps, order)?)
    };
    build::growth_of_possible(&machine, pairs, sleep.as_ref(), DEFAULT_BUDGET, stop)
}

/// The same machine over rules: each rule leads where its operator leads.
fn over_rules(machine: &Dense, operator_of: &[u32]) -> Result<Dense, Error> {
    let start = machine.number(machine.start());
    // The start comes first in a table.
    let swapped = |state: usize| match state {
        1 => start,
        _ if state == start => 1,
        other => other,
    };
    let mut table = Vec::with_capacity(machine.n_states() * operator_of.len());
    for state in 1..=machine.n_states() {
        let next: Vec<usize> = machine.successors(swapped(state)).collect();
        let row = operator_of.iter().map(|operator| {
            let state = next[*operator as usize];
            u32::try_from(swapped(state)).expect("a machine's states have numbers of 32 bits")
        });
        table.extend(row);
    }
    let n_rules = u32::try_from(operator_of.len()).expect("rules have ids of 32 bits");
    Dense::from_table(n_rules, machine.n_states(), &table)
        .map_err(|error| Error::limit(error.to_string()))
}
