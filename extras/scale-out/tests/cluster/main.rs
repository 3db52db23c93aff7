//! Processes that explore a space together. Here they are threads, each with its own connections,
//! files and workers; the tests of the command kill real processes.

mod counts;
mod faults;
mod meeting;
mod proxy;
mod tables;

use std::net::TcpListener;
use std::path::Path;

use explore::{Options, Origin, Report};
use psvn_ir::Game;
use scale_out::{ClusterError, Member, explore};

/// The shared secret of all members in the tests.
const SECRET: &[u8] = b"4bTz0yqXvJr7mWc2KpLf9hNd";

fn game(name: &str, parameters: &[&str]) -> Game {
    let text = domains::generate(name, parameters).expect("a known game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

fn tiles() -> Game {
    game("sliding-tiles", &["3", "3"])
}

/// Make a folder for files: in memory where there is such a place, since tests that make files by
/// the thousand wait for a disk most of the time.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder for files")
}

/// Make the members of a cluster on this machine.
fn members(n: usize, folder: &Path) -> Vec<Member> {
    let listeners: Vec<TcpListener> = (0..n)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"))
        .collect();
    let addresses: Vec<String> = listeners
        .iter()
        .map(|it| it.local_addr().expect("an address").to_string())
        .collect();
    let members = listeners
        .into_iter()
        .enumerate()
        .map(|(process, listener)| {
            let addresses = addresses.clone();
            let mut member = Member::new(process, addresses, SECRET.to_vec(), folder.to_owned());
            member.listener = Some(listener);
            member
        });
    members.collect()
}

/// Let members explore together, each in a thread with its own options.
fn all<'o>(
    game: &Game,
    origin: &Origin,
    members: Vec<Member>,
    options: impl Fn() -> Options<'o> + Sync,
) -> Vec<Result<Report, ClusterError>> {
    let options = &options;
    std::thread::scope(|scope| {
        let running: Vec<_> = members
            .into_iter()
            .map(|member| scope.spawn(move || explore(game, origin, member, &options())))
            .collect();
        let results = running.into_iter();
        results
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    })
}

/// Return the report of all members, which must be the same.
fn report(results: Vec<Result<Report, ClusterError>>) -> Report {
    let reports: Result<Vec<Report>, ClusterError> = results.into_iter().collect();
    let mut reports = reports.expect("no error");
    let last = reports.pop().expect("a member");
    for other in reports {
        assert_eq!(other.layers, last.layers);
        assert_eq!(other.is_whole, last.is_whole);
        assert_eq!(other.farthest, last.farthest);
        assert_eq!(other.generated, last.generated);
        assert_eq!(other.stopped, last.stopped);
        assert_eq!(other.resumed_from(), last.resumed_from());
    }
    last
}
