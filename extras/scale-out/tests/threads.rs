//! No thread outlives an exploration, however it ends. This test has a process of its own, in which
//! no other one starts threads.

#![cfg(target_os = "linux")]

use std::io::Read;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use explore::{Options, Origin, Report};
use psvn_ir::Game;
use scale_out::{ClusterError, Member, explore};

fn threads() -> usize {
    let all = std::fs::read_dir("/proc/self/task").expect("the system lists them");
    all.count()
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

/// Let two members explore together, whose connection is led to another address if there is one.
fn together(
    game: &Game,
    folder: &Path,
    led_to: Option<&dyn Fn(String) -> String>,
) -> Vec<Result<Report, ClusterError>> {
    let (listeners, addresses): (Vec<_>, Vec<_>) = [listener(), listener()].into_iter().unzip();
    let members = listeners
        .into_iter()
        .enumerate()
        .map(|(process, listener)| {
            let mut addresses = addresses.clone();
            if let (1, Some(led_to)) = (process, led_to) {
                addresses[0] = led_to(addresses[0].clone());
            }
            let secret = b"4bTz0yqXvJr7mWc2KpLf9hNd".to_vec();
            let mut member = Member::new(process, addresses, secret, folder.to_owned());
            member.listener = Some(listener);
            member.threads = 2;
            member
        });
    let members: Vec<Member> = members.collect();
    std::thread::scope(|scope| {
        let explored =
            |member| scope.spawn(|| explore(game, &Origin::Goals, member, &Options::default()));
        let running: Vec<_> = members.into_iter().map(explored).collect();
        let ended = running.into_iter().map(|it| it.join().expect("no panic"));
        ended.collect()
    })
}

/// Check that all threads have ended but those that were there before.
fn check(before: usize) {
    let started = Instant::now();
    while threads() > before {
        assert!(started.elapsed() < Duration::from_secs(5), "{}", threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_thread_outlives_an_exploration() {
    let text = domains::generate("sliding-tiles", &["3", "3"]).expect("a known game");
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let before = threads();
    // The end.
    let folder = tempfile::tempdir().expect("a folder");
    for result in together(&game, folder.path(), None) {
        assert_eq!(result.expect("no error").states(), 181_440);
    }
    check(before);
    // Another process works in the folder of a worker.
    let lock = folder.path().join("share-0001").join("lock");
    let lock = std::fs::File::open(lock).expect("a lock");
    lock.lock().expect("nobody holds it");
    for result in together(&game, folder.path(), None) {
        let error = result.expect_err("a folder is in use").to_string();
        assert!(error.contains("another process works in"), "{error}");
    }
    drop(lock);
    check(before);
    // The connection is cut.
    for bytes in [40_000, 100_000] {
        let folder = tempfile::tempdir().expect("a folder");
        let cut = move |target: String| {
            let (listener, address) = listener();
            std::thread::spawn(move || forward(&listener, &target, bytes));
            address
        };
        for result in together(&game, folder.path(), Some(&cut)) {
            let error = result.expect_err("it is cut");
            assert!(matches!(error, ClusterError::Lost { .. }), "{error}");
        }
        check(before);
    }
}

/// Forward a connection, but only some bytes to the caller.
fn forward(listener: &TcpListener, target: &str, bytes: u64) {
    let (near, _) = listener.accept().expect("a caller");
    let far = TcpStream::connect(target).expect("a listener");
    let copy = |from: &TcpStream, mut into: &TcpStream, most: u64| {
        // It ends when one side is gone, and then the other one is cut off.
        std::io::copy(&mut from.take(most), &mut into).ok();
        for stream in [&near, &far] {
            stream.shutdown(Shutdown::Both).ok();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| copy(&near, &far, u64::MAX));
        copy(&far, &near, bytes);
    });
}
