//! `psvn secret`: a secret for processes on several machines.

use psvn::cluster;

use crate::args::SecretArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

pub(crate) fn run(args: &SecretArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cluster::write_secret(&args.file)?;
    cx.log.written(&args.file);
    Ok(Exit::Done)
}
