//! The verification of a machine file.

use std::io::{self, Write};

use psvn::machine::{FailedCertificate, Verification};
use psvn::text::units::count;

use crate::show::lines::{assumptions, sequence};
use crate::show::{Show, Style};

impl Show for Verification {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        match (&*of.letters, &of.parts_flaw) {
            (_, Some(flaw)) => writeln!(out, "the parts of rules are wrong: {flaw}")?,
            ("parts", None) => writeln!(
                out,
                "{} of {} proved to be disjoint and complete",
                count(of.alphabet as usize, "part"),
                count(of.rules, "rule")
            )?,
            _ => {}
        }
        if of.parts_flaw.is_none() {
            print_certificates(of, out)?;
        }
        if let Some(flaw) = &of.invariants_flaw {
            writeln!(out, "the assumptions are not proved inductive: {flaw}")?;
        }
        match &of.swaps_flaw {
            Some(flaw) => writeln!(out, "the sleep sets are wrong: {flaw}")?,
            None if of.swaps > 0 => writeln!(
                out,
                "{} of rules proved that may change places",
                count(of.swaps, "pair")
            )?,
            None => {}
        }
        let what = if of.swaps > 0 {
            "contain a redundant word or a sleeping rule"
        } else {
            "contain a redundant word"
        };
        let but = if of.dont_cares {
            ",\nas far as rules can follow each other in this game"
        } else {
            ""
        };
        match &of.machine_flaw {
            None => writeln!(
                out,
                "the machine ({}) forbids exactly the words that {what}{but}",
                count(of.states, "state")
            )?,
            Some(flaw) => writeln!(out, "the machine is wrong: {flaw}")?,
        }
        if let Some(flaw) = &of.header_flaw {
            writeln!(out, "the file's header is wrong: {flaw}")?;
        }
        if !of.assumed_invariants.is_empty() {
            let head = if of.invariants_are_proved {
                "the proofs above depend on these assumptions about start states, which are proved inductive:"
            } else if of.invariants_flaw.is_some() {
                "the proofs above depend on these assumptions about start states:"
            } else {
                "assumed of start states, though nothing above depends on it:"
            };
            writeln!(out, "{head}")?;
            assumptions(&of.assumed_invariants, "  ", style, out)?;
        }
        Ok(())
    }
}

fn print_certificates(of: &Verification, out: &mut dyn Write) -> io::Result<()> {
    print_failures(&of.failures, of.failed, out)?;
    if of.failed > 0 {
        writeln!(
            out,
            "{} of {} failed",
            of.failed,
            count(of.certificates, "certificate")
        )?;
        return Ok(());
    }
    let by = match &*of.letters {
        "operators" => " for sequences of labels",
        "parts" => " for sequences of parts",
        _ => "",
    };
    writeln!(
        out,
        "{}{by} proved, up to length {}",
        count(of.certificates - of.without_instance, "certificate"),
        of.longest_word
    )?;
    if of.without_instance > 0 {
        writeln!(
            out,
            "{} without an instance in this game, so there is nothing to prove",
            count(of.without_instance, "sequence")
        )?;
    }
    if of.max_length as usize > of.longest_word && of.header_flaw.is_none() {
        writeln!(
            out,
            "the file says that sequences up to length {} were compared; nothing depends on that",
            of.max_length
        )?;
    }
    Ok(())
}

/// Print certificates that fail, and the number of those not shown.
pub(super) fn print_failures(
    failures: &[FailedCertificate],
    failed: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for failure in failures {
        let replacements: Vec<String> = failure
            .replacements
            .iter()
            .map(|word| sequence(word))
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
    if failed > failures.len() {
        writeln!(out, "and {} more", failed - failures.len())?;
    }
    Ok(())
}
