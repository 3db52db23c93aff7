//! `psvn man`: manual pages.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use psvn::store::atomic as atomic_file;

pub(crate) fn run(args: &ManArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.dir else {
        let page = page(command)?;
        cx.out.write_all(&page)?;
        return Ok(Exit::Done);
    };
    if !folder.is_dir() {
        return Err(Failure::input(format!(
            "`{}` is no folder",
            folder.display()
        )));
    }
    for subcommand in command.get_subcommands() {
        let name = format!("psvn-{}", subcommand.get_name());
        let page = page(subcommand.clone().version(env!("CARGO_PKG_VERSION")))?;
        atomic_file::write(&folder.join(format!("{name}.1")), &page)?;
    }
    atomic_file::write(&folder.join("psvn.1"), &page(command)?)?;
    Ok(Exit::Done)
}

fn page(command: clap::Command) -> Result<Vec<u8>, io::Error> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
