//! The growth of the sequences that a machine file accepts.

use std::path::Path;

use fsm::{Growth, OpenFile, Relabeled, product_within};
use host::{Host, HostExt};
use move_prune::{Analysis, Limits};
use psvn_ir::Game;
use redundancy::{file, unreadable};
use rule_splits::growth_of_possible;

use crate::engine::machines::{self as build, DEFAULT_BUDGET};
use crate::engine::task::{Task, analyze_rules};
use crate::error::AnalyzeError as Error;

/// Compute the growth of the sequences of rules that a file's machine accepts, and in which each
/// rule can follow the one before it. Where letters are operators, a sequence of rules is accepted
/// if its operators are. Sequences of operators would say little, since nearly every operator can
/// follow every other one by some of its rules. `None` if that takes too much memory.
///
/// # Errors
/// When the file is damaged, or the time is over.
pub(super) fn growth_of_file(
    path: &Path,
    open: &OpenFile,
    swaps: &[(u32, u32)],
    game: &Game,
    host: &dyn Host,
) -> Result<Option<Growth>, Error> {
    let known = file::assumptions(open, path, game)?;
    let split = file::split_game_of(open, path, game)?;
    let searched = split.as_ref().map_or(game, |split| split.game());
    let task = Task::up_to(2, Some(&known), host.limits(&Limits::default()));
    let pairs = analyze_rules(searched, &task, host);
    let growth = match pairs.stopped {
        // Without all pairs, the growth isn't known.
        Some(_) => None,
        None => growth_of_words(path, open, swaps, &pairs, &|| host.is_over())?,
    };
    if growth.is_none() && host.is_over() {
        return Err(Error::stopped(host, "the branching factor was measured"));
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
    let words = words.map_err(|error| unreadable(&path.display().to_string(), &error))?;
    let n_letters = file.machine().n_letters();
    let machine = build::forbidding(n_letters, words)?;
    let operator_of = file.operator_of();
    if !operator_of.is_empty() {
        let machine = Relabeled::new(machine, operator_of.to_vec());
        return Ok(growth_of_possible(&machine, pairs, DEFAULT_BUDGET, stop));
    }
    let product;
    let mut searched = &machine;
    if !swaps.is_empty() {
        let order = Some(file.rule_order()).filter(|order| !order.is_empty());
        let sleep = build::sleep_machine(n_letters, swaps, order)?;
        product = product_within(&machine, &sleep, DEFAULT_BUDGET).map_err(Error::Machine)?;
        searched = &product;
    }
    Ok(growth_of_possible(searched, pairs, DEFAULT_BUDGET, stop))
}
