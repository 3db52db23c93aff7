//! A machine over labels, proved right for another game.

use std::io::{self, Write};

use psvn::machine::TransferReport;
use psvn::text::Parameter;
use psvn::text::units::count;

use super::verification::print_failures;
use crate::show::lines::assumptions;
use crate::show::{Show, Style};

impl Show for TransferReport {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        writeln!(
            out,
            "{}: {} of {}, to serve {}",
            of.machine,
            count(of.words, "redundant word"),
            of.from,
            of.to
        )?;
        writeln!(out, "  labels of both   {}", of.shared_labels.join(" "))?;
        if !of.missing_labels.is_empty() {
            let missing = of.missing_labels.join(" ");
            writeln!(out, "  of no rule there {missing}")?;
        }
        if !of.new_labels.is_empty() {
            let new = of.new_labels.join(" ");
            writeln!(out, "  unknown here     {new}")?;
        }
        writeln!(
            out,
            "  proved           {}, for all of their {}",
            count(of.proved, "word"),
            count(of.instances, "instance")
        )?;
        if of.without_instance > 0 {
            writeln!(
                out,
                "  impossible       {}: no instance in that game",
                count(of.without_instance, "word")
            )?;
        }
        if of.failed > 0 {
            let verdict = if of.valid { ", left out" } else { "" };
            writeln!(
                out,
                "  failed           {}{verdict}",
                count(of.failed, "word")
            )?;
        }
        match of.states {
            Some(states) => writeln!(
                out,
                "  machine          {}, forbids {}",
                count(states, "state"),
                count(of.kept, "word")
            )?,
            None => {
                let drop = style.term(Parameter::DropFailing);
                writeln!(
                    out,
                    "  machine          none; {drop} drops the words that fail"
                )?;
            }
        }
        print_failures(&of.failures, of.failed, out)?;
        if !of.assumed_invariants.is_empty() {
            writeln!(out, "Assumed of the states that a search starts from:")?;
            assumptions(&of.assumed_invariants, "  ", style, out)?;
        }
        Ok(())
    }
}
