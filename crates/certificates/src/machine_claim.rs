//! Machine files as certificates.

use std::collections::BTreeMap;

use budget::Watch;
use fsm::{MachineFile, MachineKind};
use invariants::{Fact, Invariants};
use psvn_ir::{Game, RuleId};

use crate::error::CertificateError;
use crate::lines::{write_lists, write_numbers};
use crate::pruned_search::write_rows;
use crate::text::{FIRST_LINE, write_game};

/// The text of a transition takes about as much.
const BYTES_OF_CELL: usize = 4;

/// Write the claim that a machine file makes about a game, for a checker that is proved correct: in
/// all states with the invariants, each word is redundant with an earlier one, and for each plan
/// there is one that costs no more and that the machine allows. Nothing is checked here.
///
/// `assumed` are the file's assumptions. The format has no place for facts that exclude each other
/// without being part of a count; a word that needs such a pair isn't accepted.
///
/// Rules get numbers by the file's order of rules, since a checker compares words by these.
///
/// # Errors
/// When the file has something that the format can't express, a number is too large for it, or a
/// limit is reached.
pub fn machine_claim(
    game: &Game,
    file: &MachineFile,
    assumed: &Invariants,
    watch: &Watch,
) -> Result<String, CertificateError> {
    check_is_covered(file)?;
    let order = order_of_rules(game, file);
    let mut place = vec![0; order.len()];
    for (index, rule) in order.iter().enumerate() {
        place[rule.index()] = index;
    }
    let mut text = format!("{FIRST_LINE}\n");
    write_game(&mut text, game, &order)?;
    // The claim holds for any start. The format wants one.
    text.push_str("start");
    write_numbers(&mut text, (0..game.n_variables()).map(|_| 0));
    text.push_str("\nclaim machine\n");
    if file.rests_on_assumptions {
        write_invariants(&mut text, game, assumed)?;
    }
    let of_rules = file.parts.iter().enumerate();
    for (rule, part) in of_rules.flat_map(|(rule, parts)| parts.iter().map(move |it| (rule, it))) {
        text.push_str(&format!("part {}", place[rule] + 1));
        for (variable, value) in &part.conditions {
            text.push_str(&format!(" {}={value}", variable + 1));
        }
        text.push('\n');
    }
    let letter_of = |letter: u32| match file.parts[..] {
        [] => place[letter as usize] + 1,
        _ => letter as usize + 1,
    };
    for certified in &file.words {
        text.push_str("word");
        write_numbers(&mut text, certified.word.iter().map(|it| letter_of(*it)));
        text.push_str(" =");
        let replacement = certified.replacements[0].iter();
        write_numbers(&mut text, replacement.map(|rule| place[*rule as usize] + 1));
        text.push('\n');
        watch.check_resources(text.len())?;
    }
    let dense = file.machine.to_dense();
    let dense = dense.map_err(|_| CertificateError::NotCovered {
        what: "machines of this size",
    })?;
    let columns = match file.parts[..] {
        [] => order.iter().map(|rule| rule.index()).collect(),
        _ => (0..dense.n_letters() as usize).collect::<Vec<_>>(),
    };
    let cells = dense.n_states().saturating_mul(columns.len());
    watch.check_resources(text.len() + cells * BYTES_OF_CELL)?;
    write_rows(&mut text, &dense, &columns);
    text.push_str("end\n");
    Ok(text)
}

/// Refuse files that claim something else.
fn check_is_covered(file: &MachineFile) -> Result<(), CertificateError> {
    let what = if !file.operator_of.is_empty() {
        "words of operators"
    } else if !file.swaps.is_empty() {
        "sleep sets"
    } else if file.kind == Some(MachineKind::MinimizedWithDontCares) {
        "machines that may do anything with impossible words"
    } else {
        return Ok(());
    };
    Err(CertificateError::NotCovered { what })
}

/// Write sums of weights for counts of facts, and for facts that never hold.
fn write_invariants(
    text: &mut String,
    game: &Game,
    assumed: &Invariants,
) -> Result<(), CertificateError> {
    let counts = assumed.counts().map(|count| (count.number, count.facts));
    let never = assumed.unreachable_facts().map(|fact| (0, vec![fact]));
    for (number, facts) in counts.chain(never) {
        let mut weights: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for Fact { var, value } in facts {
            let size = game.domain_of(var).size();
            weights.entry(var.index()).or_insert_with(|| vec![0; size])[value.index()] = 1;
        }
        text.push_str(&format!("invariant {number}\n"));
        write_lists(text, "weigh", weights.into_iter())?;
    }
    Ok(())
}

/// All rules, in the order by which words are compared.
fn order_of_rules(game: &Game, file: &MachineFile) -> Vec<RuleId> {
    let mut order: Vec<RuleId> = file.rule_order.iter().map(|rule| RuleId(*rule)).collect();
    let others = game.rules_with_ids().map(|(rule, _)| rule);
    order.extend(others.filter(|rule| !file.rule_order.contains(&rule.0)));
    order
}
