//! How processes connect, and which ones are refused.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use budget::{Limits, Watch};
use explore::{Options, Origin};
use scale_out::{ClusterError, Member, explore};

use crate::{all, game, members, report, tiles};

fn one(member: Member, options: &Options<'_>) -> String {
    let result = explore(&tiles(), &Origin::Goals, member, options);
    result.expect_err("no exploration").to_string()
}

/// Run two members, the second of which is changed, and return the error of each.
fn refused(change: impl FnOnce(&mut Member), of_second: &Options<'static>) -> [String; 2] {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let mut second = members.pop().expect("two members");
    let mut first = members.pop().expect("two members");
    first.wait = Duration::from_secs(2);
    change(&mut second);
    let depth = of_second.depth;
    std::thread::scope(|scope| {
        let first = scope.spawn(|| one(first, &Options::default()));
        let second = one(
            second,
            &Options {
                depth,
                ..Options::default()
            },
        );
        [first.join().expect("no panic"), second]
    })
}

/// The one that refuses waits for a right one most of the time, so the cases run at once.
pub(crate) fn whoever_does_not_belong_is_refused_with_the_reason() {
    std::thread::scope(|scope| {
        scope.spawn(a_process_with_another_secret);
        scope.spawn(a_process_with_another_depth);
        scope.spawn(a_process_of_another_cluster);
        scope.spawn(a_process_with_another_game);
        scope.spawn(a_process_that_does_not_come_is_named);
    });
}

fn a_process_with_another_secret() {
    let change = |member: &mut Member| member.secret = b"another one, just as long".to_vec();
    let [first, second] = refused(change, &Options::default());
    assert!(
        second.contains("refused: the secret is another one"),
        "{second}"
    );
    assert!(
        first.contains("process 1 did not connect within 2 seconds"),
        "{first}"
    );
    assert!(
        first.contains("was refused: the secret is another one"),
        "{first}"
    );
}

fn a_process_with_another_depth() {
    let options = Options {
        depth: Some(3),
        ..Options::default()
    };
    let [first, second] = refused(|_| {}, &options);
    assert!(
        second.contains("refused: another greatest distance"),
        "{second}"
    );
    assert!(
        first.contains("was refused: another greatest distance"),
        "{first}"
    );
}

fn a_process_of_another_cluster() {
    let change = |member: &mut Member| {
        member.addresses.push("localhost:9".to_owned());
        member.wait = Duration::from_secs(2);
    };
    let [_, second] = refused(change, &Options::default());
    assert!(
        second.contains("a number of processes of 3, not 2"),
        "{second}"
    );
}

fn a_process_with_another_game() {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let second = members.pop().expect("two members");
    let mut first = members.pop().expect("two members");
    first.wait = Duration::from_secs(2);
    let results = std::thread::scope(|scope| {
        let first = scope.spawn(|| one(first, &Options::default()));
        let game = game("pancake", &["5"]);
        let second = explore(&game, &Origin::Goals, second, &Options::default());
        [
            first.join().expect("no panic"),
            second.expect_err("no way").to_string(),
        ]
    });
    assert!(
        results[1].contains("refused: another game"),
        "{}",
        results[1]
    );
    assert!(
        results[0].contains("was refused: another game"),
        "{}",
        results[0]
    );
}

fn a_process_that_does_not_come_is_named() {
    let folder = crate::folder();
    let mut members = members(4, folder.path());
    members.remove(2);
    for member in &mut members {
        member.wait = Duration::from_secs(1);
    }
    let started = Instant::now();
    for result in all(&tiles(), &Origin::Goals, members, Options::default) {
        let error = result.expect_err("process 2 is missing").to_string();
        // A process that gave up before this one is missing as well.
        assert!(error.contains("2 did not connect"), "{error}");
    }
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn garbage_on_the_port_changes_nothing() {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let (second, first) = (members.pop().expect("two"), members.pop().expect("two"));
    let address = first.addresses[0].clone();
    let results = std::thread::scope(|scope| {
        let first = scope.spawn(|| explore(&tiles(), &Origin::Goals, first, &Options::default()));
        // A caller that sends nothing, and stays.
        let silent = TcpStream::connect(&address).expect("a listener");
        for garbage in [
            &b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..],
            &[0xff; 10_000],
            b"PSVNLINK",
            b"PSVN",
            &[b"PSVNLINK".as_slice(), &[7; 5_000]].concat(),
        ] {
            let mut stream = TcpStream::connect(&address).expect("a listener");
            stream.write_all(garbage).ok();
            stream.shutdown(std::net::Shutdown::Write).ok();
            let mut answer = Vec::new();
            // The connection ends, and nothing secret is sent.
            stream.read_to_end(&mut answer).ok();
            assert!(answer.len() < 200, "{answer:?}");
        }
        let second = explore(&tiles(), &Origin::Goals, second, &Options::default());
        drop(silent);
        vec![first.join().expect("no panic"), second]
    });
    assert_eq!(report(results).states(), 181_440);
}

/// The first one waits for the second one while strangers call: many who stay and say nothing, and
/// some who begin as a process does.
#[test]
fn strangers_keep_no_place() {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let (second, first) = (members.pop().expect("two"), members.pop().expect("two"));
    let address = first.addresses[0].clone();
    let over = AtomicBool::new(false);
    let call = |number: usize| {
        let mut stream = TcpStream::connect(&address).ok()?;
        let begin = b"PSVNLINK and what isn't authenticated, but as long as it has to be";
        stream.write_all(&begin[..number % 56]).ok()?;
        Some(stream)
    };
    let (results, time) = std::thread::scope(|scope| {
        let first = scope.spawn(|| explore(&tiles(), &Origin::Goals, first, &Options::default()));
        let idle: Vec<_> = (0..300).map(call).collect();
        assert!(
            idle.iter().all(Option::is_some),
            "the first one still listens"
        );
        // Others come all the time.
        scope.spawn(|| {
            let mut idle = Vec::new();
            while !over.load(Ordering::Relaxed) {
                idle.push(call(idle.len()));
                if idle.len() > 200 {
                    idle.clear();
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let started = Instant::now();
        let second = explore(&tiles(), &Origin::Goals, second, &Options::default());
        let time = started.elapsed();
        over.store(true, Ordering::Relaxed);
        (vec![first.join().expect("no panic"), second], time)
    });
    assert_eq!(report(results).states(), 181_440);
    assert!(time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn contradictory_settings_of_a_member_are_refused() {
    let folder = crate::folder();
    let wrong = |change: fn(&mut Member)| {
        let mut member = members(2, folder.path()).swap_remove(0);
        change(&mut member);
        let result = explore(&tiles(), &Origin::Goals, member, &Options::default());
        let error = result.expect_err("no such member");
        assert!(matches!(error, ClusterError::Setup(_)), "{error:?}");
        error.to_string()
    };
    assert!(wrong(|it| it.process = 2).contains("no process 2 among 2"));
    assert!(wrong(|it| it.threads = 0).contains("thread"));
    assert!(wrong(|it| it.addresses.clear()).contains("no processes"));
    assert!(wrong(|it| it.addresses[1] = it.addresses[0].clone()).contains("two processes"));
}

#[test]
fn a_short_secret_is_refused() {
    let folder = crate::folder();
    let mut member = members(2, folder.path()).swap_remove(0);
    member.secret = b"a short secret".to_vec();
    let error = one(member, &Options::default());
    assert!(
        error.contains("14 characters, which is at most 84 bits"),
        "{error}"
    );
    // One process alone has no connections.
    let mut alone = members(1, folder.path()).swap_remove(0);
    alone.secret.clear();
    let found = explore(&tiles(), &Origin::Goals, alone, &Options::default());
    assert_eq!(report(vec![found]).states(), 181_440);
}

#[test]
fn a_port_in_use_is_reported() {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let taken = members[0].listener.take().expect("a listener");
    let error = one(members.swap_remove(0), &Options::default());
    assert!(
        error.contains("process 0 can't listen at 127.0.0.1:"),
        "{error}"
    );
    drop(taken);
}

/// A process that dies while the last one is still missing is restarted, and all continue: one that
/// is called by another one, and one that calls.
pub(crate) fn a_process_that_dies_before_the_start_may_join_again() {
    std::thread::scope(|scope| {
        for dying in [0, 1] {
            scope.spawn(move || join_again(dying));
        }
    });
}

/// Let one of two processes die while a third one is missing, and start it again.
fn join_again(dying: usize) {
    let folder = crate::folder();
    let mut members = members(3, folder.path());
    let last = members.pop().expect("three members");
    let again = {
        let member = &members[dying];
        let listener = member.listener.as_ref().expect("it listens");
        let mut again = Member::new(
            dying,
            member.addresses.clone(),
            member.secret.clone(),
            member.folder.clone(),
        );
        again.listener = Some(listener.try_clone().expect("another handle"));
        again
    };
    let stays = members.remove(1 - dying);
    let dies = members.remove(0);
    let game = tiles();
    let game = &game;
    let whole = |member: Member| explore(game, &Origin::Goals, member, &Options::default());
    let found = std::thread::scope(|scope| {
        let stays = scope.spawn(move || whole(stays));
        let interrupt = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            interrupt: Some(Arc::clone(&interrupt)),
            ..Limits::default()
        };
        let dies = scope.spawn(move || {
            let options = Options {
                budget: Watch::new(limits),
                ..Options::default()
            };
            explore(game, &Origin::Goals, dies, &options)
        });
        // The two connect meanwhile.
        std::thread::sleep(Duration::from_millis(700));
        interrupt.store(true, Ordering::Relaxed);
        let died = dies.join().expect("no panic");
        assert!(matches!(died, Err(ClusterError::Interrupted)), "{died:?}");
        let again = scope.spawn(move || whole(again));
        std::thread::sleep(Duration::from_millis(300));
        let last = whole(last);
        let (stays, again) = (stays.join(), again.join());
        vec![stays.expect("no panic"), again.expect("no panic"), last]
    });
    assert_eq!(report(found).states(), 181_440, "{dying}");
}
