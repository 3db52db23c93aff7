//! `psvn studio`: a page to look into a game.

use std::io::{IsTerminal, Write, stdout};
use std::process::{Command, Stdio};

use ::studio::Studio;

use crate::args::StudioArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

/// What opens an address in the browser of the user.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    &[&["cmd", "/c", "start", ""]]
} else {
    &[&["xdg-open"], &["wslview"]]
};

pub(crate) fn run(args: &StudioArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let studio = Studio::open(args.game.as_deref(), &cx.env)?;
    let server = studio.listen(args.port);
    let server = server.map_err(|error| {
        Failure::input(error.to_string()).hint("`--port 0` takes a port that is free")
    })?;
    interrupt::flag_saying(&cx.env, "ending (once more to end at once)");
    let address = server.address();
    writeln!(cx.out, "{address}")?;
    cx.out.finish()?;
    cx.log.note("Ctrl-C ends it");
    if !args.no_open && stdout().is_terminal() && !open(&address) {
        cx.log
            .note("no browser was found: open this address in one");
    }
    server
        .run()
        .map_err(|error| Failure::input(format!("the server ended: {error}")))?;
    Ok(Exit::Done)
}

/// Open an address in a browser, and return whether there is something that does.
fn open(address: &str) -> bool {
    OPENERS.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(address);
        let silent = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        silent.spawn().is_ok()
    })
}
