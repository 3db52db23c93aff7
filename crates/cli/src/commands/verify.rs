//! `psvn verify`: every certificate of a machine file, proved again by code of another kind.

use std::io::Write;

use checker::{
    AutomatonFlaw, Certificate, Order, RuleRanks, WordOrder, check_automaton, check_word,
};
use fsm::{Machine, MachineFile};
use psvn_ir::RuleId;
use serde::Serialize;

use crate::args::VerifyArgs;
use crate::choices::parse_order;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame};
use crate::machine_file;
use crate::output::Format;
use crate::progress::Progress;
use crate::rule_names::RuleNames;
use crate::units::count;

/// So many failed certificates are listed; the rest is counted.
const MAX_LISTED: usize = 20;

#[derive(Serialize)]
struct Report {
    file: String,
    machine: String,
    valid: bool,
    certificates: usize,
    failed: usize,
    /// The first of them.
    failures: Vec<FailureEntry>,
    /// Whether the machine forbids exactly what contains a redundant word.
    machine_valid: bool,
    machine_flaw: Option<String>,
    states: usize,
    max_length: u32,
    assumed_invariants: Vec<String>,
}

#[derive(Serialize)]
struct FailureEntry {
    /// The certificate's place in the file, from 1.
    certificate: usize,
    word: Vec<String>,
    replacement: Vec<String>,
    reason: String,
}

pub(crate) fn run(args: &VerifyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("verify")?;
    let named = input::load_game(&args.file, cx)?;
    let file = machine_file::read_for(&args.machine, &named.game, &named.name)?;
    let report = Report::of(args, &named, &file, cx)?;
    match cx.format {
        Format::Json => cx.out.json(&report)?,
        Format::Text | Format::Csv => report.print(cx)?,
    }
    Ok(if report.valid { Exit::Done } else { Exit::No })
}

impl Report {
    fn of(
        args: &VerifyArgs,
        named: &NamedGame,
        file: &MachineFile,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let order = match parse_order(&file.order) {
            Ok(move_prune::Order::LengthLexicographic) => Order::LengthLexicographic,
            Ok(move_prune::Order::CostLengthLexicographic) => Order::CostLengthLexicographic,
            Err(_) => {
                return Err(Failure::input(format!(
                    "`{}` uses the order `{}`, which this version can't check",
                    args.machine.display(),
                    file.order
                )));
            }
        };
        let ranks = match file.rule_order.as_slice() {
            [] => None,
            rules => {
                let rules: Vec<RuleId> = rules.iter().map(|rule| RuleId(*rule)).collect();
                Some(RuleRanks::new(&rules).map_err(|error| {
                    Failure::input(format!("`{}`: {error}", args.machine.display()))
                })?)
            }
        };
        let order = match &ranks {
            Some(ranks) => WordOrder::with_ranks(order, ranks),
            None => WordOrder::from(order),
        };
        let names = RuleNames::new(&named.game);
        let mut shown = Progress::new(cx.progress);
        let mut failed = 0;
        let mut failures = Vec::new();
        for (index, certified) in file.words.iter().enumerate() {
            if index % 1024 == 0 {
                shown.show(
                    || "checking certificates".to_owned(),
                    Some((index, file.words.len())),
                );
            }
            let (word, replacement) = (rules(&certified.word), rules(&certified.replacement));
            let certificate = Certificate {
                word: &word,
                replacement: &replacement,
            };
            if let Err(flaw) = check_word(&named.game, certificate, order) {
                failed += 1;
                if failures.len() < MAX_LISTED {
                    failures.push(FailureEntry {
                        certificate: index + 1,
                        word: names.names(&word),
                        replacement: names.names(&replacement),
                        reason: flaw.to_string(),
                    });
                }
            }
        }
        shown.show(|| "checking the machine".to_owned(), None);
        let words: Vec<&[u32]> = file
            .words
            .iter()
            .map(|certified| &*certified.word)
            .collect();
        let machine = &file.machine;
        let flaw = check_automaton(
            machine.n_letters(),
            &words,
            machine.start(),
            |state, letter| machine.next(state, letter),
        )
        .err()
        .map(|flaw| describe(&flaw, &names));
        Ok(Self {
            file: named.name.clone(),
            machine: args.machine.display().to_string(),
            valid: failed == 0 && flaw.is_none(),
            certificates: file.words.len(),
            failed,
            failures,
            machine_valid: flaw.is_none(),
            machine_flaw: flaw,
            states: machine.n_states(),
            max_length: file.max_length,
            assumed_invariants: file.assumptions.clone(),
        })
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        for failure in &self.failures {
            let replacement = match failure.replacement.as_slice() {
                [] => "doing nothing".to_owned(),
                rules => rules.join(" "),
            };
            writeln!(
                out,
                "certificate {}: {} can't be replaced by {replacement}: {}",
                failure.certificate,
                failure.word.join(" "),
                failure.reason
            )?;
        }
        if self.failed > self.failures.len() {
            writeln!(out, "and {} more", self.failed - self.failures.len())?;
        }
        let proved = self.certificates - self.failed;
        if self.failed == 0 {
            writeln!(
                out,
                "{} proved, up to length {}",
                count(proved, "certificate"),
                self.max_length
            )?;
        } else {
            writeln!(
                out,
                "{} of {} failed",
                self.failed,
                count(self.certificates, "certificate")
            )?;
        }
        match &self.machine_flaw {
            None => writeln!(
                out,
                "the machine ({}) forbids what contains a redundant word, and nothing else",
                count(self.states, "state")
            )?,
            Some(flaw) => writeln!(out, "the machine is wrong: {flaw}")?,
        }
        if !self.assumed_invariants.is_empty() {
            writeln!(
                out,
                "all this assumes of start states: {}",
                self.assumed_invariants.join("; ")
            )?;
        }
        Ok(())
    }
}

fn rules(letters: &[u32]) -> Vec<RuleId> {
    letters.iter().map(|letter| RuleId(*letter)).collect()
}

/// A flaw of the machine with the rules' names.
fn describe(flaw: &AutomatonFlaw, names: &RuleNames<'_>) -> String {
    match flaw {
        AutomatonFlaw::ForbidsTooMuch { word } => format!(
            "it forbids {}, which contains no redundant word",
            names.word(&rules(word))
        ),
        AutomatonFlaw::ForbidsTooLittle { word } => format!(
            "it allows {}, which contains a redundant word",
            names.word(&rules(word))
        ),
        other => other.to_string(),
    }
}
