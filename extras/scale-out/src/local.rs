//! Processes on one machine, started by the first of them.
//!
//! Each started process binds a port that the system chooses, and prints it on its standard output.
//! When all have, the first one sends each of them all addresses and a fresh secret, on its
//! standard input. So no port can be taken in between, and no secret is on a command line. That
//! input stays open as long as the first process lives, so its end says that this one is an orphan.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::ClusterError;
use crate::member::Member;
use crate::secret::random_secret;

/// The address at which processes on one machine listen.
const ADDRESS: &str = "127.0.0.1:0";
/// How long a started process may take to print its address.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long processes may take to end by themselves.
const FAREWELL: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });

/// The message to a started process.
#[derive(Serialize, Deserialize)]
struct Invitation {
    addresses: Vec<String>,
    secret: String,
}

/// Processes that this one has started. On drop it waits for those that still run, and kills them
/// after a while.
#[derive(Debug)]
pub struct Children {
    started: Started,
    /// Whether they know the others. Until then, the end of their input ends them.
    are_invited: bool,
}

/// Processes that this one has started, in the order of their numbers, from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Started(Arc<Mutex<Vec<Child>>>);

impl Started {
    fn children(&self) -> MutexGuard<'_, Vec<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Return the number of a process that has ended, if there is one.
    pub(crate) fn ended(&self) -> Option<usize> {
        let mut children = self.children();
        let mut ended = children.iter_mut().map(Child::try_wait);
        let index = ended.position(|status| matches!(status, Ok(Some(_))))?;
        Some(index + 1)
    }
}

fn broken(error: io::Error) -> ClusterError {
    ClusterError::Broken(format!("the processes can't be started: {error}"))
}

/// Start the other processes of a cluster of `n` on this machine, and be its first member.
/// `command` makes the command that starts the process with a number; that process calls
/// [`join`].
///
/// # Errors
/// If a process can't be started, or doesn't print its address.
pub fn start(
    n: usize,
    folder: &Path,
    command: &mut dyn FnMut(usize) -> Command,
) -> Result<(Member, Children), ClusterError> {
    let listener = TcpListener::bind(ADDRESS).map_err(broken)?;
    let mut children = Children {
        started: Started::default(),
        are_invited: false,
    };
    let mut outputs = Vec::new();
    for process in 1..n {
        let mut command = command(process);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        apart(&mut command);
        let mut child = command.spawn().map_err(broken)?;
        outputs.push(child.stdout.take());
        children.started.children().push(child);
    }
    let mut addresses = vec![listener.local_addr().map_err(broken)?.to_string()];
    for (index, output) in outputs.into_iter().enumerate() {
        let line = output.and_then(first_line).ok_or_else(|| {
            let process = index + 1;
            ClusterError::Broken(format!("process {process} does not start"))
        })?;
        addresses.push(line);
    }
    let invitation = Invitation {
        addresses,
        secret: random_secret()?,
    };
    let text = serde_json::to_string(&invitation).map_err(|error| broken(error.into()))?;
    for child in children.started.children().iter_mut() {
        if let Some(input) = &mut child.stdin {
            // A process that has died is reported as missing when the processes meet.
            writeln!(input, "{text}").ok();
        }
    }
    children.are_invited = true;
    let Invitation { addresses, secret } = invitation;
    let mut member = Member::new(0, addresses, secret.into_bytes(), folder.to_owned());
    member.listener = Some(listener);
    member.started = children.started.clone();
    Ok((member, children))
}

/// Put the process in a new group: an interrupt on a terminal goes to the first process, which
/// stops them all.
#[cfg(unix)]
fn apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn apart(_command: &mut Command) {}

/// Return the first line that a process prints, if it does so in time.
fn first_line(output: ChildStdout) -> Option<String> {
    let (sender, line) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        if BufReader::new(output).read_line(&mut line).is_ok() {
            // If the receiver has given up, the line isn't needed.
            sender.send(line).ok();
        }
    });
    let line = line.recv_timeout(PATIENCE).ok()?;
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// Join a cluster that another process started with [`start`], as the member with this number.
/// `input` and `output` connect to that process.
///
/// # Errors
/// If that process doesn't send a valid invitation.
pub fn join(
    process: usize,
    folder: &Path,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<Member, ClusterError> {
    let listener = TcpListener::bind(ADDRESS).map_err(broken)?;
    let address = listener.local_addr().map_err(broken)?;
    writeln!(output, "{address}").map_err(broken)?;
    output.flush().map_err(broken)?;
    let mut line = String::new();
    input.read_line(&mut line).map_err(broken)?;
    let invitation: Invitation = serde_json::from_str(&line).map_err(|_| {
        let message = "the process that started this one is gone, or another program is";
        ClusterError::Setup(message.to_owned())
    })?;
    let Invitation { addresses, secret } = invitation;
    let mut member = Member::new(process, addresses, secret.into_bytes(), folder.to_owned());
    member.listener = Some(listener);
    Ok(member)
}

impl Drop for Children {
    fn drop(&mut self) {
        let deadline = Instant::now() + FAREWELL;
        for child in self.started.children().iter_mut() {
            // Those that take part end by themselves, without being told that they are orphans.
            if !self.are_invited {
                drop(child.stdin.take());
            }
            while matches!(child.try_wait(), Ok(None)) {
                if Instant::now() >= deadline {
                    // The process has died or will die soon; nothing else can be done.
                    child.kill().ok();
                    child.wait().ok();
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    #[cfg(unix)]
    fn a_process_that_does_not_start_is_named() {
        let mut command = |_| Command::new("true");
        let started = start(2, Path::new("."), &mut command);
        let error = started.expect_err("it says nothing").to_string();
        assert!(error.contains("process 1 does not start"), "{error}");
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
        let folder = tempfile::tempdir().expect("a folder");
        let (member, children) = start(3, folder.path(), &mut command).expect("two shells");
        let text = domains::generate("sliding-tiles", &["2", "2"]).expect("a known game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let origin = explore::Origin::Goals;
        let error = crate::explore(&game, &origin, member, &explore::Options::default()).err();
        let error = error.expect("nobody connects").to_string();
        assert!(
            error.contains("process 2 at 127.0.0.1:8 is lost"),
            "{error}"
        );
        drop(children);
    }

    #[test]
    #[cfg(unix)]
    fn processes_that_do_not_end_are_ended() {
        let mut command = |_| {
            let mut command = Command::new("sh");
            command.args(["-c", "echo 127.0.0.1:9; exec sleep 600"]);
            command
        };
        let (member, children) = start(3, Path::new("."), &mut command).expect("two shells");
        assert_eq!(member.addresses[1..], ["127.0.0.1:9", "127.0.0.1:9"]);
        let ids: Vec<u32> = children.started.children().iter().map(Child::id).collect();
        drop(children);
        for id in ids {
            assert!(!Path::new(&format!("/proc/{id}")).exists());
        }
    }
}
