//! `psvn transfer`: a machine over labels, proved right for another game.

use std::io::Write;

use psvn::Game;
use psvn::analysis::Starts;
use psvn::machine::{self, TransferRequest};
use psvn::store::atomic as atomic_file;

use crate::args::TransferArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
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
    let assumptions = starts.assumptions(args.invariants, &args.to, &to, &cx.env)?;
    let request = TransferRequest {
        from: from.named(),
        machine: &args.machine,
        to: to.named(),
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
    cx.print(report)?;
    if let (Some(path), Some(_), Format::Text) = (&args.output, &transfer.file, cx.format) {
        writeln!(cx.out, "Machine written to {}", path.display())?;
    }
    Ok(if report.valid { Exit::Done } else { Exit::No })
}
