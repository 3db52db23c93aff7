//! Only those who know the address get anything, and only pages of this server may ask.

use std::time::Duration;

use serde_json::json;

use crate::client::{Response, Served};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What every response has, refused or not.
fn has_headers(response: &Response) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(response.header(name), Some(value), "{}", response.head);
    }
    assert_eq!(response.header("access-control-allow-origin"), None);
}

#[test]
fn the_page_and_its_parts_are_there() {
    let served = Served::new(None);
    for (path, form) in [
        ("/", "text/html; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
        ("/api/file", "application/json"),
    ] {
        let response = served.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.header("content-type"), Some(form));
        has_headers(&response);
    }
    let page = served.get("/").body;
    assert!(
        !page.contains("http:") && !page.contains("https:"),
        "{page}"
    );
}

#[test]
fn what_does_not_know_the_address_finds_nothing() {
    let served = Served::new(None);
    let other = Served::new(None);
    assert_ne!(served.root, other.root);
    // 128 bits in hexadecimal.
    assert_eq!(served.root.len(), 33);
    let secret = served.root.clone();
    let shorter = &secret[..secret.len() - 1];
    let longer = format!("{secret}0");
    let paths = [
        "/",
        "",
        "/app.js",
        "/api/file",
        &other.root,
        shorter,
        &longer,
        "/../",
        "/%2e%2e/",
    ];
    for path in paths {
        for path in [
            path.to_owned(),
            format!("{path}/"),
            format!("{path}/api/file"),
        ] {
            let path = if path.starts_with('/') {
                path
            } else {
                format!("/{path}")
            };
            let port = served.port;
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
            );
            let response = served.raw(&request);
            assert_eq!(response.status, 404, "{path}");
            assert_eq!(response.body, "", "{path}");
            has_headers(&response);
        }
    }
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let served = Served::new(None);
    let (root, port) = (&served.root, served.port);
    let status = |headers: &str| {
        let request = format!("GET {root}/api/file HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        let response = served.raw(&request);
        let is_refused = response.status != 200;
        assert!(
            !is_refused || !response.body.contains("text"),
            "{headers}: {}",
            response.body
        );
        response.status
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(status(&format!("Host: {host}\r\n")), 200);
        assert_eq!(
            status(&format!("Host: {host}\r\nOrigin: http://{host}\r\n")),
            200
        );
    }
    // A name that leads to this machine (DNS rebinding), another port, none, two.
    for host in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("127.0.0.1.evil.example:{port}"),
        format!("[::1]:{port}"),
        String::new(),
    ] {
        assert_eq!(status(&format!("Host: {host}\r\n")), 421, "{host}");
    }
    let here = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(status(&format!("{here}Host: evil.example\r\n")), 421);
    for origin in [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        format!("http://evil.example:{port}"),
    ] {
        assert_eq!(
            status(&format!("{here}Origin: {origin}\r\n")),
            403,
            "{origin}"
        );
        let two = format!("{here}Origin: http://127.0.0.1:{port}\r\nOrigin: {origin}\r\n");
        assert_eq!(status(&two), 403, "{origin}");
    }
}

#[test]
fn methods_types_and_sizes_are_checked() {
    let served = Served::new(None);
    assert_eq!(served.send("PUT", "/api/save", Some("{}")).status, 405);
    assert_eq!(served.get("/api/save").status, 405);
    assert_eq!(served.send("POST", "/", Some("{}")).status, 405);
    assert_eq!(served.get("/api/nothing").status, 404);
    assert_eq!(served.send("OPTIONS", "/api/save", None).status, 405);
    // A form of another page could send this without a question to the server first.
    let port = served.port;
    let plain = served.raw(&format!(
        "POST {}/api/text HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
        served.root
    ));
    assert_eq!(plain.status, 415);
    for wrong in ["", "{", "[]", "{}", "{\"text\": 1, \"window\": \"one\"}"] {
        let response = served.send("POST", "/api/text", Some(wrong));
        assert!(
            [400, 422].contains(&response.status),
            "{wrong}: {}",
            response.status
        );
    }
    let large = json!({ "text": "x".repeat(9 << 20), "window": "one" });
    assert_eq!(served.post("text", &large).status, 413);
    // The server is still there.
    assert_eq!(served.get("/").status, 200);
}

#[test]
fn the_server_ends_though_pages_listen() {
    let served = Served::new(None);
    let _ = served.news();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let request = format!(
        "GET {}/api/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
        served.root, served.port
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let started = std::time::Instant::now();
    drop(served);
    assert!(started.elapsed() < Duration::from_secs(10));
}
