//! `psvn man`: manual pages.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

use crate::args::ManArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::help::{self, Block};
use crate::session::Context;
use psvn::store::atomic as atomic_file;
use psvn::store::read;

pub(crate) fn run(args: &ManArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.dir else {
        let page = page(command)?;
        cx.out.write_all(&page)?;
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        let (name, reason) = (folder.display(), read::reason(&error));
        Failure::input(format!("can't make the folder `{name}`: {reason}"))
    })?;
    for subcommand in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        let name = format!("psvn-{}", subcommand.get_name());
        let page = page(subcommand.clone().version(env!("CARGO_PKG_VERSION")))?;
        atomic_file::write(&folder.join(format!("{name}.1")), &page)?;
    }
    atomic_file::write(&folder.join("psvn.1"), &page(command)?)?;
    Ok(Exit::Done)
}

/// The page of a command. Columns of the help are kept.
fn page(command: Command) -> Result<Vec<u8>, io::Error> {
    let examples = command.get_before_long_help().map(ToString::to_string);
    let notes = command.get_after_long_help().map(ToString::to_string);
    let has_subcommands = command.get_subcommands().next().is_some();
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if let Some(examples) = examples {
        let lines = examples.lines().skip(1);
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        writeln!(page, ".SH EXAMPLES")?;
        block(&Block::Lines(lines), &mut page)?;
    }
    man.render_options_section(&mut page)?;
    if has_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = notes {
        writeln!(page, ".SH NOTES")?;
        for part in help::blocks(&notes) {
            block(&part, &mut page)?;
        }
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}

fn block(block: &Block, page: &mut Vec<u8>) -> io::Result<()> {
    match block {
        Block::Head(head) => writeln!(page, ".SS {}", escaped(head.trim_end_matches(':'))),
        Block::Paragraph(text) => writeln!(page, ".PP\n{}", escaped(text)),
        Block::Lines(lines) => {
            writeln!(page, ".PP\n.nf")?;
            for line in lines {
                writeln!(page, "{}", escaped(line))?;
            }
            writeln!(page, ".fi")
        }
        Block::Gap => Ok(()),
    }
}

/// Escape text for roff, so that no character is a command.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}
