//! `psvn transfer`: a machine over labels, proved right for another game.

use std::io::Write;

use psvn::Game;
use psvn::analysis::{Assumptions, Starts};
use psvn::machine::{self, TransferReport, TransferRequest};
use psvn::store::atomic as atomic_file;
use psvn::text::units::count;

use super::verify::print_failures;
use crate::args::TransferArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::assumptions;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &TransferArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("transfer")?;
    let from = Game::open(&args.from, &cx.env)?;
    let to = Game::open(&args.to, &cx.env)?;
    interrupt::flag(&cx.env);
    let starts = Starts {
        state: args.start.as_deref(),
        file: None,
    };
    let assumptions = Assumptions::choose(args.invariants, starts, &args.to, &to, &cx.env)?;
    let request = TransferRequest {
        from: &from,
        machine: &args.machine,
        to: &to,
        assumptions: &assumptions,
        drop_failing: args.drop,
        drop_impossible: args.drop_impossible,
        kind: args.kind,
        budget: machine::budget(args.memory),
    };
    let transfer = machine::transfer(&request, &cx.env)?;
    if let (Some(path), Some(file)) = (&args.output, &transfer.file) {
        atomic_file::write(path, &file.to_bytes())?;
    }
    let report = &transfer.report;
    match cx.format {
        Format::Json => cx.out.json(report)?,
        Format::Text | Format::Csv => {
            print(report, cx)?;
            if let (Some(path), Some(_)) = (&args.output, &transfer.file) {
                writeln!(cx.out, "Machine written to {}", path.display())?;
            }
        }
    }
    Ok(if report.valid { Exit::Done } else { Exit::No })
}

fn print(of: &TransferReport, cx: &mut Context) -> Result<(), Failure> {
    let verbose = cx.log.is_verbose();
    let out = &mut cx.out;
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
            "  impossible       {}: no state of that game has room for them",
            count(of.without_instance, "word")
        )?;
    }
    if of.failed > 0 {
        let verdict = match of.valid {
            true => ", left out",
            false => "",
        };
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
            writeln!(out, "  machine          none; --drop leaves out what fails")?;
        }
    }
    print_failures(&of.failures, of.failed, out)?;
    if !of.assumed_invariants.is_empty() {
        writeln!(out, "Assumed of the states that a search starts from:")?;
        assumptions::print(&of.assumed_invariants, verbose, "  ", out)?;
    }
    Ok(())
}
