//! `psvn studio`: the address, the page, the end; what is asked of the page is in the tests of the
//! crate `studio`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use crate::{folder, psvn, run};

/// What a page gets from an address.
fn get(address: &str) -> String {
    let (host, path) = address
        .strip_prefix("http://")
        .and_then(|it| it.split_once('/'))
        .unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[cfg(unix)]
#[test]
fn the_page_is_there_until_a_signal_ends_it() {
    let folder = folder();
    let path = folder.path().join("lamps.psvn");
    std::fs::write(&path, "2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n").unwrap();
    for signal in ["-INT", "-TERM"] {
        let words = ["studio", path.to_str().unwrap(), "--port", "0"];
        let mut command = psvn(&words);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        stdout.read_line(&mut address).unwrap();
        let address = address.trim();
        let page = get(address);
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
        assert!(page.contains("<title>PSVN studio</title>"), "{page}");
        let file = get(&format!("{address}api/file"));
        assert!(file.contains("lamps.psvn"), "{file}");
        let killed = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        // The data is the address, and nothing else.
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

#[test]
fn what_can_not_be_served_is_an_error() {
    let ran = run(&["studio", "/nowhere/game.psvn"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("/nowhere/game.psvn"), "{}", ran.stderr);
    let ran = run(&["studio", "gen:no-such-game"]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = run(&["studio", "gen:pancake:4", "--port", &port]);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(&format!("port {port}")),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--port 0"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}
