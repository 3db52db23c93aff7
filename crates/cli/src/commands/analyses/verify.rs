//! `psvn verify`: all that a machine file claims, proved again by code of another kind.

mod header;
mod proof;

use std::io::Write;

use fsm::{MachineFile, MachineKind};
use serde::Serialize;

use self::proof::{MachineFlaw, Outcome, Task};
use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::assumptions;
use crate::output::progress::Progress;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game;
use psvn::machine::LetterNames;
use psvn::machine::file as machine_file;
use psvn::text::units::count;

/// The most failed certificates that are listed; the rest is counted.
const MAX_LISTED: usize = 20;

#[derive(Serialize)]
struct Report {
    file: String,
    machine: String,
    valid: bool,
    /// What letters are: `rules` or `operators`.
    letters: &'static str,
    certificates: usize,
    failed: usize,
    /// The first of them.
    failures: Vec<FailureEntry>,
    /// What is wrong with the assumed invariants, where the rest builds on them.
    invariants_flaw: Option<String>,
    /// The pairs of rules that sleep sets let change places.
    swaps: usize,
    swaps_flaw: Option<String>,
    /// Whether the machine may do anything with words that are impossible in this game.
    dont_cares: bool,
    /// Whether the machine forbids exactly what it should.
    machine_valid: bool,
    machine_flaw: Option<String>,
    states: usize,
    /// The length of the longest words that were compared, by the file, and that of the longest one
    /// that is forbidden.
    max_length: u32,
    longest_word: usize,
    /// What is false in the header.
    header_flaw: Option<String>,
    assumed_invariants: Vec<String>,
    /// Whether these were proved to last.
    #[serde(skip)]
    invariants_are_proved: bool,
}

#[derive(Serialize)]
struct FailureEntry {
    /// The certificate's place in the file, from 1.
    certificate: usize,
    word: Vec<String>,
    replacements: Vec<Vec<String>>,
    reason: String,
}

pub(crate) fn run(args: &VerifyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("verify")?;
    let named = Game::open(&args.file, &cx.env)?;
    let open = machine_file::open_for(&args.machine, named.ir(), named.name())?;
    let name = args.machine.display().to_string();
    let unreadable = |error| machine_file::unreadable(&name, &error);
    open.verify_checksum().map_err(unreadable)?;
    let file = open.to_machine_file().map_err(unreadable)?;
    let task = Task {
        name: name.clone(),
        game: named.ir(),
        file: &file,
        assumed: &machine_file::assumptions(&open, &args.machine, named.ir())?,
        interrupt: interrupt::flag(&cx.env),
    };
    let mut shown = Progress::new(cx.progress);
    let outcome = task.run(&mut shown)?;
    drop(shown);
    let letters = LetterNames::new(named.ir(), &open);
    let report = Report::of(name, &named, &file, &letters, &outcome);
    match cx.format {
        Format::Json => cx.out.json(&report)?,
        Format::Text | Format::Csv => report.print(cx)?,
    }
    Ok(if report.valid { Exit::Done } else { Exit::No })
}

impl Report {
    fn of(
        machine: String,
        named: &Game,
        file: &MachineFile,
        letters: &LetterNames<'_>,
        outcome: &Outcome,
    ) -> Self {
        let flaw = |part: &Option<Result<(), String>>| match part {
            Some(Err(flaw)) => Some(flaw.clone()),
            _ => None,
        };
        let listed = outcome.failed.iter().take(MAX_LISTED);
        let failure = |(index, reason): &(usize, String)| {
            let word = &file.words[*index];
            FailureEntry {
                certificate: index + 1,
                word: letters.names(&word.word),
                replacements: word
                    .replacements
                    .iter()
                    .map(|word| letters.names(word))
                    .collect(),
                reason: reason.clone(),
            }
        };
        Self {
            file: named.name().to_owned(),
            machine,
            valid: outcome.is_valid(),
            letters: match letters {
                LetterNames::Rules(_) => "rules",
                LetterNames::Operators(_) => "operators",
            },
            certificates: file.words.len(),
            failed: outcome.failed.len(),
            failures: listed.map(failure).collect(),
            invariants_flaw: flaw(&outcome.invariants),
            swaps: file.swaps.len(),
            swaps_flaw: flaw(&outcome.swaps),
            dont_cares: file.kind == Some(MachineKind::MinimizedWithDontCares),
            machine_valid: matches!(outcome.machine, Some(Ok(()))),
            machine_flaw: match &outcome.machine {
                Some(Ok(())) => None,
                Some(Err(flaw)) => Some(describe(flaw, letters)),
                None => Some("it was not checked".to_owned()),
            },
            states: file.machine.n_states(),
            max_length: file.max_length,
            longest_word: header::longest_word(file),
            header_flaw: flaw(&outcome.header),
            assumed_invariants: file.assumptions.clone(),
            invariants_are_proved: matches!(outcome.invariants, Some(Ok(()))),
        }
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let verbose = cx.log.is_verbose();
        let out = &mut cx.out;
        self.print_certificates(out)?;
        if let Some(flaw) = &self.invariants_flaw {
            writeln!(
                out,
                "what is assumed of states is not proved to last: {flaw}"
            )?;
        }
        match &self.swaps_flaw {
            Some(flaw) => writeln!(out, "the sleep sets are wrong: {flaw}")?,
            None if self.swaps > 0 => writeln!(
                out,
                "{} of rules proved that may change places",
                count(self.swaps, "pair")
            )?,
            None => {}
        }
        let what = if self.swaps > 0 {
            "contains a redundant word or a rule that is asleep"
        } else {
            "contains a redundant word"
        };
        let but = if self.dont_cares {
            ",\nas far as rules can follow each other in this game"
        } else {
            ""
        };
        match &self.machine_flaw {
            None => writeln!(
                out,
                "the machine ({}) forbids what {what}, and nothing else{but}",
                count(self.states, "state")
            )?,
            Some(flaw) => writeln!(out, "the machine is wrong: {flaw}")?,
        }
        if let Some(flaw) = &self.header_flaw {
            writeln!(out, "the file's header is wrong: {flaw}")?;
        }
        if !self.assumed_invariants.is_empty() {
            let head = if self.invariants_are_proved {
                "the above rests on what is assumed of start states, which was proved to last:"
            } else if self.invariants_flaw.is_some() {
                "the above rests on what is assumed of start states:"
            } else {
                "assumed of start states, though nothing above rests on it:"
            };
            writeln!(out, "{head}")?;
            assumptions::print(&self.assumed_invariants, verbose, "  ", out)?;
        }
        Ok(())
    }

    fn print_certificates(&self, out: &mut impl Write) -> Result<(), Failure> {
        for failure in &self.failures {
            let replacements: Vec<String> = failure
                .replacements
                .iter()
                .map(|word| match word.as_slice() {
                    [] => "doing nothing".to_owned(),
                    letters => letters.join(" "),
                })
                .collect();
            writeln!(
                out,
                "certificate {}: {} can't be replaced by {}: {}",
                failure.certificate,
                failure.word.join(" "),
                replacements.join(", or by "),
                failure.reason
            )?;
        }
        if self.failed > self.failures.len() {
            writeln!(out, "and {} more", self.failed - self.failures.len())?;
        }
        if self.failed > 0 {
            writeln!(
                out,
                "{} of {} failed",
                self.failed,
                count(self.certificates, "certificate")
            )?;
            return Ok(());
        }
        let by = match self.letters {
            "operators" => " for sequences of labels",
            _ => "",
        };
        writeln!(
            out,
            "{}{by} proved, up to length {}",
            count(self.certificates, "certificate"),
            self.longest_word
        )?;
        if self.max_length as usize > self.longest_word && self.header_flaw.is_none() {
            writeln!(
                out,
                "the file says that sequences up to length {} were compared; nothing depends on that",
                self.max_length
            )?;
        }
        Ok(())
    }
}

/// A flaw of the machine with the names of letters.
fn describe(flaw: &MachineFlaw, letters: &LetterNames<'_>) -> String {
    let named = |word: &[u32]| match word {
        [] => "the empty sequence".to_owned(),
        word => letters.names(word).join(" "),
    };
    match flaw {
        MachineFlaw::ForbidsTooMuch(word) => {
            format!(
                "it forbids {}, which contains nothing redundant",
                named(word)
            )
        }
        MachineFlaw::ForbidsTooLittle(word) => {
            format!(
                "it allows {}, which contains something redundant",
                named(word)
            )
        }
        MachineFlaw::Other(flaw) => flaw.clone(),
    }
}
