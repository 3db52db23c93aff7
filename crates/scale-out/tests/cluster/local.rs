//! Processes that join the one that started them.

use std::io;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use scale_out::local::join;
#[cfg(unix)]
use scale_out::{Crew, local::start};

#[test]
fn a_process_that_is_not_invited_says_so() {
    let mut output = Vec::new();
    let joined = join(1, Path::new("."), io::empty(), &mut output);
    let error = joined.expect_err("no invitation").to_string();
    assert!(error.contains("is gone"), "{error}");
    let address = String::from_utf8(output).expect("text");
    assert!(
        address.trim().parse::<std::net::SocketAddr>().is_ok(),
        "{address}"
    );
}

/// It would be waited for as long as for one on another machine.
#[test]
#[cfg(unix)]
fn a_process_that_ends_before_it_connects_is_lost() {
    let mut command = |process| {
        let mut command = Command::new("sh");
        let then = if process == 2 { "true" } else { "sleep 600" };
        let port = process + 6;
        command.args([
            "-c",
            &format!("echo 127.0.0.1:{port}; read line; exec {then}"),
        ]);
        command
    };
    let (member, children) = start(3, Path::new("."), &mut command).expect("two shells");
    let error = Crew::<search::Piece>::meet(member, "", &|| false).err();
    let error = error.expect("nobody connects").to_string();
    assert!(
        error.contains("process 2 at 127.0.0.1:8 is lost"),
        "{error}"
    );
    drop(children);
}
